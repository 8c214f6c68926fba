// The manual page.
#pragma once
#include <string>

#include "program_table.h"

namespace halyard::app {

std::string manual_page(const ProgramTable& program);  // in roff, for man(1)

}  // namespace halyard::app
