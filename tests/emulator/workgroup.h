// What the waves of one workgroup share: LDS, its map of written bytes, and the books about races.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "emulator/memory.h"

namespace halyard::emulator {

enum class MemoryUse { kRead, kWrite, kAtomic };

// Finds two waves that touch the same byte of LDS, one of them writing, without a barrier in between. Atomics
// do not race with each other. A byte remembers its last writer and all its readers since the last barrier.
class RaceTable {
 public:
  void start(uint32_t lds_bytes);
  void barrier() { ++epoch_; }
  // -1, or the wave that it races with. `bytes` may cross dwords.
  int touch(uint32_t offset, uint32_t bytes, uint32_t wave, MemoryUse access);
  // A write that was not waited for before the barrier: as if it came after it.
  void late_write(uint32_t offset, uint32_t bytes, uint32_t wave);

 private:
  struct Entry {  // of one dword; arrays and masks by byte
    uint32_t write_epoch = 0, read_epoch = 0;
    uint32_t readers[4] = {};  // one bit for each wave
    uint8_t writer[4] = {};
    uint8_t written = 0, atomic = 0;
  };
  int touch_dword(Entry& entry, uint8_t bytes, uint32_t wave, MemoryUse access);
  std::vector<Entry> entries_;
  uint32_t epoch_ = 0;  // only grows: entries of earlier workgroups are simply old
};

struct Workgroup {
  uint32_t id[3] = {};
  uint32_t lds_bytes = 0;
  std::vector<uint8_t> lds, lds_written;
  bool check_races = true;
  bool check_unwritten = true;
  RaceTable races;
  const std::string* kernel_name = nullptr;
  const Allocation* last_found = nullptr;  // most accesses go to the allocation of the one before
};

}  // namespace halyard::emulator
