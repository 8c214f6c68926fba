// For kernels_*.cpp only.
#pragma once

#if defined(_MSC_VER)
#define HALYARD_INLINE __forceinline
#else
#define HALYARD_INLINE inline __attribute__((always_inline))
#endif
