# Tests of the vector instructions. Sources are relative to tests/. vector_decode_test holds the decoder to two outside
# judges: an assembler, and the product's own code for gfx1151.
set(vector_decode_definitions "")
if(HALYARD_DEVICE_COMPILER)
  set(encodings_source "${CMAKE_CURRENT_SOURCE_DIR}/emulator/vector_encodings.s")
  set(encodings_object "${CMAKE_BINARY_DIR}/emulator/vector_encodings.elf")
  add_custom_command(
    OUTPUT "${encodings_object}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/emulator"
    COMMAND "${HALYARD_DEVICE_COMPILER}" -x assembler --target=amdgcn-amd-amdhsa -mcpu=gfx1151
            -c "${encodings_source}" -o "${encodings_object}"
    DEPENDS "${encodings_source}" "${HALYARD_DEVICE_COMPILER}"
    COMMENT "Vector encodings by the assembler"
    VERBATIM)
  add_custom_target(emulator_vector_encodings DEPENDS "${encodings_object}")
  list(APPEND vector_decode_definitions HALYARD_VECTOR_ENCODINGS_SOURCE="${encodings_source}"
       HALYARD_VECTOR_ENCODINGS_OBJECT="${encodings_object}")
endif()

halyard_test(emulator_vector_test LABELS emulator
  SOURCES emulator/vector_convert_test.cpp emulator/vector_decode_test.cpp emulator/vector_float_test.cpp
          emulator/vector_half_test.cpp emulator/vector_integer_test.cpp emulator/vector_lanes_test.cpp
          emulator/vector_matrix_test.cpp emulator/vector_modifier_test.cpp emulator/vector_test_machine.cpp
  DEPENDS halyard_emulator halyard_gpu)
target_compile_definitions(emulator_vector_test PRIVATE ${vector_decode_definitions})
target_compile_options(emulator_vector_test PRIVATE ${emulator_flags})  # for std::fma, as emulator_machine_test
if(TARGET emulator_vector_encodings)
  add_dependencies(emulator_vector_test emulator_vector_encodings)
endif()

# Compares inside lane loops become selects only where a compare cannot trap.
if(NOT MSVC)
  set_source_files_properties(
    emulator/vector_compare.cpp emulator/vector_convert.cpp emulator/vector_dot.cpp emulator/vector_double.cpp
    emulator/vector_execute.cpp emulator/vector_float.cpp emulator/vector_half.cpp emulator/vector_integer.cpp
    emulator/vector_short.cpp PROPERTIES COMPILE_OPTIONS -fno-trapping-math)
endif()
