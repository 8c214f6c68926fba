// From a backend's name on the command line to the backend.
#pragma once
#include <memory>
#include <string>

#include "backend/backend.h"

namespace halyard {

// "auto" takes the best backend that this build and machine have. Throws kUsage for a name that is none,
// kUnsupported for one that this build or machine does not have.
std::unique_ptr<Backend> choose_backend(const std::string& name, const Model& model,
                                        const BackendOptions& options);

}  // namespace halyard
