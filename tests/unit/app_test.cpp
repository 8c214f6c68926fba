// The pure parts of the program: reports, frontiers, the shown turn, files of the user, perplexity.
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench_report.h"
#include "build_info.h"
#include "frontiers.h"
#include "halyard/error.h"
#include "input.h"
#include "platform/file.h"
#include "platform/paths.h"
#include "turn.h"
#include "unit/temp_folder.h"
#include "windows.h"

namespace halyard::app {
namespace {

using Json = nlohmann::json;

template <class Action>
ErrorCode code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  ADD_FAILURE() << "no error";
  return ErrorCode::kCancelled;
}

std::vector<uint64_t> frontiers(uint64_t first, uint64_t last, uint64_t step, double factor) {
  BenchOptions bench;
  bench.first_context = first;
  bench.last_context = last;
  bench.step_tokens = step;
  bench.step_factor = factor;
  std::vector<uint64_t> all;
  for (uint64_t at = next_frontier(bench, 0); at != 0; at = next_frontier(bench, at)) all.push_back(at);
  return all;
}

TEST(Frontiers, GrowToTheLastOne) {
  using List = std::vector<uint64_t>;
  EXPECT_EQ(frontiers(512, 2048, 0, 2), (List{512, 1024, 2048}));
  EXPECT_EQ(frontiers(512, 2000, 0, 2), (List{512, 1024, 2000}));
  EXPECT_EQ(frontiers(100, 400, 150, 2), (List{100, 250, 400}));
  EXPECT_EQ(frontiers(100, 420, 150, 2), (List{100, 250, 400, 420}));
  EXPECT_EQ(frontiers(7, 7, 0, 2), List{7});
  EXPECT_EQ(frontiers(2, 5, 0, 1.001), (List{2, 3, 4, 5}));  // a factor too small to move still moves
}

FrontierVisit sample_visit() {
  FrontierVisit visit;
  visit.ctx_tokens = 1024;
  visit.prefill_tokens = 512;
  visit.prefill_seconds = 2;
  visit.token_seconds = {0.5, 0.1, 0.1, 0.2};
  visit.kvcache_bytes = 3 << 20;
  return visit;
}

TEST(BenchReport, SpreadIsLeastMiddleAndMost) {
  const Spread odd = spread({3, 1, 2});
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.max, 3);
  EXPECT_EQ(spread({4, 1, 2, 8}).median, 3);
  EXPECT_EQ(spread({}).max, 0);
}

TEST(BenchReport, OneVisit) {
  const FrontierVisit visit = sample_visit();
  const FrontierRow row = summarize({&visit, 1});
  EXPECT_EQ(row.ctx_tokens, 1024u);
  EXPECT_EQ(row.prefill_tokens, 512u);
  EXPECT_DOUBLE_EQ(row.prefill_tps.median, 256);
  EXPECT_EQ(row.gen_tokens, 4u);
  EXPECT_DOUBLE_EQ(row.gen_tps.median, 4 / 0.9);
  EXPECT_DOUBLE_EQ(row.gen_first_ms.median, 500);
  EXPECT_EQ(row.gen_steady_tokens, 3u);
  EXPECT_DOUBLE_EQ(row.gen_steady_tps.median, 3 / 0.4);
  EXPECT_DOUBLE_EQ(row.gen_median_tps.median, 10);
  EXPECT_DOUBLE_EQ(row.gen_worst_tps.median, 5);
  EXPECT_EQ(row.kvcache_bytes, uint64_t{3} << 20);
}

TEST(BenchReport, ASingleTokenIsItsOwnSteadyState) {
  FrontierVisit visit = sample_visit();
  visit.token_seconds = {0.5};
  const FrontierRow row = summarize({&visit, 1});
  EXPECT_EQ(row.gen_steady_tokens, 0u);
  EXPECT_DOUBLE_EQ(row.gen_steady_tps.median, 2);
  EXPECT_DOUBLE_EQ(row.gen_worst_tps.median, 2);
}

TEST(BenchReport, SeveralVisitsGiveTheirSpread) {
  std::vector<FrontierVisit> visits(3, sample_visit());
  visits[0].prefill_seconds = 4;
  visits[2].prefill_seconds = 1;
  const FrontierRow row = summarize(visits);
  EXPECT_DOUBLE_EQ(row.prefill_tps.min, 128);
  EXPECT_DOUBLE_EQ(row.prefill_tps.median, 256);
  EXPECT_DOUBLE_EQ(row.prefill_tps.max, 512);
}

BenchReport sample_report() {
  BenchReport report;
  report.model.name = "tiny";
  report.model.source = "built-in";
  report.model.formats = "Q8_0, F32";
  report.model.bytes_per_token = 50'000'000;
  report.backend = "cpu";
  report.n_threads = 2;
  report.slice_tokens = 512;
  report.n_repeats = 1;
  report.date = "2026-08-31T12:00:00Z";
  report.read_bandwidth = 1e9;
  const FrontierVisit visit = sample_visit();
  report.rows = {summarize({&visit, 1})};
  return report;
}

TEST(BenchReport, LimitIsBandwidthOverBytesOfAToken) {
  BenchReport report = sample_report();
  EXPECT_DOUBLE_EQ(decode_limit_tps(report), 20);
  report.model.bytes_per_token = 0;
  EXPECT_EQ(decode_limit_tps(report), 0);
}

TEST(BenchReport, Table) {
  const std::string table = bench_table(sample_report());
  EXPECT_NE(table.find("tiny (built-in; Q8_0, F32)"), std::string::npos) << table;
  EXPECT_NE(table.find("20.0 tokens/s"), std::string::npos) << table;
  EXPECT_NE(table.find("    1024       512     256.0        4    10.0     5.0     500.0     50.0%   3.0\n"),
            std::string::npos)
      << table;
}

TEST(BenchReport, CsvHasTheColumnsOfDs4Bench) {
  EXPECT_EQ(bench_csv(sample_report()),
            "ctx_tokens,prefill_tokens,prefill_tps,gen_tokens,gen_tps,gen_first_ms,gen_steady_tokens,"
            "gen_steady_tps,kvcache_bytes\n"
            "1024,512,256.000,4,4.444,500.000,3,7.500,3145728\n");
}

TEST(BenchReport, JsonHoldsAllThatTheTableShows) {
  const Json json = Json::parse(bench_json(sample_report()));
  EXPECT_EQ(json["version"], build_info().version);
  EXPECT_EQ(json["model"]["name"], "tiny");
  EXPECT_EQ(json["threads"], 2);
  EXPECT_EQ(json["decode_limit_tps"], 20.0);
  const Json& row = json["frontiers"].at(0);
  EXPECT_EQ(row["ctx_tokens"], 1024);
  EXPECT_EQ(row["prefill_tps"]["median"], 256.0);
  EXPECT_EQ(row["gen_worst_tps"]["min"], 5.0);
  EXPECT_DOUBLE_EQ(row["fraction_of_limit"], 0.5);
  EXPECT_EQ(row["kvcache_bytes"], 3 << 20);
}

TEST(BuildInfo, NothingIsEmpty) {
  const BuildInfo& info = build_info();
  for (const std::string_view part :
       {info.version, info.commit, info.compiler, info.type, info.system, info.backends})
    EXPECT_FALSE(part.empty());
  EXPECT_EQ(version_text().find("halyard " + std::string(info.version) + "\n"), 0u);
}

const std::vector<OutputEvent> kTurn = {
    {OutputKind::kReasoning, "I must "},
    {OutputKind::kReasoning, "look."},
    {OutputKind::kContent, "Let me see."},
    {OutputKind::kCallBegin, "get_weather"},
    {OutputKind::kCallArguments, "{\"city\": "},
    {OutputKind::kCallArguments, "\"Oslo\"}"},
    {OutputKind::kCallEnd, ""},
};

struct Shown {
  std::string answer, reasoning;
};

Shown show(const std::vector<OutputEvent>& events, bool colour = false) {
  Shown shown;
  TurnPrinter printer([&](std::string_view text) { shown.answer += text; },
                      [&](std::string_view text) { shown.reasoning += text; }, colour);
  for (const OutputEvent& event : events) printer.show(event);
  printer.finish();
  printer.finish();
  return shown;
}

TEST(TurnPrinter, ReasoningStandsApart) {
  const Shown shown = show(kTurn);
  EXPECT_EQ(shown.reasoning, "[thinking]\nI must look.\n[/thinking]\n");
  EXPECT_EQ(shown.answer, "Let me see.\n[call] get_weather {\"city\": \"Oslo\"}\n");
  EXPECT_EQ(show(kTurn, true).reasoning, "\x1b[2m[thinking]\nI must look.\n[/thinking]\x1b[0m\n");
  EXPECT_EQ(show(kTurn, true).answer, shown.answer);
}

TEST(TurnPrinter, OnOnePlaceTheLinesDoNotRunTogether) {
  std::string all;
  const auto write = [&](std::string_view text) { all += text; };
  TurnPrinter printer(write, write, false);
  printer.show({OutputKind::kReasoning, "Hm."});
  printer.show({OutputKind::kContent, "Yes"});
  printer.finish();
  EXPECT_EQ(all, "[thinking]\nHm.\n[/thinking]\nYes\n");
}

TEST(TurnPrinter, EndsWhatWasCutOff) {
  EXPECT_EQ(show({{OutputKind::kReasoning, "Hm"}}, true).reasoning,
            "\x1b[2m[thinking]\nHm\n[/thinking]\x1b[0m\n");
  EXPECT_EQ(show({{OutputKind::kContent, "Yes\n"}}).answer, "Yes\n");
  EXPECT_EQ(show({}).answer, "");
  EXPECT_EQ(
      show({{OutputKind::kCallBegin, "add"}, {OutputKind::kCallCutShort, "the call of add is incomplete"}})
          .answer,
      "[call] add \n[call cut short] the call of add is incomplete\n");
}

TEST(TurnPrinter, HiddenReasoning) {
  std::string answer;
  TurnPrinter printer([&](std::string_view text) { answer += text; }, {}, true);
  for (const OutputEvent& event : kTurn) printer.show(event);
  printer.finish();
  EXPECT_EQ(answer, show(kTurn).answer);
}

TEST(TurnText, KeepsTheWholeTurn) {
  TurnText turn;
  for (const OutputEvent& event : kTurn) turn.add(event);
  EXPECT_EQ(turn.reasoning, "I must look.");
  EXPECT_EQ(turn.content, "Let me see.");
  ASSERT_EQ(turn.calls.size(), 1u);
  EXPECT_EQ(turn.calls[0].name, "get_weather");
  EXPECT_EQ(turn.calls[0].arguments, "{\"city\": \"Oslo\"}");
  EXPECT_FALSE(turn.call_cut_short);
  turn.add({OutputKind::kCallCutShort, "cut"});
  EXPECT_TRUE(turn.call_cut_short);
}

TEST(Input, ToolsInBothShapesKeepTheirKeyOrder) {
  const auto tools = parse_tools(R"([{"name": "b", "description": "é", "a": 1},
                                     {"type": "function", "function": {"name": "add"}}])",
                                 "tools.json");
  EXPECT_EQ(tools,
            (std::vector<std::string>{R"({"name":"b","description":"é","a":1})", R"({"name":"add"})"}));
}

TEST(Input, BadToolsAreRefused) {
  for (const char* text :
       {"", "{", "{}", "[1]", "[{}]", R"([{"name": 1}])", R"([{"function": {}}])", "[1e999]", "[\"\xff\"]"})
    EXPECT_EQ(code_of([&] { parse_tools(text, "tools.json"); }), ErrorCode::kBadFile) << text;
}

TEST(Input, JsonWithAZeroByteIsRefused) {
  EXPECT_EQ(code_of([&] { parse_json(std::string_view("[]\0 not JSON", 12), "x"); }), ErrorCode::kBadFile);
}

TEST(Input, DeepJsonIsRefused) {
  const std::string deep = std::string(200'000, '[');
  EXPECT_EQ(code_of([&] { parse_json(deep, "x"); }), ErrorCode::kBadFile);
  EXPECT_EQ(code_of([&] { parse_json(deep + std::string(200'000, ']'), "x"); }), ErrorCode::kBadFile);
}

TEST(Input, Windows) {
  const auto windows = parse_windows(
      R"({"perplexity": [{"tokens": [0, 7], "nll": 1.5}, {"tokens": [1, 2, 2147483647]}]})", "x");
  EXPECT_EQ(windows, (std::vector<std::vector<int32_t>>{{0, 7}, {1, 2, 2147483647}}));
  for (const char* text :
       {"[]", "{}", R"({"perplexity": []})", R"({"perplexity": {}})", R"({"perplexity": [1]})",
        R"({"perplexity": [{"tokens": 5}]})", R"({"perplexity": [{"tokens": [1]}]})",
        R"({"perplexity": [{"tokens": [1, -1]}]})", R"({"perplexity": [{"tokens": [1, 2147483648]}]})",
        R"({"perplexity": [{"tokens": [1, 1.5]}]})"})
    EXPECT_EQ(code_of([&] { parse_windows(text, "x"); }), ErrorCode::kBadFile) << text;
}

TEST(Input, TextFile) {
  const TempFolder folder;
  const std::string path = utf8_from_path(folder.path() / path_from_utf8("текст-文-🦜.txt"));
  const auto write = [&](std::string_view text) {
    OutputFile file = OutputFile::create(path_from_utf8(path));
    file.write_at(0, std::as_bytes(std::span(text)));
    file.close();
  };
  write("\xef\xbb\xbfone\r\ntwo");
  EXPECT_EQ(read_text_file(path), "one\r\ntwo");
  write("");
  EXPECT_EQ(read_text_file(path), "");
  OutputFile::create(path_from_utf8(path)).resize((uint64_t{1} << 30) + 1);
  EXPECT_EQ(code_of([&] { read_text_file(path); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { read_text_file(path + "x"); }), ErrorCode::kNotFound);
}

TEST(Perplexity, OfEqualLogitsIsTheirNumber) {
  const std::vector<float> logits(8, 1000.0f);  // exp(1000) would be infinite
  EXPECT_NEAR(negative_log_likelihood(logits, 3), std::log(8.0), 1e-12);
  const std::vector<WindowScore> scores = {{3 * std::log(8.0), 3}, {std::log(8.0), 1}};
  EXPECT_NEAR(sum(scores).perplexity(), 8, 1e-12);
}

TEST(Perplexity, OfUnequalLogits) {
  const std::vector<float> logits = {0.0f, std::log(3.0f)};
  EXPECT_NEAR(negative_log_likelihood(logits, 0), std::log(4.0), 1e-6);
  EXPECT_NEAR(negative_log_likelihood(logits, 1), std::log(4.0 / 3.0), 1e-6);
}

TEST(Perplexity, TextIsCutIntoWholeWindows) {
  using Windows = std::vector<std::vector<int32_t>>;
  const std::vector<int32_t> tokens = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(cut_windows(tokens, 3, "x"), (Windows{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ(cut_windows(tokens, 7, "x"), Windows{tokens});
  EXPECT_EQ(code_of([&] { cut_windows(tokens, 8, "x"); }), ErrorCode::kUsage);
  EXPECT_EQ(code_of([&] { check_vocabulary({{1, 2}, {3, 9}}, 9); }), ErrorCode::kUsage);
  EXPECT_NO_THROW(check_vocabulary({{1, 2}, {3, 8}}, 9));
}

}  // namespace
}  // namespace halyard::app
