# cmake -DSOURCE=... -DHEADER=... [-DGIT=...] -P git_commit.cmake: writes the header when the commit has changed.
set(commit "unknown")
if(GIT AND EXISTS "${SOURCE}/.git")  # not the repository that an unpacked archive happens to lie in
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "${described}")
  endif()
endif()
file(CONFIGURE OUTPUT "${HEADER}" @ONLY CONTENT [[
#pragma once
#include <string_view>

namespace halyard::app {
inline constexpr std::string_view kGitCommit = "@commit@";
}  // namespace halyard::app
]])
