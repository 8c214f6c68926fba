#include "engine/backend_choice.h"

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "engine/gpu_devices.h"
#include "halyard/error.h"

namespace halyard {

std::unique_ptr<Backend> choose_backend(const std::string& name, const Model& model,
                                        const BackendOptions& options) {
  if (name == "auto" || name == "cpu") return make_cpu_backend(model, options);
  if (name == "reference") return make_reference_backend(model, options);
  if (name == "hip" || name == "cuda") {
    // What is said of the first one: the others are named by `halyard devices`.
    const DeviceReport first = gpu_reports(name == "hip" ? GpuVendor::kAmd : GpuVendor::kNvidia).front();
    const std::string device = first.name.empty() ? "" : first.name + ": ";
    throw Error(ErrorCode::kUnsupported, device + first.problem, "--backend " + name,
                (first.cure.empty() ? "" : first.cure + "; or ") + "use --backend cpu or auto");
  }
  throw Error(ErrorCode::kUsage, "there is no backend \"" + name + "\"", "--backend",
              "use auto, hip, cuda, cpu or reference");
}

}  // namespace halyard
