// Completion of sub-commands, options and their values in the user's shell.
#pragma once
#include <string>

#include "options.h"
#include "program_table.h"

namespace halyard::app {

std::string completion_script(Shell shell, const ProgramTable& program);

}  // namespace halyard::app
