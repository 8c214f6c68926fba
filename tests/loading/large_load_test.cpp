// GGUF files that are larger than any 32-bit number, from a real disk: sparse, with marked ranges.
#include <cstdio>
#include <gtest/gtest.h>

#include "device/simulated_device.h"
#include "gguf/gguf.h"
#include "loader/load.h"
#include "loading/pattern_source.h"
#include "platform/file.h"
#include "platform/memory.h"
#include "platform/paths.h"
#include "support/raw_file.h"
#include "unit/temp_folder.h"

namespace halyard::test {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20, kGiB = uint64_t{1} << 30;

// One tensor across each border and one beyond it; names give the place.
struct Marked {
  std::string name;
  uint64_t offset, bytes;
};

std::vector<Marked> marked_ranges() {
  std::vector<Marked> all = {{"begin", 4096 + 832, 5000}};
  for (const uint64_t border : {2 * kGiB, 4 * kGiB, 8 * kGiB, 80 * kGiB}) {
    const std::string name = std::to_string(border / kGiB) + "GiB";
    all.push_back({"across-" + name, border - 3 * kMiB + 832, 5 * kMiB + 32});
    all.push_back({"beyond-" + name, border + 6 * kMiB + 64, kMiB + 96});
  }
  return all;
}

// A GGUF file whose F32 tensors lie at those bytes.
class SparseModel {
 public:
  SparseModel() : path_(folder_.path() / path_from_utf8("gro\xC3\x9F \xE6\xA8\xA1\xE5\x9E\x8B.gguf")) {
    const std::vector<Marked> ranges = marked_ranges();
    RawFile head(ranges.size(), 0);
    for (const Marked& m : ranges) head.tensor(m.name, {m.bytes / 4}, 0, m.offset - data_offset(ranges));
    const std::string& directory = head.bytes();
    OutputFile out = OutputFile::create(path_);
    out.write_at(0, std::as_bytes(std::span(directory)));
    for (const Marked& m : ranges) {
      std::vector<std::byte> bytes(m.bytes);
      for (uint64_t i = 0; i < m.bytes; ++i) bytes[i] = pattern_byte(1, m.offset + i);
      out.write_at(m.offset, bytes);
    }
    out.close();
  }

  // The directory's own size, rounded up to the alignment.
  static uint64_t data_offset(const std::vector<Marked>& ranges) {
    uint64_t n = 4 + 4 + 8 + 8;
    for (const Marked& m : ranges) n += 8 + m.name.size() + 4 + 8 + 4 + 8;
    return (n + 31) / 32 * 32;
  }

  std::string path() const { return utf8_from_path(path_); }
  static bool possible() {
    return std::filesystem::space(std::filesystem::temp_directory_path()).available > kGiB / 4;
  }

 private:
  TempFolder folder_;
  std::filesystem::path path_;
};

std::vector<LoadTensor> tensors_of(const std::string& path) {
  const File file = File::open(path_from_utf8(path));
  std::vector<std::byte> head(64 << 10);
  file.read_at(0, head);
  std::vector<LoadTensor> tensors;
  for (const gguf::TensorInfo& t : gguf::parse(head, file.size_bytes(), path).tensors)
    tensors.push_back({t.name, 0, t.offset, t.bytes, 0});
  return tensors;
}

void load_and_compare(const std::string& path, Caching caching) {
  SimulatedDeviceOptions options;
  options.pools = {truthful_pool(Pool::kDedicated, kGiB)};
  SimulatedDevice device(options);
  std::vector<LoadTensor> tensors = tensors_of(path);
  ASSERT_EQ(tensors.size(), marked_ranges().size());
  std::vector<DeviceBuffer> buffers;
  for (LoadTensor& tensor : tensors) {
    buffers.emplace_back(device, Pool::kDedicated, tensor.bytes);
    tensor.address = buffers.back().block().address;
  }
  LoadOptions load;
  load.caching = caching;
  const std::vector<LoadFile> files = {{file_source(path), ""}};
  const LoadReport report = load_tensors(files, tensors, device, load);
  EXPECT_LT(report.read_bytes, 64 * kMiB) << "gaps are not read";

  const std::vector<Marked> ranges = marked_ranges();
  for (size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(tensors[i].name, ranges[i].name);
    EXPECT_EQ(tensors[i].file_offset, ranges[i].offset);
    std::vector<std::byte> bytes(tensors[i].bytes);
    device.copy_to_host(bytes, tensors[i].address);
    for (uint64_t b = 0; b < bytes.size(); ++b)
      ASSERT_EQ(bytes[b], pattern_byte(1, ranges[i].offset + b)) << ranges[i].name << ", byte " << b;
  }
}

TEST(LargeLoad, C01_TensorsAcrossAndBeyond2And4And8And80GiB) {
  if (!SparseModel::possible()) GTEST_SKIP() << "no 256 MiB free";
  const SparseModel model;
  EXPECT_GT(File::open(path_from_utf8(model.path())).size_bytes(), 80 * kGiB);
  load_and_compare(model.path(), Caching::kBuffered);
  load_and_compare(model.path(), Caching::kUnbuffered);
  std::printf("peak of this process: %.0f MiB\n", static_cast<double>(peak_resident_bytes()) / 0x1p20);
}

}  // namespace
}  // namespace halyard::test
