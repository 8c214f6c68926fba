// What this machine and this build can compute on.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace halyard {

// A set of instructions that the CPU backend has kernels for.
struct KernelSet {
  std::string name;                  // "baseline", "avx2", "avx512"
  std::vector<std::string> missing;  // what this processor or its system lacks for it; empty: it can run
  bool used = false;                 // the best that can run; one of them is
};

// Memory of a GPU, as driver and system say; 0: not said. All of it is a hint.
struct DeviceMemory {
  std::string pool;  // "dedicated", "shared", "host-pinned", "managed"
  uint64_t driver_total_bytes = 0, driver_free_bytes = 0;
  uint64_t system_total_bytes = 0, system_free_bytes = 0;
};

struct DeviceReport {
  std::string backend;  // "cpu", "hip" or "cuda"
  bool usable = false;  // that backend can run here
  std::string name;     // "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S"; empty when not known or not there
  std::string problem;  // why it is not usable; else empty

  // Of the CPU only.
  unsigned n_cores = 0;                   // logical cores that this process may run on
  std::vector<std::string> instructions;  // vector extensions of the processor that the system lets us use
  std::vector<KernelSet> kernel_sets;     // best last

  // Of GPUs only.
  std::string cure = {};          // what to do about the problem; may be empty
  std::string driver = {};        // "HIP 7.2.53211 (libamdhip64.so.7)"; empty where none works
  std::string note = {};          // what this driver may not do; mostly empty
  std::string architecture = {};  // "gfx1151", "sm_90"
  std::string pci_id = {};        // "0000:c5:00.0"
  std::vector<DeviceMemory> memory = {};
};

// The CPU, then each GPU; a kind of GPU of which there is none has one entry that says why. Opens the drivers
// of GPUs and tries each GPU with a few bytes: that may take seconds. Any thread.
std::vector<DeviceReport> devices();

}  // namespace halyard
