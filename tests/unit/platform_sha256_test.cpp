// SHA-256. The sums are those of FIPS 180-4's examples and of its test vectors.
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>

#include "platform/sha256.h"

namespace halyard {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string sum_of(std::string_view text) {
  Sha256 sum;
  sum.add(bytes_of(text));
  return sum.hex();
}

constexpr std::string_view kTwoBlocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
constexpr const char* kTwoBlocksSum = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";

TEST(Sha256, KnownSums) {
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sum_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sum_of(kTwoBlocks), kTwoBlocksSum);
  EXPECT_EQ(sum_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesOfAnyLength) {
  for (size_t a = 0; a <= kTwoBlocks.size(); ++a) {
    for (size_t b = a; b <= kTwoBlocks.size(); ++b) {
      Sha256 sum;
      for (const std::string_view piece :
           {kTwoBlocks.substr(0, a), kTwoBlocks.substr(a, b - a), kTwoBlocks.substr(b)})
        sum.add(bytes_of(piece));
      ASSERT_EQ(sum.hex(), kTwoBlocksSum) << a << ", " << b;
    }
  }
}

TEST(Sha256, BeginsAnewAndMoves) {
  Sha256 first;
  first.add(bytes_of("something else"));
  first.hex();
  first.add(bytes_of(kTwoBlocks.substr(0, 10)));
  Sha256 second = std::move(first);
  second.add(bytes_of(kTwoBlocks.substr(10)));
  EXPECT_EQ(second.hex(), kTwoBlocksSum);
}

}  // namespace
}  // namespace halyard
