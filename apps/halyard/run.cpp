// One answer to one prompt, as it comes.
#include <fmt/format.h>
#include <random>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "halyard/generate.h"
#include "input.h"
#include "model.h"
#include "platform/console.h"
#include "terminal.h"
#include "turn.h"

namespace halyard::app {
namespace {

using console::Stream;

struct Speeds {
  uint64_t prompt_tokens = 0;
  double prefill_tps = 0;
  double decode_tps = 0;
};

std::string prompt_from_stdin() {
  if (console::is_terminal(Stream::kIn))
    log_info("reading the prompt; end it with Ctrl-D, on Windows with Ctrl-Z and Enter on a line of its own");
  std::string prompt;
  bool first = true;
  while (const std::optional<std::string> line = console::read_line()) {
    if (!first) prompt += '\n';
    prompt += *line;
    first = false;
  }
  if (console::interrupted()) throw Error(ErrorCode::kCancelled, "stopped", "standard input", "");
  return prompt;
}

Message message(Role role, const std::string& content) {
  Message message;
  message.role = role;
  message.content = content;
  return message;
}

// What the user gives besides the options; read before the model, so that a mistake shows at once.
struct Input {
  std::string prompt;
  std::vector<std::string> tools;
};

Input read_input(const RunOptions& options) {
  Input input;
  if (!options.tools_file.empty())
    input.tools = parse_tools(read_text_file(options.tools_file), options.tools_file);
  input.prompt = options.prompt == "-" ? prompt_from_stdin() : options.prompt;
  return input;
}

std::vector<int32_t> encode(const Input& input, const RunOptions& options, const Engine& engine) {
  if (options.raw) return engine.encode_text(input.prompt);
  ChatOptions chat;
  chat.thinking = options.thinking;
  chat.release = options.model.release.value_or(engine.model().release);
  chat.tools = input.tools;
  std::vector<Message> messages;
  if (!options.system.empty()) messages.push_back(message(Role::kSystem, options.system));
  messages.push_back(message(Role::kUser, input.prompt));
  return engine.encode_chat(messages, chat);
}

GenerateOptions generate_options(const RunOptions& options) {
  GenerateOptions generate;
  generate.sampling = options.sampling;
  // 32 bits are enough to be fresh and short enough to be typed again
  generate.sampling.seed = options.seed ? *options.seed : std::random_device{}();
  generate.stop = options.stop;
  generate.form = options.raw ? OutputForm::kRaw : OutputForm::kChat;
  generate.starts_in_thinking = !options.raw && options.thinking != Thinking::kOff;
  return generate;
}

// On a terminal the reasoning stands above the answer; a pipe gets the answer alone.
TurnPrinter turn_printer() {
  if (console::is_terminal(Stream::kOut)) return {print, print, console::use_colour(Stream::kOut)};
  if (log_level() == LogLevel::kQuiet) return {print, {}, false};
  return {print, note, console::use_colour(Stream::kErr)};
}

const char* name_of(StopReason reason) {
  switch (reason) {
    case StopReason::kEndOfTurn:
      return "end_of_turn";
    case StopReason::kStopString:
      return "stop_string";
    case StopReason::kMaxTokens:
      return "max_tokens";
    case StopReason::kContextFull:
      return "context_full";
    case StopReason::kCancelled:
      break;
  }
  return "cancelled";
}

// Arguments that were cut short, or that the model wrote wrongly, stay text.
nlohmann::ordered_json call_json(const ToolCall& call) {
  nlohmann::ordered_json json = {{"name", call.name}, {"arguments", call.arguments}};
  try {
    json["arguments"] = parse_json(call.arguments, "arguments");
  } catch (const Error&) {
  }
  return json;
}

std::string run_json(const TurnText& turn, const Generation& result, const Speeds& speeds, uint64_t seed,
                     const Engine& engine) {
  nlohmann::ordered_json json = {{"text", turn.content},
                                 {"reasoning", turn.reasoning},
                                 {"tool_calls", nlohmann::ordered_json::array()},
                                 {"stop_reason", name_of(result.reason)},
                                 {"prompt_tokens", speeds.prompt_tokens},
                                 {"generated_tokens", result.n_tokens},
                                 {"prefill_tps", speeds.prefill_tps},
                                 {"decode_tps", speeds.decode_tps},
                                 {"seed", seed},
                                 {"model", engine.model().name},
                                 {"backend", engine.backend_name()}};
  for (const ToolCall& call : turn.calls) json["tool_calls"].push_back(call_json(call));
  if (turn.call_cut_short) json["call_cut_short"] = true;
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

// False when Ctrl-C came before the prompt was read to its end.
bool prefill(Session& session, const std::vector<int32_t>& prompt, Speeds& speeds) {
  ProgressLine line;
  const double start = seconds_now();
  speeds.prompt_tokens = session.evaluate(prompt, token_progress(line, "reading the prompt:", prompt.size()));
  speeds.prefill_tps = static_cast<double>(speeds.prompt_tokens) / (seconds_now() - start);
  return speeds.prompt_tokens == prompt.size();
}

}  // namespace

int run(const RunOptions& options, const OutputOptions& output) {
  const Input input = read_input(options);
  const std::shared_ptr<Engine> engine = open_engine(options.model);
  const std::vector<int32_t> prompt = encode(input, options, *engine);
  const GenerateOptions generate_with = generate_options(options);
  log_verbose(fmt::format("seed {}", generate_with.sampling.seed));
  // With --ctx the answer may run into the end of the context; without it there is room for all of it.
  const bool bounded = options.model.context_tokens || options.model.largest_context;
  Session session = engine->new_session(bounded ? session_room(*engine, options.model, prompt.size() + 1)
                                                : prompt.size() + generate_with.stop.max_tokens);
  Speeds speeds;
  Generation result{0, StopReason::kCancelled};
  TurnPrinter printer = turn_printer();
  TurnText turn;
  const auto read = [&](const OutputEvent& event) {
    output.json ? turn.add(event) : printer.show(event);
    return true;
  };
  if (prefill(session, prompt, speeds)) {
    const double start = seconds_now();
    try {
      result = generate(session, generate_with, read, [] { return !console::interrupted(); });
    } catch (const Error&) {
      printer.finish();  // the message gets a line of its own
      throw;
    }
    speeds.decode_tps = static_cast<double>(result.n_tokens) / (seconds_now() - start);
  }
  printer.finish();
  if (output.json) print(run_json(turn, result, speeds, generate_with.sampling.seed, *engine));
  log_info(fmt::format("{} tokens read at {:.1f} tokens/s, {} written at {:.1f} tokens/s ({})",
                       speeds.prompt_tokens, speeds.prefill_tps, result.n_tokens, speeds.decode_tps,
                       name_of(result.reason)));
  return result.reason == StopReason::kCancelled ? kExitInterrupted : kExitOk;
}

}  // namespace halyard::app
