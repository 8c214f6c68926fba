#include "halyard/inspect.h"

#include "engine/model_file.h"
#include "engine/vocabulary.h"
#include "gguf/report.h"
#include "model/config.h"
#include "model/weights.h"

namespace halyard {
namespace {

// What stands between this file and a run, if it is of our architecture at all.
void check_model(const gguf::Header& header, gguf::Report& report) {
  const gguf::Value* architecture = header.find("general.architecture");
  const auto* name = architecture ? std::get_if<std::string_view>(&architecture->data) : nullptr;
  if (!name || *name != "deepseek4") {
    report.warnings.push_back("not a DeepSeek V4 model: Halyard does not run it");
    return;
  }
  try {
    Model model = read_config(header);
    bind_weights(header, model);
    read_tokenizer(header, model.shape.vocab);
  } catch (const Error& error) {
    report.problems.push_back(error.problem());
  }
}

}  // namespace

Inspection inspect_file(const std::string& path) {
  const ModelFile file = open_model_file(path);
  gguf::Report report = gguf::make_report(file.header);
  check_model(file.header, report);
  return {gguf::to_text(report), gguf::to_json(report), report.problems.empty()};
}

}  // namespace halyard
