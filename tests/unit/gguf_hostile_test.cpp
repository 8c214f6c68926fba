// Broken and hostile GGUF files. Names give the row of the case list that a test stands for.
#include <algorithm>
#include <array>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "gguf/gguf.h"
#include "gguf/report.h"
#include "gguf/writer.h"
#include "support/raw_file.h"

namespace halyard::gguf {
namespace {

using test::RawFile;

std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

Header parse_text(std::string_view text) {
  return parse(as_bytes(text), text.size(), "test.gguf");
}

// Expects an Error whose problem holds `part`.
void expect_error(std::string_view file, std::string_view part, ErrorCode code = ErrorCode::kBadFile) {
  try {
    parse_text(file);
    ADD_FAILURE() << "no error; expected: " << part;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_NE(error.problem().find(part), std::string::npos) << error.what() << "\nexpected: " << part;
    EXPECT_EQ(error.where().rfind("test.gguf", 0), 0u) << error.where();
    EXPECT_FALSE(error.fix().empty());
  }
}

void expect_error(const RawFile& file, std::string_view part, ErrorCode code = ErrorCode::kBadFile) {
  expect_error(file.bytes(), part, code);
}

TEST(GgufHostile, C10_TruncatedByOneByte) {
  RawFile file(2, 0);
  file.tensor("a", {32}, 0, 0).tensor("b", {32}, 0, 128).pad(32).data(256);
  EXPECT_EQ(parse_text(file.bytes()).tensors.size(), 2u);
  const std::string cut = file.bytes().substr(0, file.bytes().size() - 1);
  expect_error(cut, "tensor \"b\" needs 128 bytes from byte 224 to 352, but the file has 351 bytes");
}

TEST(GgufHostile, C10_FirstBadTensorIsNamed) {
  RawFile file(3, 0);
  file.tensor("a", {32}, 0, 256).tensor("b", {32}, 0, 0).tensor("c", {32}, 0, 512).pad(32).data(200);
  expect_error(file, "tensor \"a\" needs");
}

TEST(GgufHostile, C10_NotAGguf) {
  expect_error("<!DOCTYPE html><html>", "not a GGUF file (starts with \"<!DOCTYPE html><\")");
  expect_error("\x89PNG\r\n\x1A\n", "not a GGUF file (starts with bytes 89 50 4E 47 0D 0A 1A 0A)");
  expect_error("PK\x03\x04zip", "not a GGUF file (starts with bytes 50 4B 03 04 7A 69 70)");
  expect_error("FUGG", "not a GGUF file (starts with \"FUGG\")");
  expect_error("GG", "not a GGUF file (starts with \"GG\")");
  expect_error("", "not a GGUF file (it is empty)");
}

TEST(GgufHostile, C11_AppendedDownloadIsReported) {
  Writer writer;
  writer.add_tensor("t", {8}, Format::kF32, std::vector<std::byte>(32));
  auto file = writer.file();
  const size_t sound = file.size();
  file.resize(sound + 2052);
  std::memcpy(file.data() + sound, "GGUF", 4);
  const Report report = make_report(parse(file, file.size(), "test.gguf"));
  ASSERT_EQ(report.problems.size(), 1u);
  EXPECT_NE(report.problems[0].find("the file has " + std::to_string(sound + 2052) + " bytes"),
            std::string::npos);
  EXPECT_NE(report.problems[0].find("ends at byte " + std::to_string(sound)), std::string::npos);
}

TEST(GgufHostile, C13_GapSmallerThanTheTensor) {
  RawFile early(2, 0);  // two Q8_0 rows of 68 bytes, the second one 4 bytes too early
  early.tensor("a", {64}, 8, 0).tensor("b", {64}, 8, 64).pad(32).data(160);
  const Header header = parse_text(early.bytes());
  ASSERT_EQ(find_overlaps(header).size(), 1u);
  EXPECT_EQ(find_overlaps(header)[0],
            "tensor \"a\" needs 68 bytes, but tensor \"b\" starts 64 bytes after it");
  EXPECT_EQ(make_report(header).problems, find_overlaps(header));

  RawFile unaligned(2, 0);
  unaligned.tensor("a", {128}, 8, 0).tensor("b", {128}, 8, 132).pad(32).data(320);
  expect_error(unaligned,
               "tensor \"b\" has offset 132, not a multiple of the alignment 32; the tensor before it, "
               "\"a\", takes 136 "
               "bytes from 0");
}

TEST(GgufHostile, C14_NamesThatOccurTwice) {
  RawFile tensors(3, 0);
  tensors.tensor("t", {8}, 0, 0).tensor("u", {8}, 0, 32).tensor("t", {8}, 0, 64).pad(32).data(96);
  expect_error(tensors, "tensor \"t\" occurs twice");
  RawFile keys(0, 2);
  for (int i = 0; i < 2; ++i) keys.name("k").u32(4).u32(1);
  expect_error(keys, "metadata key \"k\" occurs twice");
}

TEST(GgufHostile, C15_OffsetThatWraps) {
  RawFile file(2, 0);
  file.tensor("a", {8}, 0, 0).tensor("b", {8}, 0, 0xFFFFFFFFFFFFF000u).pad(32).data(4096);
  expect_error(file, "tensor \"b\" needs 32 bytes from byte 18446744073709547616");
  RawFile start(1, 0);
  start.tensor("a", {8}, 0, 0xFFFFFFFFFFFFFFE0u).pad(32).data(4096);
  expect_error(start, "tensor \"a\" has offset 18446744073709551584, which does not fit 64 bits");
  RawFile end(1, 0);  // the end wraps, not the start
  end.tensor("a", {uint64_t{1} << 60}, 0, uint64_t{1} << 63).pad(32).data(4096);
  expect_error(end, "tensor \"a\" needs");
  RawFile wrapping_end(1, 0);
  wrapping_end.tensor("a", {uint64_t{3} << 60}, 0, uint64_t{1} << 63).pad(32).data(4096);
  expect_error(wrapping_end, "does not fit 64 bits");
}

TEST(GgufHostile, C16_OffsetsFollowTheAlignment) {
  RawFile unaligned(1, 0);
  unaligned.tensor("t", {8}, 0, 33).pad(32).data(96);
  expect_error(unaligned, "tensor \"t\" has offset 33, not a multiple of the alignment 32");
  RawFile tail(1, 0);
  tail.tensor("t", {8}, 0, 0).pad(32).data(32 + 31);
  EXPECT_TRUE(make_report(parse_text(tail.bytes())).problems.empty());
}

TEST(GgufHostile, C17_CountsBeyondTheFile) {
  expect_error(RawFile(0, 0x100000000u), "4294967296 metadata entries");
  expect_error(RawFile(0x100000000u, 0), "4294967296 tensors");
  expect_error(RawFile(~uint64_t{0}, ~uint64_t{0}), "18446744073709551615 tensors");
}

// A mapping can be far longer than any directory, so "the bytes there" do not bound the counts alone.
TEST(GgufHostile, C17_CountsBeyondTheLimits) {
  RawFile metadata(0, kMaxMetadata + 1);
  metadata.data(16 * (kMaxMetadata + 1));
  expect_error(metadata, "65537 metadata entries; at most 65536");
  RawFile tensors(kMaxTensors + 1, 0);
  tensors.data(40 * (kMaxTensors + 1));
  expect_error(tensors, "1048577 tensors; at most 1048576");
}

TEST(GgufHostile, C18_LengthsThatWrap) {
  for (const uint64_t length : {~uint64_t{0}, ~uint64_t{0} - 7, uint64_t{1} << 63, uint64_t{15}}) {
    RawFile key(0, 1);
    key.u64(length).raw("AAAAAAAA", 8);
    expect_error(key, "metadata entry");
    RawFile value(0, 1);
    value.name("k").u32(8).u64(length).raw("AAAAAAAA", 8);
    expect_error(value, "metadata entry \"k\": the string takes " + std::to_string(length) + " bytes");
    RawFile element(0, 1);
    element.name("k").u32(9).u32(8).u64(1).u64(length).raw("AAAAAAAA", 8);
    expect_error(element, "metadata entry \"k\": a string takes " + std::to_string(length) + " bytes");
    RawFile tensor(1, 0);
    tensor.u64(length).raw("AAAAAAAAAAAAAA", 14).data(11);
    if (length > 25) expect_error(tensor, "tensor 0: the name takes " + std::to_string(length) + " bytes");
  }
}

TEST(GgufHostile, C18_NamesHaveALimit) {
  RawFile longest(0, 1);
  longest.name(std::string(65536, 'k')).u32(4).u32(1);
  EXPECT_EQ(parse_text(longest.bytes()).metadata.size(), 1u);
  RawFile key(0, 1);
  key.name(std::string(65537, 'k')).u32(4).u32(1);
  expect_error(key, "the key has 65537 bytes");
  RawFile empty(0, 1);
  empty.name("").u32(4).u32(1).u32(0);
  expect_error(empty, "the key is empty");
  RawFile tensor(1, 0);
  tensor.tensor("", {8}, 0, 0).pad(32).data(32);
  expect_error(tensor, "the name is empty");
}

TEST(GgufHostile, C19_NumberOfDimensions) {
  for (const uint32_t n_dims : {0u, 5u, 64u, 0xFFFFFFFFu}) {
    RawFile file(1, 0);
    file.name("t").u32(n_dims).data(64);
    expect_error(file, "tensor \"t\": " + std::to_string(n_dims) + " dimensions; 1 to 4 are read");
  }
}

TEST(GgufHostile, C20_Alignment) {
  for (const uint32_t alignment : {0u, 1u, 3u, 4u, 48u, 131072u, 1u << 30}) {
    RawFile file(0, 1);
    file.name("general.alignment").u32(4).u32(alignment);
    expect_error(file,
                 "general.alignment is " + std::to_string(alignment) + "; a power of two from 8 to 65536");
  }
  for (const uint32_t alignment : {8u, 4096u, 65536u}) {
    RawFile file(0, 1);
    file.name("general.alignment").u32(4).u32(alignment);
    EXPECT_EQ(parse_text(file.bytes()).alignment, alignment);
  }
}

TEST(GgufHostile, C21_AlignmentOfAnotherType) {
  RawFile i32(0, 1);
  i32.name("general.alignment").u32(5).u32(64);
  EXPECT_EQ(parse_text(i32.bytes()).alignment, 64u);
  RawFile minus(0, 1);
  minus.name("general.alignment").u32(5).u32(0xFFFFFFE0u);
  expect_error(minus, "general.alignment");
  RawFile text(0, 1);
  text.name("general.alignment").u32(8).name("32");
  expect_error(text, "metadata key \"general.alignment\" is of type string");
}

TEST(GgufHostile, C22_DimensionsWhoseProductWraps) {
  RawFile values(1, 0);
  values.tensor("t", {uint64_t{1} << 32, uint64_t{1} << 32}, 0, 0);
  expect_error(values, "tensor \"t\": the product of the dimensions does not fit 64 bits");
  RawFile bytes(1, 0);
  bytes.tensor("t", {uint64_t{1} << 31, uint64_t{1} << 31}, 0, 0);
  expect_error(bytes, "tensor \"t\": the size in bytes does not fit 64 bits");
  RawFile zero(1, 0);
  zero.tensor("t", {0, uint64_t{1} << 40}, 0, 0);
  expect_error(zero, "tensor \"t\": a dimension is 0");
}

TEST(GgufHostile, RowsThatDoNotDivideIntoBlocks) {
  RawFile file(1, 0);
  file.tensor("t", {128, 2}, 10, 0).pad(32).data(84);
  expect_error(file, "tensor \"t\": rows of 128 values do not divide into Q2_K blocks of 256");
}

TEST(GgufHostile, C23_NestedAndEndlessArrays) {
  RawFile nested(0, 1);
  nested.name("a").u32(9);
  for (int depth = 0; depth < 100000; ++depth) nested.u32(9).u64(1);
  expect_error(nested, "metadata entry \"a\": an array of arrays");
  for (const uint32_t element : {0u, 4u, 8u, 12u}) {
    for (const uint64_t count : {uint64_t{1} << 63, ~uint64_t{0}, uint64_t{1} << 61, uint64_t{33}}) {
      RawFile endless(0, 1);
      endless.name("a").u32(9).u32(element).u64(count).data(32);
      expect_error(endless, "metadata entry \"a\": " + std::to_string(count));
    }
  }
}

TEST(GgufHostile, UnknownValueTypes) {
  for (const uint32_t type : {13u, 0xFFFFFFFFu}) {
    RawFile scalar(0, 1);
    scalar.name("a").u32(type).data(32);
    expect_error(scalar, "metadata entry \"a\": unknown value type " + std::to_string(type));
    RawFile element(0, 1);
    element.name("a").u32(9).u32(type).u64(1).data(32);
    expect_error(element, "metadata entry \"a\": unknown element type " + std::to_string(type));
  }
}

// The container keeps such a number; the model's configuration must bound it (C24).
TEST(GgufHostile, C24_BlockCountIsOnlyANumberHere) {
  Writer writer;
  writer.add<uint32_t>("deepseek4.block_count", 100000);
  const auto file = writer.file();
  EXPECT_EQ(parse(file, file.size(), "test.gguf").uint("deepseek4.block_count"), 100000u);
}

TEST(GgufHostile, VersionsAndByteOrder) {
  expect_error(RawFile(0, 0, 1), "GGUF version 1 is not read", ErrorCode::kUnsupported);
  expect_error(RawFile(0, 0, 0), "GGUF version 0 is not read", ErrorCode::kUnsupported);
  expect_error(RawFile(0, 0, 4), "GGUF version 4 is not read", ErrorCode::kUnsupported);
  expect_error(RawFile(0, 0, 0x03000000u), "a big-endian GGUF file", ErrorCode::kUnsupported);
}

TEST(GgufHostile, NamesInErrorsAreSafeToPrint) {
  RawFile file(1, 0);
  file.tensor("\x1B[2J\n\xFF", {8}, 0, 1).pad(32).data(64);
  expect_error(file, "tensor \"\\x1B[2J\\x0A\\xFF\" has offset 1");
}

// A file with every kind of value, whose last tensor ends at its last byte.
std::vector<std::byte> small_file() {
  Writer writer;
  writer.add_string("general.architecture", "deepseek4");
  writer.set_alignment(32);
  writer.add<uint8_t>("u8", 1);
  writer.add<bool>("bool", true);
  writer.add<double>("f64", 0.5);
  writer.add_array<int32_t>("ints", {0, 4, 128});
  writer.add_strings("strings", std::array<std::string, 3>{"a", "", "ccc"});
  writer.add_tensor("q8", {64, 2}, Format::kQ8_0, std::vector<std::byte>(136));
  writer.add_tensor("f32", {2, 2, 2}, Format::kF32, std::vector<std::byte>(32));
  return writer.file();
}

// Everything that a caller may do with what was parsed; must not crash whatever the file says.
void use(const Header& header) {
  for (const auto& [key, value] : header.metadata) {
    ASSERT_EQ(header.find(key), &value);
    if (const auto* array = std::get_if<Array>(&value.data);
        array != nullptr && array->element == ValueType::kString) {
      ASSERT_EQ(array->strings().size(), array->count);
    }
  }
  for (const TensorInfo& tensor : header.tensors) ASSERT_EQ(header.find_tensor(tensor.name), &tensor);
  const Report report = make_report(header);
  ASSERT_FALSE(to_text(report).empty());
  ASSERT_FALSE(to_json(report).empty());
}

TEST(GgufHostile, TruncationAtEveryByteIsAnError) {
  const auto file = small_file();
  use(parse(file, file.size(), "test.gguf"));
  const uint64_t data_offset = parse(file, file.size(), "test.gguf").data_offset;
  for (size_t n = 0; n < file.size(); ++n) {
    // In memory of exactly that size, so that a read beyond it is seen by the address sanitizer.
    const std::vector<std::byte> cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(n));
    EXPECT_THROW(parse(cut, cut.size(), "test.gguf"), Error) << n;
    if (n + 32 <= data_offset) {
      EXPECT_THROW(parse(cut, file.size(), "test.gguf"), Error) << n;
    }
  }
}

TEST(GgufHostile, RandomMutationsNeverCrash) {
  const auto original = small_file();
  constexpr uint32_t kSeed = 20240607;
  std::mt19937 random(kSeed);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  size_t n_parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
    auto file = original;
    for (size_t change = below(4) + 1; change > 0; --change) {
      const size_t at = below(file.size());
      switch (below(4)) {
        case 0:
          file[at] = static_cast<std::byte>(random());
          break;
        case 1:
          file[at] ^= static_cast<std::byte>(1u << below(8));
          break;
        case 2:
          std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(at), std::min<size_t>(8, file.size() - at),
                      std::byte{0xFF});
          break;
        default:
          file.erase(file.begin() + static_cast<std::ptrdiff_t>(at));
          break;
      }
    }
    file.shrink_to_fit();
    try {
      use(parse(file, file.size(), "test.gguf"));
      ++n_parsed;
    } catch (const Error&) {
      continue;
    }
  }
  EXPECT_GT(n_parsed, 100u);
  EXPECT_LT(n_parsed, 19900u);
}

}  // namespace
}  // namespace halyard::gguf
