// These three functions and what they need are 20 KiB of libcrypto; the interface that replaces them in its
// version 3 brings in megabytes. This names the version whose interface is meant.
#define OPENSSL_API_COMPAT 0x10101000L
#include <openssl/sha.h>

#include "halyard/error.h"
#include "platform/sha256.h"

namespace halyard {
namespace {

void check(int ok) {
  if (ok != 1)
    throw Error(ErrorCode::kUnsupported, "the system cannot make a SHA-256", "libcrypto",
                "install it anew, or go on without the check of the sum");
}

}  // namespace

struct Sha256::State {
  SHA256_CTX context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {
  check(SHA256_Init(&state_->context));
}
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;
Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  check(SHA256_Update(&state_->context, bytes.data(), bytes.size()));
}

std::array<std::byte, 32> Sha256::finish() {
  std::array<std::byte, SHA256_DIGEST_LENGTH> sum;
  check(SHA256_Final(reinterpret_cast<unsigned char*>(sum.data()), &state_->context));
  check(SHA256_Init(&state_->context));
  return sum;
}

}  // namespace halyard
