// One wave for tests of instructions: set registers, run some code, look at registers.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "emulator/fault.h"
#include "emulator/launch.h"
#include "emulator/wave.h"

namespace halyard::emulator {

constexpr uint32_t kEndProgram = 0xbfb00000;  // s_endpgm

class Machine {
 public:
  Machine() : wave_(std::make_unique<Wave>()) { reset(); }

  // All registers a pattern that no test expects, all lanes on, denormals kept.
  void reset() {
    for (auto& lanes : wave_->vgpr) std::fill(std::begin(lanes), std::end(lanes), 0xdeadbeefu);
    std::fill(std::begin(wave_->sgpr), std::end(wave_->sgpr), 0xdeadbeefu);
    wave_->sgpr[kExecLo] = 0xffffffffu;
    wave_->sgpr[kExecHi] = 0;
    wave_->sgpr[kNull] = 0;
    wave_->scc = 0;
    wave_->mode = kModeDenorm32In | kModeDenorm32Out | kModeDenorm16_64In | kModeDenorm16_64Out |
                  kModeDx10Clamp | kModeIeee;
  }

  // Runs the code and s_endpgm behind it. LDS (kTestLdsBytes, not written) is new for each run. Throws Fault.
  void run(std::vector<uint32_t> words) {
    words.push_back(kEndProgram);
    program_ = std::make_unique<Program>(decode_program(words));
    run_wave(*wave_, *program_, memory, checks);
  }
  // The report of the fault that the code ends with; "no fault" when there is none.
  std::string fault_of(const std::vector<uint32_t>& words) {
    try {
      run(words);
    } catch (const Fault& fault) {
      return fault.what();
    }
    return "no fault";
  }

  uint32_t& s(uint32_t number) { return wave_->sgpr[number]; }
  uint32_t& v(uint32_t number, uint32_t lane) { return wave_->vgpr[number][lane]; }
  void set_pair(uint32_t number, uint64_t value) {
    write_scalar_64(*wave_, static_cast<uint16_t>(number), value);
  }
  uint64_t pair(uint32_t number) const { return wave_->pair(static_cast<uint16_t>(number)); }
  void set_address(uint32_t number, uint32_t lane, uint64_t value) {
    v(number, lane) = static_cast<uint32_t>(value);
    v(number + 1, lane) = static_cast<uint32_t>(value >> 32);
  }
  Wave& wave() { return *wave_; }

  Memory memory{uint64_t{1} << 28};
  Checks checks;

 private:
  std::unique_ptr<Wave> wave_;
  std::unique_ptr<Program> program_;
};

}  // namespace halyard::emulator
