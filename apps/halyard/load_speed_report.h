// What `halyard bench --load` prints.
#pragma once
#include <string>

#include "halyard/load_speed.h"

namespace halyard::app {

std::string load_speed_table(const LoadSpeed& speed);
std::string load_speed_json(const LoadSpeed& speed);

}  // namespace halyard::app
