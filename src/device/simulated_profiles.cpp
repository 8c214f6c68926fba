#include "device/simulated_profiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "halyard/error.h"

namespace halyard {
namespace {

// Rows "C.." are those of the case table that this project works from.
constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kGiB = uint64_t{1} << 30;
constexpr uint64_t kStrixMemory = 128 * kGiB;
constexpr uint64_t kSystemTakes = 6 * kGiB;  // C43: of 128 GiB, 122 are available

SimulatedPool pool_said_by_driver(Pool pool, uint64_t bytes) {
  SimulatedPool made = truthful_pool(pool, bytes);
  made.said.system_total_bytes = made.said.system_free_bytes = std::nullopt;
  return made;
}

SimulatedPool pool_said_by_system(Pool pool, uint64_t bytes) {
  SimulatedPool made = truthful_pool(pool, bytes);
  made.said.driver_total_bytes = made.said.driver_free_bytes = std::nullopt;
  return made;
}

// Linux says sizes of both pools (sysfs mem_info_*); HIP those of the pool it allocates from, the GTT.
SimulatedDeviceOptions strix_linux(uint64_t carve_out_bytes, uint64_t gtt_bytes) {
  SimulatedDeviceOptions machine;
  machine.name = "AMD Radeon 8060S (Strix Halo, 128 GB)";
  machine.driver = "HIP 7.2";
  machine.system = System::kLinux;
  machine.integrated = true;
  machine.host_total_bytes = kStrixMemory - carve_out_bytes;
  machine.host_available_bytes = machine.host_total_bytes - kSystemTakes;
  machine.pools = {pool_said_by_system(Pool::kDedicated, carve_out_bytes),
                   truthful_pool(Pool::kShared, gtt_bytes)};
  return machine;
}

// C29: a limit of 124 GiB for the GTT, and a carve-out that shrinks the memory it comes out of.
SimulatedDeviceOptions strix_124(uint64_t carve_out_bytes) {
  return strix_linux(carve_out_bytes, std::min(124 * kGiB, kStrixMemory - carve_out_bytes));
}

// The split that Windows showed on a 128 GB machine with 96 GiB of carve-out (head of the case table); C28
// has about the same. HIP says nothing that counts: it may fail, or say 0 or 70 to 80 % (C35). A single block
// has at most 85 % of the pool. Available memory of the host: C38.
SimulatedDeviceOptions strix_windows_96() {
  constexpr uint64_t kDedicated = 103'079'215'104, kShared = 16'990'470'144;
  SimulatedDeviceOptions machine;
  machine.name = "AMD Radeon 8060S (Strix Halo, 128 GB)";
  machine.driver = "HIP 7.2";
  machine.system = System::kWindows;
  machine.integrated = true;
  machine.host_total_bytes = 33'981'009'920;
  machine.host_available_bytes = 24 * kGiB;
  machine.pools = {pool_said_by_system(Pool::kDedicated, kDedicated),
                   pool_said_by_system(Pool::kShared, kShared)};
  machine.pools[0].largest_block_bytes = kDedicated / 100 * 85;
  // What is free, DXGI says as a budget that other programs change: it is no promise (C36).
  for (SimulatedPool& pool : machine.pools) pool.said.system_free_bytes = std::nullopt;
  return machine;
}

// C33: older runtimes have an aperture of 64 GiB, for one block and for all together.
SimulatedDeviceOptions strix_windows_96_old() {
  SimulatedDeviceOptions machine = strix_windows_96();
  machine.driver = "HIP, older runtime";
  machine.total_limit_bytes = 64 * kGiB;
  machine.pools[0].largest_block_bytes = 64 * kGiB;
  return machine;
}

// C30: the BIOS set to "auto". The GTT is half of what the system sees.
SimulatedDeviceOptions strix_auto() {
  SimulatedDeviceOptions machine = strix_linux(512 * kMiB, 63'968 * kMiB);
  machine.host_total_bytes = 2 * 63'968 * kMiB;
  machine.host_available_bytes = machine.host_total_bytes - kSystemTakes;
  return machine;
}

SimulatedDeviceOptions discrete(std::string name, uint64_t bytes, uint64_t host_bytes) {
  SimulatedDeviceOptions machine;
  machine.name = std::move(name);
  machine.driver = "CUDA";
  machine.system = System::kLinux;
  machine.host_total_bytes = host_bytes;
  machine.host_available_bytes = host_bytes - kSystemTakes;
  machine.managed = ManagedMemory::kUnsupported;
  machine.pools = {pool_said_by_driver(Pool::kDedicated, bytes)};
  return machine;
}

// A machine without a GPU: its memory is the only pool.
SimulatedDeviceOptions host_only(uint64_t total_bytes, uint64_t available_bytes) {
  SimulatedDeviceOptions machine;
  machine.name = "processor";
  machine.system = System::kLinux;
  machine.integrated = true;
  machine.host_total_bytes = total_bytes;
  machine.host_available_bytes = available_bytes;
  machine.managed = ManagedMemory::kUnsupported;
  machine.only_pinned_sources = false;
  machine.pools = {pool_said_by_system(Pool::kHostPinned, total_bytes)};
  machine.pools[0].said.system_free_bytes = available_bytes;
  return machine;
}

struct Machine {
  std::string_view name;
  SimulatedDeviceOptions (*make)();
};

constexpr Machine kMachines[] = {
    {"strix-halo-96", strix_windows_96},
    {"strix-halo-96-old", strix_windows_96_old},
    {"strix-halo-auto", strix_auto},
    {"strix-halo-0.5", [] { return strix_124(512 * kMiB); }},  // the set-up that is recommended for Linux
    {"strix-halo-2", [] { return strix_124(2 * kGiB); }},
    {"strix-halo-8", [] { return strix_124(8 * kGiB); }},
    {"strix-halo-16", [] { return strix_124(16 * kGiB); }},
    {"strix-halo-32", [] { return strix_124(32 * kGiB); }},
    {"strix-halo-64", [] { return strix_124(64 * kGiB); }},
    {"strix-halo-96-linux", [] { return strix_124(96 * kGiB); }},
    {"h200", [] { return discrete("NVIDIA H200", 143'771 * kMiB, 128 * kGiB); }},
    {"rtx-5090", [] { return discrete("NVIDIA GeForce RTX 5090", 32 * kGiB, 64 * kGiB); }},
    // C38: what a carve-out of 96 GiB leaves to the processor.
    {"cpu-32", [] { return host_only(33'981'009'920, 24 * kGiB); }},
    {"cpu-128", [] { return host_only(128 * kGiB, 122 * kGiB); }},  // C43
};

}  // namespace

std::vector<std::string> simulated_machines() {
  std::vector<std::string> names;
  for (const Machine& machine : kMachines) names.emplace_back(machine.name);
  return names;
}

SimulatedDeviceOptions simulated_options(std::string_view machine) {
  for (const Machine& each : kMachines) {
    if (each.name == machine) return each.make();
  }
  throw Error(ErrorCode::kUsage, fmt::format("there is no machine \"{}\" to simulate", machine), "--simulate",
              fmt::format("give one of: {}", fmt::join(simulated_machines(), ", ")));
}

DeviceFacts simulated_facts(std::string_view machine) {
  return facts_of(simulated_options(machine));
}

}  // namespace halyard
