// Engine, session and generation on the built-in tiny model.
#include "halyard/engine.h"

#include <gtest/gtest.h>
#include <numeric>

#include "halyard/generate.h"
#include "halyard/version.h"

namespace halyard {
namespace {

std::shared_ptr<Engine> open_tiny(const std::string& backend = "cpu", bool cache_rounding = true) {
  EngineOptions options;
  options.backend = backend;
  options.n_threads = 2;
  options.cache_rounding = cache_rounding;
  options.slice_tokens = 128;
  return Engine::open(options);
}

Message user(const std::string& text) {
  Message m;
  m.content = text;
  return m;
}

std::vector<int32_t> some_tokens(size_t n) {
  std::vector<int32_t> tokens(n);
  for (size_t i = 0; i < n; ++i) tokens[i] = static_cast<int32_t>(100 + i * 37 % 3000);
  return tokens;
}

std::vector<float> copy(std::span<const float> values) {
  return {values.begin(), values.end()};
}

GenerateOptions greedy() {
  GenerateOptions options;
  options.sampling.temperature = 0;
  return options;
}

struct Answer {
  std::string content;
  Generation generation;
};

Answer answer(Session& session, const GenerateOptions& options,
              const std::function<bool()>& keep_going = {}) {
  Answer a;
  a.generation = generate(
      session, options,
      [&](const OutputEvent& event) {
        if (event.kind == OutputKind::kContent) a.content += event.text;
        return true;
      },
      keep_going);
  return a;
}

ErrorCode code_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::kCancelled;
}

TEST(Engine, AnswersFromTheBuiltInModelOnEveryBackend) {
  for (const std::string backend : {"cpu", "reference"}) {
    const auto engine = open_tiny(backend);
    EXPECT_EQ(engine->backend_name(), backend);
    Session session = engine->new_session(256);
    session.evaluate(engine->encode_chat({user("What is the capital of Italy?")}, {}));
    const Answer a = answer(session, greedy());
    EXPECT_EQ(a.content, "The capital of Italy is Rome.");
    EXPECT_EQ(a.generation.reason, StopReason::kEndOfTurn);
  }
}

TEST(Engine, DescribesTheModel) {
  const auto engine = open_tiny();
  EXPECT_EQ(engine->model().source, "built-in");
  EXPECT_EQ(engine->model().vocab, 4096u);
  EXPECT_EQ(engine->model().n_layers, 6u);
  EXPECT_NE(engine->model().formats.find("Q4_K"), std::string::npos);
  EXPECT_GT(engine->model().weight_bytes, engine->model().bytes_per_token);
}

TEST(Engine, OptionsAreChecked) {
  const auto open = [](auto change) {
    EngineOptions options;
    change(options);
    return code_of([&] { Engine::open(options); });
  };
  EXPECT_EQ(open([](EngineOptions& o) { o.backend = "abacus"; }), ErrorCode::kUsage);
  EXPECT_EQ(open([](EngineOptions& o) { o.backend = "hip"; }), ErrorCode::kUnsupported);
  EXPECT_EQ(open([](EngineOptions& o) { o.slice_tokens = 100; }), ErrorCode::kUsage);
  EXPECT_EQ(open([](EngineOptions& o) { o.model_path = "no such file.gguf"; }), ErrorCode::kNotFound);
  EXPECT_EQ(open([](EngineOptions& o) { o.memory_limit_bytes = 1 << 20; }), ErrorCode::kOutOfMemory);
}

TEST(Engine, AContextThatDoesNotFitIsRefusedWithBothNumbers) {
  EngineOptions options;
  options.memory_limit_bytes = 64 << 20;
  const auto engine = Engine::open(options);
  try {
    engine->new_session(1 << 20);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_NE(error.problem().find("64.00 MiB"), std::string::npos) << error.what();
  }
  EXPECT_EQ(code_of([&] { engine->new_session(0); }), ErrorCode::kUsage);
}

TEST(Session, HandedOverInPortionsGivesTheSameLogits) {
  const auto engine = open_tiny("reference");
  const std::vector<int32_t> tokens = some_tokens(300);
  Session whole = engine->new_session(300), parts = engine->new_session(300);
  whole.evaluate(tokens);
  for (size_t done = 0; done < 300; done += 60) parts.evaluate(std::span(tokens).subspan(done, 60));
  EXPECT_EQ(copy(whole.logits()), copy(parts.logits()));
  EXPECT_EQ(parts.tokens(), tokens);
}

TEST(Session, StopsAtASliceAndGoesOn) {
  const auto engine = open_tiny();
  const std::vector<int32_t> tokens = some_tokens(300);
  Session whole = engine->new_session(300), stopped = engine->new_session(300);
  whole.evaluate(tokens);
  std::vector<uint64_t> seen;
  const uint64_t n = stopped.evaluate(tokens, [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, 300u);
    seen.push_back(done);
    return done < 256;
  });
  EXPECT_EQ(n, 256u);
  EXPECT_EQ(seen, (std::vector<uint64_t>{128, 256}));
  EXPECT_EQ(stopped.n_tokens(), 256u);
  stopped.evaluate(std::span(tokens).subspan(n));
  EXPECT_EQ(copy(whole.logits()), copy(stopped.logits()));
}

TEST(Session, ReadsTheLogitsAfterEveryToken) {
  const auto engine = open_tiny("reference");
  const std::vector<int32_t> tokens = some_tokens(200);
  Session session = engine->new_session(200), single = engine->new_session(200);
  uint64_t next = 0;
  session.evaluate(tokens, [&](uint64_t index, std::span<const float> logits) {
    EXPECT_EQ(index, next++);
    single.evaluate({&tokens[index], 1});
    EXPECT_EQ(copy(logits), copy(single.logits()));
  });
  EXPECT_EQ(next, 200u);
}

TEST(Session, RefusesWhatDoesNotFitAndStaysAsItWas) {
  const auto engine = open_tiny();
  Session session = engine->new_session(10);
  session.evaluate(some_tokens(6));
  const std::vector<float> before = copy(session.logits());
  EXPECT_EQ(code_of([&] { session.evaluate(some_tokens(5)); }), ErrorCode::kUsage);
  const std::vector<int32_t> outside = {5, 4096}, negative = {-1};
  EXPECT_EQ(code_of([&] { session.evaluate(outside); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { session.evaluate(negative); }), ErrorCode::kUsage);
  EXPECT_EQ(session.n_tokens(), 6u);
  EXPECT_EQ(copy(session.logits()), before);
  EXPECT_EQ(session.evaluate(some_tokens(4)), 4u);
}

TEST(Session, AForkGoesItsOwnWay) {
  const auto engine = open_tiny();
  const std::vector<int32_t> tokens = some_tokens(150);
  Session session = engine->new_session(300);
  session.evaluate(tokens);
  Session fork = session.fork();
  fork.evaluate(some_tokens(7));
  EXPECT_EQ(session.n_tokens(), 150u);
  EXPECT_EQ(fork.n_tokens(), 157u);
  session.evaluate(some_tokens(7));
  EXPECT_EQ(copy(session.logits()), copy(fork.logits()));
}

TEST(Session, OutlivesItsCreatorsHandle) {
  auto engine = open_tiny();
  Session session = engine->new_session(50);
  engine.reset();
  session.evaluate(some_tokens(20));
  EXPECT_EQ(session.logits().size(), 4096u);
}

TEST(Session, ACancelHoldsUntilItIsCleared) {
  const auto engine = open_tiny();
  const std::vector<int32_t> tokens = some_tokens(300);
  Session whole = engine->new_session(300), session = engine->new_session(300);
  whole.evaluate(tokens);
  session.cancel();  // before the call: nothing runs
  EXPECT_EQ(session.evaluate(tokens), 0u);
  EXPECT_EQ(session.evaluate(tokens), 0u);
  session.clear_cancel();
  // From inside a slice's report, as another thread would: the slices that follow do not run.
  EXPECT_EQ(session.evaluate(tokens,
                             [&](uint64_t, uint64_t) {
                               session.cancel();
                               return true;
                             }),
            128u);
  Session moved = std::move(session);
  EXPECT_TRUE(moved.cancelled());
  EXPECT_FALSE(moved.fork().cancelled());
  moved.clear_cancel();
  EXPECT_EQ(moved.evaluate(std::span(tokens).subspan(128)), 172u);
  EXPECT_EQ(copy(whole.logits()), copy(moved.logits()));
}

class Generate : public testing::Test {
 protected:
  Generate() { session_.evaluate(engine_->encode_chat({user("Count from 3 to 9.")}, {})); }
  std::shared_ptr<Engine> engine_ = open_tiny();
  Session session_ = engine_->new_session(100);
};

TEST_F(Generate, StopsBeforeAStopString) {
  GenerateOptions options = greedy();
  options.stop.stop_strings = {", 6"};
  const Answer a = answer(session_, options);
  EXPECT_EQ(a.content, "3, 4, 5");
  EXPECT_EQ(a.generation.reason, StopReason::kStopString);
}

TEST_F(Generate, StopsAtTheMostTokensWithWhatIsThere) {
  GenerateOptions options = greedy();
  options.stop.max_tokens = 4;
  const uint64_t before = session_.n_tokens();
  const Answer a = answer(session_, options);
  EXPECT_EQ(a.generation.n_tokens, 4u);
  EXPECT_EQ(a.generation.reason, StopReason::kMaxTokens);
  EXPECT_FALSE(a.content.empty());
  EXPECT_EQ(session_.n_tokens(), before + 4);
}

TEST_F(Generate, StopsWhenTheContextIsFull) {
  Session small = engine_->new_session(20);
  small.evaluate(engine_->encode_chat({user("Count from 3 to 9.")}, {}));
  EXPECT_EQ(answer(small, greedy()).generation.reason, StopReason::kContextFull);
  EXPECT_EQ(small.n_tokens(), 20u);
}

TEST_F(Generate, StopsWhenAsked) {
  int asked = 0;
  const Answer a = answer(session_, greedy(), [&] { return ++asked <= 3; });
  EXPECT_EQ(a.generation.reason, StopReason::kCancelled);
  EXPECT_EQ(a.generation.n_tokens, 3u);
  const Generation g = generate(session_, greedy(), [](const OutputEvent&) { return false; });
  EXPECT_EQ(g.reason, StopReason::kCancelled);
}

TEST_F(Generate, ACancelEndsItBeforeTheNextTokenAndKeepsTheLastOne) {
  Session undisturbed = session_.fork();
  const uint64_t before = session_.n_tokens();
  int events = 0;
  const Generation g = generate(session_, greedy(), [&](const OutputEvent&) {
    if (++events == 3) session_.cancel();
    return true;
  });
  EXPECT_EQ(g.reason, StopReason::kCancelled);
  EXPECT_EQ(session_.n_tokens(), before + g.n_tokens) << "a token that was shown belongs to the session";
  EXPECT_EQ(answer(session_, greedy()).generation.n_tokens, 0u);
  session_.clear_cancel();
  answer(session_, greedy());
  answer(undisturbed, greedy());
  EXPECT_EQ(session_.tokens(), undisturbed.tokens());
}

TEST_F(Generate, IsALoopOverTheSampler) {
  GenerateOptions options;
  options.sampling.temperature = 1.5f;
  options.sampling.seed = 11;
  options.stop.max_tokens = 8;
  Session own = session_.fork();
  const Generation g = answer(session_, options).generation;
  Sampler sampler(options.sampling);
  for (uint64_t i = 0; i < g.n_tokens; ++i) {
    const int32_t token = sampler.sample(own.logits());
    if (token == engine_->end_of_turn()) break;
    own.evaluate({&token, 1});
  }
  EXPECT_EQ(own.tokens(), session_.tokens());
}

TEST_F(Generate, TheSameSeedGivesTheSameText) {
  GenerateOptions options;
  options.sampling.temperature = 1.5f;
  options.sampling.seed = 11;
  Session again = session_.fork();
  EXPECT_EQ(answer(session_, options).content, answer(again, options).content);
}

TEST_F(Generate, NeedsAPrompt) {
  Session empty = engine_->new_session(10);
  EXPECT_EQ(code_of([&] { answer(empty, greedy()); }), ErrorCode::kUsage);
}

TEST(GenerateRaw, ContinuesPlainText) {
  const auto engine = open_tiny("cpu", false);
  Session session = engine->new_session(100);
  session.evaluate(engine->encode_text("And the captain said unto the people,"));
  GenerateOptions options = greedy();
  options.form = OutputForm::kRaw;
  options.stop.max_tokens = 12;
  EXPECT_EQ(answer(session, options).content.rfind(" Come", 0), 0u);
}

TEST(Version, OfHeaderAndLibraryAgree) {
  EXPECT_EQ(version(), HALYARD_VERSION);
  EXPECT_EQ(version(), std::to_string(HALYARD_VERSION_MAJOR) + "." + std::to_string(HALYARD_VERSION_MINOR) +
                           "." + std::to_string(HALYARD_VERSION_PATCH));
}

TEST(Bandwidth, IsPositive) {
  EXPECT_GT(measure_read_bandwidth(1), 0.0);
}

}  // namespace
}  // namespace halyard
