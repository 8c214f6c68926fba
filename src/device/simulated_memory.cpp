#include "device/simulated_memory.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "halyard/error.h"

namespace halyard {
namespace {

constexpr uint64_t kGapBytes = uint64_t{1} << 30;
constexpr uint64_t kChunkBytes = 4096;  // of the checksum
constexpr const char* kWhere = "simulated device";

uint64_t mixed(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9E3779B97F4A7C15u;
  x ^= x >> 29;
  x *= 0xC2B2AE3D27D4EB4Fu;
  x ^= x >> 32;
  return x;
}

// One odd factor for each place in a chunk: with them the inner loop is a plain product that vectorizes.
std::array<uint32_t, kChunkBytes> place_factors() {
  std::array<uint32_t, kChunkBytes> factors;
  for (uint32_t i = 0; i < kChunkBytes; ++i) factors[i] = static_cast<uint32_t>(mixed(i + 1)) | 1u;
  return factors;
}

std::string range_text(uint64_t address, uint64_t bytes) {
  return fmt::format("[{:#x}, {:#x}) of {} bytes", address, address + bytes, bytes);
}

bool all_zero(std::span<const std::byte> bytes) {
  return bytes[0] == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

// Calls body(page, offset in it, piece of bytes) for each page that the range meets.
template <class Byte, class Body>
void for_each_page(uint64_t address, std::span<Byte> bytes, const Body& body) {
  constexpr uint64_t kPage = SimulatedMemory::kPageBytes;
  while (!bytes.empty()) {
    const uint64_t offset = address % kPage;
    const size_t n = static_cast<size_t>(std::min<uint64_t>(bytes.size(), kPage - offset));
    body(address / kPage, static_cast<size_t>(offset), bytes.first(n));
    bytes = bytes.subspan(n);
    address += n;
  }
}

}  // namespace

uint64_t address_checksum(uint64_t address, std::span<const std::byte> bytes) {
  static const std::array<uint32_t, kChunkBytes> kFactors = place_factors();
  uint64_t sum = 0;
  while (!bytes.empty()) {
    const size_t at = static_cast<size_t>(address % kChunkBytes);
    const size_t n = std::min<size_t>(bytes.size(), kChunkBytes - at);
    uint64_t chunk = 0;
    for (size_t i = 0; i < n; ++i) {
      // One more than the value: zeros count too, a byte that was not written does not.
      chunk += uint64_t{static_cast<uint32_t>(bytes[i]) + 1} * kFactors[at + i];
    }
    sum += chunk * (mixed(address / kChunkBytes) | 1u);
    bytes = bytes.subspan(n);
    address += n;
  }
  return sum;
}

uint64_t SimulatedMemory::add(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const uint64_t address = next_address_;
  pieces_[address].bytes = bytes;
  next_address_ += (bytes + kPageBytes - 1) / kPageBytes * kPageBytes + kGapBytes;
  return address;
}

bool SimulatedMemory::remove(uint64_t address) {
  const std::lock_guard lock(mutex_);
  const auto found = pieces_.find(address);
  if (found == pieces_.end()) return false;
  released_[address] = found->second.bytes;
  pieces_.erase(found);
  return true;
}

const SimulatedMemory::Piece& SimulatedMemory::piece_at(uint64_t address) const {
  const auto found = pieces_.find(address);
  if (found == pieces_.end()) {
    throw Error(ErrorCode::kDevice, fmt::format("no block begins at {:#x}", address), kWhere,
                "pass a block that is allocated");
  }
  return found->second;
}

const std::pair<const uint64_t, SimulatedMemory::Piece>& SimulatedMemory::piece_around(uint64_t address,
                                                                                       uint64_t bytes) const {
  const auto after = pieces_.upper_bound(address);
  const auto before = after == pieces_.begin() ? pieces_.end() : std::prev(after);
  if (before != pieces_.end()) {
    const auto& [begin, piece] = *before;
    if (address - begin <= piece.bytes && bytes <= piece.bytes - (address - begin)) return *before;
  }
  throw Error(ErrorCode::kDevice, "access to " + range_text(address, bytes) + " " + what_is_near(address),
              kWhere, "this is a fault of the program: please report it");
}

// For messages: the block that a wrong address was meant for.
std::string SimulatedMemory::what_is_near(uint64_t address) const {
  const auto gone = released_.upper_bound(address);
  if (gone != released_.begin()) {
    const auto& [begin, bytes] = *std::prev(gone);
    if (address - begin < bytes) return "is in the released block " + range_text(begin, bytes);
  }
  auto near = pieces_.upper_bound(address);
  if (near != pieces_.begin()) --near;
  if (near == pieces_.end()) return "is in no block: there is none";
  return "is outside of the block " + range_text(near->first, near->second.bytes);
}

void SimulatedMemory::check(uint64_t address, uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  piece_around(address, bytes);
}

uint64_t SimulatedMemory::mark_written(Piece& piece, uint64_t begin, uint64_t end) {
  auto next = piece.written.upper_bound(begin);
  if (next != piece.written.begin() && std::prev(next)->second >= begin) --next;
  uint64_t already = 0;
  uint64_t from = begin, to = end;
  while (next != piece.written.end() && next->first <= end) {
    const uint64_t overlap_begin = std::max(next->first, begin);
    const uint64_t overlap_end = std::min(next->second, end);
    if (overlap_end > overlap_begin) already += overlap_end - overlap_begin;
    from = std::min(from, next->first);
    to = std::max(to, next->second);
    next = piece.written.erase(next);
  }
  piece.written[from] = to;
  piece.written_bytes += end - begin - already;
  return already;
}

void SimulatedMemory::store(Piece& piece, uint64_t address, std::span<const std::byte> bytes) {
  for_each_page(address, bytes, [&](uint64_t number, size_t offset, std::span<const std::byte> part) {
    auto [at, fresh] = piece.pages.try_emplace(number);
    std::unique_ptr<Page>& page = at->second;
    // Sparse files are mostly zeros: a page of them takes no memory.
    if (part.size() == kPageBytes && all_zero(part)) {
      page.reset();
      return;
    }
    if (!page) {
      page = std::make_unique<Page>();
      page->fill(fresh ? kPoison : std::byte{0});
    }
    std::memcpy(page->data() + offset, part.data(), part.size());
  });
}

uint64_t SimulatedMemory::write(uint64_t address, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes.empty()) return 0;
  Piece& piece = pieces_.at(piece_around(address, bytes.size()).first);
  if (storage_ == Storage::kKeep) store(piece, address, bytes);
  if (storage_ == Storage::kHash) piece.checksum += address_checksum(address, bytes);
  return mark_written(piece, address, address + bytes.size());
}

void SimulatedMemory::read(uint64_t address, std::span<std::byte> out) const {
  const std::lock_guard lock(mutex_);
  const Piece& piece = piece_around(address, out.size()).second;
  if (storage_ != Storage::kKeep) {
    throw Error(ErrorCode::kUnsupported, "this simulated device keeps no bytes", kWhere,
                "make it with Storage::kKeep");
  }
  for_each_page(address, out, [&](uint64_t number, size_t offset, std::span<std::byte> part) {
    const auto page = piece.pages.find(number);
    if (page == piece.pages.end()) {
      std::fill(part.begin(), part.end(), kPoison);
    } else if (!page->second) {
      std::fill(part.begin(), part.end(), std::byte{0});
    } else {
      std::memcpy(part.data(), page->second->data() + offset, part.size());
    }
  });
}

uint64_t SimulatedMemory::unwritten_bytes(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const Piece& piece = piece_at(address);
  return piece.bytes - piece.written_bytes;
}

uint64_t SimulatedMemory::checksum(uint64_t address) const {
  const std::lock_guard lock(mutex_);
  if (storage_ != Storage::kHash) {
    throw Error(ErrorCode::kUnsupported, "this simulated device has no checksums", kWhere,
                "make it with Storage::kHash");
  }
  return piece_at(address).checksum;
}

uint64_t SimulatedMemory::stored_bytes() const {
  const std::lock_guard lock(mutex_);
  uint64_t n_pages = 0;
  for (const auto& [address, piece] : pieces_) {
    for (const auto& [number, page] : piece.pages) n_pages += page ? 1 : 0;
  }
  return n_pages * kPageBytes;
}

}  // namespace halyard
