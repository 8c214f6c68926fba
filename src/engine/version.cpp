#include "halyard/version.h"

namespace halyard {

std::string_view version() {
  return HALYARD_VERSION;
}

}  // namespace halyard
