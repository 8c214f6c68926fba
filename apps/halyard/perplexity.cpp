// How well the model foretells a text.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <span>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "input.h"
#include "model.h"
#include "platform/console.h"
#include "terminal.h"
#include "windows.h"

namespace halyard::app {
namespace {

using Windows = std::vector<std::vector<int32_t>>;

// Nothing when Ctrl-C came first.
std::optional<WindowScore> score_window(Engine& engine, uint64_t room, std::span<const int32_t> tokens,
                                        const Progress& progress) {
  Session session = engine.new_session(room);
  WindowScore score;
  // What follows the last token is not asked for.
  const std::span<const int32_t> given = tokens.first(tokens.size() - 1);
  const auto read = [&](uint64_t index, std::span<const float> logits) {
    score.nll += negative_log_likelihood(logits, static_cast<size_t>(tokens[index + 1]));
    ++score.n_tokens;
  };
  if (session.evaluate(given, read, progress) < given.size()) return std::nullopt;
  return score;
}

std::vector<WindowScore> score_windows(Engine& engine, const ModelOptions& options, const Windows& windows) {
  const auto longer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const uint64_t room =
      session_room(engine, options, std::max_element(windows.begin(), windows.end(), longer)->size());
  check_vocabulary(windows, engine.model().vocab);
  ProgressLine line;
  std::vector<WindowScore> scores;
  for (const std::vector<int32_t>& window : windows) {
    const std::string what = fmt::format("window {} of {}:", scores.size() + 1, windows.size());
    const std::optional<WindowScore> score =
        score_window(engine, room, window, token_progress(line, what, window.size() - 1));
    if (!score) break;
    scores.push_back(*score);
    log_verbose(fmt::format("window {} of {}: {:.4f}", scores.size(), windows.size(), score->perplexity()));
  }
  return scores;
}

std::string perplexity_json(const WindowScore& all, const std::vector<WindowScore>& scores,
                            const Engine& engine) {
  nlohmann::ordered_json json = {{"perplexity", all.perplexity()},
                                 {"nll", all.nll},
                                 {"count", all.n_tokens},
                                 {"windows", nlohmann::ordered_json::array()},
                                 {"model", engine.model().name},
                                 {"backend", engine.backend_name()},
                                 {"cache_rounding", engine.options().cache_rounding}};
  for (const WindowScore& score : scores)
    json["windows"].push_back(
        {{"perplexity", score.perplexity()}, {"nll", score.nll}, {"count", score.n_tokens}});
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace

int perplexity(const PerplexityOptions& options, const OutputOptions& output) {
  // Before the model, so that a mistake shows at once.
  const bool as_tokens = !options.tokens_file.empty();
  const std::string& source = as_tokens ? options.tokens_file : options.text_file;
  const std::string text = read_text_file(source);
  Windows windows = as_tokens ? parse_windows(text, source) : Windows{};
  const std::shared_ptr<Engine> engine = open_engine(options.model);
  if (!as_tokens) windows = cut_windows(engine->encode_text(text), options.window_tokens, source);
  const double start = seconds_now();
  const std::vector<WindowScore> scores = score_windows(*engine, options.model, windows);
  const double seconds = seconds_now() - start;
  const bool stopped = scores.size() < windows.size();
  if (stopped) log_warning(fmt::format("stopped after {} of {} windows", scores.size(), windows.size()));
  if (scores.empty()) return kExitInterrupted;
  const WindowScore all = sum(scores);
  print(output.json ? perplexity_json(all, scores, *engine)
                    : fmt::format("perplexity {:.4f} over {} tokens in {} windows\n", all.perplexity(),
                                  all.n_tokens, scores.size()));
  log_info(fmt::format("{:.1f} tokens/s", static_cast<double>(all.n_tokens) / seconds));
  return stopped ? kExitInterrupted : kExitOk;
}

}  // namespace halyard::app
