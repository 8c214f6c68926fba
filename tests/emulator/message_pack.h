// MessagePack, as much of it as the notes of code objects use. A pure function of bytes.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace halyard::emulator {

struct PackValue {
  enum class Kind { kNil, kInteger, kText, kList, kMap } kind = Kind::kNil;
  uint64_t integer = 0;  // negative numbers as two's complement; booleans as 0 and 1
  std::string text;
  std::vector<PackValue> list;
  std::map<std::string, PackValue> map;  // keys that are no text are left out

  const PackValue& operator[](const std::string& key) const;  // nil when absent
  uint64_t number_or(uint64_t otherwise) const { return kind == Kind::kInteger ? integer : otherwise; }
};

// Throws halyard::Error(kBadFile).
PackValue read_message_pack(std::span<const uint8_t> bytes);

}  // namespace halyard::emulator
