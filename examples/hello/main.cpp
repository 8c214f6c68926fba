// Asks a model one question and prints the answer as it comes: hello [MODEL.gguf [QUESTION]]. Without a model
// it asks the built-in tiny one.
#include <cstdio>
#include <halyard/generate.h>
#include <halyard/version.h>

using namespace halyard;

static void ask(Engine& engine, const std::string& question) {
  Message message;
  message.content = question;
  const std::vector<int32_t> prompt = engine.encode_chat({message}, {.release = engine.model().release});
  Session session = engine.new_session(prompt.size() + 512);
  session.evaluate(prompt, [](uint64_t done, uint64_t total) {
    std::fprintf(stderr, "read %u of %u tokens\n", unsigned(done), unsigned(total));
    return true;
  });
  // Another thread may call session.cancel() at any time.
  GenerateOptions options;
  options.sampling.temperature = 0;  // the most likely token each time
  generate(session, options, [](const OutputEvent& event) {
    if (event.kind == OutputKind::kContent) std::fputs(event.text.c_str(), stdout);
    return std::fflush(stdout) == 0;
  });
  std::puts("");
}

int main(int argc, char** argv) {
  try {
    EngineOptions options;
    if (argc > 1) options.model_path = argv[1];
    const std::shared_ptr<Engine> engine = Engine::open(options);
    std::fprintf(stderr, "halyard %s, %s\n", HALYARD_VERSION, engine->model().name.c_str());
    ask(*engine, argc > 2 ? argv[2] : "What is the capital of Italy?");
  } catch (const Error& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}
