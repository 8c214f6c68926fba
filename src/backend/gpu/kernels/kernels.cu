// All device code of one architecture: one module, one compilation.
#include "backend/gpu/kernels/matvec_q8_0.cu"
#include "backend/gpu/kernels/quantize_q8.cu"
#include "backend/gpu/kernels/rms_norm.cu"
#include "backend/gpu/kernels/softmax.cu"
#include "backend/gpu/kernels/tile_iq2_xxs.cu"
#include "backend/gpu/kernels/wave_reduce.cu"
