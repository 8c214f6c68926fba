#include "gguf/gguf.h"

#include <array>
#include <chrono>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "gguf/printable.h"
#include "gguf/report.h"
#include "gguf/writer.h"

namespace halyard::gguf {
namespace {

std::vector<std::byte> zeros(size_t n) {
  return std::vector<std::byte>(n);
}

Header parse_all(const std::vector<std::byte>& file) {
  return parse(file, file.size(), "test.gguf");
}

// The problem text of the Error that `action` must throw.
template <class Action>
std::string problem_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadFile);
    return error.problem();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(Gguf, EveryValueTypeRoundTrips) {
  Writer writer;
  writer.add<uint8_t>("u8", 255);
  writer.add<int8_t>("i8", -128);
  writer.add<uint16_t>("u16", 65535);
  writer.add<int16_t>("i16", -32768);
  writer.add<uint32_t>("u32", 4294967295u);
  writer.add<int32_t>("i32", std::numeric_limits<int32_t>::min());
  writer.add<uint64_t>("u64", std::numeric_limits<uint64_t>::max());
  writer.add<int64_t>("i64", std::numeric_limits<int64_t>::min());
  writer.add<float>("f32", 1e-6f);
  writer.add<double>("f64", 1e-300);
  writer.add<bool>("yes", true);
  writer.add<bool>("no", false);
  writer.add_string("text", "\xE6\xA8\xA1\xE5\x9E\x8B");
  writer.add_string("empty", "");
  writer.add_array<int32_t>("ints", {0, -4, 128});
  writer.add_array<float>("floats", {1.5f, -2.0f});
  writer.add_array<double>("doubles", {});
  writer.add_strings("strings", std::array<std::string, 3>{"a", "", "long enough to leave the small buffer"});
  const auto file = writer.file();
  const Header header = parse_all(file);

  EXPECT_EQ(header.version, 3u);
  EXPECT_EQ(header.metadata.size(), 18u);
  EXPECT_EQ(header.metadata[3].first, "i16");
  EXPECT_EQ(header.uint("u8"), 255u);
  EXPECT_EQ(std::get<int64_t>(header.find("i8")->data), -128);
  EXPECT_EQ(header.uint("u16"), 65535u);
  EXPECT_EQ(header.int_list("i16"), std::vector<int64_t>{-32768});
  EXPECT_EQ(header.uint("u32"), 4294967295u);
  EXPECT_EQ(header.int_list("i32"), std::vector<int64_t>{std::numeric_limits<int32_t>::min()});
  EXPECT_EQ(header.uint("u64"), std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(std::get<int64_t>(header.find("i64")->data), std::numeric_limits<int64_t>::min());
  EXPECT_EQ(header.real("f32"), double{1e-6f});
  EXPECT_EQ(header.real("f64"), 1e-300);
  EXPECT_TRUE(header.boolean("yes"));
  EXPECT_FALSE(header.boolean("no"));
  EXPECT_EQ(header.string("text"), "\xE6\xA8\xA1\xE5\x9E\x8B");
  EXPECT_EQ(header.string("empty"), "");
  EXPECT_EQ(header.int_list("ints"), (std::vector<int64_t>{0, -4, 128}));
  EXPECT_EQ(header.real_list("floats"), (std::vector<double>{1.5, -2.0}));
  EXPECT_TRUE(header.real_list("doubles").empty());
  EXPECT_EQ(header.string_list("strings"),
            (std::vector<std::string_view>{"a", "", "long enough to leave the small buffer"}));
  EXPECT_EQ(header.find("absent"), nullptr);
}

TEST(Gguf, TensorsRoundTrip) {
  Writer writer;
  writer.set_alignment(64);
  std::vector<std::byte> halves(2 * 3 * 5);
  for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::byte>(i);
  writer.add_tensor("first", {3, 5}, Format::kF16, halves);
  writer.add_tensor("experts", {256, 2, 2}, Format::kQ2_K, zeros(4 * 84));
  writer.add_tensor("last", {7}, Format::kF32, zeros(28));
  const auto file = writer.file();
  const Header header = parse_all(file);

  EXPECT_EQ(header.alignment, 64u);
  EXPECT_EQ(header.data_offset % 64, 0u);
  ASSERT_EQ(header.tensors.size(), 3u);
  const TensorInfo* first = header.find_tensor("first");
  ASSERT_EQ(first, &header.tensors[0]);
  EXPECT_EQ(first->dims, (std::vector<uint64_t>{3, 5}));
  EXPECT_EQ(first->offset, header.data_offset);
  EXPECT_EQ(first->bytes, 30u);
  EXPECT_EQ(file[first->offset + 29], std::byte{29});
  const TensorInfo* experts = header.find_tensor("experts");
  ASSERT_NE(experts, nullptr);
  EXPECT_EQ(experts->format, &format_info(Format::kQ2_K));
  EXPECT_EQ(experts->n_values, 1024u);
  EXPECT_EQ(experts->bytes, 336u);
  EXPECT_EQ(experts->offset, header.data_offset + 64);
  EXPECT_EQ(header.find_tensor("missing"), nullptr);
  EXPECT_TRUE(find_overlaps(header).empty());
  EXPECT_THROW(writer.add_tensor("short", {3, 5}, Format::kF16, zeros(29)), Error);
}

TEST(Gguf, NumbersAreReadWithTheSpecsLeniency) {
  Writer writer;
  writer.add<int32_t>("i32", 43);
  writer.add<int32_t>("minus", -1);
  writer.add<float>("f32", 10.0f);
  writer.add<uint64_t>("huge", std::numeric_limits<uint64_t>::max());
  writer.add_string("text", "43");
  writer.add_array<uint32_t>("u32s", {1, 2});
  writer.add_array<double>("f64s", {0.5});
  writer.add_strings("strings", std::array<std::string, 1>{"x"});
  const auto file = writer.file();
  const Header header = parse_all(file);

  EXPECT_EQ(header.uint("i32"), 43u);
  EXPECT_EQ(header.real("i32"), 43.0);
  EXPECT_EQ(header.int_list("u32s"), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(header.real_list("u32s"), (std::vector<double>{1, 2}));
  EXPECT_EQ(header.real_list("f64s"), std::vector<double>{0.5});
  EXPECT_EQ(header.real_list("f32"), std::vector<double>{10.0});
  EXPECT_EQ(header.string_list("text"), std::vector<std::string_view>{"43"});

  EXPECT_EQ(problem_of([&] { header.uint("gone"); }), "metadata key \"gone\" is missing");
  EXPECT_EQ(problem_of([&] { header.uint("minus"); }),
            "metadata key \"minus\" is -1 (i32); an integer of 0 or more is needed");
  EXPECT_EQ(problem_of([&] { header.uint("text"); }),
            "metadata key \"text\" is of type string; an integer of 0 or more is needed");
  EXPECT_EQ(problem_of([&] { header.uint("u32s"); }),
            "metadata key \"u32s\" is of type array of u32; an integer of 0 or more is needed");
  problem_of([&] { header.uint("f32"); });
  problem_of([&] { header.int_list("huge"); });
  problem_of([&] { header.int_list("f32"); });
  problem_of([&] { header.int_list("strings"); });
  problem_of([&] { header.real("text"); });
  problem_of([&] { header.real_list("strings"); });
  problem_of([&] { header.boolean("i32"); });
  problem_of([&] { header.string("i32"); });
  problem_of([&] { header.string_list("u32s"); });
}

TEST(Gguf, VersionTwoReadsTheSame) {
  Writer writer;
  writer.add<uint32_t>("key", 7);
  auto file = writer.file();
  file[4] = std::byte{2};
  const Header header = parse_all(file);
  EXPECT_EQ(header.version, 2u);
  EXPECT_EQ(header.uint("key"), 7u);
}

TEST(Gguf, APrefixWithTheDirectoryIsEnough) {
  Writer writer;
  writer.add_string("general.architecture", "deepseek4");
  writer.add_tensor("t", {1024}, Format::kF32, zeros(4096));
  const auto file = writer.file();
  const uint64_t data_offset = parse_all(file).data_offset;
  const Header header = parse(std::span(file).first(data_offset), file.size(), "test.gguf");
  EXPECT_EQ(header.tensors.at(0).bytes, 4096u);
  const std::string problem = problem_of([&] { parse(std::span(file).first(40), file.size(), "test.gguf"); });
  EXPECT_NE(problem.find("of the first 40 bytes of the file: the directory goes on behind them"),
            std::string::npos)
      << problem;
}

TEST(Gguf, UnknownFormatsAreListed) {
  Writer writer;
  writer.add_tensor("t", {32}, Format::kF32, zeros(128));
  auto file = writer.file();
  file[24 + 8 + 1 + 4 + 8] = std::byte{99};
  const Header header = parse_all(file);
  EXPECT_EQ(header.tensors[0].format, nullptr);
  EXPECT_EQ(header.tensors[0].ggml_type, 99u);
  EXPECT_EQ(header.tensors[0].bytes, 0u);
  const Report report = make_report(header);
  EXPECT_EQ(report.tensors[0].format, "type 99");
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_EQ(report.problems[0], "unknown format \"type 99\" of 1 tensor");
}

TEST(Gguf, VocabularyOfFlashIsViewedNotCopied) {
  Writer writer;
  std::vector<std::string> tokens(129280), merges(127741);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = "token" + std::to_string(i);
  for (size_t i = 0; i < merges.size(); ++i) merges[i] = "left right" + std::to_string(i);
  writer.add_strings("tokenizer.ggml.tokens", tokens);
  writer.add_strings("tokenizer.ggml.merges", merges);
  const auto file = writer.file();
  const auto start = std::chrono::steady_clock::now();
  const Header header = parse_all(file);
  const auto views = header.string_list("tokenizer.ggml.tokens");
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  RecordProperty("parse_ms", std::to_string(took.count()));
  ASSERT_EQ(views.size(), tokens.size());
  EXPECT_EQ(views.back(), tokens.back());
  const auto* first_byte = reinterpret_cast<const char*>(file.data());
  EXPECT_TRUE(views.back().data() > first_byte && views.back().data() < first_byte + file.size());
  EXPECT_EQ(header.string_list("tokenizer.ggml.merges").back(), merges.back());
}

TEST(Printable, ControlCharactersAndBadUtf8AreEscaped) {
  EXPECT_EQ(printable("plain \xD0\x9F\xE6\xA8\xA1\xF0\x9F\x98\x80"),
            "plain \xD0\x9F\xE6\xA8\xA1\xF0\x9F\x98\x80");
  EXPECT_EQ(printable("\x1B[31m\n\x7F"), "\\x1B[31m\\x0A\\x7F");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xC2\\x9B");
  EXPECT_EQ(printable("\xC3"), "\\xC3");
  EXPECT_EQ(printable("\xC0\x80\xED\xA0\x80\xF4\x90\x80\x80\xFF"),
            "\\xC0\\x80\\xED\\xA0\\x80\\xF4\\x90\\x80\\x80\\xFF");
  EXPECT_EQ(printable("a\\b"), "a\\\\b");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\xE6\xA8\xA1\xE5\x9E\x8B", 5), "\xE6\xA8\xA1...");
  EXPECT_EQ(quoted("abc", 3), "\"abc\"");
}

// The tiny models of the shared reference. The counts were taken with another reader.
struct TinyModel {
  std::string name;
  std::map<std::string, uint64_t> tensors_per_format;
};

TEST(Gguf, TinyModelsParse) {
  const std::string folder = std::string(HALYARD_SHARED_DIR) + "/reference/";
  const std::vector<TinyModel> models = {
      {"tiny-f16", {{"F32", 67}, {"F16", 109}, {"I32", 2}}},
      {"tiny-q8", {{"F32", 67}, {"F16", 42}, {"I32", 2}, {"Q8_0", 67}}},
      {"tiny-q4", {{"F32", 67}, {"F16", 42}, {"I32", 2}, {"Q8_0", 49}, {"Q4_K", 18}}},
      {"tiny-mxfp4", {{"F32", 67}, {"F16", 42}, {"I32", 2}, {"Q8_0", 49}, {"MXFP4", 18}}},
      {"tiny-q2", {{"F32", 67}, {"F16", 42}, {"I32", 2}, {"Q8_0", 49}, {"IQ2_XXS", 12}, {"Q2_K", 6}}},
  };
  for (const TinyModel& model : models) {
    std::ifstream stream(folder + model.name + ".gguf", std::ios::binary);
    if (!stream) GTEST_SKIP() << "no " << folder << model.name << ".gguf";
    const std::string text((std::istreambuf_iterator<char>(stream)), {});
    const Header header = parse(std::as_bytes(std::span(text)), text.size(), model.name);
    EXPECT_EQ(header.metadata.size(), 53u);
    EXPECT_EQ(header.tensors.size(), 178u);
    EXPECT_EQ(header.data_offset, 144160u);
    EXPECT_EQ(header.string("general.architecture"), "deepseek4");
    EXPECT_EQ(header.uint("deepseek4.block_count"), 6u);
    EXPECT_EQ(header.string_list("tokenizer.ggml.tokens").size(), 4096u);
    const Report report = make_report(header);
    std::map<std::string, uint64_t> counts;
    for (const FormatTotal& total : report.totals) counts[total.format] = total.n_tensors;
    EXPECT_EQ(counts, model.tensors_per_format) << model.name;
    EXPECT_TRUE(report.problems.empty()) << model.name << ": " << report.problems.at(0);
    EXPECT_TRUE(report.warnings.empty()) << model.name << ": " << report.warnings.at(0);
  }
}

Writer small_model() {
  Writer writer;
  writer.add_string("general.architecture", "deepseek4");
  writer.add<float>("deepseek4.attention.layer_norm_rms_epsilon", 1e-6f);
  writer.add_array<int32_t>("deepseek4.attention.compress_ratios", {0, 0, 4, 128, 4, 128, 4, 128, 4, 128});
  writer.add_strings("tokenizer.ggml.tokens", std::array<std::string, 2>{"<think>", "\x1B[2J"});
  writer.add_tensor("token_embd.weight", {256, 2}, Format::kQ2_K, zeros(168));
  writer.add_tensor("output_norm.weight", {256}, Format::kF32, zeros(1024));
  return writer;
}

TEST(Report, TextIsAligned) {
  const auto file = small_model().file();
  EXPECT_EQ(to_text(make_report(parse_all(file))), R"(test.gguf
  file size       1632 bytes (0.00 GiB)
  GGUF version    3
  alignment       32
  tensor data at  byte 416

metadata (4)
  general.architecture                        string           deepseek4
  deepseek4.attention.layer_norm_rms_epsilon  f32              1e-06
  deepseek4.attention.compress_ratios         array of i32     [10] 0, 0, 4, 128, 4, 128, 4, 128, ...
  tokenizer.ggml.tokens                       array of string  [2] "<think>", "\x1B[2J"

tensors (2)
  name                shape     format  offset  bytes
  token_embd.weight   [256, 2]  Q2_K       416    168
  output_norm.weight  [256]     F32        608   1024

totals
  format  tensors  bytes
  F32           1   1024  0.00 GiB
  Q2_K          1    168  0.00 GiB
  all           2   1192  0.00 GiB

no problems found
)");
}

TEST(Report, JsonHasTheMembersInOrder) {
  Writer writer;
  writer.add_array<int32_t>("ratios", {0, 4});
  writer.add_tensor("t", {8, 2}, Format::kF32, zeros(64));
  const auto file = writer.file();
  EXPECT_EQ(to_json(make_report(parse_all(file))), R"({
  "path": "test.gguf",
  "file_bytes": 192,
  "version": 3,
  "alignment": 32,
  "data_offset": 128,
  "metadata": [
    {
      "key": "ratios",
      "type": "array of i32",
      "value": "[2] 0, 4"
    }
  ],
  "tensors": [
    {
      "name": "t",
      "shape": [
        8,
        2
      ],
      "format": "F32",
      "offset": 128,
      "bytes": 64
    }
  ],
  "totals": [
    {
      "format": "F32",
      "n_tensors": 1,
      "bytes": 64
    }
  ],
  "problems": [],
  "warnings": []
}
)");
}

TEST(Report, GapsAreWarnings) {
  Writer writer;
  writer.add_tensor("a", {32}, Format::kF32, zeros(128));
  writer.add_tensor("b", {32}, Format::kF32, zeros(128));
  const auto file = writer.file();
  Header header = parse_all(file);
  header.tensors[0].bytes -= 32;
  const Report report = make_report(header);
  EXPECT_TRUE(report.problems.empty());
  EXPECT_EQ(report.warnings, std::vector<std::string>{"32 bytes between tensors belong to none"});
}

TEST(Report, FormatsWithoutDecoderAreWarnings) {
  Writer writer;
  writer.add_tensor("t", {256}, Format::kF32, zeros(1024));
  auto file = writer.file();
  file[24 + 8 + 1 + 4 + 8] = std::byte{14};
  file.resize(file.size() - 1024 + 224);
  const Report report = make_report(parse_all(file));
  EXPECT_TRUE(report.problems.empty());
  EXPECT_EQ(report.warnings,
            std::vector<std::string>{"Q6_K of 1 tensor is not a format that this program computes with"});
}

}  // namespace
}  // namespace halyard::gguf
