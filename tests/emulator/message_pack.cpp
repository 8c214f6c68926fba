#include "emulator/message_pack.h"

#include "halyard/error.h"

namespace halyard::emulator {
namespace {

class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  PackValue value(int depth) {
    if (depth > 32) fail("nested too deeply");
    const uint8_t tag = static_cast<uint8_t>(big_endian(1));
    if (tag < 0x80) return integer(tag);
    if (tag < 0x90) return map(tag & 15u, depth);
    if (tag < 0xa0) return list(tag & 15u, depth);
    if (tag < 0xc0) return text(tag & 31u);
    if (tag >= 0xe0) return integer(static_cast<uint64_t>(static_cast<int8_t>(tag)));
    switch (tag) {
      case 0xc0:
        return {};
      case 0xc2:
        return integer(0);
      case 0xc3:
        return integer(1);
      case 0xc4:
      case 0xd9:
        return text(big_endian(1));
      case 0xc5:
      case 0xda:
        return text(big_endian(2));
      case 0xc6:
      case 0xdb:
        return text(big_endian(4));
      case 0xcc:
        return integer(big_endian(1));
      case 0xcd:
        return integer(big_endian(2));
      case 0xce:
        return integer(big_endian(4));
      case 0xcf:
        return integer(big_endian(8));
      case 0xd0:
        return integer(static_cast<uint64_t>(static_cast<int8_t>(big_endian(1))));
      case 0xd1:
        return integer(static_cast<uint64_t>(static_cast<int16_t>(big_endian(2))));
      case 0xd2:
        return integer(static_cast<uint64_t>(static_cast<int32_t>(big_endian(4))));
      case 0xd3:
        return integer(big_endian(8));
      case 0xdc:
        return list(big_endian(2), depth);
      case 0xdd:
        return list(big_endian(4), depth);
      case 0xde:
        return map(big_endian(2), depth);
      case 0xdf:
        return map(big_endian(4), depth);
      default:
        fail("a type that notes do not use");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::kBadFile, "the notes of the code object are broken: " + what,
                "MessagePack, byte " + std::to_string(at_), "build the code object anew");
  }
  uint64_t big_endian(size_t n) {
    if (bytes_.size() - at_ < n) fail("they end too early");
    uint64_t number = 0;
    for (size_t i = 0; i < n; ++i) number = number << 8 | bytes_[at_++];
    return number;
  }
  static PackValue integer(uint64_t number) {
    PackValue out;
    out.kind = PackValue::Kind::kInteger;
    out.integer = number;
    return out;
  }
  PackValue text(uint64_t n) {
    if (bytes_.size() - at_ < n) fail("a text is longer than the notes");
    PackValue out;
    out.kind = PackValue::Kind::kText;
    out.text.assign(reinterpret_cast<const char*>(bytes_.data()) + at_, n);
    at_ += n;
    return out;
  }
  PackValue list(uint64_t n, int depth) {
    if (bytes_.size() - at_ < n) fail("a list is longer than the notes");
    PackValue out;
    out.kind = PackValue::Kind::kList;
    for (uint64_t i = 0; i < n; ++i) out.list.push_back(value(depth + 1));
    return out;
  }
  PackValue map(uint64_t n, int depth) {
    if (bytes_.size() - at_ < n) fail("a map is longer than the notes");
    PackValue out;
    out.kind = PackValue::Kind::kMap;
    for (uint64_t i = 0; i < n; ++i) {
      const PackValue key = value(depth + 1);
      PackValue content = value(depth + 1);
      if (key.kind == PackValue::Kind::kText) out.map[key.text] = std::move(content);
    }
    return out;
  }

  std::span<const uint8_t> bytes_;
  size_t at_ = 0;
};

}  // namespace

const PackValue& PackValue::operator[](const std::string& key) const {
  static const PackValue nil;
  const auto at = map.find(key);
  return at == map.end() ? nil : at->second;
}

PackValue read_message_pack(std::span<const uint8_t> bytes) {
  return Reader(bytes).value(0);
}

}  // namespace halyard::emulator
