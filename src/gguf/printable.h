// Names and texts of a file, made safe to print: a file may hold anything.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace halyard::gguf {

// UTF-8 stays as it is; control characters and bytes that are not UTF-8 become \xNN, a backslash becomes two.
// At most `max_bytes` of the input are used (whole characters); "..." says that there was more.
std::string printable(std::string_view bytes, size_t max_bytes = 80);

// The same between double quotes.
std::string quoted(std::string_view bytes, size_t max_bytes = 80);

}  // namespace halyard::gguf
