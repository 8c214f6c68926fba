// What ends a launch: a report of several lines, the first of which says what happened and in which kernel.
#pragma once
#include <stdexcept>
#include <string>

namespace halyard::emulator {

class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  std::string first_line() const { return std::string(what()).substr(0, std::string(what()).find('\n')); }
};

}  // namespace halyard::emulator
