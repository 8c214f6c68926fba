# Op tests of the kernels. On a machine with a GPU: HALYARD_KERNELS_MUST_RUN=1 bin/gpu_kernels_test. The program holds all
# that it needs.
halyard_test(gpu_kernels_test NO_ENTRY DEPENDS halyard_gpu halyard_math halyard_platform
  SOURCES gpu/kernels_test.cpp gpu/kernels_tile_test.cpp gpu/kernels_device.cpp)
if(HALYARD_DEVICE_CODE_ARCHS)
  halyard_embed_device_code(vocabulary halyard_vocabulary_code "${CMAKE_CURRENT_LIST_DIR}/kernels_vocabulary.cu"
                            "${PROJECT_BINARY_DIR}/vocabulary_code" "${HALYARD_DEVICE_CODE_ARCHS}")
  target_sources(gpu_kernels_test PRIVATE gpu/kernels_vocabulary_test.cpp "${vocabulary}")
endif()

# In continuous integration, on the gfx1151 of tests/emulator, whose target comes later.
function(halyard_kernels_on_emulator)
  if(NOT TARGET emulator_hip OR NOT "gfx1151" IN_LIST HALYARD_DEVICE_CODE_ARCHS)
    message(STATUS "left out: gpu_kernels_test (needs device code for gfx1151 and the emulator)")
    return()
  endif()
  set(library "$<TARGET_FILE:emulator_hip>")
  if(CMAKE_CROSSCOMPILING AND WIN32)
    set(library "Z:${library}")  # the Linux root as Wine shows it
  endif()
  add_dependencies(gpu_kernels_test emulator_hip)
  add_test(NAME gpu_kernels_test COMMAND gpu_kernels_test)
  set_tests_properties(gpu_kernels_test PROPERTIES TIMEOUT 600 LABELS gpu
    ENVIRONMENT "HALYARD_HIP_LIBRARY=${library};HALYARD_KERNELS_MUST_RUN=1")
endfunction()
cmake_language(DEFER CALL halyard_kernels_on_emulator)

halyard_test(gpu_code_test LABELS gpu SOURCES gpu/kernels_code_test.cpp DEPENDS halyard_gpu)
string(REPLACE ";" "," archs "${HALYARD_DEVICE_CODE_ARCHS};")
if(archs STREQUAL ",")
  set(archs "")
endif()
target_compile_definitions(gpu_code_test PRIVATE HALYARD_TEST_ARCHS="${archs}")

# What the compiler made of the kernels: no spills, no scratch, the matrix instructions. The check damages copies first,
# and must find each damage.
find_program(HALYARD_PYTHON3 NAMES python3 PATHS /usr/bin NO_DEFAULT_PATH)
if(HALYARD_DEVICE_CODE_ARCHS AND HALYARD_PYTHON3)
  add_test(NAME device_code COMMAND "${HALYARD_PYTHON3}" "${PROJECT_SOURCE_DIR}/scripts/check-device-code"
                                    "${HALYARD_DEVICE_CODE_DIR}" "--archs=${HALYARD_DEVICE_CODE_ARCHS}")
  add_test(NAME device_code_check COMMAND "${HALYARD_PYTHON3}" "${PROJECT_SOURCE_DIR}/scripts/check-device-code"
                                          "${HALYARD_DEVICE_CODE_DIR}" "--archs=${HALYARD_DEVICE_CODE_ARCHS}" --self-test)
  set_tests_properties(device_code device_code_check PROPERTIES TIMEOUT 60 LABELS gpu)
else()
  message(STATUS "left out: device_code (needs device code and python3)")
endif()
