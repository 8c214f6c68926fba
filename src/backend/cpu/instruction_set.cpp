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

std::vector<InstructionSet> all_instruction_sets() {
  return {InstructionSet::kBaseline, InstructionSet::kAvx2, InstructionSet::kAvx512};
}

std::vector<std::string> missing_instructions(InstructionSet set) {
  const CpuFeatures& f = cpu_features();
  std::vector<std::string> missing;
  const auto require = [&missing](bool there, const char* name) {
    if (!there) missing.push_back(name);
  };
  if (set == InstructionSet::kBaseline) return missing;
  require(f.avx2, "AVX2");
  require(f.fma, "FMA");
  require(f.f16c, "F16C");
  if (set == InstructionSet::kAvx2) return missing;
  require(f.avx512f, "AVX512F");
  require(f.avx512dq, "AVX512DQ");
  require(f.avx512bw, "AVX512BW");
  require(f.avx512vl, "AVX512VL");
  return missing;
}

std::vector<InstructionSet> usable_instruction_sets() {
  std::vector<InstructionSet> sets = all_instruction_sets();
  std::erase_if(sets, [](InstructionSet set) { return !missing_instructions(set).empty(); });
  return sets;
}

}  // namespace halyard
