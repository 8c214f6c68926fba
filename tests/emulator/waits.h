// Which loads of a wave are under way, and which registers they have yet to fill. The emulator fills a
// register at once; this keeps the books of the machine, where the value comes later and only s_waitcnt says
// that it has come.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "emulator/instruction.h"

namespace halyard::emulator {

struct Wave;

struct Outstanding {
  static constexpr uint32_t kMost = 63;  // a counter has 6 bits: the machine waits before it would overflow

  // vmcnt: comes back in order. lgkmcnt: LDS in order, scalar loads in any order, flat ones too.
  struct Entry {
    RegisterRange registers[2] = {};  // count 0: nothing to fill (a store into LDS)
    Counter counter = Counter::kNone;
  };
  struct Queue {
    std::array<Entry, kMost + 1> entries;
    uint32_t n = 0;
  };
  Queue vector, lds_scalar;
  uint32_t n_stores = 0;
  std::array<uint64_t, 8> pending{};  // one bit for each operand code
  bool any = false;                   // of pending

  // Writes into LDS that may be under way: what a barrier finds here has not been waited for.
  struct LdsWrite {
    uint64_t serial;
    uint32_t offset, bytes;
  };
  std::vector<LdsWrite> lds_writes;
  uint64_t n_lds_operations = 0;  // LDS instructions so far

  void note_lds_write(uint32_t offset, uint32_t bytes);
  // Leaves in lds_writes those that are still under way.
  void drop_finished_lds_writes();

  void add(const Instruction& i);
  // s_waitcnt and its kin: no more than this many are left.
  void wait_vector(uint32_t most);
  void wait_lds_scalar(uint32_t most);
  void wait_stores(uint32_t most);
  // -1, or the operand code of the first register that `i` needs and that is not there yet.
  int first_missing(const Instruction& i) const;

 private:
  bool is_pending(const RegisterRange& range, uint16_t* which) const;
  bool only_counter(uint16_t operand, Counter counter) const;
  void rebuild();
};

// Reports a register that is used before its load was waited for.
void check_waits(const Wave& wave, const Instruction& i);

}  // namespace halyard::emulator
