#include "emulator/access.h"

#include <fmt/core.h>

#include "emulator/memory.h"
#include "emulator/waits.h"

namespace halyard::emulator {
namespace {

const char* verb(MemoryUse access) {
  return access == MemoryUse::kRead ? "reads" : access == MemoryUse::kWrite ? "writes" : "changes";
}

[[noreturn]] void out_of_range(const Wave& wave, const Instruction& i, uint64_t address, uint32_t bytes,
                               MemoryUse access, int lane) {
  const Allocation* holder = wave.memory->find(address);
  const std::string where = holder == nullptr ? wave.memory->neighbourhood(address)
                                              : fmt::format("across the end of {}", describe(*holder));
  fault(wave, i, fmt::format("{} {} bytes at {:#x}, out of range: {}", verb(access), bytes, address, where),
        lane);
}

// The allocation of an access; the group's last one is tried first.
const Allocation& holder_of(Wave& wave, const Instruction& i, uint64_t address, uint32_t bytes,
                            MemoryUse access, int lane) {
  Workgroup& group = *wave.workgroup;
  if (group.last_found != nullptr && group.last_found->holds(address, bytes)) return *group.last_found;
  const Allocation* found = wave.memory->find(address);
  if (found == nullptr || !found->holds(address, bytes)) out_of_range(wave, i, address, bytes, access, lane);
  if (access != MemoryUse::kRead && found->kind == MemoryKind::kArguments) {
    fault(wave, i, fmt::format("writes into {}", describe(*found)), lane);
  }
  // Arguments are read by scalar loads and are not remembered: the check above must see every write.
  if (found->kind != MemoryKind::kArguments) group.last_found = found;
  return *found;
}

void global_lane(Wave& wave, const Instruction& i, uint64_t address, uint32_t bytes, MemoryUse access,
                 uint32_t lane, Targets& to) {
  if (access == MemoryUse::kAtomic && address % bytes != 0) {
    fault(wave, i, fmt::format("an atomic at {:#x}, which is not aligned", address), static_cast<int>(lane));
  }
  const Allocation& a = holder_of(wave, i, address, bytes, access, static_cast<int>(lane));
  to.data[lane] = reinterpret_cast<uint8_t*>(address);
  to.written[lane] = a.written == nullptr ? nullptr : a.written + (address - a.address);
}

void lds_lane(Wave& wave, const Instruction& i, uint32_t offset, uint32_t bytes, MemoryUse access,
              uint32_t lane, Targets& to) {
  Workgroup& group = *wave.workgroup;
  if (offset > group.lds_bytes || bytes > group.lds_bytes - offset) {
    fault(wave, i,
          fmt::format("{} {} bytes at {:#x} of LDS, out of range: the workgroup has {} bytes", verb(access),
                      bytes, offset, group.lds_bytes),
          static_cast<int>(lane));
  }
  if (access == MemoryUse::kAtomic && offset % bytes != 0) {
    fault(wave, i, fmt::format("an atomic at {:#x} of LDS, which is not aligned", offset),
          static_cast<int>(lane));
  }
  if (group.check_races) {
    const int other = group.races.touch(offset, bytes, wave.index, access);
    if (other >= 0) {
      fault(wave, i,
            fmt::format(
                "race: {} {} bytes at {:#x} of LDS, which wave {} has used without a barrier in between",
                verb(access), bytes, offset, other),
            static_cast<int>(lane));
    }
    if (access != MemoryUse::kRead) wave.outstanding->note_lds_write(offset, bytes);
  }
  to.data[lane] = group.lds.data() + offset;
  to.written[lane] = group.lds_written.data() + offset;
}

void scratch_lane(Wave& wave, const Instruction& i, uint32_t offset, uint32_t bytes, MemoryUse access,
                  uint32_t lane, Targets& to) {
  if (offset > wave.scratch_bytes || bytes > wave.scratch_bytes - offset) {
    fault(wave, i,
          fmt::format("{} {} bytes at {:#x} of private memory, out of range: a lane has {} bytes",
                      verb(access), bytes, offset, wave.scratch_bytes),
          static_cast<int>(lane));
  }
  const size_t place = size_t{lane} * wave.scratch_bytes + offset;
  to.data[lane] = wave.scratch + place;
  to.written[lane] = wave.scratch_written + place;
}

std::string place_of(const Wave& wave, const uint8_t* data) {
  const Workgroup& group = *wave.workgroup;
  const auto address = reinterpret_cast<uint64_t>(data);
  if (data >= group.lds.data() && data < group.lds.data() + group.lds.size()) {
    return fmt::format("byte {:#x} of LDS", data - group.lds.data());
  }
  if (wave.scratch_bytes != 0 && data >= wave.scratch &&
      data < wave.scratch + size_t{kLanes} * wave.scratch_bytes) {
    return fmt::format("byte {:#x} of private memory",
                       static_cast<size_t>(data - wave.scratch) % wave.scratch_bytes);
  }
  const Allocation* a = wave.memory->find(address);
  if (a == nullptr) return fmt::format("{:#x}", address);
  return fmt::format("{:#x}, byte {} of {}", address, address - a->address, describe(*a));
}

// The number of bytes before the first that nobody has written.
uint32_t n_written(const uint8_t* written, uint32_t bytes) {
  uint32_t n = 0;
  while (n < bytes && written[n] != 0) ++n;
  return n;
}

bool all_written(const uint8_t* written, uint32_t bytes) {
  constexpr uint32_t kFour = 0x01010101u;
  uint32_t at = 0;
  for (; at + 4 <= bytes; at += 4) {
    if (read_small<4>(written + at) != kFour) return false;
  }
  return n_written(written + at, bytes - at) == bytes - at;
}

}  // namespace

void resolve_global(Wave& wave, const Instruction& i, const uint64_t* addresses, uint32_t bytes,
                    MemoryUse access, Targets& to) {
  for (uint32_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    global_lane(wave, i, addresses[lane], bytes, access, lane, to);
  }
}

void resolve_lds(Wave& wave, const Instruction& i, const uint32_t* offsets, uint32_t bytes, MemoryUse access,
                 Targets& to) {
  for (uint32_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    lds_lane(wave, i, offsets[lane], bytes, access, lane, to);
  }
}

void resolve_scratch(Wave& wave, const Instruction& i, const uint32_t* offsets, uint32_t bytes,
                     MemoryUse access, Targets& to) {
  for (uint32_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    scratch_lane(wave, i, offsets[lane], bytes, access, lane, to);
  }
}

void resolve_flat(Wave& wave, const Instruction& i, const uint64_t* addresses, uint32_t bytes,
                  MemoryUse access, Targets& to) {
  for (uint32_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint64_t address = addresses[lane], aperture = address >> 32 << 32;
    if (aperture == kSharedApertureBase) {
      lds_lane(wave, i, static_cast<uint32_t>(address), bytes, access, lane, to);
    } else if (aperture == kPrivateApertureBase) {
      scratch_lane(wave, i, static_cast<uint32_t>(address), bytes, access, lane, to);
    } else {
      global_lane(wave, i, address, bytes, access, lane, to);
    }
  }
}

const uint8_t* resolve_scalar(Wave& wave, const Instruction& i, uint64_t address, uint32_t bytes) {
  const Allocation& a = holder_of(wave, i, address, bytes, MemoryUse::kRead, -1);
  const auto* data = reinterpret_cast<const uint8_t*>(address);
  if (a.written == nullptr || !wave.workgroup->check_unwritten) return data;
  const uint8_t* written = a.written + (address - a.address);
  if (!all_written(written, bytes)) {
    fault(wave, i, "unwritten memory is read: " + place_of(wave, data + n_written(written, bytes)));
  }
  return data;
}

void check_written(const Wave& wave, const Instruction& i, const Targets& from, uint32_t bytes) {
  if (!wave.workgroup->check_unwritten) return;
  for (uint32_t rest = wave.exec(); rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
    const uint8_t* written = from.written[lane];
    if (from.data[lane] == nullptr || written == nullptr || all_written(written, bytes)) continue;
    const uint32_t n = n_written(written, bytes);
    fault(wave, i, "unwritten memory is read: " + place_of(wave, from.data[lane] + n),
          static_cast<int>(lane));
  }
}

}  // namespace halyard::emulator
