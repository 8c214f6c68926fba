#include "ops/op_backends.h"

#include "backend/cpu/cpu_backend.h"
#include "backend/reference/reference_backend.h"

namespace halyard::test {

// Those that this machine can run.
const std::vector<OpBackend>& op_backends() {
  static const std::vector<OpBackend> backends = [] {
    std::vector<OpBackend> list;
    list.push_back({"reference", make_reference_backend, {0, 0}});  // against itself: the cases are sound
    for (InstructionSet set : usable_instruction_sets()) {
      list.push_back({"cpu " + std::string(instruction_set_name(set)),
                      [set](const Model& model, const BackendOptions& options) {
                        return make_cpu_backend_with(set, model, options);
                      },
                      {5e-6, 5e-3}});
    }
    return list;
  }();
  return backends;
}

}  // namespace halyard::test
