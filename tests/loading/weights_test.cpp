// Weights that are mapped and weights that are copied, through the engine: the same model, checked the same
// way.
#include <gtest/gtest.h>

#include "halyard/engine.h"
#include "platform/paths.h"
#include "platform/sha256.h"
#include "support/memory_engine.h"
#include "support/rewrite_model.h"
#include "unit/temp_folder.h"

namespace halyard::test {
namespace {

const std::vector<int32_t> kTokens = {100, 137, 174, 211, 248};

std::string sha256_of(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

class Weights : public testing::Test {
 protected:
  Weights() {
    write_all(folder_.path() / "whole.gguf", tiny_model());
    options_.model_path = utf8_from_path(folder_.path() / "whole.gguf");
    options_.n_threads = 1;
    options_.load = LoadMode::kCopy;
  }

  std::vector<float> logits(LoadMode load) {
    options_.load = load;
    return logits_of(*Engine::open(options_), kTokens);
  }
  Error refused() const {
    try {
      Engine::open(options_);
    } catch (const Error& error) {
      return error;
    }
    return Error(ErrorCode::kUsage, "opened", "", "");
  }

  TempFolder folder_;
  EngineOptions options_;
};

TEST_F(Weights, CopiedTheyGiveTheSameLogitsAsMapped) {
  const std::vector<float> mapped = logits(LoadMode::kMap);
  EXPECT_EQ(logits(LoadMode::kCopy), mapped);
  options_.model_path.clear();
  EXPECT_EQ(logits(LoadMode::kCopy), mapped) << "built in";
}

TEST_F(Weights, C12_AllPartsOfASplitModelAreCopiedAndChecked) {
  const std::vector<float> mapped = logits(LoadMode::kMap);
  const std::vector<std::vector<std::byte>> parts = ModelRewriter(tiny_model()).parts(3);
  for (size_t i = 0; i < parts.size(); ++i) {
    write_all(part_path(folder_.path(), "parts", i, parts.size()), parts[i]);
    options_.sha256.push_back(sha256_of(parts[i]));
  }
  options_.model_path = utf8_from_path(part_path(folder_.path(), "parts", 0, parts.size()));
  EXPECT_EQ(logits(LoadMode::kCopy), mapped);
  std::swap(options_.sha256[1], options_.sha256[2]);
  EXPECT_EQ(refused().code(), ErrorCode::kBadFile);
  options_.sha256.pop_back();
  EXPECT_EQ(refused().code(), ErrorCode::kUsage) << "one sum for each file";
}

TEST_F(Weights, TheSumIsCheckedInBothModes) {
  for (const LoadMode load : {LoadMode::kMap, LoadMode::kCopy}) {
    std::string sum = sha256_of(tiny_model());
    for (char& c : sum) c = static_cast<char>(std::toupper(c));
    options_.sha256 = {sum};
    EXPECT_EQ(logits(load).size(), kTokens.size() * 4096);
    sum.back() = sum.back() == '0' ? '1' : '0';
    options_.sha256 = {sum};
    const Error error = refused();
    EXPECT_EQ(error.code(), ErrorCode::kBadFile);
    EXPECT_NE(error.problem().find(sha256_of(tiny_model())), std::string::npos) << error.what();
    options_.sha256 = {"0123"};
    EXPECT_EQ(refused().code(), ErrorCode::kUsage);
    options_.sha256 = {std::string(64, 'g')};
    EXPECT_EQ(refused().code(), ErrorCode::kUsage);
  }
}

TEST_F(Weights, TheWatcherSeesTheLoadAndStopsItAndAnotherFollows) {
  uint64_t total = 0;
  options_.load_watcher = [&](const LoadStatus& status) {
    total = status.total_bytes;
    return status.done_bytes != 0;  // nothing yet
  };
  EXPECT_EQ(refused().code(), ErrorCode::kCancelled);
  EXPECT_GT(total, 1u << 20);
  options_.load_watcher = {};
  EXPECT_EQ(refused().problem(), "opened");
}

TEST_F(Weights, CopiesCountAgainstTheMemoryBeforeTheyAreMade) {
  options_.memory_limit_bytes = 8 << 20;  // less than the weights
  options_.load_watcher = [](const LoadStatus&) {
    ADD_FAILURE() << "loading began";
    return true;
  };
  EXPECT_EQ(refused().code(), ErrorCode::kOutOfMemory);
  options_.memory_limit_bytes = 256 << 20;
  options_.context_tokens = 1 << 20;
  EXPECT_EQ(refused().code(), ErrorCode::kOutOfMemory) << "the session to come counts";
}

// Memory is given in small steps until the model opens: then there is room for a short session and no more.
TEST_F(Weights, TheLargestContextFitsAndOneStepMoreDoesNot) {
  options_.slice_tokens = 128;
  for (const LoadMode load : {LoadMode::kMap, LoadMode::kCopy}) {
    options_.load = load;
    options_.memory_limit_bytes = 1 << 20;
    while (refused().code() == ErrorCode::kOutOfMemory) options_.memory_limit_bytes += 64 << 10;
    options_.memory_limit_bytes += 256 << 10;
    const auto engine = Engine::open(options_);
    const uint64_t largest = engine->largest_context();
    EXPECT_GT(largest, 0u);
    EXPECT_LT(largest, 4096u);
    EXPECT_EQ(engine->new_session(largest).max_tokens(), largest);
    EXPECT_THROW(engine->new_session(largest + 1024), Error);
  }
}

TEST_F(Weights, ASmallerSliceWhereOnlyThatFits) {
  options_.slice_tokens = 128;
  options_.context_tokens = 1024;
  options_.memory_limit_bytes = 1 << 20;
  while (refused().code() == ErrorCode::kOutOfMemory) options_.memory_limit_bytes += 64 << 10;
  options_.slice_tokens = 512;
  const auto engine = Engine::open(options_);
  EXPECT_EQ(engine->options().slice_tokens, 128u);
  EXPECT_EQ(engine->new_session(1024).max_tokens(), 1024u);
}

TEST_F(Weights, TheLargestContextIsWhatTheModelWasTrainedFor) {
  EXPECT_EQ(Engine::open(options_)->largest_context(), 4096u);
}

}  // namespace
}  // namespace halyard::test
