// A GGUF file, from its bytes to the bound tensors and the tokenizer. The first byte of the input says
// whether the rest is a whole file or the beginning of a larger one, so that a directory needs no data behind
// it.
#include <nlohmann/json.hpp>

#include "engine/vocabulary.h"
#include "fuzz/fuzz.h"
#include "gguf/report.h"
#include "gguf/split.h"
#include "model/config.h"
#include "model/weights.h"

namespace halyard {
namespace {

using fuzz::accepted;
using fuzz::require;

constexpr uint64_t kLargeFile = uint64_t{1} << 40;

void check_parts(const gguf::Header& header) {
  accepted([&] {
    const auto part = gguf::split_part(header);
    require(!part || part->number < part->count, "the number of a part is not below the count");
    if (part) gguf::split_file_name("model-00001-of-00002.gguf", *part);
  });
  const gguf::Header* const parts[] = {&header, &header};
  accepted([&] { gguf::join_parts(parts); });
}

void check_report(const gguf::Header& header) {
  const gguf::Report report = gguf::make_report(header);
  require(gguf::to_text(report).ends_with('\n'), "the report does not end with a newline");
  require(nlohmann::json::accept(gguf::to_json(report)), "the report is no JSON");
}

void touch_ends(const Tensor& tensor) {
  if (tensor.bytes == 0) return;
  [[maybe_unused]] const volatile std::byte first = tensor.data[0];
  [[maybe_unused]] const volatile std::byte last = tensor.data[tensor.bytes - 1];
}

void check_weights(const gguf::Header& header, std::span<const std::byte> bytes, Model& model) {
  Model listed = model;
  const bool sound = weight_problems(header, listed).empty() && gguf::find_overlaps(header).empty();
  const bool bound = accepted([&] { bind_weights(header, model); });
  require(sound == bound, "weight_problems and bind_weights disagree");
  if (!bound) return;
  const WeightBytes count = count_bytes(model);
  require(count.per_token <= count.total, "one token reads more bytes than there are");
  if (header.file_bytes != bytes.size()) return;
  place_in_memory(model, std::array{bytes});
  for (const TensorSlot& slot : tensor_slots(model)) touch_ends(*slot.tensor);
}

void check_model(const gguf::Header& header, std::span<const std::byte> bytes) {
  const bool sound = config_problems(header).empty();
  Model model;
  const bool read = accepted([&] { model = read_config(header); });
  require(sound == read, "config_problems and read_config disagree");
  if (!read) return;
  check_weights(header, bytes, model);
  accepted([&] {
    const Tokenizer tokenizer = read_tokenizer(header, model.shape.vocab);
    require(tokenizer.decode(tokenizer.encode_plain("2 < \xf0\x9f\xa6\x8a")) == "2 < \xf0\x9f\xa6\x8a",
            "the tokenizer loses text");
  });
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halyard;
  fuzz::Input input(data, size);
  const bool whole = input.number(1) % 2 == 0;
  const auto bytes = std::as_bytes(std::span(input.rest()));
  fuzz::accepted([&] {
    const gguf::Header header = gguf::parse(bytes, whole ? bytes.size() : kLargeFile, "fuzz.gguf");
    check_report(header);
    check_parts(header);
    check_model(header, bytes);
  });
  return 0;
}
