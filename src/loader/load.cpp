#include "loader/load.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "halyard/error.h"
#include "loader/ring.h"
#include "loader/window_reader.h"
#include "loader/windows.h"
#include "platform/sha256.h"

namespace halyard {
namespace {

constexpr std::chrono::milliseconds kWatchInterval{100};

std::string tensor_text(const LoadTensor& tensor) {
  return "tensor " + tensor.name + " (" + std::to_string(tensor.bytes) + " bytes)";
}

// A file as it was found before the first byte was taken.
struct FoundFile {
  std::string name;
  uint64_t bytes = 0;
  Caching caching = Caching::kBuffered;
};

std::vector<FoundFile> find_files(std::span<const LoadFile> files, const LoadOptions& options) {
  std::vector<FoundFile> found;
  for (const LoadFile& file : files) {
    const std::unique_ptr<ReadSource> source = file.open(Caching::kBuffered);
    Caching caching = options.caching ? *options.caching : probe_caching(file.open);
    // What the file system cannot do is not called so in the report.
    if (caching == Caching::kUnbuffered && file.open(caching)->alignment_bytes() == 1)
      caching = Caching::kBuffered;
    found.push_back({source->name(), source->size_bytes(), caching});
  }
  return found;
}

void check_ranges(std::span<const FoundFile> files, std::span<const LoadTensor> tensors) {
  for (const LoadTensor& tensor : tensors) {
    const FoundFile& file = files[tensor.file];
    if (tensor.file_offset <= file.bytes && tensor.bytes <= file.bytes - tensor.file_offset) continue;
    throw Error(ErrorCode::kBadFile,
                "the file ends at byte " + std::to_string(file.bytes) + ", before the end of a tensor",
                file.name + ", byte " + std::to_string(tensor.file_offset) + ", " + tensor_text(tensor),
                "the download is incomplete; fetch it again");
  }
}

WindowPlan cut(std::span<const FoundFile> found, std::span<const LoadFile> files,
               std::span<const LoadTensor> tensors, uint64_t window_bytes) {
  std::vector<uint64_t> sizes;
  std::vector<bool> whole;
  for (const FoundFile& file : found) sizes.push_back(file.bytes);
  for (const LoadFile& file : files) whole.push_back(!file.sha256.empty());
  return cut_windows(sizes, whole, tensors, window_bytes);
}

class LoadRun {
 public:
  LoadRun(std::span<const LoadFile> files, std::span<const LoadTensor> tensors, Device& device,
          const LoadOptions& options)
      : files_(files),
        tensors_(tensors),
        device_(device),
        options_(options),
        found_(find_files(files, options)) {
    check_ranges(found_, tensors);
    plan_ = cut(found_, files, tensors, options.window_bytes);
    status_.total_bytes = plan_.total_bytes();
  }

  LoadReport run();

 private:
  void read_windows();  // of each reader thread
  void hash_files();    // of the hash thread
  bool hash_file(size_t first_window, uint32_t file);
  void submit_windows();
  void wait_until_ready(size_t window);
  void submit(size_t window);
  void release_done_copies();
  void wait_for_oldest_copy();
  void release_oldest_copy();
  void watch();
  [[noreturn]] void rethrow_at(const Error& error, const Window& window, const std::string& where) const;
  std::string tensors_in(const Window& window) const;
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  std::span<const LoadFile> files_;
  std::span<const LoadTensor> tensors_;
  Device& device_;
  const LoadOptions& options_;
  std::vector<FoundFile> found_;
  WindowPlan plan_;
  std::optional<Ring> ring_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point next_watch_ = start_;

  // Of the calling thread: copies that are queued, oldest first.
  struct Copy {
    size_t window;
    Event event;
  };
  std::deque<Copy> copies_;
  LoadStatus status_;
  LoadReport report_;
};

std::string LoadRun::tensors_in(const Window& window) const {
  if (window.n_parts == 0) return "between tensors";
  std::string text = tensor_text(tensors_[plan_.parts[window.first_part].tensor]);
  if (window.n_parts > 1) text += " and " + std::to_string(window.n_parts - 1) + " more";
  return text;
}

void LoadRun::rethrow_at(const Error& error, const Window& window, const std::string& where) const {
  throw Error(error.code(), error.problem(), where + ", " + tensors_in(window), error.fix());
}

void LoadRun::read_windows() {
  WindowReader reader(files_);
  while (const std::optional<Ring::Read> read = ring_->begin_read()) {
    const Window& window = plan_.windows[read->window];
    try {
      reader.read(window, found_[window.file].caching, read->memory);
    } catch (const Error& error) {
      rethrow_at(error, window, error.where());
    }
    ring_->end_read(*read, files_[window.file].sha256.empty() ? 1 : 2);
  }
}

// False when the load was stopped.
bool LoadRun::hash_file(size_t first_window, uint32_t file) {
  Sha256 hash;
  for (size_t i = first_window; i < plan_.windows.size() && plan_.windows[i].file == file; ++i) {
    const std::optional<std::span<const std::byte>> memory = ring_->wait_until_read(i);
    if (!memory) return false;
    hash.add(memory->first(plan_.windows[i].bytes));
    ring_->release(i);
  }
  const std::string sum = hash.hex();
  if (sum != files_[file].sha256)
    throw Error(ErrorCode::kBadFile,
                "the file's SHA-256 is " + sum + ", not " + files_[file].sha256 + " as asked for",
                found_[file].name, "the download is damaged or another file; fetch it again");
  return true;
}

void LoadRun::hash_files() {
  size_t first_window = 0;
  for (uint32_t file = 0; file < files_.size(); ++file) {
    if (!files_[file].sha256.empty() && !hash_file(first_window, file)) return;
    while (first_window < plan_.windows.size() && plan_.windows[first_window].file == file) ++first_window;
  }
}

void LoadRun::watch() {
  if (!options_.watcher) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_watch_) return;
  next_watch_ = now + kWatchInterval;
  status_.seconds = seconds();
  if (!options_.watcher(status_))
    throw Error(ErrorCode::kCancelled, "loading was stopped", found_.empty() ? "" : found_[0].name,
                "start it again");
}

void LoadRun::release_oldest_copy() {
  const Copy copy = copies_.front();
  copies_.pop_front();
  if (report_.first_byte_seconds == 0) report_.first_byte_seconds = seconds();
  const Window& window = plan_.windows[copy.window];
  status_.done_bytes += window.bytes;
  report_.highest_byte = std::max(report_.highest_byte, window.offset + window.bytes - 1);
  ring_->release(copy.window);
}

void LoadRun::release_done_copies() {
  while (!copies_.empty()) {
    const Window& window = plan_.windows[copies_.front().window];
    try {
      if (!device_.is_done(copies_.front().event)) return;
    } catch (const Error& error) {
      rethrow_at(error, window, found_[window.file].name + ", byte " + std::to_string(window.offset));
    }
    release_oldest_copy();
  }
}

void LoadRun::wait_for_oldest_copy() {
  const Window& window = plan_.windows[copies_.front().window];
  try {
    device_.wait(copies_.front().event);
  } catch (const Error& error) {
    rethrow_at(error, window, found_[window.file].name + ", byte " + std::to_string(window.offset));
  }
  release_oldest_copy();
}

// While the next window is being read, copies that are done make room for the reads after it.
void LoadRun::wait_until_ready(size_t window) {
  for (;;) {
    release_done_copies();
    watch();
    if (copies_.empty()) {
      if (ring_->wait_until_read(window, kWatchInterval)) return;
    } else {
      if (ring_->is_read(window)) return;
      wait_for_oldest_copy();
    }
  }
}

void LoadRun::submit(size_t index) {
  const Window& window = plan_.windows[index];
  const std::span<const std::byte> memory = ring_->memory_of(index);
  for (size_t i = window.first_part; i < window.first_part + window.n_parts; ++i) {
    const WindowPart& part = plan_.parts[i];
    try {
      device_.copy_to_device(part.address, memory.subspan(part.offset, part.bytes));
    } catch (const Error& error) {
      rethrow_at(error, window,
                 found_[window.file].name + ", byte " + std::to_string(window.offset + part.offset));
    }
    report_.copied_bytes += part.bytes;
    if (part.last && options_.arrived) options_.arrived(part.tensor);
  }
  copies_.push_back({index, device_.record()});
}

void LoadRun::submit_windows() {
  for (size_t i = 0; i < plan_.windows.size(); ++i) {
    wait_until_ready(i);
    submit(i);
  }
  while (!copies_.empty()) {
    watch();
    wait_for_oldest_copy();
  }
}

LoadReport LoadRun::run() {
  ring_.emplace(device_, options_.ring_bytes, options_.window_bytes, plan_.windows.size());
  std::vector<std::thread> threads;
  std::exception_ptr failure;
  const auto start_thread = [&](void (LoadRun::*body)()) {
    threads.emplace_back([this, body] {
      try {
        (this->*body)();
      } catch (...) {
        ring_->fail(std::current_exception());
      }
    });
  };
  const size_t n_readers = std::clamp<size_t>(options_.n_readers, 1, std::max<size_t>(1, ring_->n_slots()));
  const bool hashes =
      std::any_of(files_.begin(), files_.end(), [](const LoadFile& file) { return !file.sha256.empty(); });
  try {
    for (size_t i = 0; i < n_readers; ++i) start_thread(&LoadRun::read_windows);
    if (hashes) start_thread(&LoadRun::hash_files);
    submit_windows();
  } catch (...) {
    failure = std::current_exception();
    ring_->fail(failure);
  }
  for (std::thread& thread : threads) thread.join();
  try {
    // No copy may read the ring any more when it goes.
    if (failure) device_.wait(device_.record());
  } catch (const Error&) {  // a device that failed does no more copies
  }
  ring_->rethrow_failure();
  report_.read_bytes = status_.total_bytes;
  report_.pinned_bytes = ring_->bytes();
  report_.n_readers = static_cast<unsigned>(n_readers);
  report_.n_unbuffered =
      static_cast<uint32_t>(std::count_if(found_.begin(), found_.end(), [](const FoundFile& file) {
        return file.caching == Caching::kUnbuffered;
      }));
  report_.seconds = seconds();
  status_.seconds = report_.seconds;
  if (options_.watcher) options_.watcher(status_);
  return report_;
}

}  // namespace

LoadReport load_tensors(std::span<const LoadFile> files, std::span<const LoadTensor> tensors, Device& device,
                        const LoadOptions& options) {
  if (options.window_bytes == 0 || options.window_bytes % kWindowAlignment != 0)
    throw Error(ErrorCode::kUsage, "a window of " + std::to_string(options.window_bytes) + " bytes",
                "window_bytes", "use a multiple of " + std::to_string(kWindowAlignment));
  return LoadRun(files, tensors, device, options).run();
}

}  // namespace halyard
