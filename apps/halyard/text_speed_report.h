// What `halyard bench --text` shows.
#pragma once
#include <string>

#include "halyard/text_speed.h"

namespace halyard::app {

std::string text_speed_table(const TextSpeed& speed);
std::string text_speed_json(const TextSpeed& speed);

}  // namespace halyard::app
