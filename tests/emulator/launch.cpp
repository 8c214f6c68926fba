#include "emulator/launch.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <fmt/core.h>
#include <mutex>
#include <thread>

#include "emulator/fault.h"
#include "emulator/waits.h"
#include "emulator/wave.h"
#include "emulator/workgroup.h"
#include "halyard/error.h"

namespace halyard::emulator {
namespace {

constexpr uint32_t kTurn =
    20000;  // instructions until the next wave gets its turn: waves may wait for each other
constexpr uint32_t kMostLdsBytes = 65536;
constexpr uint32_t kPoison = 0xffffffffu;  // of registers: a NaN

// One line for each instruction of wave 0 of a workgroup, before it runs.
void print_trace(const Wave& wave, const Instruction& i) {
  if (wave.index != 0) return;
  fmt::print(stderr, "{:#8x} {:<28} {:08x} {:08x}  exec {:08x} scc {} vcc {:08x}\n",
             wave.program->address_of(i) - wave.program->text_address, i.name, i.words[0],
             i.size_dwords > 1 ? i.words[1] : 0, wave.exec(), wave.scc, wave.vcc());
}

// Runs until the wave ends, comes to a barrier or has had its turn. Returns how many instructions that were.
template <bool kCheckWaits, bool kTrace>
uint32_t run_turn(Wave& wave) {
  uint32_t n = 0;
  Outstanding& outstanding = *wave.outstanding;
  while (n < kTurn) {
    const Instruction& i = *wave.next;
    wave.next = &i + 1;
    ++n;
    if constexpr (kTrace) print_trace(wave, i);
    if constexpr (kCheckWaits) {
      if (outstanding.any) check_waits(wave, i);
    }
    i.execute(wave, i);
    if constexpr (kCheckWaits) {
      if (i.counter != Counter::kNone) outstanding.add(i);
    }
    if (wave.ended || wave.at_barrier) break;
  }
  return n;
}

uint32_t run_turn(Wave& wave, const Checks& checks) {
  if (checks.trace) return run_turn<true, true>(wave);
  return checks.waits ? run_turn<true, false>(wave) : run_turn<false, false>(wave);
}

struct Job {
  Job(const Program& p, const KernelInfo& k, Memory& m, const LaunchShape& s, const Checks& c)
      : program(p), kernel(k), memory(m), shape(s), checks(c) {}
  const Program& program;
  const KernelInfo& kernel;
  Memory& memory;
  const LaunchShape& shape;
  const Checks& checks;
  uint64_t arguments_address = 0, packet_address = 0;
  uint32_t n_threads_of_block = 0, n_waves = 0, lds_bytes = 0;
  uint64_t n_groups = 0;
  std::atomic<uint64_t> next_group{0};
  std::atomic<uint64_t> n_instructions{0};
  std::atomic<bool> failed{false};
  std::mutex mutex;
  std::exception_ptr error;  // under mutex
};

// One host thread's waves, used again for every workgroup.
class Worker {
 public:
  explicit Worker(Job& job) : job_(job), waves_(job.n_waves), outstanding_(job.n_waves) {
    group_.kernel_name = &job.kernel.name;
    group_.check_races = job.checks.races && job.n_waves > 1;
    group_.check_unwritten = job.checks.unwritten;
    group_.lds_bytes = job.lds_bytes;
    const size_t scratch_bytes = size_t{job.kernel.scratch_bytes} * kLanes * job.n_waves;
    scratch_.resize(scratch_bytes);
    scratch_written_.resize(scratch_bytes);
  }

  void run() {
    while (!job_.failed) {
      const uint64_t index = job_.next_group++;
      if (index >= job_.n_groups) return;
      run_group(index);
    }
  }

 private:
  void start_scalars(Wave& wave) const {
    std::fill(std::begin(wave.sgpr), std::end(wave.sgpr), kPoison);
    wave.sgpr[kNull] = 0;
    const KernelInfo& k = job_.kernel;
    uint16_t at = 0;
    const auto put = [&](uint64_t value, uint32_t n) {
      for (uint32_t w = 0; w < n; ++w) wave.sgpr[at++] = static_cast<uint32_t>(w < 2 ? value >> 32 * w : 0);
    };
    if ((k.properties & 1) != 0) put(0, 4);                    // buffer of private memory
    if ((k.properties & 2) != 0) put(job_.packet_address, 2);  // dispatch packet
    if ((k.properties & 4) != 0) put(0, 2);                    // queue
    if ((k.properties & 8) != 0) put(job_.arguments_address, 2);
    if ((k.properties & 16) != 0) put(0, 2);  // dispatch id
    if ((k.properties & 32) != 0) put(0, 2);  // flat scratch: part of the machine's state on gfx11
    if ((k.properties & 64) != 0) put(k.scratch_bytes, 1);
    at = static_cast<uint16_t>(k.rsrc2 >> 1 & 31);
    for (uint32_t d = 0; d < 3; ++d) {
      if ((k.rsrc2 >> (7 + d) & 1) != 0) put(group_.id[d], 1);
    }
    if ((k.rsrc2 >> 10 & 1) != 0) put(wave.index, 1);
  }

  void start_wave(uint32_t index) {
    Wave& wave = waves_[index];
    wave.index = index;
    wave.workgroup = &group_;
    wave.memory = &job_.memory;
    wave.program = &job_.program;
    wave.next = job_.program.at(job_.kernel.entry_address);
    wave.scc = 0;
    wave.mode = (job_.kernel.rsrc1 >> 12 & 0xff) | (job_.kernel.rsrc1 >> 21 & 1) << 8 |
                (job_.kernel.rsrc1 >> 23 & 1) << 9;
    wave.ended = wave.at_barrier = false;
    outstanding_[index] = {};
    wave.outstanding = &outstanding_[index];
    wave.scratch_bytes = job_.kernel.scratch_bytes;
    wave.scratch = scratch_.data() + size_t{index} * kLanes * wave.scratch_bytes;
    wave.scratch_written = scratch_written_.data() + size_t{index} * kLanes * wave.scratch_bytes;
    std::memset(wave.vgpr, 0xff, sizeof wave.vgpr);
    start_scalars(wave);
    uint32_t exec = 0;
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t thread = index * kLanes + lane;
      if (thread < job_.n_threads_of_block) exec |= 1u << lane;
      const uint32_t* block = job_.shape.block;
      const uint32_t x = thread % block[0], y = thread / block[0] % block[1],
                     z = thread / block[0] / block[1];
      wave.vgpr[0][lane] = x | (y & 1023) << 10 | (z & 1023) << 20;
    }
    wave.sgpr[kExecLo] = exec;
    wave.sgpr[kExecHi] = 0;
  }

  void start_group(uint64_t index) {
    const uint32_t* grid = job_.shape.grid;
    group_.id[0] = static_cast<uint32_t>(index % grid[0]);
    group_.id[1] = static_cast<uint32_t>(index / grid[0] % grid[1]);
    group_.id[2] = static_cast<uint32_t>(index / grid[0] / grid[1]);
    group_.lds.assign(job_.lds_bytes, 0xff);
    group_.lds_written.assign(job_.lds_bytes, 0);
    if (group_.check_races) group_.races.start(job_.lds_bytes);
    std::fill(scratch_.begin(), scratch_.end(), uint8_t{0xff});
    std::fill(scratch_written_.begin(), scratch_written_.end(), uint8_t{0});
    for (uint32_t w = 0; w < job_.n_waves; ++w) start_wave(w);
  }

  void open_barrier() {
    for (Wave& wave : waves_) wave.at_barrier = false;
    if (!group_.check_races) return;
    group_.races.barrier();
    // A write that its wave has not waited for may come after the barrier: it counts as if it did.
    for (Wave& wave : waves_) {
      Outstanding& outstanding = *wave.outstanding;
      outstanding.drop_finished_lds_writes();
      if (!job_.checks.waits) outstanding.lds_writes.clear();
      for (const auto& write : outstanding.lds_writes)
        group_.races.late_write(write.offset, write.bytes, wave.index);
    }
  }

  void run_group(uint64_t index) {
    start_group(index);
    uint64_t n = 0;
    for (bool alive = true; alive;) {
      alive = false;
      bool waiting = true;  // all that live are at the barrier
      for (Wave& wave : waves_) {
        if (wave.ended || wave.at_barrier) continue;
        n += run_turn(wave, job_.checks);
      }
      for (const Wave& wave : waves_) {
        alive = alive || !wave.ended;
        waiting = waiting && (wave.ended || wave.at_barrier);
      }
      if (waiting && alive) open_barrier();
      if (job_.failed) break;
      if (n > job_.checks.most_instructions) {
        fault(waves_[0], *waves_[0].next,
              fmt::format("still running after {} instructions of one workgroup", n));
      }
    }
    job_.n_instructions += n;
  }

  Job& job_;
  std::vector<Wave> waves_;
  std::vector<Outstanding> outstanding_;
  std::vector<uint8_t> scratch_, scratch_written_;
  Workgroup group_;
};

void work(Job& job) {
  try {
    Worker(job).run();
  } catch (...) {
    const std::lock_guard lock(job.mutex);
    if (!job.error) job.error = std::current_exception();
    job.failed = true;
  }
}

uint64_t hidden_value(const std::string& kind, const LaunchShape& shape) {
  static const std::string kAxes = "xyz";
  const size_t axis = kAxes.find(kind.back());
  if (kind == "hidden_grid_dims")
    return shape.grid[2] * shape.block[2] > 1 ? 3 : shape.grid[1] * shape.block[1] > 1 ? 2 : 1;
  if (axis == std::string::npos) return 0;
  if (kind.starts_with("hidden_block_count_")) return shape.grid[axis];
  if (kind.starts_with("hidden_group_size_")) return shape.block[axis];
  return 0;
}

// The kernel's arguments in memory of their own. What no argument covers is padding, which compilers may
// load.
Allocation* place_arguments(const Job& job, std::span<const uint8_t> given) {
  const uint64_t bytes = (uint64_t{job.kernel.argument_bytes} + 63) / 64 * 64 + 64;
  Allocation* block = job.memory.allocate(bytes, MemoryKind::kArguments);
  if (block == nullptr)
    throw Error(ErrorCode::kOutOfMemory, "no room for arguments", job.kernel.name, "release memory");
  std::memset(block->data(), 0, bytes);
  std::memset(block->written, 1, bytes);
  std::memcpy(block->data(), given.data(), std::min<uint64_t>(given.size(), bytes));
  for (const KernelArgument& argument : job.kernel.arguments) {
    if (!argument.kind.starts_with("hidden_")) continue;
    const uint64_t value = hidden_value(argument.kind, job.shape);
    std::memcpy(block->data() + argument.offset_bytes, &value,
                std::min<size_t>(argument.size_bytes, sizeof value));
  }
  return block;
}

// The dispatch packet of the queue, as far as kernels look at it.
Allocation* place_packet(const Job& job) {
  Allocation* block = job.memory.allocate(64, MemoryKind::kArguments);
  if (block == nullptr)
    throw Error(ErrorCode::kOutOfMemory, "no room for a packet", job.kernel.name, "release memory");
  std::memset(block->data(), 0, 64);
  std::memset(block->written, 1, 64);
  for (uint32_t d = 0; d < 3; ++d) {
    const auto size = static_cast<uint16_t>(job.shape.block[d]);
    const uint32_t threads = job.shape.grid[d] * job.shape.block[d];
    std::memcpy(block->data() + 4 + 2 * d, &size, sizeof size);
    std::memcpy(block->data() + 12 + 4 * d, &threads, sizeof threads);
  }
  std::memcpy(block->data() + 24, &job.kernel.scratch_bytes, 4);
  std::memcpy(block->data() + 28, &job.lds_bytes, 4);
  std::memcpy(block->data() + 40, &job.arguments_address, 8);
  return block;
}

void refuse(const KernelInfo& kernel, const std::string& what) {
  throw Error(ErrorCode::kUsage, what, "launch of " + kernel.name,
              "launch with a shape that the kernel allows");
}

void check_shape(Job& job) {
  const LaunchShape& s = job.shape;
  uint64_t threads = 1, groups = 1;
  for (uint32_t d = 0; d < 3; ++d) {
    if (s.grid[d] == 0 || s.block[d] == 0) refuse(job.kernel, "a dimension of the launch is 0");
    threads *= std::min(s.block[d], 4096u);
    groups *= s.grid[d];
  }
  if (threads > 1024) refuse(job.kernel, fmt::format("a block of {} threads: 1024 at most", threads));
  if (threads > job.kernel.max_threads) {
    refuse(job.kernel,
           fmt::format("a block of {} threads: the kernel is built for {}", threads, job.kernel.max_threads));
  }
  const uint64_t lds_bytes = uint64_t{job.kernel.lds_bytes} + s.dynamic_lds_bytes;
  if (lds_bytes > kMostLdsBytes) refuse(job.kernel, fmt::format("{} bytes of LDS: 65536 at most", lds_bytes));
  job.n_threads_of_block = static_cast<uint32_t>(threads);
  job.n_waves = (job.n_threads_of_block + kLanes - 1) / kLanes;
  job.lds_bytes = static_cast<uint32_t>(lds_bytes);
  job.n_groups = groups;
}

}  // namespace

LaunchCount launch(const Program& program, const KernelInfo& kernel, Memory& memory, const LaunchShape& shape,
                   std::span<const uint8_t> arguments, const Checks& checks) {
  Job job(program, kernel, memory, shape, checks);
  check_shape(job);
  job.arguments_address = place_arguments(job, arguments)->address;
  job.packet_address = place_packet(job)->address;
  const auto n_threads = std::min<uint64_t>(std::max(checks.n_threads, 1u), job.n_groups);
  std::vector<std::thread> others;
  for (uint64_t t = 1; t < n_threads; ++t) others.emplace_back([&job] { work(job); });
  work(job);
  for (std::thread& t : others) t.join();
  memory.release(job.arguments_address);
  memory.release(job.packet_address);
  if (job.error) std::rethrow_exception(job.error);
  return {job.n_instructions};
}

void run_wave(Wave& wave, const Program& program, Memory& memory, const Checks& checks) {
  static const std::string kName = "test";
  Workgroup group;
  group.kernel_name = &kName;
  group.lds_bytes = kTestLdsBytes;
  group.lds.assign(kTestLdsBytes, 0xff);
  group.lds_written.assign(kTestLdsBytes, checks.unwritten ? 0 : 1);
  group.check_races = false;
  group.check_unwritten = checks.unwritten;
  Outstanding outstanding;
  wave.outstanding = &outstanding;
  wave.workgroup = &group;
  wave.memory = &memory;
  wave.program = &program;
  wave.next = program.instructions.data();
  wave.ended = wave.at_barrier = false;
  wave.sgpr[kNull] = 0;
  while (!wave.ended) {
    run_turn(wave, checks);
    wave.at_barrier = false;
  }
}

void fault(const Wave& wave, const Instruction& i, const std::string& what, int lane) {
  const Workgroup& group = *wave.workgroup;
  const uint64_t address = wave.program->address_of(i);
  std::string text = fmt::format("kernel {}: {}\n  workgroup ({}, {}, {}), wave {}", *group.kernel_name, what,
                                 group.id[0], group.id[1], group.id[2], wave.index);
  if (lane >= 0) text += fmt::format(", lane {}", lane);
  text += fmt::format(", exec {:08x}\n  at {} ({:08x}{}{}), address {:#x}, byte {:#x} of .text", wave.exec(),
                      i.name, i.words[0], i.size_dwords > 1 ? fmt::format(" {:08x}", i.words[1]) : "",
                      i.size_dwords > 2 ? fmt::format(" {:08x}", i.words[2]) : "", address,
                      address - wave.program->text_address);
  throw Fault(text);
}

}  // namespace halyard::emulator
