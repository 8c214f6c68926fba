// Memory as Linux tells it, in text files. Pure functions of that text, so that every system tests them.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "platform/memory.h"

namespace halyard {

// The whole text of a file, nothing when it cannot be read.
using ReadText = std::function<std::optional<std::string>(const std::string& path)>;

// From /proc/meminfo and, where they are lower, the limits of the control groups (version 1 and 2) that
// /proc/self/cgroup names, with all groups around them. File cache that a group holds counts as available.
MemoryFacts linux_memory_facts(const ReadText& read);

// From the files mem_info_* of that device below /sys/bus/pci/devices.
GpuMemoryFacts linux_gpu_memory_facts(const ReadText& read, const std::string& pci_id);

// The number after `key` at the start of a line: "MemTotal:  24683584 kB" -> in bytes, "inactive_file 4096"
// -> as it is. Nothing when there is no such line or no number that fits.
std::optional<uint64_t> parse_field(std::string_view text, std::string_view key);

}  // namespace halyard
