// Vocabularies made to be slow. Nothing is timed: a test that takes quadratic time does not end within
// CTest's limit.
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "text/bpe.h"
#include "text/keyed_hash.h"

namespace halyard {
namespace {

// Pairs that fall together under the multiplier that hash tables commonly use, 2^64 / golden ratio. A table
// that used it would look at 65,000 slots for each.
TEST(HostileVocabulary, PairsThatCollideUnderAKnownHash) {
  constexpr uint64_t kKnown = 0x9E3779B97F4A7C15;
  constexpr size_t kMerges = size_t{1} << 17;
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (int32_t left = 0; pairs.size() < kMerges; ++left) {
    for (int32_t right = 0; right < 129280 && pairs.size() < kMerges; ++right) {
      const uint64_t pair = uint64_t{static_cast<uint32_t>(left)} << 32 | static_cast<uint32_t>(right);
      if ((pair * kKnown) >> 52 == 0) pairs.emplace_back(left, right);
    }
  }
  MergeTable table(kMerges);
  for (size_t i = 0; i < pairs.size(); ++i)
    table.add(pairs[i].first, pairs[i].second, {static_cast<uint32_t>(i), 7});
  for (size_t round = 0; round < 20; ++round) {
    for (size_t i = 0; i < pairs.size(); ++i) ASSERT_EQ(table.find(pairs[i].first, pairs[i].second)->rank, i);
  }
}

TEST(KeyedHash, DiffersFromObjectToObjectAndNotBetweenCopies) {
  const KeyedHash one, another;
  const KeyedHash copy = one;
  EXPECT_EQ(one(std::string_view("some text")), copy(std::string_view("some text")));
  EXPECT_NE(one(std::string_view("some text")), another(std::string_view("some text")));
  for (const char* text : {"", "a", "some tex", "some text of several words"}) {
    EXPECT_EQ(one(std::string_view(text)), copy(std::string_view(text)));
    EXPECT_NE(one(std::string_view(text)), one(std::string(text) + '\0'));
  }
}

}  // namespace
}  // namespace halyard
