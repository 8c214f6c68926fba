#include "halyard/load_speed.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "device/host_device.h"
#include "device/simulated_device.h"
#include "engine/host_facts.h"
#include "engine/model_file.h"
#include "halyard/error.h"
#include "loader/load.h"
#include "loader/window_reader.h"
#include "loader/windows.h"
#include "model/config.h"
#include "model/weights.h"
#include "planner/plan.h"
#include "platform/file.h"
#include "platform/memory.h"
#include "platform/paths.h"

namespace halyard {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The model, a device that drops its weights, and both ways to read them.
class Track {
 public:
  explicit Track(const LoadSpeedOptions& options) : device_(roomy_device()) {
    if (options.ring_bytes != 0) load_.ring_bytes = options.ring_bytes;
    if (options.window_bytes != 0) load_.window_bytes = options.window_bytes;
    if (options.n_readers != 0) load_.n_readers = options.n_readers;
    const ModelFile file = open_model_file(options.model_path);
    model_ = read_config(file.header);
    bind_weights(file.header, model_);
    for (const ModelPart& part : file.parts) {
      paths_.push_back(part.path);
      files_.push_back({file_source(part.path), ""});
      sizes_.push_back(part.bytes.size());
      const gguf::Header& header = part.header.file_bytes != 0 ? part.header : file.header;
      directory_bytes_ += header.data_offset;
    }
    uint64_t bytes = 0;
    for (const TensorSlot& slot : tensor_slots(model_)) bytes += slot.tensor->bytes;
    block_.emplace(device_, Pool::kDedicated, bytes);
    uint64_t at = block_->block().address;
    for (const TensorSlot& slot : tensor_slots(model_)) {
      const Tensor& t = *slot.tensor;
      tensors_.push_back({t.name, t.part, t.file_offset, t.bytes, at});
      at += t.bytes;
    }
    windows_ = cut_windows(sizes_, std::vector<bool>(sizes_.size()), tensors_, load_.window_bytes);
  }

  void drop_caches() const {
    for (const std::string& path : paths_) drop_from_cache(path_from_utf8(path));
  }

  LoadReport load(Caching caching) {
    load_.caching = caching;
    return load_tensors(files_, tensors_, device_, load_);
  }

  // Seconds that as many threads take to read the same windows into a buffer each.
  double plain_read(Caching caching) const {
    const auto start = std::chrono::steady_clock::now();
    std::atomic<size_t> next{0};
    std::vector<std::thread> threads;
    std::exception_ptr failure;
    std::mutex failure_mutex;
    for (unsigned i = 0; i < load_.n_readers; ++i) {
      threads.emplace_back([&] {
        try {
          read_windows(caching, next);
        } catch (...) {
          const std::lock_guard lock(failure_mutex);
          failure = std::current_exception();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
    return seconds_since(start);
  }

  double plan_seconds() const {
    const auto start = std::chrono::steady_clock::now();
    PlanRequest request;
    request.model = &model_;
    request.device = this_host_facts();
    make_plan(request);
    return seconds_since(start);
  }

  // False where the file system reads through its cache whatever is asked for.
  bool can_pass_the_cache() const { return files_[0].open(Caching::kUnbuffered)->alignment_bytes() > 1; }

  uint64_t file_bytes() const {
    uint64_t n = 0;
    for (const uint64_t size : sizes_) n += size;
    return n;
  }
  uint64_t read_bytes() const { return windows_.total_bytes(); }
  uint64_t directory_bytes() const { return directory_bytes_; }
  const LoadOptions& options() const { return load_; }

 private:
  static SimulatedDeviceOptions roomy_device() {
    SimulatedDeviceOptions options;
    options.pools = {truthful_pool(Pool::kDedicated, uint64_t{1} << 50)};
    options.storage = Storage::kDrop;
    return options;
  }

  void read_windows(Caching caching, std::atomic<size_t>& next) const {
    HostDevice host(this_host_facts());  // for an aligned buffer
    const PinnedBuffer buffer(host, load_.window_bytes);
    WindowReader reader(files_);
    for (size_t i; (i = next++) < windows_.windows.size();)
      reader.read(windows_.windows[i], caching, buffer.memory());
  }

  SimulatedDevice device_;
  LoadOptions load_;
  Model model_;
  std::vector<std::string> paths_;
  std::vector<LoadFile> files_;
  std::vector<uint64_t> sizes_;
  std::vector<LoadTensor> tensors_;
  std::optional<DeviceBuffer> block_;
  WindowPlan windows_;
  uint64_t directory_bytes_ = 0;
};

LoadRate measure(Track& track, Caching caching, unsigned n_rounds, uint64_t& highest_byte) {
  LoadRate rate;
  const bool warm = caching == Caching::kBuffered;
  rate.kind = warm ? "warm, buffered" : "cold, unbuffered";
  const uint64_t available = memory_facts().available_bytes;
  if (warm && available != 0 && track.read_bytes() > available) {
    rate.note = "not measured: the page cache cannot hold the file";
    return rate;
  }
  if (!warm && !track.can_pass_the_cache())
    rate.note = "this file system reads through its cache all the same";
  if (warm) track.plain_read(caching);  // fills the cache
  const auto bytes = static_cast<double>(track.read_bytes());
  const auto plain = [&] {
    if (!warm) track.drop_caches();
    rate.plain_rates.push_back(bytes / track.plain_read(caching));
  };
  const auto load = [&] {
    if (!warm) track.drop_caches();
    const LoadReport report = track.load(caching);
    rate.load_rates.push_back(bytes / report.seconds);
    rate.first_byte_seconds = std::max(rate.first_byte_seconds, report.first_byte_seconds);
    highest_byte = std::max(highest_byte, report.highest_byte);
  };
  for (unsigned round = 0; round < n_rounds; ++round) {
    // Whoever comes second may find the disk in another mood: take turns.
    if (round % 2 == 0) plain();
    load();
    if (round % 2 == 1) plain();
  }
  return rate;
}

}  // namespace

LoadSpeed measure_load_speed(const LoadSpeedOptions& options) {
  if (options.model_path.empty())
    throw Error(ErrorCode::kUsage, "the built-in model is in memory already", "-m", "give a GGUF file");
  Track track(options);
  LoadSpeed speed;
  speed.model = options.model_path;
  speed.file_bytes = track.file_bytes();
  speed.read_bytes = track.read_bytes();
  speed.directory_bytes = track.directory_bytes();
  speed.n_readers = track.options().n_readers;
  speed.ring_bytes = track.options().ring_bytes;
  speed.window_bytes = track.options().window_bytes;
  speed.plan_seconds = track.plan_seconds();
  for (const Caching caching : {Caching::kBuffered, Caching::kUnbuffered})
    speed.rates.push_back(measure(track, caching, std::max(1u, options.n_rounds), speed.highest_byte));
  speed.peak_resident_bytes = peak_resident_bytes();
  return speed;
}

}  // namespace halyard
