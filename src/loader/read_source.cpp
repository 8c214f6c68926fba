#include "loader/read_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "platform/file.h"
#include "platform/paths.h"

namespace halyard {
namespace {

class FileSource final : public ReadSource {
 public:
  FileSource(const std::string& path, Caching caching)
      : path_(path), file_(File::open(path_from_utf8(path), caching)) {}

  std::string name() const override { return path_; }
  uint64_t size_bytes() const override { return file_.size_bytes(); }
  uint32_t alignment_bytes() const override { return file_.alignment_bytes(); }
  std::optional<double> cached_fraction() override { return file_.cached_fraction(); }
  size_t read_some(uint64_t offset, std::span<std::byte> out) override {
    return file_.read_up_to(offset, out.first(std::min(out.size(), kMaxTransferBytes)));
  }

 private:
  std::string path_;
  File file_;
};

class MemorySource final : public ReadSource {
 public:
  MemorySource(std::string name, std::span<const std::byte> bytes) : name_(std::move(name)), bytes_(bytes) {}

  std::string name() const override { return name_; }
  uint64_t size_bytes() const override { return bytes_.size(); }
  uint32_t alignment_bytes() const override { return 1; }
  std::optional<double> cached_fraction() override { return 1.0; }
  size_t read_some(uint64_t offset, std::span<std::byte> out) override {
    if (offset >= bytes_.size()) return 0;
    const size_t n = std::min<uint64_t>(out.size(), bytes_.size() - offset);
    std::memcpy(out.data(), bytes_.data() + offset, n);
    return n;
  }

 private:
  std::string name_;
  std::span<const std::byte> bytes_;
};

// A page cache copies 64 KiB in some 10 microseconds; a fast SSD takes 100 to find them.
constexpr size_t kSampleBytes = size_t{64} << 10;
constexpr size_t kSamples = 15;
constexpr std::chrono::microseconds kCachedSample{60};

bool reads_like_a_cache(ReadSource& source) {
  if (source.size_bytes() < kSampleBytes) return true;
  std::vector<std::byte> sample(kSampleBytes);
  std::array<std::chrono::steady_clock::duration, kSamples> times;
  const uint64_t last = source.size_bytes() - kSampleBytes;
  for (size_t i = 0; i < kSamples; ++i) {
    const auto start = std::chrono::steady_clock::now();
    source.read_some(last / kSamples * i, sample);
    times[i] = std::chrono::steady_clock::now() - start;
  }
  std::nth_element(times.begin(), times.begin() + kSamples / 2, times.end());
  return times[kSamples / 2] < kCachedSample;
}

}  // namespace

OpenSource file_source(const std::string& path) {
  return [path](Caching caching) { return std::make_unique<FileSource>(path, caching); };
}

OpenSource memory_source(const std::string& name, std::span<const std::byte> bytes) {
  return [name, bytes](Caching) { return std::make_unique<MemorySource>(name, bytes); };
}

Caching probe_caching(const OpenSource& open) {
  const std::unique_ptr<ReadSource> source = open(Caching::kBuffered);
  const std::optional<double> fraction = source->cached_fraction();
  const bool cached = fraction ? *fraction >= 0.5 : reads_like_a_cache(*source);
  return cached ? Caching::kBuffered : Caching::kUnbuffered;
}

}  // namespace halyard
