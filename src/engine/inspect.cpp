#include "halyard/inspect.h"

#include "engine/model_file.h"
#include "engine/vocabulary.h"
#include "gguf/report.h"
#include "gguf/split.h"
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
  std::vector<std::string> problems = config_problems(header);
  const bool has_shape = problems.empty();
  if (has_shape) {
    Model model = read_config(header);
    problems = weight_problems(header, model);
    try {
      read_tokenizer(header, model.shape.vocab);
    } catch (const Error& error) {
      problems.push_back(error.problem());
    }
  }
  report.problems.insert(report.problems.end(), problems.begin(), problems.end());
}

gguf::Report report_on_whole(const gguf::Header& header) {
  gguf::Report report = gguf::make_report(header);
  check_model(header, report);
  return report;
}

gguf::Report report_on_all_parts(const ModelFile& file) {
  std::vector<const gguf::Header*> headers;
  for (const ModelPart& part : file.parts) headers.push_back(&part.header);
  gguf::Report report = gguf::make_report(headers);
  check_model(file.header, report);
  return report;
}

// What the split keys or the other parts say against the model is a problem like any other.
gguf::Report report_on(const std::string& path, const ModelPart& part) {
  try {
    const auto split = gguf::split_part(part.header);
    if (!split) return report_on_whole(part.header);
    if (split->number == 0) return report_on_all_parts(open_model_file(path));
    gguf::Report report = gguf::make_report(part.header);
    report.warnings.push_back("part " + std::to_string(split->number + 1) + " of " +
                              std::to_string(split->count) +
                              ": inspect the first part to check the whole model");
    return report;
  } catch (const Error& error) {
    gguf::Report report = gguf::make_report(part.header);
    report.problems.push_back(error.problem() + ": " + error.where());
    return report;
  }
}

}  // namespace

Inspection inspect_file(const std::string& path) {
  const gguf::Report report = report_on(path, open_model_part(path));
  return {gguf::to_text(report), gguf::to_json(report), report.problems.empty()};
}

}  // namespace halyard
