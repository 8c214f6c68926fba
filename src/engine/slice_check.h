// Which slices an engine takes.
#pragma once
#include <cstdint>
#include <string>

namespace halyard {

// Throws kUsage for a slice that is no multiple of 128, or more than 16384 tokens; `where` names the option.
void check_slice(uint32_t slice_tokens, const std::string& where);

}  // namespace halyard
