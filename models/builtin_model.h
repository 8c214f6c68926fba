// The built-in tiny model: a whole GGUF file in memory, for as long as the program runs.
#pragma once
#include <cstddef>
#include <span>

namespace halyard {

std::span<const std::byte> builtin_model();

}  // namespace halyard
