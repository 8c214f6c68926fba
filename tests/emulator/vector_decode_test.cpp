// The decoder against outside judges: an assembler, and the code that the product ships.
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>

#include "backend/gpu/device_code.h"
#include "emulator/code_object.h"
#include "emulator/vector_test_machine.h"

namespace halyard::emulator::test {
namespace {

// A register of an assembly line: 'v' or 's', its number, how many.
using Register = std::tuple<char, uint32_t, uint32_t>;

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// "v[4:5]" and "v4" and "s3" in the operands, without those of vcc, exec and m0.
std::set<Register> registers_in(const std::string& line) {
  std::set<Register> found;
  for (size_t at = line.find(' '); at != std::string::npos && at + 1 < line.size(); ++at) {
    const char kind = line[at + 1];
    if ((kind != 'v' && kind != 's') || is_word(line[at])) continue;
    size_t digits = at + 2;
    const bool many = digits < line.size() && line[digits] == '[';
    if (many) ++digits;
    if (digits >= line.size() || std::isdigit(static_cast<unsigned char>(line[digits])) == 0) continue;
    size_t used = 0;
    const uint32_t first = static_cast<uint32_t>(std::stoul(line.substr(digits), &used));
    uint32_t last = first;
    if (many) last = static_cast<uint32_t>(std::stoul(line.substr(digits + used + 1)));
    found.insert({kind, first, last - first + 1});
  }
  return found;
}

void insert_ranges(std::set<Register>& found, const RegisterRange* ranges, uint32_t n) {
  for (uint32_t r = 0; r < n; ++r) {
    const uint32_t first = ranges[r].first;
    if (first >= kVgpr0)
      found.insert({'v', first - kVgpr0, ranges[r].count});
    else if (first < kVccLo)
      found.insert({'s', first, ranges[r].count});
  }
}

// The mnemonic as the tables have it.
std::string plain_name(const std::string& line) {
  std::string name = line.substr(0, line.find(' '));
  for (const char* suffix : {"_e64_dpp", "_e32", "_e64", "_dpp"}) {
    const size_t n = std::string(suffix).size();
    if (name.size() > n && name.compare(name.size() - n, n, suffix) == 0) {
      name.resize(name.size() - n);
      break;
    }
  }
  if (name.rfind("v_cmpx", 0) == 0) name.erase(5, 1);
  return name;
}

// The dwords of .text of an ELF file of 64 bits.
std::vector<uint32_t> text_section(const std::vector<char>& file) {
  const auto number = [&](uint64_t at, size_t n) {
    uint64_t x = 0;
    std::memcpy(&x, file.data() + at, n);
    return x;
  };
  const uint64_t headers = number(0x28, 8), size = number(0x3a, 2), count = number(0x3c, 2),
                 names = number(0x3e, 2);
  for (uint64_t s = 0; s < count; ++s) {
    const uint64_t header = headers + s * size;
    const uint64_t name = number(headers + names * size + 24, 8) + number(header, 4);
    if (std::string(file.data() + name) != ".text") continue;
    std::vector<uint32_t> words(number(header + 32, 8) / 4);
    std::memcpy(words.data(), file.data() + number(header + 24, 8), words.size() * 4);
    return words;
  }
  return {};
}

TEST(VectorDecode, ReadsWhatAnAssemblerWrites) {
#ifdef HALYARD_VECTOR_ENCODINGS_OBJECT
  std::ifstream object(HALYARD_VECTOR_ENCODINGS_OBJECT, std::ios::binary);
  const std::vector<char> file((std::istreambuf_iterator<char>(object)), {});
  ASSERT_GT(file.size(), 64u) << HALYARD_VECTOR_ENCODINGS_OBJECT;
  const std::vector<uint32_t> text = text_section(file);
  std::ifstream source(HALYARD_VECTOR_ENCODINGS_SOURCE);
  std::set<std::string> names;
  size_t at = 0;
  for (std::string line; std::getline(source, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '/') continue;
    ASSERT_LT(at, text.size()) << line;
    Instruction i;
    ASSERT_TRUE(decode_vector(text.data() + at, text.size() - at, i)) << line << std::hex << " " << text[at];
    at += i.size_dwords;
    EXPECT_EQ(i.name, plain_name(line)) << line;
    names.insert(i.name);
    if (plain_name(line) == "v_nop" || plain_name(line) == "v_permlane64_b32")
      continue;  // nothing to wait for
    std::set<Register> found;
    insert_ranges(found, i.reads, i.n_reads);
    insert_ranges(found, i.writes, i.n_writes);
    EXPECT_EQ(found, registers_in(line)) << line;
  }
  EXPECT_EQ(at, text.size());
  for (const VectorOp* row : all_rows()) {
    const bool dual = row->format == Format::kVopd;  // a pair has the name of its first half
    if (dual || row->name == std::string("v_pipeflush")) continue;
    EXPECT_EQ(names.count(row->name), 1u) << row->name;
  }
#else
  GTEST_SKIP() << "no clang 22 to assemble for this processor";
#endif
}

// Vector encodings begin with a 0 bit, or with 110101, 110011 or 110010.
bool is_vector(uint32_t word) {
  return word >> 31 == 0 || word >> 26 == 0x35 || word >> 26 == 0x33 || word >> 26 == 0x32;
}

void decode_everything(const CodeObject& object) {
  constexpr uint32_t kCodeEnd = 0xbf9f0000;  // s_code_end fills what is behind the last kernel
  std::set<std::string> names;
  for (size_t at = 0; at < object.text.size();) {
    const uint32_t* words = object.text.data() + at;
    Instruction i;
    if (words[0] == kCodeEnd) {
      ++at;
      continue;
    }
    const size_t n_words = object.text.size() - at;
    const bool known = decode_vector(words, n_words, i);
    EXPECT_EQ(known, is_vector(words[0])) << object.target << " dword " << at << std::hex << " " << words[0];
    if (known) names.insert(i.name);
    if (!known && !decode_scalar(words, n_words, i) && !decode_memory(words, n_words, i)) {
      ADD_FAILURE() << object.target << " dword " << at << std::hex << " " << words[0];
      return;
    }
    at += i.size_dwords;
  }
  EXPECT_GT(names.size(), 20u) << object.target;
}

TEST(VectorDecode, KnowsEverythingInTheProductsKernels) {
  int n_objects = 0;
  for (const DeviceCode& code : device_code()) {
    const std::string arch(code.architecture);
    if (arch.rfind("gfx11", 0) != 0) continue;
    ++n_objects;
    decode_everything(
        read_code_object({reinterpret_cast<const uint8_t*>(code.bytes.data()), code.bytes.size()}));
  }
  if (n_objects == 0) GTEST_SKIP() << "built without device code for gfx11";
}

}  // namespace
}  // namespace halyard::emulator::test
