#include "engine/backend_choice.h"

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"
#include "halyard/error.h"

namespace halyard {

std::unique_ptr<Backend> choose_backend(const std::string& name, const Model& model,
                                        const BackendOptions& options) {
  if (name == "auto" || name == "cpu") return make_cpu_backend(model, options);
  if (name == "reference") return make_reference_backend(model, options);
  if (name == "hip" || name == "cuda") {
    throw Error(ErrorCode::kUnsupported, "this build has no GPU backend", "--backend " + name,
                "use --backend cpu, or auto");
  }
  throw Error(ErrorCode::kUsage, "there is no backend \"" + name + "\"", "--backend",
              "use auto, hip, cuda, cpu or reference");
}

}  // namespace halyard
