// What this program was built from and for.
#pragma once
#include <string>
#include <string_view>

namespace halyard::app {

struct BuildInfo {
  std::string_view version;
  std::string_view commit;    // "unknown" outside a git checkout; "-dirty" behind it when files were changed
  std::string_view compiler;  // "GNU 12.2.0"
  std::string_view type;      // "Release"
  std::string_view system;    // "Linux x86_64"
  std::string_view backends;  // "cpu, reference"
};

const BuildInfo& build_info();
std::string version_text();  // for --version, ends with a newline

}  // namespace halyard::app
