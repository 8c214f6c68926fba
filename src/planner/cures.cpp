#include "planner/cures.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "planner/pools.h"

namespace halyard {
namespace {

constexpr uint64_t kKib = 1024, kMib = uint64_t{1} << 20, kGib = uint64_t{1} << 30;
constexpr uint64_t kPagesPerGib = kGib / 4096;  // what ttm.pages_limit counts
constexpr uint64_t kSlackBytes = 1 * kGib;      // a setting that fits to the byte fits no more tomorrow
// What firmwares offer as memory of the GPU.
constexpr uint64_t kCarveOutsMib[] = {512, 1024, 2048, 4096, 8192, 16384, 32768, 49152, 65536, 98304};
constexpr uint64_t kSmallestFlashBytes = 86720111488;  // the published q2 file

const PoolRoom* find(std::span<const PoolRoom> pools, Pool pool) {
  const auto found =
      std::find_if(pools.begin(), pools.end(), [&](const PoolRoom& r) { return r.pool == pool; });
  return found == pools.end() ? nullptr : &*found;
}

uint64_t usable_of(std::span<const PoolRoom> pools, Pool pool) {
  const PoolRoom* room = find(pools, pool);
  return room ? room->usable_bytes : 0;
}

uint64_t total_of(std::span<const PoolRoom> pools, Pool pool) {
  const PoolRoom* room = find(pools, pool);
  return room ? room->total_bytes : 0;
}

std::string join(const std::vector<std::string>& cures) {
  std::string text;
  for (size_t i = 0; i < cures.size(); ++i) {
    if (i > 0) text += i + 1 == cures.size() ? ", or " : ", ";
    text += cures[i];
  }
  return text;
}

uint64_t host_room(const Refusal& r, uint64_t host_bytes) {
  return host_bytes - reserve_of(host_bytes, kHostReserveBytes, r.request.reserve_bytes);
}

// What the pools would hold with another carve-out, the rest of the memory being the system's.
uint64_t room_with_carve_out(const Refusal& r, uint64_t carve_out, uint64_t memory_bytes) {
  const uint64_t host = memory_bytes - carve_out;
  uint64_t lent = host / 2;
  const uint64_t host_now = r.request.device.host_total_bytes;
  const uint64_t lent_now = total_of(r.pools, Pool::kShared);
  // Somebody has raised the limit of the kernel: it stays as it is.
  if (r.request.device.system == System::kLinux && lent_now > host_now / 2 + host_now / 8) lent = lent_now;
  return carve_out - std::min(kDedicatedReserveBytes, carve_out / 4) + std::min(lent, host_room(r, host));
}

// The GiB of the system's memory that the GPU must be allowed so that `bytes` fit; nothing where that is not
// what is in the way, or the memory is not there.
std::optional<uint64_t> pages_limit_gib(const Refusal& r, uint64_t bytes) {
  const uint64_t dedicated = usable_of(r.pools, Pool::kDedicated);
  const uint64_t gib = (bytes - std::min(bytes, dedicated) + kGib - 1) / kGib;
  if (gib * kGib <= total_of(r.pools, Pool::kShared)) return std::nullopt;
  if (gib * kGib > host_room(r, r.request.device.host_total_bytes)) return std::nullopt;
  return gib;
}

// The smallest carve-out with which `bytes` fit, other than what is set.
std::optional<uint64_t> carve_out_for(const Refusal& r, uint64_t bytes) {
  const uint64_t now = total_of(r.pools, Pool::kDedicated);
  const uint64_t memory = now + r.request.device.host_total_bytes;
  for (const uint64_t mib : kCarveOutsMib) {
    const uint64_t carve_out = mib * kMib;
    const bool is_now = carve_out <= now + now / 16 && carve_out >= now - now / 16;
    if (is_now || carve_out >= memory || carve_out > memory / 4 * 3 + kGib) continue;
    if (room_with_carve_out(r, carve_out, memory) >= bytes) return carve_out;
  }
  return std::nullopt;
}

// Both need a restart: they should make room for what was asked for, not only for the least that runs.
void add_settings_of_unified_memory(const Refusal& r, std::vector<std::string>& cures) {
  if (r.request.device.host_total_bytes == 0) return;
  const uint64_t wanted = std::max(r.wanted_bytes, r.needed_bytes()) + kSlackBytes;
  const uint64_t least = r.needed_bytes() + kSlackBytes;
  if (r.request.device.system == System::kLinux) {
    auto gib = pages_limit_gib(r, wanted);
    if (!gib) gib = pages_limit_gib(r, least);
    if (gib)
      cures.push_back(
          fmt::format("let the GPU use {} GiB of the system's memory: start Linux with the kernel "
                      "parameter ttm.pages_limit={}",
                      *gib, *gib * kPagesPerGib));
  }
  auto carve_out = carve_out_for(r, wanted);
  if (!carve_out) carve_out = carve_out_for(r, least);
  if (carve_out)
    cures.push_back(fmt::format("set the GPU's memory (UMA frame buffer) to {} in the BIOS (now {})",
                                size_text(*carve_out), size_text(total_of(r.pools, Pool::kDedicated))));
}

void add_other_programs(const Refusal& r, std::vector<std::string>& cures) {
  const DeviceFacts& device = r.request.device;
  if (device.host_available_bytes == 0 || device.host_total_bytes == 0) return;
  uint64_t with_all = 0;
  for (const PoolRoom& pool : r.pools) {
    with_all += pool.pool == Pool::kDedicated
                    ? pool.usable_bytes
                    : std::min(pool.total_bytes, host_room(r, device.host_total_bytes));
  }
  if (with_all >= r.needed_bytes() && r.needed_bytes() > r.there_bytes)
    cures.push_back(fmt::format("close other programs: {} of {} of memory are free",
                                size_text(device.host_available_bytes), size_text(device.host_total_bytes)));
}

void add_smaller_file(const Refusal& r, std::vector<std::string>& cures) {
  if (r.weights_bytes == 0) return;  // mapped: their size is not what is in the way
  const uint64_t rest = r.cache_bytes + r.scratch_bytes;
  const ModelShape& shape = r.request.model->shape;
  const bool flash = shape.n_layers == 43 && shape.n_experts == 256 && shape.hidden == 4096;
  if (!flash) {
    cures.push_back("use a file with smaller weights");
  } else if (r.weights_bytes > kSmallestFlashBytes + kGib && kSmallestFlashBytes + rest <= r.there_bytes) {
    cures.push_back(fmt::format("use the q2 file, whose weights take {}", size_text(kSmallestFlashBytes)));
  }
}

std::string pools_text(const Refusal& r) {
  std::string text;
  for (const PoolRoom& pool : r.pools) {
    text += fmt::format("{}{} of {} {} memory (by {})", text.empty() ? "" : " and ",
                        size_text(pool.usable_bytes), size_text(pool.total_bytes), pool_name(pool.pool),
                        pool.source == "override" ? "your word" : pool.source);
  }
  return text.empty() ? "no memory that driver or system tell of" : text;
}

}  // namespace

std::string size_text(uint64_t bytes) {
  if (bytes >= kGib) return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / static_cast<double>(kGib));
  if (bytes >= kMib) return fmt::format("{:.2f} MiB", static_cast<double>(bytes) / static_cast<double>(kMib));
  if (bytes >= kKib) return fmt::format("{:.2f} KiB", static_cast<double>(bytes) / static_cast<double>(kKib));
  return fmt::format("{} bytes", bytes);
}

std::string exact_text(uint64_t bytes) {
  return bytes < kKib ? size_text(bytes) : fmt::format("{} ({} bytes)", size_text(bytes), bytes);
}

std::string problem_text(const Refusal& r) {
  if (r.larger_than_any_block) {
    uint64_t block = 0;
    for (const PoolRoom& pool : r.pools) block = std::max(block, pool.largest_block_bytes);
    return fmt::format("the tensor {} does not fit: it takes {}, the largest block of the device is {}",
                       r.larger_than_any_block->name, exact_text(r.larger_than_any_block->bytes),
                       exact_text(block));
  }
  const std::string needed =
      fmt::format("{} needed ({} weights, {} KV cache for {} tokens, {} scratch for slices of {})",
                  exact_text(r.needed_bytes()), size_text(r.weights_bytes), size_text(r.cache_bytes),
                  r.context_tokens, size_text(r.scratch_bytes), r.slice_tokens);
  std::string there = fmt::format("{} there: {}", exact_text(r.there_bytes), pools_text(r));
  if (r.request.limit_bytes != 0)
    there += fmt::format(", with a limit of {} by --memory", size_text(r.request.limit_bytes));
  if (r.needed_bytes() <= r.there_bytes) {
    there += r.largest_unplaced_bytes != 0
                 ? fmt::format("; but a piece of {} finds no place", exact_text(r.largest_unplaced_bytes))
                 : "; but the tensors leave gaps that nothing fits into";
    return fmt::format("the model does not fit: {}, {}", needed, there);
  }
  return fmt::format("the model does not fit: {}, {}; {} short", needed, there,
                     exact_text(r.needed_bytes() - r.there_bytes));
}

std::string fix_text(const Refusal& r) {
  std::vector<std::string> cures;
  const DeviceFacts& device = r.request.device;
  if (r.fitting_context != 0) {
    cures.push_back(r.fitting_slice == r.request.slice_tokens
                        ? fmt::format("use --ctx {}", r.fitting_context)
                        : fmt::format("use --ctx {} --slice {}", r.fitting_context, r.fitting_slice));
  }
  if (r.request.limit_bytes != 0 && r.request.limit_bytes < r.needed_bytes())
    cures.push_back(fmt::format("give --memory {}", (r.needed_bytes() + kGib - 1) / kGib));
  if (device.integrated) {
    add_settings_of_unified_memory(r, cures);
  }
  add_other_programs(r, cures);
  add_smaller_file(r, cures);
  const bool on_gpu = find(r.pools, Pool::kDedicated) || find(r.pools, Pool::kShared);
  if (on_gpu) cures.push_back("run with --backend cpu, which reads from the disk what does not fit");
  if (!on_gpu && !r.pools.empty() && r.request.weights == WeightsHome::kDevice)
    cures.push_back("leave out --load copy: a mapped file is read from the disk where it does not fit");
  if (cures.empty()) cures.push_back("use a machine with more memory");
  return join(cures);
}

std::string late_failure_fix(const DeviceFacts& facts) {
  const bool hip = facts.driver.rfind("HIP", 0) == 0;
  std::string text = "close other programs that use the GPU";
  if (facts.driver.empty()) return text + " or much memory";
  text += fmt::format(", update the graphics driver (now {})", facts.driver);
  if (hip && facts.system == System::kWindows)
    text +=
        ", or set the environment variable OCL_SET_SVM_SIZE=262144 (MiB): some versions give a program 64 "
        "GiB in all without it";
  if (hip && facts.system == System::kLinux && facts.integrated)
    text += ", or raise the kernel parameter ttm.pages_limit (pages of 4 KiB that the GPU may use)";
  return text + "; a smaller --ctx does not help, because this was memory for the weights";
}

}  // namespace halyard
