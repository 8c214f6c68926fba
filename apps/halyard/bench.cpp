// One load, then prefill and decode at growing context lengths.
#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <optional>

#include "bench_report.h"
#include "bench_text.h"
#include "commands.h"
#include "frontiers.h"
#include "halyard/load_speed.h"
#include "input.h"
#include "load_speed_report.h"
#include "model.h"
#include "platform/console.h"
#include "platform/cpu_features.h"
#include "platform/memory.h"
#include "terminal.h"
#include "text_speed_report.h"

namespace halyard::app {
namespace {

constexpr uint64_t kLoadRounds = 5;

// The tokens to prefill with: those of the prompt file, or our text over and over.
class PromptTokens {
 public:
  PromptTokens(const BenchOptions& options, const std::string& file_text, const Engine& engine)
      : tokens_(engine.encode_text(options.prompt_file.empty() ? kBenchText : file_text)) {
    if (!options.prompt_file.empty() && tokens_.size() < options.last_context)
      throw Error(ErrorCode::kUsage,
                  fmt::format("the prompt file has {} tokens; the last frontier needs {}", tokens_.size(),
                              options.last_context),
                  options.prompt_file, "give a longer text or a smaller --ctx-max");
  }

  std::vector<int32_t> interval(uint64_t begin, uint64_t end) const {
    std::vector<int32_t> part;
    for (uint64_t i = begin; i < end; ++i) part.push_back(tokens_[static_cast<size_t>(i % tokens_.size())]);
    return part;
  }

 private:
  std::vector<int32_t> tokens_;
};

int32_t likeliest(std::span<const float> logits) {
  return static_cast<int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

// The seconds of each token, picked and evaluated. Fewer than asked for when Ctrl-C came.
std::vector<double> time_decode(Session session, uint64_t n_tokens, ProgressLine& line) {
  std::vector<double> seconds;
  while (seconds.size() < n_tokens && !console::interrupted()) {
    const double start = seconds_now();
    const int32_t token = likeliest(session.logits());
    session.evaluate({&token, 1});
    seconds.push_back(seconds_now() - start);
    line.show(fmt::format("context {}: token {} of {}", session.n_tokens(), seconds.size(), n_tokens));
  }
  return seconds;
}

// Goes on from where the session is to the frontier. Nothing when Ctrl-C came first.
std::optional<FrontierVisit> visit(Session& session, uint64_t frontier, const PromptTokens& prompt,
                                   uint64_t gen_tokens) {
  ProgressLine line;
  FrontierVisit result;
  result.ctx_tokens = frontier;
  result.prefill_tokens = frontier - session.n_tokens();
  const std::vector<int32_t> interval = prompt.interval(session.n_tokens(), frontier);
  const double start = seconds_now();
  session.evaluate(interval,
                   token_progress(line, fmt::format("context {}: prefill", frontier), interval.size()));
  result.prefill_seconds = seconds_now() - start;
  if (session.n_tokens() < frontier) return std::nullopt;
  result.kvcache_bytes = session.used_cache_bytes();
  result.token_seconds = time_decode(session.fork(), gen_tokens, line);
  if (result.token_seconds.size() < gen_tokens) return std::nullopt;
  return result;
}

using Visits = std::map<uint64_t, std::vector<FrontierVisit>>;  // by frontier

// False when Ctrl-C came. `visits` keeps what was done when this throws.
bool visit_all(Engine& engine, const BenchOptions& options, const PromptTokens& prompt, Visits& visits) {
  const uint64_t room = session_room(engine, options.model, options.last_context + options.gen_tokens);
  for (uint64_t round = 0; round < options.n_repeats; ++round) {
    Session session = engine.new_session(room);
    for (uint64_t at = next_frontier(options, 0); at != 0; at = next_frontier(options, at)) {
      const std::optional<FrontierVisit> done = visit(session, at, prompt, options.gen_tokens);
      if (!done) return false;
      visits[at].push_back(*done);
      const FrontierRow row = summarize({&*done, 1});
      log_info(fmt::format("context {}: prefill {:.1f} tokens/s, decode {:.1f} tokens/s", at,
                           row.prefill_tps.median, row.gen_median_tps.median));
    }
  }
  return true;
}

std::string utc_date() {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  const auto today = floor<days>(now);
  const year_month_day date(today);
  const hh_mm_ss time(now - today);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

BenchReport make_report(const Engine& engine, const BenchOptions& options, const Visits& visits) {
  BenchReport report;
  report.model = engine.model();
  report.backend = engine.backend_name();
  report.n_cores = usable_cores();
  report.n_threads = engine.options().n_threads != 0 ? engine.options().n_threads : report.n_cores;
  report.cache_rounding = engine.options().cache_rounding;
  report.slice_tokens = engine.options().slice_tokens;
  report.n_repeats = options.n_repeats;
  report.date = utc_date();
  report.processor = cpu_features().brand;
  report.memory_bytes = memory_facts().total_bytes;
  // Before the bandwidth is measured, which takes memory of its own.
  report.peak_resident_bytes = peak_resident_bytes();
  report.read_bandwidth = measure_read_bandwidth(engine.options().n_threads);
  for (const auto& [frontier, of_frontier] : visits) report.rows.push_back(summarize(of_frontier));
  return report;
}

void print_report(const BenchReport& report, const BenchOptions& options, const OutputOptions& output) {
  print(output.json ? bench_json(report) : options.csv ? bench_csv(report) : bench_table(report));
}

void warn_of_long_context(const ModelInfo& model, uint64_t n_tokens) {
  if (model.context_tokens == 0 || n_tokens <= model.context_tokens) return;
  log_warning(fmt::format("contexts of up to {} tokens; the model was trained for {}", n_tokens,
                          model.context_tokens));
}

}  // namespace

int bench(const BenchOptions& options, const OutputOptions& output) {
  if (options.text) {
    const TextSpeed speed = measure_text_speed(options.model.engine.model_path);
    print(output.json ? text_speed_json(speed) : text_speed_table(speed));
    return kExitOk;
  }
  if (options.load) {
    LoadSpeedOptions load;
    load.model_path = options.model.engine.model_path;
    load.n_rounds = static_cast<unsigned>(options.n_repeats > 1 ? options.n_repeats : kLoadRounds);
    const LoadSpeed speed = measure_load_speed(load);
    print(output.json ? load_speed_json(speed) : load_speed_table(speed));
    return kExitOk;
  }
  const std::string file_text = options.prompt_file.empty() ? "" : read_text_file(options.prompt_file);
  const std::shared_ptr<Engine> engine = open_engine(options.model);
  const PromptTokens prompt(options, file_text, *engine);
  warn_of_long_context(engine->model(), options.last_context + options.gen_tokens);
  Visits visits;
  bool complete = false;
  try {
    complete = visit_all(*engine, options, prompt, visits);
  } catch (const Error&) {
    if (!visits.empty()) print_report(make_report(*engine, options, visits), options, output);
    throw;
  }
  print_report(make_report(*engine, options, visits), options, output);
  return complete ? kExitOk : kExitInterrupted;
}

}  // namespace halyard::app
