// How much memory reading a file takes, counted by operator new: gguf::parse never holds more than four times
// its bytes and 1 MiB, inspect no more than kInspectTimes times them and 1 MiB.
#include <atomic>
#include <cstdlib>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <new>
#include <string>

#include "backend/cpu/scratch.h"
#include "engine/impl.h"
#include "gguf/report.h"
#include "halyard/engine.h"
#include "halyard/inspect.h"
#include "platform/paths.h"
#include "support/hostile_files.h"
#include "support/rewrite_model.h"
#include "unit/temp_folder.h"

namespace {

std::atomic<size_t> live_bytes{0}, peak_bytes{0};

// In front of each block: where it really begins, and its size.
struct Head {
  void* begin;
  size_t n;
};

void* counted_new(size_t n, size_t alignment = alignof(std::max_align_t)) noexcept {
  void* begin = std::malloc(n + sizeof(Head) + alignment);
  if (begin == nullptr) return nullptr;
  const auto first = reinterpret_cast<uintptr_t>(begin) + sizeof(Head);
  void* block = reinterpret_cast<void*>((first + alignment - 1) / alignment * alignment);
  static_cast<Head*>(block)[-1] = {begin, n};
  const size_t live = live_bytes += n;
  for (size_t peak = peak_bytes; live > peak && !peak_bytes.compare_exchange_weak(peak, live);) {
  }
  return block;
}

void counted_delete(void* p) noexcept {
  if (p == nullptr) return;
  const Head head = static_cast<Head*>(p)[-1];
  live_bytes -= head.n;
  std::free(head.begin);
}

}  // namespace

void* operator new(size_t n) {
  void* p = counted_new(n);
  return p != nullptr ? p : throw std::bad_alloc();
}
void* operator new[](size_t n) {
  return operator new(n);
}
// A sorting algorithm asks like this for its buffer, and frees it like any other.
void* operator new(size_t n, const std::nothrow_t&) noexcept {
  return counted_new(n);
}
void* operator new(size_t n, std::align_val_t alignment) {
  void* p = counted_new(n, static_cast<size_t>(alignment));
  return p != nullptr ? p : throw std::bad_alloc();
}
void* operator new(size_t n, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted_new(n, static_cast<size_t>(alignment));
}
void operator delete(void* p, std::align_val_t) noexcept {
  counted_delete(p);
}
void operator delete(void* p, size_t, std::align_val_t) noexcept {
  counted_delete(p);
}
void operator delete(void* p) noexcept {
  counted_delete(p);
}
void operator delete[](void* p) noexcept {
  counted_delete(p);
}
void operator delete(void* p, size_t) noexcept {
  counted_delete(p);
}
void operator delete[](void* p, size_t) noexcept {
  counted_delete(p);
}

namespace halyard::test {
namespace {

constexpr size_t kMiB = size_t{1} << 20;
constexpr size_t kInspectTimes = 96;

// The most that `action` holds at any moment beyond what was held before. An Error is an answer like another.
template <class Action>
size_t peak_of(Action action) {
  const size_t before = live_bytes;
  peak_bytes = before;
  try {
    action();
  } catch (const Error&) {
    return peak_bytes - before;
  }
  return peak_bytes - before;
}

void expect_bounded_parse(std::span<const std::byte> bytes, const std::string& name) {
  const size_t peak = peak_of([&] { gguf::parse(bytes, bytes.size(), "test.gguf"); });
  EXPECT_LE(peak, 4 * bytes.size() + kMiB) << name << " of " << bytes.size() << " bytes";
}

TEST(Allocation, TheHookCounts) {
  EXPECT_GE(peak_of([] { std::vector<char>(5 * kMiB); }), 5 * kMiB);
  EXPECT_LT(peak_of([] {}), kMiB);
  const size_t before = live_bytes;
  {
    const std::string text(1000, 'x');
  }
  EXPECT_EQ(live_bytes, before);
}

// Only the directory is given: the weights would only widen the bound.
TEST(Allocation, ParsingTheTinyModel) {
  const auto& file = tiny_model();
  const uint64_t head_bytes = gguf::parse(file, file.size(), "tiny").data_offset;
  const auto head = std::span(file).first(head_bytes);
  const size_t peak = peak_of([&] { gguf::parse(head, file.size(), "tiny"); });
  EXPECT_LE(peak, 4 * head_bytes + kMiB);
  EXPECT_LE(peak, head_bytes) << "tokens and merges are viewed, not copied";
}

TEST(Allocation, ParsingHostileFiles) {
  for (const HostileFile& file : hostile_files()) expect_bounded_parse(file.bytes, file.name);
  for (const HostileFile& file : greedy_files()) expect_bounded_parse(file.bytes, file.name);
}

std::vector<std::byte> flash_vocabulary() {
  gguf::Writer writer;
  std::vector<std::string> tokens(129280), merges(127741);
  for (size_t i = 0; i < tokens.size(); ++i) tokens[i] = fmt::format("t{}", i);
  for (size_t i = 0; i < merges.size(); ++i) merges[i] = fmt::format("l r{}", i);
  writer.add_strings("tokenizer.ggml.tokens", tokens);
  writer.add_strings("tokenizer.ggml.merges", merges);
  writer.add_array("tokenizer.ggml.token_type", std::span<const int32_t>(std::vector<int32_t>(129280, 1)));
  return writer.file();
}

TEST(Allocation, C27_ParsingTheVocabularyOfFlash) {
  const auto file = flash_vocabulary();
  const size_t peak = peak_of([&] { gguf::parse(file, file.size(), "flash"); });
  EXPECT_LE(peak, kMiB / 16) << "none of 257,021 strings is copied";
}

TEST(Allocation, Inspecting) {
  const TempFolder folder;
  const auto path = folder.path() / "file.gguf";
  std::vector<HostileFile> files = hostile_files(), greedy = greedy_files();
  files.insert(files.end(), greedy.begin(), greedy.end());
  files.push_back({"vocabulary", flash_vocabulary()});
  files.push_back({"tiny model", tiny_model()});
  for (const HostileFile& file : files) {
    write_all(path, file.bytes);
    const size_t peak = peak_of([&] { inspect_file(utf8_from_path(path)); });
    EXPECT_LE(peak, kInspectTimes * file.bytes.size() + kMiB) << file.name << " of " << file.bytes.size();
    if (file.bytes.size() < kMiB / 2) continue;
    std::printf("inspect: %5.1f times the bytes of %s\n",
                static_cast<double>(peak) / static_cast<double>(file.bytes.size() + 1), file.name.c_str());
  }
}

// A session and the scratch of its slices hold what the plan counted, an eighth more at most for what is
// small, and not half as much.
TEST(Allocation, ASessionHoldsWhatThePlanCounts) {
  EngineOptions options;
  options.n_threads = 1;
  for (const uint32_t slice : {128u, 512u}) {
    options.slice_tokens = slice;
    for (const uint64_t context : {512u, 4096u}) {
      const auto engine = Engine::open(options);
      const std::vector<int32_t> tokens(context, 100);
      const size_t held = peak_of([&] { engine->new_session(context).evaluate(tokens); });
      const uint64_t planned =
          engine->session_bytes(context) + cpu_scratch_bytes(engine->impl().model, slice, context, 1);
      EXPECT_LE(held, planned + planned / 8 + kMiB) << slice << ", " << context;
      EXPECT_GE(held, planned / 2) << slice << ", " << context;
    }
  }
}

}  // namespace
}  // namespace halyard::test
