#include "platform/linux_memory.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace halyard {
namespace {

// The number at the start of `text`, after spaces. A limit of "max" is none.
std::optional<uint64_t> parse_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (!text.starts_with(" kB")) return value;
  if (value > std::numeric_limits<uint64_t>::max() / 1024) return std::nullopt;
  return value * 1024;
}

// Takes the first line, without its end, from `text`.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    if (list.substr(0, comma) == word) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

// What the two versions of control groups call the same things.
struct CgroupNames {
  const char* root;
  const char* limit;
  const char* usage;
  const char* cache_keys[2];  // in memory.stat: file cache, which the kernel drops when memory is wanted
};
constexpr CgroupNames kVersion1 = {"/sys/fs/cgroup/memory",
                                   "/memory.limit_in_bytes",
                                   "/memory.usage_in_bytes",
                                   {"total_inactive_file", "total_active_file"}};
constexpr CgroupNames kVersion2 = {
    "/sys/fs/cgroup", "/memory.max", "/memory.current", {"inactive_file", "active_file"}};

void apply_group(MemoryFacts& facts, const ReadText& read, const CgroupNames& names,
                 const std::string& folder) {
  const auto limit = parse_number(read(folder + names.limit).value_or(""));
  if (!limit) return;
  facts.total_bytes = std::min(facts.total_bytes, *limit);
  uint64_t used = parse_number(read(folder + names.usage).value_or("")).value_or(0);
  const std::string stat = read(folder + "/memory.stat").value_or("");
  for (const char* key : names.cache_keys) used -= std::min(used, parse_field(stat, key).value_or(0));
  facts.available_bytes = std::min(facts.available_bytes, *limit - std::min(used, *limit));
}

// The group at `path` and all groups around it. In a container the path may name a folder of the host that is
// not visible here: then only the root, which is the container's own group, has files.
void apply_groups(MemoryFacts& facts, const ReadText& read, const CgroupNames& names, std::string path) {
  while (!path.empty() && path != "/") {
    apply_group(facts, read, names, names.root + path);
    path.resize(std::min(path.rfind('/'), path.size() - 1));
  }
  apply_group(facts, read, names, names.root);
}

// What is left of `total` by a file that says how much is used.
std::optional<uint64_t> parse_free(const ReadText& read, const std::string& used_file,
                                   const std::optional<uint64_t>& total) {
  const auto used = parse_number(read(used_file).value_or(""));
  if (!used || !total) return std::nullopt;
  return *total - std::min(*used, *total);
}

}  // namespace

GpuMemoryFacts linux_gpu_memory_facts(const ReadText& read, const std::string& pci_id) {
  const std::string files = "/sys/bus/pci/devices/" + pci_id + "/mem_info_";
  GpuMemoryFacts facts;
  facts.dedicated_total_bytes = parse_number(read(files + "vram_total").value_or(""));
  facts.dedicated_free_bytes = parse_free(read, files + "vram_used", facts.dedicated_total_bytes);
  facts.gtt_total_bytes = parse_number(read(files + "gtt_total").value_or(""));
  facts.gtt_free_bytes = parse_free(read, files + "gtt_used", facts.gtt_total_bytes);
  return facts;
}

std::optional<uint64_t> parse_field(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    if (line.starts_with(' ') || line.starts_with('\t')) return parse_number(line);
  }
  return std::nullopt;
}

MemoryFacts linux_memory_facts(const ReadText& read) {
  const std::string meminfo = read("/proc/meminfo").value_or("");
  MemoryFacts facts;
  facts.total_bytes = parse_field(meminfo, "MemTotal:").value_or(0);
  facts.available_bytes = parse_field(meminfo, "MemAvailable:").value_or(0);

  const bool strict_overcommit = read("/proc/sys/vm/overcommit_memory").value_or("").starts_with("2");
  if (strict_overcommit) {
    facts.commit_limit_bytes = parse_field(meminfo, "CommitLimit:").value_or(0);
    const uint64_t promised = parse_field(meminfo, "Committed_AS:").value_or(0);
    facts.available_bytes = std::min(facts.available_bytes,
                                     facts.commit_limit_bytes - std::min(promised, facts.commit_limit_bytes));
  }

  // Lines are "number:controllers:path"; version 2 has number 0 and no controllers.
  const std::string groups = read("/proc/self/cgroup").value_or("");
  for (std::string_view rest = groups; !rest.empty();) {
    const std::string_view line = take_line(rest);
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string path(line.substr(second + 1));
    if (controllers.empty()) apply_groups(facts, read, kVersion2, path);
    if (has_word(controllers, "memory")) apply_groups(facts, read, kVersion1, path);
  }
  return facts;
}

}  // namespace halyard
