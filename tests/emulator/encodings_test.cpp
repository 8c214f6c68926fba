// What clang's assembler makes of encodings.s is decoded under the same names, sizes and registers.
#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>
#include <utility>

#include "emulator/instruction.h"
#include "emulator/memory_rows.h"
#include "emulator/scalar_op.h"

namespace halyard::emulator {
namespace {

struct Line {
  std::string text, name;
  std::vector<uint32_t> words;
};

// Lines "<instruction>   ; encoding: [0x01,0x02,...]".
std::vector<Line> read_listing() {
  std::ifstream in(HALYARD_ENCODINGS_FILE);
  std::vector<Line> out;
  const std::string mark = "encoding: [";
  for (std::string text; std::getline(in, text);) {
    const size_t at = text.find(mark);
    if (at == std::string::npos) continue;
    Line line;
    line.text = text.substr(text.find_first_not_of(" \t"), at);
    line.name = line.text.substr(0, line.text.find_first_of(" \t;"));
    std::istringstream bytes(text.substr(at + mark.size()));
    uint32_t word = 0, n = 0;
    for (std::string byte; std::getline(bytes, byte, ',');) {
      word |= static_cast<uint32_t>(std::stoul(byte.substr(0, 4), nullptr, 16)) << 8 * (n % 4);
      if (++n % 4 == 0) line.words.push_back(std::exchange(word, 0));
    }
    out.push_back(line);
  }
  return out;
}

// The registers that a line names: "v[2:3]" is v2 and v3, "s5" is s5.
std::set<std::string> named_registers(const std::string& text) {
  std::set<std::string> out;
  for (size_t at = text.find_first_of(" \t"); at < text.size();) {
    const size_t begin = text.find_first_not_of(" \t,", at);
    if (begin == std::string::npos) break;
    const size_t end = std::min(text.find_first_of(" \t,", begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    at = end;
    int first = 0, last = 0;
    if (std::sscanf(word.c_str(), "%*[vs][%d:%d]", &first, &last) != 2) {
      if (std::sscanf(word.c_str(), "%*[vs]%d", &first) != 1) continue;
      last = first;
    }
    for (int r = first; r <= last; ++r) out.insert(fmt::format("{}{}", word[0], r));
  }
  return out;
}

std::set<std::string> decoded_registers(const Instruction& i) {
  std::set<std::string> out;
  const auto add = [&](const RegisterRange& range) {
    for (uint32_t r = range.first; r < range.first + range.count; ++r) {
      if (r >= kVgpr0) out.insert(fmt::format("v{}", r - kVgpr0));
      if (r < kVccLo) out.insert(fmt::format("s{}", r));
    }
  };
  std::for_each(i.reads, i.reads + i.n_reads, add);
  std::for_each(i.writes, i.writes + i.n_writes, add);
  return out;
}

TEST(EncodingsTest, NamesSizesAndRegisters) {
  const std::vector<Line> lines = read_listing();
  ASSERT_GT(lines.size(), 300u);
  for (const Line& line : lines) {
    Instruction i;
    const bool known = decode_scalar(line.words.data(), line.words.size(), i) ||
                       decode_memory(line.words.data(), line.words.size(), i);
    ASSERT_TRUE(known) << line.text;
    EXPECT_EQ(i.name, line.name) << line.text;
    EXPECT_EQ(i.size_dwords, line.words.size()) << line.text;
    EXPECT_EQ(decoded_registers(i), named_registers(line.text)) << line.text;
  }
}

TEST(EncodingsTest, EveryRowIsInTheListing) {
  std::set<std::string> names;
  for (const Line& line : read_listing()) names.insert(line.name);
  for (const auto& rows : {scalar_binary_rows(), scalar_unary_rows(), scalar_compare_rows(),
                           scalar_constant_rows(), scalar_flow_rows()}) {
    for (const ScalarRow& row : rows) EXPECT_TRUE(names.contains(row.name)) << row.name;
  }
  for (const AccessRow& row : vector_memory_rows()) {
    EXPECT_TRUE(names.contains(std::string("global_") + row.name)) << row.name;
  }
}

TEST(EncodingsTest, NeverReadsBehindTheCode) {
  for (const Line& line : read_listing()) {
    for (size_t n = 1; n < line.words.size(); ++n) {
      const std::vector<uint32_t> cut(line.words.begin(),
                                      line.words.begin() + static_cast<std::ptrdiff_t>(n));
      Instruction i;
      EXPECT_FALSE(decode_scalar(cut.data(), n, i) || decode_memory(cut.data(), n, i)) << line.text;
    }
  }
}

}  // namespace
}  // namespace halyard::emulator
