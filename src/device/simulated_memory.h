// The blocks of the simulated device: address ranges, and what is kept of the bytes written to them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

namespace halyard {

enum class Storage {
  kKeep,  // all bytes, in pages of 64 KiB that exist where something other than zeros was written
  kHash,  // a checksum of each block; the bytes are dropped
  kDrop,  // nothing but which bytes were written
};

// The part that `bytes` at `address` have in the checksum of a block: a sum over bytes that depends on value
// and address of each, so that it is the same in whatever pieces and order they were written.
uint64_t address_checksum(uint64_t address, std::span<const std::byte> bytes);

// All calls from any thread, at any time. Accesses that are not inside one block throw kDevice with both
// ranges.
class SimulatedMemory {
 public:
  static constexpr uint64_t kPageBytes = 65536;
  static constexpr std::byte kPoison{0xA5};  // what reading gives where nothing was written

  explicit SimulatedMemory(Storage storage) : storage_(storage) {}

  // Returns the address of a new block: a multiple of 64 KiB, above what 48 bits hold, far from other blocks,
  // and never one that was used before.
  uint64_t add(uint64_t bytes);
  bool remove(uint64_t address);  // false: no block begins there

  void check(uint64_t address, uint64_t bytes) const;
  // Returns how many of the bytes had been written before.
  uint64_t write(uint64_t address, std::span<const std::byte> bytes);
  void read(uint64_t address, std::span<std::byte> out) const;  // kUnsupported unless bytes are kept

  // Of the block that begins there.
  uint64_t unwritten_bytes(uint64_t address) const;
  uint64_t checksum(uint64_t address) const;  // kUnsupported unless hashed
  uint64_t stored_bytes() const;              // of the host, for pages

 private:
  using Page = std::array<std::byte, kPageBytes>;
  struct Piece {
    uint64_t bytes = 0;
    uint64_t written_bytes = 0;
    uint64_t checksum = 0;
    std::map<uint64_t, uint64_t> written;  // address -> end; pieces neither touch nor overlap
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages;  // null: zeros
  };

  const Piece& piece_at(uint64_t address) const;
  const std::pair<const uint64_t, Piece>& piece_around(uint64_t address, uint64_t bytes) const;
  std::string what_is_near(uint64_t address) const;
  static uint64_t mark_written(Piece& piece, uint64_t begin, uint64_t end);
  static void store(Piece& piece, uint64_t address, std::span<const std::byte> bytes);

  const Storage storage_;
  mutable std::mutex mutex_;
  std::map<uint64_t, Piece> pieces_;           // by address
  std::map<uint64_t, uint64_t> released_;      // address -> bytes, for messages
  uint64_t next_address_ = uint64_t{1} << 52;  // a pointer cut to 32 or 48 bits is never a block's
};

}  // namespace halyard
