#include "support/hostile_files.h"

#include <fmt/format.h>

#include "support/raw_file.h"
#include "support/rewrite_model.h"

namespace halyard::test {
namespace {

constexpr uint32_t kF32 = 0, kQ8_0 = 8;                                             // tensor formats
constexpr uint32_t kU8Value = 0, kU32Value = 4, kStringValue = 8, kArrayValue = 9;  // value types

HostileFile named(const std::string& name, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {name, {bytes.begin(), bytes.end()}};
}

HostileFile named(const std::string& name, const RawFile& file) {
  return named(name, file.bytes());
}

// The tiny model with one change, which the engine must refuse or survive.
template <class Change>
HostileFile changed(const std::string& name, Change change) {
  ModelRewriter model(tiny_model());
  change(model);
  return {name, model.file()};
}

HostileFile metadata_entries(uint64_t n) {
  RawFile file(0, n);
  for (uint64_t i = 0; i < n; ++i) {
    const char key[2] = {static_cast<char>(i & 255u), static_cast<char>(i >> 8u)};
    file.name({key, sizeof key}).u32(kU8Value).raw("", 1);
  }
  return named("metadata entries with short keys", file);
}

HostileFile short_tensors(uint64_t n) {
  RawFile file(n, 0);
  for (uint64_t i = 0; i < n; ++i) file.tensor(fmt::format("{:x}", i), {1}, kF32, 0);
  return named("tensors of one value", file.pad(32).data(32));
}

HostileFile long_names(uint64_t n) {
  RawFile file(n, 0);
  for (uint64_t i = 0; i < n; ++i) file.tensor(std::string(60, '\x01') + fmt::format("{:x}", i), {1}, 99, 0);
  return named("names of control characters, unknown formats", file.pad(32).data(32));
}

HostileFile empty_strings(uint64_t n) {
  RawFile file(0, 1);
  file.name("tokenizer.ggml.tokens").u32(kArrayValue).u32(kStringValue).u64(n).data(8 * n);
  return named("an array of empty strings", file);
}

HostileFile claims(uint64_t n_tensors, uint64_t n_metadata, size_t n_bytes) {
  RawFile file(n_tensors, n_metadata);
  return named(fmt::format("{} tensors and {} entries claimed", n_tensors, n_metadata), file.data(n_bytes));
}

}  // namespace

std::vector<HostileFile> hostile_files() {
  std::vector<HostileFile> all;
  all.push_back(named("C10 a web page", "<!DOCTYPE html>\n<html><body>404</body></html>\n"));
  all.push_back(named("C10 nothing", ""));
  auto cut = tiny_model();
  cut.pop_back();
  cut.resize(cut.size() - 64);
  all.push_back({"C10 the end is missing", cut});
  auto appended = tiny_model();
  appended.resize(appended.size() + 2052);
  all.push_back({"C11 more than the file", appended});
  all.push_back(
      named("C13 tensors that overlap",
            RawFile(2, 0).tensor("a", {64}, kQ8_0, 0).tensor("b", {64}, kQ8_0, 64).pad(32).data(160)));
  all.push_back(named("C14 one name twice",
                      RawFile(2, 0).tensor("t", {8}, kF32, 0).tensor("t", {8}, kF32, 32).pad(32).data(64)));
  all.push_back(named("C15 an offset that wraps",
                      RawFile(1, 0).tensor("t", {8}, kF32, 0xFFFFFFFFFFFFF000u).pad(32).data(4096)));
  all.push_back(
      named("C16 an offset off the alignment", RawFile(1, 0).tensor("t", {8}, kF32, 33).pad(32).data(96)));
  all.push_back(named("C17 2^32 entries", RawFile(0, 0x100000000u)));
  all.push_back(named("C18 a length of 2^64 - 1", RawFile(0, 1).u64(~uint64_t{0}).raw("AAAAAAAA", 8)));
  all.push_back(named("C19 2^32 - 1 dimensions", RawFile(1, 0).name("t").u32(0xFFFFFFFFu).data(64)));
  for (const uint32_t alignment : {0u, 3u, 1u << 30}) {
    all.push_back(named(fmt::format("C20 alignment {}", alignment),
                        RawFile(0, 1).name("general.alignment").u32(kU32Value).u32(alignment)));
  }
  all.push_back(
      named("C21 alignment as text", RawFile(0, 1).name("general.alignment").u32(kStringValue).name("32")));
  all.push_back(named("C22 dimensions that wrap",
                      RawFile(1, 0).tensor("t", {uint64_t{1} << 32, uint64_t{1} << 32}, kF32, 0)));
  RawFile nested(0, 1);
  nested.name("a").u32(kArrayValue);
  for (int depth = 0; depth < 100000; ++depth) nested.u32(kArrayValue).u64(1);
  all.push_back(named("C23 arrays in arrays", nested));
  all.push_back(changed("C24 100,000 layers",
                        [](ModelRewriter& m) { m.set("deepseek4.block_count", value<uint32_t>(100000)); }));
  all.push_back(changed("C25 no byte tokens", [](ModelRewriter& m) {
    m.set("tokenizer.ggml.tokens", texts(std::vector<std::string>(4096, "<0xZZ>")));
  }));
  return all;
}

std::vector<HostileFile> greedy_files() {
  std::vector<HostileFile> all;
  all.push_back(metadata_entries(gguf::kMaxMetadata));
  all.push_back(short_tensors(200000));
  all.push_back(long_names(60000));
  all.push_back(empty_strings(500000));
  all.push_back(claims(0, gguf::kMaxMetadata, 14 * gguf::kMaxMetadata));
  all.push_back(claims(200000, 0, 33 * 200000));
  return all;
}

}  // namespace halyard::test
