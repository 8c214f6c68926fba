#include "engine/slice_check.h"

#include "halyard/error.h"

namespace halyard {

void check_slice(uint32_t slice_tokens, const std::string& where) {
  constexpr uint32_t kGrain = 128, kMost = 16384;
  if (slice_tokens >= kGrain && slice_tokens <= kMost && slice_tokens % kGrain == 0) return;
  throw Error(ErrorCode::kUsage, "a slice of " + std::to_string(slice_tokens) + " tokens", where,
              "use a multiple of " + std::to_string(kGrain) + " up to " + std::to_string(kMost));
}

}  // namespace halyard
