// How far a load is, in words.
#pragma once
#include <string>

#include "halyard/load.h"

namespace halyard::app {

// "loading: 12.3 of 80.8 GiB, 3.12 GiB/s, 22 s left"; MiB for small models, no time before there is a rate.
std::string load_status_text(const LoadStatus& status);

}  // namespace halyard::app
