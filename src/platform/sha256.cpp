#include "platform/sha256.h"

namespace halyard {

std::string Sha256::hex() {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::byte b : finish()) {
    const unsigned value = std::to_integer<unsigned>(b);
    text += kDigits[value >> 4];
    text += kDigits[value & 15];
  }
  return text;
}

}  // namespace halyard
