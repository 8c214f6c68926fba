// What this machine and this build can compute on.
#pragma once
#include <string>
#include <vector>

namespace halyard {

// A set of instructions that the CPU backend has kernels for.
struct KernelSet {
  std::string name;                  // "baseline", "avx2", "avx512"
  std::vector<std::string> missing;  // what this processor or its system lacks for it; empty: it can run
  bool used = false;                 // the best that can run; one of them is
};

struct DeviceReport {
  std::string backend;  // "cpu", "hip" or "cuda"
  bool usable = false;  // that backend can run here
  std::string name;     // "AMD RYZEN AI MAX+ 395 w/ Radeon 8060S"; empty when not known
  std::string problem;  // why it is not usable; else empty

  // Of the CPU only.
  unsigned n_cores = 0;                   // logical cores that this process may run on
  std::vector<std::string> instructions;  // vector extensions of the processor that the system lets us use
  std::vector<KernelSet> kernel_sets;     // best last
};

// One for each kind of backend, the CPU first. Any thread.
std::vector<DeviceReport> devices();

}  // namespace halyard
