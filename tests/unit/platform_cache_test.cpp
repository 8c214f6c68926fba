// Reads past the page cache, and what the page cache holds.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "halyard/error.h"
#include "platform/file.h"
#include "unit/temp_folder.h"

namespace halyard {
namespace {

constexpr uint64_t kGiB = uint64_t{1} << 30;

// `size_bytes` at an address that is a multiple of `alignment_bytes`.
class AlignedBytes {
 public:
  AlignedBytes(size_t size_bytes, size_t alignment_bytes) : storage_(size_bytes + alignment_bytes) {
    void* start = storage_.data();
    size_t room = storage_.size();
    bytes_ = {static_cast<std::byte*>(std::align(alignment_bytes, size_bytes, start, room)), size_bytes};
  }
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> storage_;
  std::span<std::byte> bytes_;
};

std::vector<std::byte> random_bytes(size_t size_bytes, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(size_bytes);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  OutputFile file = OutputFile::create(path);
  file.write_at(0, bytes);
  file.close();
}

// All of the file, by reads of one buffer that start where the file may be read.
std::vector<std::byte> read_in_pieces(const File& file, std::span<std::byte> buffer) {
  std::vector<std::byte> all;
  const uint64_t alignment = file.alignment_bytes();
  for (uint64_t offset = 0; offset < file.size_bytes();) {
    const size_t got = file.read_up_to(offset, buffer);
    EXPECT_GT(got, 0u);
    if (got == 0) break;
    all.resize(static_cast<size_t>(offset));
    all.insert(all.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(got));
    if (offset + got == file.size_bytes()) break;
    offset = (offset + got) / alignment * alignment;
  }
  return all;
}

ErrorCode code_of_read(const File& file, uint64_t offset, std::span<std::byte> out) {
  try {
    file.read_up_to(offset, out);
  } catch (const Error& e) {
    return e.code();
  }
  return ErrorCode::kCancelled;  // which no read throws
}

TEST(ReadUpTo, GivesOnePieceAndNothingAtTheEnd) {
  const TempFolder folder;
  const std::vector<std::byte> bytes = random_bytes(1000, 1);
  write_file(folder.path() / "a", bytes);
  const File file = File::open(folder.path() / "a");
  EXPECT_EQ(file.caching(), Caching::kBuffered);
  EXPECT_EQ(file.alignment_bytes(), 1u);
  std::vector<std::byte> out(600);
  ASSERT_EQ(file.read_up_to(7, out), 600u);
  EXPECT_TRUE(std::equal(out.begin(), out.end(), bytes.begin() + 7));
  ASSERT_EQ(file.read_up_to(607, out), 393u);
  EXPECT_TRUE(std::equal(out.begin(), out.begin() + 393, bytes.begin() + 607));
  for (const uint64_t offset : {uint64_t{1000}, uint64_t{1} << 40, ~uint64_t{0}})
    EXPECT_EQ(file.read_up_to(offset, out), 0u);
  EXPECT_EQ(file.read_up_to(0, {}), 0u);
}

TEST(Unbuffered, ReadsWhatABufferedFileReads) {
  const TempFolder folder;
  for (const size_t size_bytes :
       {size_t{0}, size_t{1}, size_t{4095}, size_t{4096}, size_t{4097}, (size_t{1} << 20) + 12345}) {
    SCOPED_TRACE(size_bytes);
    const auto path = folder.path() / std::to_string(size_bytes);
    const std::vector<std::byte> bytes = random_bytes(size_bytes, 2);
    write_file(path, bytes);
    const File file = File::open(path, Caching::kUnbuffered);
    EXPECT_EQ(file.size_bytes(), size_bytes);
    const AlignedBytes buffer(size_t{256} << 10, file.alignment_bytes());
    EXPECT_EQ(read_in_pieces(file, buffer.bytes()), bytes);
    const uint64_t beyond = (size_bytes / file.alignment_bytes() + 1) * file.alignment_bytes();
    EXPECT_EQ(file.read_up_to(beyond, buffer.bytes()), 0u);
    EXPECT_EQ(file.read_up_to(size_bytes, buffer.bytes()), 0u);
  }
}

TEST(Unbuffered, ReadAtTakesWholeSectors) {
  const TempFolder folder;
  const std::vector<std::byte> bytes = random_bytes(size_t{256} << 10, 3);
  write_file(folder.path() / "a", bytes);
  const File file = File::open(folder.path() / "a", Caching::kUnbuffered);
  const AlignedBytes buffer(size_t{128} << 10, file.alignment_bytes());
  file.read_at(size_t{64} << 10, buffer.bytes());
  EXPECT_EQ(std::memcmp(buffer.bytes().data(), bytes.data() + (size_t{64} << 10), buffer.bytes().size()), 0);
}

TEST(Unbuffered, RefusesWhatIsNotAligned) {
  const TempFolder folder;
  write_file(folder.path() / "a", random_bytes(100000, 4));
  const File file = File::open(folder.path() / "a", Caching::kUnbuffered);
  if (file.caching() == Caching::kBuffered) GTEST_SKIP() << "the file system cannot read past the cache";
  const uint32_t alignment = file.alignment_bytes();
  EXPECT_GE(alignment, 4096u);
  EXPECT_EQ(alignment & (alignment - 1), 0u);
  const AlignedBytes buffer(4 * size_t{alignment}, alignment);
  const std::span<std::byte> two = buffer.bytes().first(2 * size_t{alignment});
  EXPECT_EQ(file.read_up_to(0, two), two.size());
  EXPECT_EQ(code_of_read(file, 512, two), ErrorCode::kUsage);
  EXPECT_EQ(code_of_read(file, 0, two.first(two.size() - 1)), ErrorCode::kUsage);
  EXPECT_EQ(code_of_read(file, 0, buffer.bytes().subspan(16, two.size())), ErrorCode::kUsage);
}

// Linux has one everywhere. Its memory file system refused such reads until 6.6.
TEST(Unbuffered, FallsBackWhereTheFileSystemCannot) {
  const std::filesystem::path refusing = "/proc/self/status";
  if (std::filesystem::path::preferred_separator != '/' || !std::filesystem::exists(refusing))
    GTEST_SKIP() << "no file system here that is known to refuse";
  const File file = File::open(refusing, Caching::kUnbuffered);
  EXPECT_EQ(file.caching(), Caching::kBuffered);
  EXPECT_EQ(file.alignment_bytes(), 1u);
}

TEST(Unbuffered, AMemoryFileSystemIsReadInOneWayOrTheOther) {
  const std::filesystem::path shm = "/dev/shm";
  if (!std::filesystem::is_directory(shm)) GTEST_SKIP() << "no memory file system";
  const auto path = shm / ("halyard-test-" + std::to_string(std::random_device{}()));
  const std::vector<std::byte> bytes = random_bytes(10001, 5);
  try {
    write_file(path, bytes);
  } catch (const Error&) {
    GTEST_SKIP() << "cannot write to " << shm;
  }
  {
    const File file = File::open(path, Caching::kUnbuffered);
    const AlignedBytes buffer(8192, file.alignment_bytes());
    EXPECT_EQ(file.alignment_bytes() == 1, file.caching() == Caching::kBuffered);
    EXPECT_EQ(read_in_pieces(file, buffer.bytes()), bytes);
  }
  std::filesystem::remove(path);
}

TEST(Unbuffered, PositionsHave64Bits) {
  constexpr uint64_t kSize = 6 * kGiB + 100;
  const TempFolder folder;
  const auto path = folder.path() / "large";
  // Where the file system cannot leave holes, the file takes its whole size.
  if (std::filesystem::space(folder.path()).available < kSize + kGiB)
    GTEST_SKIP() << "no 7 GiB free in " << folder.path();
  const std::vector<uint64_t> marks = {4096, 2 * kGiB, 4 * kGiB - 4096, 4 * kGiB, 4 * kGiB + 4096, 6 * kGiB};
  {
    OutputFile file = OutputFile::create(path);
    file.resize(kSize);
    for (const uint64_t mark : marks) file.write_at(mark, std::as_bytes(std::span(&mark, 1)));
    file.close();
  }
  const File file = File::open(path, Caching::kUnbuffered);
  ASSERT_EQ(file.size_bytes(), kSize);
  const AlignedBytes buffer(file.alignment_bytes() == 1 ? 4096 : file.alignment_bytes(),
                            file.alignment_bytes());
  for (const uint64_t mark : marks) {
    const size_t got = file.read_up_to(mark, buffer.bytes());
    EXPECT_EQ(got, mark == 6 * kGiB ? 100 : buffer.bytes().size());
    EXPECT_EQ(std::memcmp(buffer.bytes().data(), &mark, sizeof mark), 0) << mark;
  }
}

// The system may drop what it holds at any time, or refuse to say: only what cannot be otherwise is asserted.
TEST(PageCache, SaysWhatItHolds) {
  const TempFolder folder;
  const auto path = folder.path() / "a";
  write_file(path, random_bytes((size_t{32} << 20) + 777, 6));
  std::vector<std::byte> all(std::filesystem::file_size(path));
  const std::optional<double> warm = [&] {
    const File file = File::open(path);
    file.read_at(0, all);
    return file.cached_fraction();
  }();
  const bool dropped = drop_from_cache(path);
  const File file = File::open(path);
  const std::optional<double> cold = file.cached_fraction();
  const File beside = File::open(path, Caching::kUnbuffered);
  const AlignedBytes buffer(size_t{1} << 20, beside.alignment_bytes());
  EXPECT_EQ(read_in_pieces(beside, buffer.bytes()), all);  // and what the question set off has come by then
  const std::optional<double> again = file.cached_fraction();
  for (const std::optional<double>& fraction : {warm, cold, again}) {
    EXPECT_EQ(fraction.has_value(), warm.has_value());
    EXPECT_GE(fraction.value_or(0), 0.0);
    EXPECT_LE(fraction.value_or(0), 1.0);
  }
  std::printf("held: %g after reading, %g after dropping (%s), %g asked again\n", warm.value_or(-1),
              cold.value_or(-1), dropped ? "done" : "refused", again.value_or(-1));
  if (dropped && warm) {
    EXPECT_LE(cold.value_or(2), *warm);
    if (beside.caching() == Caching::kUnbuffered) {
      EXPECT_LE(again.value_or(2), *cold + 0.25) << "the question changed the answer";
    }
  }
}

TEST(PageCache, SaysNothingOfAnEmptyOrUnbufferedFile) {
  const TempFolder folder;
  const auto path = folder.path() / "a";
  write_file(path, {});
  EXPECT_EQ(File::open(path).cached_fraction(), std::nullopt);
  write_file(path, random_bytes(3, 7));
  const std::optional<double> small = File::open(path).cached_fraction();
  EXPECT_TRUE(!small || (*small >= 0 && *small <= 1));
  const File unbuffered = File::open(path, Caching::kUnbuffered);
  EXPECT_TRUE(unbuffered.caching() == Caching::kBuffered || !unbuffered.cached_fraction());
}

TEST(PageCache, DropsNothingOfAFileThatIsNotThere) {
  const TempFolder folder;
  EXPECT_FALSE(drop_from_cache(folder.path() / "none"));
}

}  // namespace
}  // namespace halyard
