// clang-format off: <bcrypt.h> needs <windows.h> before it
#include "platform/win32.h"
#include <bcrypt.h>
// clang-format on

#include <algorithm>

#include "halyard/error.h"
#include "platform/sha256.h"

namespace halyard {
namespace {

void check(NTSTATUS status) {
  if (status >= 0) return;
  throw Error(ErrorCode::kUnsupported, "the system cannot make a SHA-256: status " + std::to_string(status),
              "bcrypt.dll", "repair Windows, or go on without the check of the sum");
}

// Kept for the life of the program: it costs milliseconds to open.
BCRYPT_ALG_HANDLE algorithm() {
  static const BCRYPT_ALG_HANDLE handle = [] {
    BCRYPT_ALG_HANDLE opened = nullptr;
    check(::BCryptOpenAlgorithmProvider(&opened, BCRYPT_SHA256_ALGORITHM, nullptr, 0));
    return opened;
  }();
  return handle;
}

}  // namespace

struct Sha256::State {
  State() {
    check(::BCryptCreateHash(algorithm(), &hash, nullptr, 0, nullptr, 0, BCRYPT_HASH_REUSABLE_FLAG));
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { ::BCryptDestroyHash(hash); }

  BCRYPT_HASH_HANDLE hash = nullptr;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  constexpr size_t kMaxPieceBytes = size_t{1} << 30;  // the call counts in 32 bits
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), kMaxPieceBytes));
    // The call takes a pointer to what may be written, and does not write.
    auto* start = reinterpret_cast<unsigned char*>(const_cast<std::byte*>(piece.data()));
    check(::BCryptHashData(state_->hash, start, static_cast<ULONG>(piece.size()), 0));
    bytes = bytes.subspan(piece.size());
  }
}

std::array<std::byte, 32> Sha256::finish() {
  std::array<std::byte, 32> sum;
  auto* start = reinterpret_cast<unsigned char*>(sum.data());
  check(::BCryptFinishHash(state_->hash, start, static_cast<ULONG>(sum.size()), 0));  // reusable: begins anew
  return sum;
}

}  // namespace halyard
