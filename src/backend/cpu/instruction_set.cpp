#include "backend/cpu/instruction_set.h"

#include "platform/cpu_features.h"

namespace halyard {

std::string_view instruction_set_name(InstructionSet set) {
  switch (set) {
    case InstructionSet::kBaseline:
      return "baseline";
    case InstructionSet::kAvx2:
      return "avx2";
    case InstructionSet::kAvx512:
      break;
  }
  return "avx512";
}

std::vector<InstructionSet> usable_instruction_sets() {
  const CpuFeatures& f = cpu_features();
  std::vector<InstructionSet> sets{InstructionSet::kBaseline};
  if (!(f.avx2 && f.fma && f.f16c)) return sets;
  sets.push_back(InstructionSet::kAvx2);
  if (f.avx512f && f.avx512dq && f.avx512bw && f.avx512vl) sets.push_back(InstructionSet::kAvx512);
  return sets;
}

}  // namespace halyard
