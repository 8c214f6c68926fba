// Paths: UTF-8 inside Halyard, as the system wants them in std::filesystem::path.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace halyard {

// On Windows broken UTF-8 (and broken UTF-16 on the way back) becomes U+FFFD; on Linux bytes pass unchanged.
std::filesystem::path path_from_utf8(std::string_view utf8);
std::string utf8_from_path(const std::filesystem::path& path);

// The running program, absolute. Throws kIo.
std::filesystem::path executable_path();

// Where Halyard may keep what it can make again: $XDG_CACHE_HOME/halyard or ~/.cache/halyard,
// %LOCALAPPDATA%\halyard. Not created. Throws kNotFound when the environment names no such place.
std::filesystem::path user_cache_directory();

}  // namespace halyard
