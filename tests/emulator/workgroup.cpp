#include "emulator/workgroup.h"

#include <algorithm>
#include <bit>

namespace halyard::emulator {

void RaceTable::start(uint32_t lds_bytes) {
  if (entries_.size() < (lds_bytes + 3) / 4) entries_.resize((lds_bytes + 3) / 4);
  ++epoch_;
}

int RaceTable::touch_dword(Entry& e, uint8_t bytes, uint32_t wave, MemoryUse access) {
  if (e.write_epoch != epoch_) {
    e.write_epoch = epoch_;
    e.written = e.atomic = 0;
  }
  if (e.read_epoch != epoch_) {
    e.read_epoch = epoch_;
    for (uint32_t& readers : e.readers) readers = 0;
  }
  const uint32_t me = 1u << (wave & 31);
  const uint32_t conflicts = access == MemoryUse::kAtomic ? e.written & ~e.atomic : e.written;
  for (uint32_t b = 0; b < 4; ++b) {
    if ((bytes >> b & 1) == 0) continue;
    if ((conflicts >> b & 1) != 0 && e.writer[b] != wave) return e.writer[b];
    if (access == MemoryUse::kRead) {
      e.readers[b] |= me;
      continue;
    }
    if ((e.readers[b] & ~me) != 0) return std::countr_zero(e.readers[b] & ~me);
    e.writer[b] = static_cast<uint8_t>(wave);
  }
  if (access == MemoryUse::kRead) return -1;
  e.written |= bytes;
  e.atomic = static_cast<uint8_t>(access == MemoryUse::kAtomic ? e.atomic | bytes : e.atomic & ~bytes);
  return -1;
}

int RaceTable::touch(uint32_t offset, uint32_t bytes, uint32_t wave, MemoryUse access) {
  const uint32_t end = offset + bytes;
  for (uint32_t dword = offset / 4; dword * 4 < end; ++dword) {
    const uint32_t first = std::max(offset, dword * 4) - dword * 4,
                   last = std::min(end, dword * 4 + 4) - dword * 4;
    const auto mask = static_cast<uint8_t>((1u << last) - (1u << first));
    const int other = touch_dword(entries_[dword], mask, wave, access);
    if (other >= 0) return other;
  }
  return -1;
}

void RaceTable::late_write(uint32_t offset, uint32_t bytes, uint32_t wave) {
  touch(offset, bytes, wave, MemoryUse::kWrite);
}

}  // namespace halyard::emulator
