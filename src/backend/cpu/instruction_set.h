// The instruction sets that the kernels are built for.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

enum class InstructionSet {
  kBaseline,
  kAvx2,
  kAvx512
};  // kBaseline: x86-64 with SSE2; kAvx2: with FMA, F16C

std::string_view instruction_set_name(InstructionSet set);
std::vector<InstructionSet> all_instruction_sets();             // best last
std::vector<InstructionSet> usable_instruction_sets();          // on this machine, best last; never empty
std::vector<std::string> missing_instructions(InstructionSet);  // here, by name; empty: the set is usable

}  // namespace halyard
