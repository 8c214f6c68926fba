// The staged loader over files that are made up and a simulated device: every byte, every fault. Names give
// the row of the case list.
#include <algorithm>
#include <cstdio>
#include <gtest/gtest.h>
#include <list>
#include <random>

#include "device/simulated_device.h"
#include "loader/load.h"
#include "loader/windows.h"
#include "loading/pattern_source.h"
#include "platform/sha256.h"

namespace halyard::test {
namespace {

constexpr uint64_t kKiB = 1024, kMiB = kKiB * kKiB, kGiB = kKiB * kMiB;
constexpr uint64_t kSeed = 20261201;

SimulatedDeviceOptions roomy_device() {
  SimulatedDeviceOptions options;
  options.pools = {truthful_pool(Pool::kDedicated, 256 * kGiB)};
  return options;
}

// Tensors of made-up files and the block that they go to, one after the other.
class Job {
 public:
  explicit Job(SimulatedDeviceOptions options = roomy_device()) : device(std::move(options)) {
    load.ring_bytes = 256 * kKiB;
    load.window_bytes = 64 * kKiB;
    load.n_readers = 3;
    load.caching = Caching::kUnbuffered;
  }

  PatternFile& add_file(uint64_t bytes, uint32_t alignment = 4096) {
    PatternFile& file = files_.emplace_back();
    file.number = files_.size();
    file.bytes = bytes;
    file.alignment = alignment;
    load_files.push_back({open_pattern(file), ""});
    return file;
  }
  PatternFile& file(size_t index) { return *std::next(files_.begin(), static_cast<ptrdiff_t>(index)); }

  void add_tensor(uint32_t file, uint64_t offset, uint64_t bytes) {
    tensors.push_back({std::to_string(tensors.size()).insert(0, 1, 't'), file, offset, bytes, 0});
  }
  // Random tensors with gaps, up to the end of the file.
  void fill(uint32_t file, std::mt19937_64& random, uint64_t max_bytes) {
    uint64_t at = random() % 5000;
    const uint64_t end = this->file(file).bytes;
    while (at < end) {
      const uint64_t bytes = std::min(1 + random() % max_bytes, end - at);
      add_tensor(file, at, bytes);
      at += bytes + (random() % 3 == 0 ? random() % (2 * load.window_bytes) : 0);
    }
    std::shuffle(tensors.begin(), tensors.end(), random);
  }

  LoadReport run() {
    if (!block_) {
      uint64_t bytes = 0;
      for (LoadTensor& tensor : tensors) bytes += tensor.bytes;
      block_.emplace(device, Pool::kDedicated, std::max<uint64_t>(1, bytes));
      uint64_t at = block_->block().address;
      for (LoadTensor& tensor : tensors) {
        tensor.address = at;
        at += tensor.bytes;
      }
    }
    return load_tensors(load_files, tensors, device, load);
  }

  void expect_all_there() {
    for (const LoadTensor& tensor : tensors) {
      std::vector<std::byte> bytes(tensor.bytes);
      device.copy_to_host(bytes, tensor.address);
      for (uint64_t i = 0; i < tensor.bytes; ++i) {
        const std::byte expected = pattern_byte(file(tensor.file).number, tensor.file_offset + i);
        if (bytes[i] == expected) continue;
        FAIL() << tensor.name << ", byte " << i << " of " << tensor.bytes << ", file byte "
               << tensor.file_offset + i;
      }
    }
  }

  // What must be so after a load that failed.
  void expect_released() const {
    const SimulatedCounters counters = device.counters();
    EXPECT_EQ(counters.pinned.bytes, 0u);
    EXPECT_EQ(counters.pinned.n, 0u);
    EXPECT_EQ(counters.n_queued, 0u);
    EXPECT_EQ(counters.n_bad_releases, 0u);
  }

  SimulatedDevice device;
  std::vector<LoadFile> load_files;
  std::vector<LoadTensor> tensors;
  LoadOptions load;

 private:
  std::list<PatternFile> files_;
  std::optional<DeviceBuffer> block_;
};

Error error_of(Job& job) {
  try {
    job.run();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::kUsage, "no error", "", "");
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\nexpected: " << part;
}

TEST(Windows, CoverEveryByteOnceInAlignedPieces) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(kSeed));
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    Job job;
    job.add_file(random() % (2 * kMiB));
    job.add_file(random() % (2 * kMiB));
    job.fill(0, random, 1 + random() % (300 * kKiB));
    job.fill(1, random, 1 + random() % (300 * kKiB));
    for (LoadTensor& tensor : job.tensors) tensor.address = tensor.file_offset;
    const std::vector<uint64_t> sizes = {job.file(0).bytes, job.file(1).bytes};
    const std::vector<bool> whole = {round % 2 == 0, false};
    const uint64_t window_bytes = kWindowAlignment << random() % 6;
    const WindowPlan plan = cut_windows(sizes, whole, job.tensors, window_bytes);

    std::vector<uint64_t> covered(job.tensors.size());
    std::vector<int> lasts(job.tensors.size());
    uint64_t end = 0;
    uint32_t file = 0;
    for (const Window& window : plan.windows) {
      if (window.file != file) {
        EXPECT_TRUE(!whole[file] || end == sizes[file]);
        end = 0;
        file = window.file;
      }
      EXPECT_GT(window.bytes, 0u);
      EXPECT_LE(window.bytes, window_bytes);
      EXPECT_EQ(window.offset % kWindowAlignment, 0u);
      EXPECT_TRUE(window.bytes % kWindowAlignment == 0 || window.offset + window.bytes == sizes[file]);
      EXPECT_LE(window.offset + window.bytes, sizes[file]);
      EXPECT_TRUE(!whole[file] || window.offset == end);
      EXPECT_GE(window.offset, end);
      end = window.offset + window.bytes;
      for (size_t i = window.first_part; i < window.first_part + window.n_parts; ++i) {
        const WindowPart& part = plan.parts[i];
        const LoadTensor& tensor = job.tensors[part.tensor];
        EXPECT_EQ(tensor.file, window.file);
        EXPECT_EQ(part.address, tensor.address + covered[part.tensor]) << "parts of a tensor come in order";
        EXPECT_EQ(window.offset + part.offset, tensor.file_offset + covered[part.tensor]);
        EXPECT_LE(part.offset + part.bytes, window.bytes);
        covered[part.tensor] += part.bytes;
        EXPECT_EQ(part.last, covered[part.tensor] == tensor.bytes);
        lasts[part.tensor] += part.last;
      }
    }
    for (size_t i = 0; i < covered.size(); ++i) {
      EXPECT_EQ(covered[i], job.tensors[i].bytes);
      EXPECT_EQ(lasts[i], 1);
    }
  }
}

TEST(Windows, GapsAreNotRead) {
  const std::vector<LoadTensor> tensors = {{"a", 0, 10, 20, 0}, {"b", 0, 100 * kGiB + 5000, 3 * kMiB, 0}};
  const std::vector<uint64_t> sizes = {200 * kGiB};
  const WindowPlan plan = cut_windows(sizes, {false}, tensors, kMiB);
  EXPECT_EQ(plan.windows.front().bytes, kWindowAlignment);
  EXPECT_EQ(plan.windows[1].offset, 100 * kGiB + 4096);
  EXPECT_LE(plan.total_bytes(), 3 * kMiB + 3 * kWindowAlignment);
}

TEST(Loader, EveryByteArrivesForEverySizeOfWindowsAndNumberOfReaders) {
  std::mt19937_64 random(kSeed);
  for (const uint32_t alignment : {1u, 512u, 4096u}) {
    for (const unsigned readers : {1u, 2u, 5u}) {
      for (const uint64_t window : {4 * kKiB, 64 * kKiB, 256 * kKiB}) {
        Job job;
        job.load.n_readers = readers;
        job.load.window_bytes = window;
        job.add_file(700 * kKiB + 832, alignment);
        job.add_file(random() % 5000, alignment);  // less than a window, or than a block
        job.fill(0, random, 90 * kKiB);
        job.fill(1, random, 100);
        const LoadReport report = job.run();
        job.expect_all_there();
        uint64_t bytes = 0;
        for (const LoadTensor& tensor : job.tensors) bytes += tensor.bytes;
        EXPECT_EQ(report.copied_bytes, bytes);
        EXPECT_EQ(job.file(0).n_misaligned, 0u);
        EXPECT_EQ(report.n_unbuffered, alignment == 1 ? 0u : 2u);
        job.expect_released();
      }
    }
  }
}

TEST(Loader, C04_ShortReadsGoOnWhereTheyEnded) {
  for (const uint32_t alignment : {1u, 4096u}) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      std::mt19937_64 random(seed);
      Job job;
      job.add_file(500 * kKiB + random() % 5000, alignment).short_seed = seed;
      job.fill(0, random, 60 * kKiB);
      job.run();
      job.expect_all_there();
      EXPECT_EQ(job.file(0).n_misaligned, 0u);
    }
  }
}

TEST(Loader, C01_OffsetsBeyondEveryPowerOfTwoUpTo80GiB) {
  Job job;
  job.load.window_bytes = kMiB;
  job.load.ring_bytes = 4 * kMiB;
  job.add_file(100 * kGiB + 77);
  for (const uint64_t border : {2 * kGiB, 4 * kGiB, 8 * kGiB, 80 * kGiB}) {
    job.add_tensor(0, border - 300000, 500001);  // across
    job.add_tensor(0, border + 600000, 70001);   // beyond
  }
  job.add_tensor(0, 100 * kGiB, 77);
  job.run();
  job.expect_all_there();
  EXPECT_EQ(job.file(0).highest_byte, 100 * kGiB + 76);
}

TEST(Loader, C04_NoReadIsLargerThanAWindow) {
  Job job;
  job.add_file(3 * kMiB);
  job.add_tensor(0, 0, 3 * kMiB);
  job.run();
  EXPECT_LE(job.file(0).largest_read, job.load.window_bytes);
}

TEST(Loader, C07_CopiesComeFromThePinnedRingAlone) {
  Job job;  // its device refuses every other source
  job.add_file(kMiB);
  job.add_tensor(0, 832, kMiB - 832);
  job.run();
  job.expect_all_there();
  EXPECT_GT(job.device.counters().n_copies, 10u);
}

TEST(Loader, C08_HostMemoryIsTheRingWhateverTheSizeOfTheFile) {
  SimulatedDeviceOptions options = roomy_device();
  options.storage = Storage::kHash;
  Job job(options);
  job.load.ring_bytes = 512 * kKiB;
  job.add_file(64 * kMiB);
  job.add_tensor(0, 100, 64 * kMiB - 100);
  const LoadReport report = job.run();
  EXPECT_EQ(report.pinned_bytes, 512 * kKiB);
  EXPECT_EQ(job.device.counters().pinned.peak_bytes, 512 * kKiB);
  EXPECT_EQ(job.device.counters().copied_bytes, 64 * kMiB - 100);
}

TEST(Loader, ASlotIsNotReadIntoBeforeItsCopyIsDone) {
  SimulatedDeviceOptions options = roomy_device();
  options.lag_copies = kLagForever;
  Job job(options);
  std::mt19937_64 random(kSeed);
  job.add_file(2 * kMiB);
  job.fill(0, random, 200 * kKiB);
  job.run();
  job.expect_all_there();
}

TEST(Loader, TensorsArriveOnceAndWhole) {
  Job job;
  std::mt19937_64 random(kSeed);
  job.add_file(2 * kMiB);
  job.fill(0, random, 200 * kKiB);
  std::vector<int> arrived(job.tensors.size());
  job.load.arrived = [&](size_t index) {
    ++arrived[index];
    // What is queued now sees the tensor; so does the host, which waits for the queue.
    const LoadTensor& tensor = job.tensors[index];
    std::byte last{};
    job.device.copy_to_host({&last, 1}, tensor.address + tensor.bytes - 1);
    EXPECT_EQ(last, pattern_byte(1, tensor.file_offset + tensor.bytes - 1));
  };
  job.run();
  EXPECT_EQ(arrived, std::vector<int>(job.tensors.size(), 1));
}

TEST(Loader, TheWatcherSeesAllOfItInTheEnd) {
  Job job;
  job.add_file(kMiB);
  job.add_tensor(0, 5000, kMiB - 5000);
  uint64_t last = 0;
  job.load.watcher = [&](const LoadStatus& status) {
    EXPECT_GE(status.done_bytes, last);
    last = status.done_bytes;
    EXPECT_EQ(status.total_bytes, kMiB - 4096);
    return true;
  };
  job.run();
  EXPECT_EQ(last, kMiB - 4096);
}

TEST(Loader, NothingToLoadIsDoneAtOnce) {
  Job job;
  EXPECT_EQ(job.run().read_bytes, 0u);
  job.add_file(0);
  EXPECT_EQ(job.run().read_bytes, 0u);
}

TEST(Loader, AReadErrorNamesFileByteTensorAndBytesAndASecondAttemptWorks) {
  Job job;
  job.add_file(kMiB).fail_at = 700000;
  job.add_tensor(0, 0, 600 * kKiB);
  job.add_tensor(0, 600 * kKiB, 424 * kKiB);
  const Error error = error_of(job);
  EXPECT_EQ(error.code(), ErrorCode::kIo);
  expect_part(error.where(), "pattern-1.gguf, byte 655360");
  expect_part(error.where(), "tensor t1 (434176 bytes)");
  job.expect_released();
  job.file(0).fail_at.reset();
  job.run();
  job.expect_all_there();
}

TEST(Loader, NoCopyReadsTheRingAfterAFailure) {
  SimulatedDeviceOptions options = roomy_device();
  options.lag_copies = kLagForever;
  Job job(options);
  job.add_file(kMiB);
  job.add_tensor(0, 0, kMiB);
  job.load.arrived = [](size_t) { throw Error(ErrorCode::kDevice, "cannot repack", "", ""); };
  EXPECT_EQ(error_of(job).problem(), "cannot repack");
  job.expect_released();
  job.device.wait(job.device.record());  // releasing what a copy still reads is a fault of the device
}

TEST(Loader, C10_AFileThatIsTooShortIsRefusedBeforeAnythingIsTaken) {
  Job job;
  job.add_file(kMiB);
  job.add_tensor(0, kMiB - 100, 101);
  const Error error = error_of(job);
  EXPECT_EQ(error.code(), ErrorCode::kBadFile);
  expect_part(error.what(), "tensor t0 (101 bytes)");
  expect_part(error.what(), "1048576");
  EXPECT_EQ(job.device.counters().pinned.peak_bytes, 0u);

  job.tensors[0].file_offset = ~uint64_t{0} - 50;  // C15: the sum wraps
  EXPECT_EQ(error_of(job).code(), ErrorCode::kBadFile);
}

TEST(Loader, C10_AFileThatBecameShorterIsNamedWithItsEnd) {
  Job job;
  job.load.n_readers = 1;  // or a reader further on may be the first to see it
  job.add_file(kMiB).really_bytes = 300001;
  job.add_tensor(0, 0, kMiB);
  const Error error = error_of(job);
  EXPECT_EQ(error.code(), ErrorCode::kBadFile);
  expect_part(error.problem(), "ends too early");
  expect_part(error.where(), "byte 300001, tensor t0");
  job.expect_released();
}

TEST(Loader, ADeviceFailureNamesFileByteTensorAndASecondAttemptWorks) {
  SimulatedDeviceOptions options = roomy_device();
  options.fail_copy_at_byte = 500000;
  Job job(options);
  job.add_file(kMiB);
  job.add_tensor(0, 0, kMiB);
  const Error error = error_of(job);
  EXPECT_EQ(error.code(), ErrorCode::kDevice);
  expect_part(error.where(), "pattern-1.gguf, byte ");
  expect_part(error.where(), "tensor t0 (1048576 bytes)");
  job.expect_released();
  job.device.clear_fault();
  job.run();
  job.expect_all_there();
}

TEST(Loader, C38_ASmallerRingWhereLittleMemoryCanBeLocked) {
  SimulatedDeviceOptions options = roomy_device();
  options.pinned_limit_bytes = 200 * kKiB;
  Job job(options);
  job.load.ring_bytes = 16 * kMiB;
  job.add_file(kMiB);
  job.add_tensor(0, 0, kMiB);
  EXPECT_LE(job.run().pinned_bytes, 200 * kKiB);
  job.expect_all_there();
}

TEST(Loader, NoMemoryToLockIsAnError) {
  SimulatedDeviceOptions options = roomy_device();
  options.pinned_limit_bytes = 100 * kKiB;
  Job job(options);
  job.add_file(kMiB);
  job.add_tensor(0, 0, kMiB);
  EXPECT_EQ(error_of(job).code(), ErrorCode::kOutOfMemory);
  job.expect_released();
}

TEST(Loader, CancelledByTheWatcherItReleasesAllAndCanStartAgain) {
  Job job;
  job.add_file(4 * kMiB);
  job.add_tensor(0, 0, 4 * kMiB);
  job.load.watcher = [](const LoadStatus&) { return false; };
  EXPECT_EQ(error_of(job).code(), ErrorCode::kCancelled);
  job.expect_released();
  job.load.watcher = {};
  job.run();
  job.expect_all_there();
}

// Any fault at any moment: an error, nothing held, and the next attempt loads all.
TEST(Loader, RandomFaultsLeaveNothingBehind) {
  std::printf("seed %llu\n", static_cast<unsigned long long>(kSeed));
  std::mt19937_64 random(kSeed);
  Job job;
  job.add_file(400 * kKiB + 77).short_seed = 5;
  job.add_file(200 * kKiB).short_seed = 6;
  job.fill(0, random, 70 * kKiB);
  job.fill(1, random, 30 * kKiB);
  int n_failed = 0;
  for (int round = 0; round < 300; ++round) {
    job.load.n_readers = static_cast<unsigned>(1 + random() % 6);
    job.load.window_bytes = kWindowAlignment << random() % 5;
    job.device.clear_fault();
    for (const size_t i : {0, 1}) {
      job.file(i).fail_at.reset();
      job.file(i).really_bytes.reset();
    }
    std::optional<ErrorCode> expected;
    switch (random() % 4) {
      case 0:
        job.file(random() % 2).fail_at = random() % (600 * kKiB);
        expected = ErrorCode::kIo;
        break;
      case 1:
        job.device.clear_fault(random() % (800 * kKiB));
        expected = ErrorCode::kDevice;
        break;
      case 2:
        job.file(random() % 2).really_bytes = random() % (500 * kKiB);
        expected = ErrorCode::kBadFile;
        break;
      default:
        break;
    }
    const Error error = error_of(job);
    if (error.problem() != "no error") {
      ++n_failed;
      EXPECT_EQ(error.code(), expected) << error.what();
    }
    job.expect_released();
  }
  EXPECT_GT(n_failed, 100);
  job.device.clear_fault();
  for (const size_t i : {0, 1}) {
    job.file(i).fail_at.reset();
    job.file(i).really_bytes.reset();
  }
  job.run();
  job.expect_all_there();
}

std::string sha256_of(const PatternFile& file) {
  std::vector<std::byte> bytes(file.bytes);
  for (uint64_t i = 0; i < file.bytes; ++i) bytes[i] = pattern_byte(file.number, i);
  Sha256 hash;
  hash.add(bytes);
  return hash.hex();
}

TEST(Verify, TheRightSumOfEachFilePasses) {
  for (const uint64_t ring : {128 * kKiB, kMiB}) {
    Job job;
    job.load.ring_bytes = ring;
    std::mt19937_64 random(kSeed);
    job.add_file(600 * kKiB + 1).short_seed = 3;
    job.add_file(300 * kKiB);
    job.add_file(0);
    job.fill(0, random, 50 * kKiB);
    job.fill(1, random, 50 * kKiB);
    for (size_t i = 0; i < 3; ++i) job.load_files[i].sha256 = sha256_of(job.file(i));
    const LoadReport report = job.run();
    EXPECT_EQ(report.read_bytes, 900 * kKiB + 1) << "gaps are read too";
    job.expect_all_there();
  }
}

TEST(Verify, AnotherSumIsRefusedWithBoth) {
  for (const uint64_t changed : {0u, 1u}) {
    Job job;
    job.add_file(200 * kKiB);
    job.add_file(100 * kKiB);
    job.add_tensor(0, 4096, 1000);
    for (size_t i = 0; i < 2; ++i) job.load_files[i].sha256 = sha256_of(job.file(i));
    std::swap(job.load_files[changed].sha256[0], job.load_files[changed].sha256[1]);
    const Error error = error_of(job);
    EXPECT_EQ(error.code(), ErrorCode::kBadFile);
    expect_part(error.problem(), sha256_of(job.file(changed)));
    expect_part(error.problem(), job.load_files[changed].sha256);
    expect_part(error.where(), job.file(changed).name());
    job.expect_released();
  }
}

TEST(Verify, WorksWithoutTensors) {
  Job job;
  job.add_file(100 * kKiB + 7);
  job.load_files[0].sha256 = sha256_of(job.file(0));
  EXPECT_EQ(job.run().copied_bytes, 0u);
}

TEST(Probe, TheCacheDecides) {
  PatternFile file;
  file.bytes = kMiB;
  file.cached = 0.9;
  EXPECT_EQ(probe_caching(open_pattern(file)), Caching::kBuffered);
  file.cached = 0.1;
  EXPECT_EQ(probe_caching(open_pattern(file)), Caching::kUnbuffered);
}

}  // namespace
}  // namespace halyard::test
