// The backends that the op tests run, by name. To test a new one: add its factory here.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"

namespace halyard::test {

// Largest relative L2 distance of one row of a step's output from the reference backend's.
struct OpTolerance {
  double plain;    // cache rounding off
  double rounded;  // on: a rounding error may move a value of the cache to the next code
};

struct OpBackend {
  std::string name;
  std::function<std::unique_ptr<Backend>(const Model&, const BackendOptions&)> make;
  OpTolerance tolerance;
};

const std::vector<OpBackend>& op_backends();

}  // namespace halyard::test
