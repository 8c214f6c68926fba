# Op tests of the kernels. On a machine with a GPU: bin/gpu_kernels_test. tests/emulator adds the entries that run it on
# the emulator.
halyard_test(gpu_kernels_test NO_ENTRY DEPENDS halyard_gpu halyard_math halyard_platform
  SOURCES gpu/kernels_test.cpp gpu/kernels_tile_test.cpp gpu/kernels_device.cpp)
