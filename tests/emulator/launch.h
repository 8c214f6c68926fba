// Runs the workgroups of one launch.
#pragma once
#include <cstdint>
#include <span>

#include "emulator/memory.h"
#include "emulator/program.h"
#include "emulator/wave.h"

namespace halyard::emulator {

struct LaunchShape {
  uint32_t grid[3] = {1, 1, 1};  // workgroups
  uint32_t block[3] = {32, 1, 1};
  uint32_t dynamic_lds_bytes = 0;
};

struct Checks {
  bool waits = true;                               // a loaded value is waited for before its use
  bool races = true;                               // LDS between waves without a barrier
  bool unwritten = true;                           // reads of bytes that nobody has written
  uint64_t most_instructions = uint64_t{1} << 33;  // of one workgroup; more is a fault: it would never end
  uint32_t n_threads = 2;
  bool trace =
      false;  // every instruction of the first wave of each workgroup goes to stderr; waits are checked too
};

struct LaunchCount {
  uint64_t wave_instructions = 0;
};

// Runs `kernel` to its end; `arguments` is what the caller passes, in the layout of the kernel's arguments;
// hidden arguments are filled in. Throws Fault with a report when the kernel does what it must not,
// halyard::Error(kUsage) for a launch that the machine refuses. `memory` must not change meanwhile.
LaunchCount launch(const Program& program, const KernelInfo& kernel, Memory& memory, const LaunchShape& shape,
                   std::span<const uint8_t> arguments, const Checks& checks);

// Runs one wave of program "test" from given registers, for tests of instructions. The wave must live in
// memory that the caller owns; LDS has kTestLdsBytes. Registers are the caller's to set before and to look at
// afterwards.
constexpr uint32_t kTestLdsBytes = 8192;
void run_wave(Wave& wave, const Program& program, Memory& memory, const Checks& checks = {});

}  // namespace halyard::emulator
