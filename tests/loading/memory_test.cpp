// C08: what a load takes of the host's memory follows from the ring, not from the file: counted, and where
// the system lets us, under a hard limit of 1 GiB that kills the process at the first byte more.
#include "platform/memory.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <string>

#include "device/simulated_device.h"
#include "loader/load.h"
#include "platform/file.h"
#include "platform/paths.h"
#include "unit/temp_folder.h"

namespace halyard::test {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20, kGiB = uint64_t{1} << 30;

// This process in a control group of Linux with 1 GiB of memory, page cache included, as long as this lives.
class MemoryLimit {
 public:
  MemoryLimit() {
    const std::string name = "halyard-test-" + std::to_string(std::random_device{}());
    const std::filesystem::path v1 = "/sys/fs/cgroup/memory", v2 = "/sys/fs/cgroup";
    if (std::filesystem::exists(v1 / "memory.limit_in_bytes")) {
      enter(v1, name, "memory.limit_in_bytes");
    } else {
      enter(v2, name, "memory.max");
    }
  }
  ~MemoryLimit() {
    if (group_.empty()) return;
    write(group_.parent_path() / "cgroup.procs", "0");
    std::error_code ignored;
    std::filesystem::remove(group_, ignored);
  }
  bool in_force() const { return !group_.empty(); }

 private:
  void enter(const std::filesystem::path& root, const std::string& name, const std::string& limit) {
    std::error_code failed;
    if (!std::filesystem::exists(root / "cgroup.procs", failed)) return;
    if (!std::filesystem::create_directory(root / name, failed)) return;
    group_ = root / name;
    // "0" is the process that writes.
    if (write(group_ / limit, std::to_string(kGiB)) && write(group_ / "cgroup.procs", "0")) return;
    std::filesystem::remove(group_, failed);
    group_.clear();
  }
  static bool write(const std::filesystem::path& file, const std::string& text) {
    std::ofstream out(file);
    out << text << std::flush;
    return out.good();
  }

  std::filesystem::path group_;
};

TEST(LoadMemory, C08_SixGiBLoadInOneGiBOfMemory) {
  const MemoryLimit limit;
  std::printf(limit.in_force() ? "in a control group of 1 GiB\n"
                               : "no control group can be made here: counted only, not enforced\n");
  const TempFolder folder;
  const std::string path = utf8_from_path(folder.path() / "sparse.gguf");
  OutputFile out = OutputFile::create(path_from_utf8(path));
  out.resize(6 * kGiB);
  out.close();

  SimulatedDeviceOptions options;
  options.pools = {truthful_pool(Pool::kDedicated, 8 * kGiB)};
  options.storage = Storage::kHash;  // looks at every byte and keeps none
  SimulatedDevice device(options);
  const DeviceBuffer block(device, Pool::kDedicated, 6 * kGiB);
  const std::vector<LoadFile> files = {{file_source(path), ""}};
  const std::vector<LoadTensor> tensors = {{"all", 0, 0, 6 * kGiB, block.block().address}};
  for (const Caching caching : {Caching::kBuffered, Caching::kUnbuffered}) {
    LoadOptions load;
    load.caching = caching;
    const uint64_t before = device.counters().copied_bytes;
    const LoadReport report = load_tensors(files, tensors, device, load);
    EXPECT_EQ(device.counters().copied_bytes - before, 6 * kGiB);
    std::printf("%s: %.2f GiB/s, peak %.0f MiB, of which the ring %.0f\n",
                caching == Caching::kBuffered ? "buffered" : "unbuffered", 6 / report.seconds,
                static_cast<double>(peak_resident_bytes()) / 0x1p20,
                static_cast<double>(report.pinned_bytes) / 0x1p20);
#ifndef HALYARD_SANITIZED  // whose own memory counts too
    EXPECT_LE(peak_resident_bytes(), report.pinned_bytes + 64 * kMiB);
#endif
  }
}

}  // namespace
}  // namespace halyard::test
