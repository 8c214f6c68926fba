// Files, mappings, paths, libraries, environment.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "halyard/error.h"
#include "platform/environment.h"
#include "platform/file.h"
#include "platform/library.h"
#include "platform/mapping.h"
#include "platform/paths.h"
#include "unit/child_process.h"
#include "unit/temp_folder.h"

namespace halyard {
namespace {

constexpr const char* kManyScripts = "модель-模型-🦜.gguf";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string text_at(const File& file, uint64_t offset, size_t size_bytes) {
  std::string text(size_bytes, '\0');
  file.read_at(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

void write_file(const std::filesystem::path& path, std::string_view text) {
  OutputFile file = OutputFile::create(path);
  file.write_at(0, bytes_of(text));
  file.close();
}

// The error that `action` throws; the test fails when it throws none.
template <typename Action>
Error error_of(Action action) {
  try {
    action();
  } catch (const Error& e) {
    return e;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::kCancelled, "", "", "");
}

TEST(ReadFully, JoinsReadsOfAnyLength) {
  constexpr unsigned kSeed = 20240607;
  SCOPED_TRACE(kSeed);
  std::mt19937 random(kSeed);
  std::vector<std::byte> file(5000);
  for (std::byte& b : file) b = static_cast<std::byte>(random());
  for (int round = 0; round < 200; ++round) {
    const size_t max_piece = 1 + random() % 600;
    const auto read = [&](uint64_t offset, std::span<std::byte> out) -> size_t {
      EXPECT_GT(out.size(), 0u);
      EXPECT_LE(out.size(), max_piece);
      if (offset >= file.size()) return 0;
      const size_t n = std::min({out.size(), file.size() - offset, size_t{1} + random() % 300});
      std::memcpy(out.data(), file.data() + offset, n);
      return n;
    };
    const size_t offset = random() % file.size();
    std::vector<std::byte> out(random() % 6000);
    const size_t got = read_fully(read, offset, out, max_piece);
    ASSERT_EQ(got, std::min(out.size(), file.size() - offset));
    EXPECT_TRUE(std::equal(out.begin(), out.begin() + static_cast<ptrdiff_t>(got),
                           file.begin() + static_cast<ptrdiff_t>(offset)));
  }
}

TEST(ReadFully, C04_ShortCountsStillGiveAllBytes) {
  constexpr unsigned kSeed = 4;
  SCOPED_TRACE(kSeed);
  constexpr size_t kMiB = size_t{1} << 20;
  std::mt19937 random(kSeed);
  std::vector<std::byte> file(10 * kMiB), out(file.size());
  for (std::byte& b : file) b = static_cast<std::byte>(random());
  const auto read = [&](uint64_t offset, std::span<std::byte> piece) -> size_t {
    EXPECT_LE(piece.size(), kMiB);
    const size_t n = 1 + random() % piece.size();
    std::memcpy(piece.data(), file.data() + offset, n);
    return n;
  };
  EXPECT_EQ(read_fully(read, 0, out, kMiB), file.size());
  EXPECT_EQ(out, file);
}

TEST(ReadFully, KeepsAllBitsOfTheOffset) {
  std::vector<uint64_t> offsets;
  std::vector<std::byte> out(3);
  const auto read = [&](uint64_t offset, std::span<std::byte>) {
    offsets.push_back(offset);
    return size_t{1};
  };
  const uint64_t first = (uint64_t{1} << 32) - 1;
  EXPECT_EQ(read_fully(read, first, out), 3u);
  EXPECT_EQ(offsets, (std::vector<uint64_t>{first, first + 1, first + 2}));
}

TEST(File, ReadsAnyRangeAndKnowsItsEnd) {
  const TempFolder folder;
  const auto path = folder.path() / "ten";
  write_file(path, "0123456789");
  const File file = File::open(path);
  EXPECT_EQ(file.size_bytes(), 10u);
  EXPECT_EQ(file.path(), path);
  EXPECT_EQ(text_at(file, 0, 10), "0123456789");
  EXPECT_EQ(text_at(file, 7, 3), "789");
  EXPECT_EQ(text_at(file, 10, 0), "");
  for (const uint64_t offset : {uint64_t{8}, uint64_t{10}, uint64_t{1} << 40, ~uint64_t{0}}) {
    const Error e = error_of([&] { text_at(file, offset, 3); });
    EXPECT_EQ(e.code(), ErrorCode::kBadFile);
    EXPECT_EQ(e.problem(), "the file ends too early");
    EXPECT_EQ(e.where(), utf8_from_path(path) + ", byte 10");
  }
}

TEST(File, MovesAndStaysReadable) {
  const TempFolder folder;
  write_file(folder.path() / "a", "abc");
  std::vector<File> files;
  files.push_back(File::open(folder.path() / "a"));
  const File file = std::move(files.front());
  files.clear();
  EXPECT_EQ(text_at(file, 0, 3), "abc");
}

TEST(File, SaysWhyItCannotOpen) {
  const TempFolder folder;
  const auto missing = folder.path() / "none.gguf";
  const Error absent = error_of([&] { File::open(missing); });
  EXPECT_EQ(absent.code(), ErrorCode::kNotFound);
  EXPECT_EQ(absent.where(), utf8_from_path(missing));
  EXPECT_EQ(error_of([&] { File::open(missing / "deeper"); }).code(), ErrorCode::kNotFound);
  EXPECT_EQ(error_of([&] { File::open(""); }).code(), ErrorCode::kNotFound);

  const Error directory = error_of([&] { File::open(folder.path()); });
  EXPECT_EQ(directory.code(), ErrorCode::kBadFile);
  EXPECT_EQ(directory.problem(), "this is a directory");
  EXPECT_EQ(error_of([&] { MappedFile::open(folder.path()); }).code(), ErrorCode::kBadFile);
}

TEST(File, RefusesADevice) {
  bool refused = false;
  for (const char* device : {"/dev/null", "NUL"}) {  // one of them is none on each system
    const Error e = error_of([&] { File::open(device); });
    refused |= e.code() == ErrorCode::kBadFile;
  }
  EXPECT_TRUE(refused);
}

TEST(File, DoesNotWaitForTheOtherEndOfAPipe) {
  const TempFolder folder;
  const auto path = folder.path() / "pipe";
  if (!make_fifo(path)) GTEST_SKIP() << "no named pipes among the files here";
  EXPECT_EQ(error_of([&] { File::open(path); }).code(), ErrorCode::kBadFile);
  EXPECT_EQ(error_of([&] { OutputFile::create(path); }).code(), ErrorCode::kIo);
}

TEST(File, NamesAMissingPermission) {
  const TempFolder folder;
  const auto path = folder.path() / "secret";
  write_file(path, "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  try {
    File::open(path);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kIo);
    EXPECT_EQ(e.problem(), "no permission to open the file");
    return;
  }
  GTEST_SKIP() << "this user may read every file here";
}

TEST(File, OpensAPathOfManyScripts) {
  const TempFolder folder;
  const auto path = folder.path() / path_from_utf8("папка-文件夹-🗂") / path_from_utf8(kManyScripts);
  std::filesystem::create_directory(path.parent_path());
  write_file(path, "hello");
  EXPECT_EQ(text_at(File::open(path), 0, 5), "hello");
  const auto mapped = MappedFile::open(path);
  EXPECT_EQ(mapped.bytes().size(), 5u);
  const auto entry = *std::filesystem::directory_iterator(path.parent_path());
  EXPECT_EQ(utf8_from_path(entry.path().filename()), kManyScripts);
  const Error e = error_of([&] { text_at(File::open(path), 0, 6); });
  EXPECT_NE(e.where().find(kManyScripts), std::string::npos) << e.where();
}

TEST(File, EmptyFile) {
  const TempFolder folder;
  write_file(folder.path() / "empty", "");
  const File file = File::open(folder.path() / "empty");
  EXPECT_EQ(file.size_bytes(), 0u);
  EXPECT_EQ(text_at(file, 0, 0), "");
  EXPECT_EQ(error_of([&] { text_at(file, 0, 1); }).where(), at_byte(file.path(), 0));
  EXPECT_TRUE(MappedFile::open(folder.path() / "empty").bytes().empty());
}

TEST(OutputFile, WritesAnywhereAndStartsEmpty) {
  const TempFolder folder;
  const auto path = folder.path() / "out";
  write_file(path, "something older and longer");
  {
    OutputFile out = OutputFile::create(path);
    OutputFile file = std::move(out);
    file.write_at(3, bytes_of("def"));
    file.write_at(0, bytes_of("a"));
    file.write_at(9, {});
    file.close();
    EXPECT_EQ(error_of([&] { file.write_at(0, bytes_of("late")); }).code(), ErrorCode::kIo);
  }
  EXPECT_EQ(text_at(File::open(path), 0, 6), std::string("a\0\0def", 6));
  EXPECT_EQ(File::open(path).size_bytes(), 6u);
}

TEST(OutputFile, Resizes) {
  const TempFolder folder;
  const auto path = folder.path() / "out";
  OutputFile file = OutputFile::create(path);
  file.write_at(0, bytes_of("abcdef"));
  file.resize(2);
  file.resize(4);
  EXPECT_EQ(error_of([&] { file.resize(~uint64_t{0}); }).code(), ErrorCode::kIo);
  EXPECT_EQ(error_of([&] { file.write_at(~uint64_t{0} - 8, bytes_of("x")); }).code(), ErrorCode::kIo);
  file.close();
  EXPECT_EQ(text_at(File::open(path), 0, 4), std::string("ab\0\0", 4));
}

TEST(OutputFile, SaysWhyItCannotCreate) {
  const TempFolder folder;
  EXPECT_EQ(error_of([&] { OutputFile::create(folder.path()); }).problem(), "this is a directory");
  EXPECT_EQ(error_of([&] { OutputFile::create(folder.path() / "no" / "x"); }).code(), ErrorCode::kNotFound);
}

TEST(OutputFile, WaitsForAProgramThatHoldsTheFile) {
  const TempFolder folder;
  const auto path = folder.path() / "scanned";
  write_file(path, "old");
  std::thread scanner([held = File::open(path)]() mutable {
    const File mine = std::move(held);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  });
  EXPECT_NO_THROW(write_file(path, "new"));
  scanner.join();
  EXPECT_EQ(text_at(File::open(path), 0, 3), "new");
}

TEST(LargeFile, C02_TheSizeHas64Bits) {
  const TempFolder folder;
  if (std::filesystem::space(folder.path()).available < uint64_t{4} << 30)
    GTEST_SKIP() << "no 4 GiB free in " << folder.path();
  OutputFile file = OutputFile::create(folder.path() / "large");
  file.resize(3221225472u);
  file.close();
  EXPECT_EQ(File::open(folder.path() / "large").size_bytes(), 3221225472u);
}

TEST(LargeFile, ReadsAcrossTwoAndFourGiB) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  constexpr uint64_t kSize = 6 * kGiB;
  const TempFolder folder;
  const auto path = folder.path() / "large";
  // Where the file system cannot leave holes, the file takes its whole size.
  if (std::filesystem::space(folder.path()).available < kSize + kGiB)
    GTEST_SKIP() << "no 7 GiB free in " << folder.path();

  const std::vector<uint64_t> marks = {0, 2 * kGiB - 7, 4 * kGiB - 7, kSize - 14};
  const auto mark_text = [](uint64_t offset) {
    return (std::to_string(offset) + "..............").substr(0, 14);
  };
  {
    OutputFile file = OutputFile::create(path);
    file.resize(kSize);
    for (const uint64_t offset : marks) file.write_at(offset, bytes_of(mark_text(offset)));
    file.close();
  }
  const File file = File::open(path);
  ASSERT_EQ(file.size_bytes(), kSize);
  for (const uint64_t offset : marks) EXPECT_EQ(text_at(file, offset, 14), mark_text(offset));
  for (const uint64_t offset : {2 * kGiB - 8, 4 * kGiB + 7, kSize - 15})
    EXPECT_EQ(text_at(file, offset, 1)[0], '\0');
  EXPECT_EQ(error_of([&] { text_at(file, kSize - 1, 2); }).where(), at_byte(path, kSize));

  const MappedFile mapped = MappedFile::open(path);
  ASSERT_EQ(mapped.bytes().size(), kSize);
  for (const uint64_t offset : marks) {
    EXPECT_EQ(std::memcmp(mapped.bytes().data() + offset, mark_text(offset).data(), 14), 0) << offset;
  }
}

TEST(MappedFile, OutlivesItsMoveAndItsFile) {
  const TempFolder folder;
  write_file(folder.path() / "a", "abc");
  MappedFile first = MappedFile::open(folder.path() / "a");
  const MappedFile second = std::move(first);
  EXPECT_TRUE(first.bytes().empty());
  EXPECT_EQ(std::memcmp(second.bytes().data(), "abc", 3), 0);
}

TEST(Library, OpensWhatIsThereAndNothingElse) {
  // The first name is absent everywhere; of the others each system has one.
  constexpr const char* kNames[] = {"halyard-no-such-library", "libm.so.6", "kernel32.dll"};
  EXPECT_EQ(open_library({}), nullptr);
  std::string why;
  EXPECT_EQ(open_library(std::span(kNames, 1), &why), nullptr);
  EXPECT_TRUE(why.starts_with("halyard-no-such-library: cannot open")) << why;
  void* library = open_library(kNames);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(find_symbol(library, "halyard_no_such_function"), nullptr);
  if (void* cosine = find_symbol(library, "cos")) {
    EXPECT_EQ(reinterpret_cast<double (*)(double)>(cosine)(0.0), 1.0);
  } else {
    EXPECT_NE(find_symbol(library, "GetTickCount64"), nullptr);
  }
}

TEST(Paths, Utf8BothWays) {
  for (const std::string text : {"", "a/b.gguf", kManyScripts})
    EXPECT_EQ(utf8_from_path(path_from_utf8(text)), text);
  EXPECT_EQ(path_from_utf8(kManyScripts).u16string(), u"модель-模型-🦜.gguf");
  EXPECT_NO_THROW(utf8_from_path(path_from_utf8("broken \xff\xe6\xa8 utf-8")));
}

TEST(Paths, KnowsTheProgramAndTheCache) {
  EXPECT_EQ(utf8_from_path(executable_path().stem()), "platform_test");
  EXPECT_TRUE(std::filesystem::exists(executable_path()));
  set_environment("XDG_CACHE_HOME", "relative");
  EXPECT_TRUE(user_cache_directory().is_absolute());
  const TempFolder folder;
  for (const char* name : {"XDG_CACHE_HOME", "LOCALAPPDATA"})
    set_environment(name, utf8_from_path(folder.path()));
  EXPECT_EQ(user_cache_directory(), folder.path() / "halyard");
  for (const char* name : {"XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"}) set_environment(name, "");
  EXPECT_EQ(error_of([] { user_cache_directory(); }).code(), ErrorCode::kNotFound);
}

TEST(Environment, ReadsUtf8) {
  EXPECT_EQ(environment("HALYARD_TEST_UNSET"), std::nullopt);
  set_environment("HALYARD_TEST_ТЕСТ", kManyScripts);
  EXPECT_EQ(environment("HALYARD_TEST_ТЕСТ"), kManyScripts);
  set_environment("HALYARD_TEST_EMPTY", "");
  EXPECT_EQ(environment("HALYARD_TEST_EMPTY"), "");
  for (const size_t length : {255u, 256u, 257u, 5000u}) {
    set_environment("HALYARD_TEST_LONG", std::string(length, 'x'));
    EXPECT_EQ(environment("HALYARD_TEST_LONG"), std::string(length, 'x'));
  }
}

TEST(Environment, NamesByTheirBeginning) {
  for (const char* name : {"HALYARD_TEST_NAMES_B", "HALYARD_TEST_NAMES_A", "HALYARD_TEST_NAMES"})
    set_environment(name, "a=b");
  EXPECT_EQ(environment_names("HALYARD_TEST_NAMES"),
            (std::vector<std::string>{"HALYARD_TEST_NAMES", "HALYARD_TEST_NAMES_A", "HALYARD_TEST_NAMES_B"}));
  EXPECT_TRUE(environment_names("HALYARD_TEST_NAMES_C").empty());
  EXPECT_FALSE(environment_names("").empty());
}

TEST(Environment, SwitchMeansItsValue) {
  constexpr const char* kName = "HALYARD_TEST_SWITCH";
  EXPECT_TRUE(environment_switch("HALYARD_TEST_UNSET", true));
  EXPECT_FALSE(environment_switch("HALYARD_TEST_UNSET", false));
  for (const char* word : {"1", "on", "true", "yes", "ON", "True"}) {
    set_environment(kName, word);
    EXPECT_TRUE(environment_switch(kName, false)) << word;
  }
  for (const char* word : {"0", "off", "false", "no", "", "OFF"}) {
    set_environment(kName, word);
    EXPECT_FALSE(environment_switch(kName, true)) << word;
  }
  set_environment(kName, "perhaps");
  const Error e = error_of([] { environment_switch("HALYARD_TEST_SWITCH", true); });
  EXPECT_EQ(e.code(), ErrorCode::kUsage);
  EXPECT_NE(std::string(e.what()).find("perhaps"), std::string::npos);
  EXPECT_NE(e.where().find(kName), std::string::npos);
}

}  // namespace
}  // namespace halyard
