#include "engine/host_weights.h"

#include <algorithm>
#include <map>
#include <utility>

#include "loader/load.h"
#include "model/weights.h"

namespace halyard {
namespace {

std::string checked_sum(std::string sum) {
  for (char& c : sum) c = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  const bool sound = sum.size() == 64 && sum.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!sound)
    throw Error(ErrorCode::kUsage, "\"" + sum + "\" is no SHA-256", "--verify",
                "give 64 hexadecimal digits, as sha256sum prints them");
  return sum;
}

std::vector<LoadFile> files_of(const ModelFile& file, const std::vector<std::string>& sums) {
  if (!sums.empty() && sums.size() != file.parts.size())
    throw Error(ErrorCode::kUsage,
                "the model has " + std::to_string(file.parts.size()) + " files, but " +
                    std::to_string(sums.size()) + " sums are given",
                "--verify", "give one for each file, in their order, with commas between them");
  std::vector<LoadFile> files;
  for (size_t i = 0; i < file.parts.size(); ++i) {
    const ModelPart& part = file.parts[i];
    files.push_back({part.path.empty() ? memory_source(file.source, part.bytes) : file_source(part.path),
                     sums.empty() ? "" : checked_sum(sums[i])});
  }
  return files;
}

// The addresses of the plan's places in the arenas.
std::map<const Tensor*, uint64_t> addresses(const Plan& plan, const std::vector<DeviceBuffer>& arenas) {
  std::map<const Tensor*, uint64_t> all;
  for (const TensorPlace& place : plan.places)
    all[place.tensor] = arenas[place.arena].block().address + place.offset;
  return all;
}

}  // namespace

HostWeights::HostWeights(const EngineOptions& options, const ModelFile& file, const Plan& plan,
                         const DeviceFacts& host, Model& model) {
  const std::vector<LoadFile> files = files_of(file, options.sha256);
  LoadOptions load;
  load.watcher = options.load_watcher;
  device_ = std::make_unique<HostDevice>(host);
  if (options.load == LoadMode::kMap) {
    place_in_memory(model, file.bytes());
    if (!options.sha256.empty()) load_tensors(files, {}, *device_, load);
    return;
  }
  load.ring_bytes = plan.staging_bytes;
  arenas_ = allocate_arenas(*device_, plan);
  const std::map<const Tensor*, uint64_t> places = addresses(plan, arenas_);
  std::vector<LoadTensor> tensors;
  for (const TensorSlot& slot : tensor_slots(model)) {
    const Tensor& tensor = *slot.tensor;
    tensors.push_back({tensor.name, tensor.part, tensor.file_offset, tensor.bytes, places.at(&tensor)});
    slot.tensor->data = host_pointer(tensors.back().address);
  }
  load_tensors(files, tensors, *device_, load);
}

}  // namespace halyard
