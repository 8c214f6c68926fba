#include "backend/model.h"

namespace halyard {

uint64_t Tensor::n_rows() const {
  uint64_t n = 1;
  for (size_t i = 1; i < dims.size(); ++i) n *= dims[i];
  return n;
}

uint64_t Tensor::row_bytes() const {
  const FormatInfo& info = format_info(format);
  return dims[0] / info.block_values * info.block_bytes;
}

}  // namespace halyard
