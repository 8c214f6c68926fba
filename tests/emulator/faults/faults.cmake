# Kernels with planted faults as gfx1151 code: target emulator_faults makes HALYARD_FAULT_CODE_DIR/NAME.co, one a source.
# Empty HALYARD_FAULT_CODE_DIR: there is no compiler for it.
set(HALYARD_FAULT_CODE_DIR "")
if("gfx1151" IN_LIST HALYARD_DEVICE_CODE_ARCHS)
  set(HALYARD_FAULT_CODE_DIR "${PROJECT_BINARY_DIR}/fault_code")
  file(MAKE_DIRECTORY "${HALYARD_FAULT_CODE_DIR}")
  set(fault_code "")
  foreach(name wrong_lane missing_barrier unwritten_read off_by_one_row)
    set(file "${HALYARD_FAULT_CODE_DIR}/${name}.co")
    halyard_compile_device_code("${CMAKE_CURRENT_LIST_DIR}/${name}.cu" gfx1151 "${file}")
    list(APPEND fault_code "${file}")
  endforeach()
  set(file "${HALYARD_FAULT_CODE_DIR}/missing_wait.co")
  add_custom_command(
    OUTPUT "${file}"
    COMMAND "${HALYARD_DEVICE_COMPILER}" --target=amdgcn-amd-amdhsa -mcpu=gfx1151 -mcode-object-version=5
            "${CMAKE_CURRENT_LIST_DIR}/missing_wait.s" -o "${file}"
    DEPENDS "${CMAKE_CURRENT_LIST_DIR}/missing_wait.s"
    VERBATIM)
  list(APPEND fault_code "${file}")
  add_custom_target(emulator_faults ALL DEPENDS ${fault_code})
else()
  message(STATUS "left out: planted faults (need device code for gfx1151)")
endif()
