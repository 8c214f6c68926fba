// The weights in host memory: pages of the file, or copies of our own.
#pragma once
#include <memory>
#include <vector>

#include "device/host_device.h"
#include "engine/model_file.h"
#include "halyard/engine.h"
#include "planner/plan.h"

namespace halyard {

class HostWeights {
 public:
  HostWeights() = default;
  // Points every tensor of `model` to its bytes: into `file`, or into arenas of `plan` that are filled from
  // it. `file` and this object outlive the model. Checks the files' SHA-256 where the options ask for it.
  // Throws what load_tensors throws, and kUsage for sums that are none or not one for each file.
  HostWeights(const EngineOptions& options, const ModelFile& file, const Plan& plan, const DeviceFacts& host,
              Model& model);

 private:
  std::unique_ptr<HostDevice> device_;
  std::vector<DeviceBuffer> arenas_;  // none when the file is mapped
};

}  // namespace halyard
