#include "backend/gpu/kernels/arguments.h"

#include "core/blocks.h"

// Device code reads blocks by bytes; the host's structures say how they lie.
namespace halyard::gpu {

static_assert(MatvecQ8_0Arguments::kBlockBytes == sizeof(BlockQ8_0));
static_assert(MatvecQ8_0Arguments::kBlockValues == sizeof(BlockQ8_0::q));
static_assert(offsetof(BlockQ8_0, d) == 0 && offsetof(BlockQ8_0, q) == 2);
static_assert(TileIq2XxsArguments::kBlockBytes == sizeof(BlockIQ2_XXS));
static_assert(offsetof(BlockIQ2_XXS, d) == 0 && offsetof(BlockIQ2_XXS, q) == 2);
static_assert(TileIq2XxsArguments::kBlockValues == 32 * sizeof(BlockIQ2_XXS::q) / 8);

}  // namespace halyard::gpu
