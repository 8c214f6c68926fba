#include "model.h"

#include <fmt/format.h>

#include "core/log.h"
#include "load_progress.h"
#include "terminal.h"

namespace halyard::app {

std::shared_ptr<Engine> open_engine(const ModelOptions& options) {
  const double start = seconds_now();
  LoadProgress progress;
  EngineOptions with_progress = options.engine;
  with_progress.load_watcher = progress.watcher();
  with_progress.context_tokens = options.context_tokens.value_or(0);
  std::shared_ptr<Engine> engine = Engine::open(with_progress);
  progress.finish();
  const ModelInfo& model = engine->model();
  log_verbose(fmt::format("{} ({}; {}) on the {} backend, ready after {:.2f} s", model.name, model.source,
                          model.formats, engine->backend_name(), seconds_now() - start));
  return engine;
}

uint64_t session_room(const Engine& engine, const ModelOptions& options, uint64_t needed) {
  if (!options.context_tokens && !options.largest_context) return needed;
  const uint64_t room = options.largest_context ? engine.largest_context() : *options.context_tokens;
  if (options.largest_context) log_verbose(fmt::format("room for {} tokens", room));
  if (room < needed)
    throw Error(ErrorCode::kUsage, fmt::format("{} tokens do not fit a context of {}", needed, room), "--ctx",
                fmt::format("give --ctx {} or leave it out", needed));
  return room;
}

}  // namespace halyard::app
