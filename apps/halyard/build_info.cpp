#include "build_info.h"

#include <fmt/format.h>

#include "git_commit.h"  // written by git_commit.cmake

namespace halyard::app {

const BuildInfo& build_info() {
  static constexpr BuildInfo kInfo{HALYARD_VERSION, kGitCommit,     HALYARD_COMPILER,
                                   HALYARD_BUILD,   HALYARD_SYSTEM, HALYARD_BACKENDS};
  return kInfo;
}

std::string version_text() {
  const BuildInfo& info = build_info();
  return fmt::format(
      "halyard {}\n"
      "commit    {}\n"
      "compiler  {}\n"
      "build     {}\n"
      "system    {}\n"
      "backends  {}\n",
      info.version, info.commit, info.compiler, info.type, info.system, info.backends);
}

}  // namespace halyard::app
