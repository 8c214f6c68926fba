#include "halyard/error.h"
#include "platform/environment.h"
#include "platform/paths.h"

namespace halyard {

std::filesystem::path path_from_utf8(std::string_view utf8) {
  return std::filesystem::path(utf8);
}

std::string utf8_from_path(const std::filesystem::path& path) {
  return path.native();
}

std::filesystem::path executable_path() {
  std::error_code failed;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) {
    throw Error(ErrorCode::kIo, "cannot find the running program: " + failed.message(), "/proc/self/exe",
                "mount /proc");
  }
  return path;
}

std::filesystem::path user_cache_directory() {
  // A relative XDG_CACHE_HOME is to be ignored, says the XDG base directory specification.
  const std::filesystem::path cache = path_from_utf8(environment("XDG_CACHE_HOME").value_or(""));
  if (cache.is_absolute()) return cache / "halyard";
  const std::filesystem::path home = path_from_utf8(environment("HOME").value_or(""));
  if (home.is_absolute()) return home / ".cache" / "halyard";
  throw Error(ErrorCode::kNotFound, "there is no folder for caches", "XDG_CACHE_HOME, HOME",
              "set HOME to your home folder");
}

}  // namespace halyard
