// SHA-256 by the system's library: libcrypto on Linux, bcrypt.dll on Windows.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string>

namespace halyard {

// The sum of bytes that come in pieces. One thread at a time.
class Sha256 {
 public:
  Sha256();  // throws kUnsupported when the system's library fails
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  ~Sha256();

  void add(std::span<const std::byte> bytes);
  // Of what was added since the last call: 64 lower-case hexadecimal digits. Then it begins anew.
  std::string hex();

 private:
  std::array<std::byte, 32> finish();

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace halyard
