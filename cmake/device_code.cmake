# Device code: the kernels of src/backend/gpu/kernels for each architecture of HALYARD_GPU_ARCHS, compiled by clang 22
# without a vendor's toolkit, as bytes inside the program.
#
#     halyard_device_code(OUT)   OUT: the sources that define the table of src/backend/gpu/device_code.h
#
# HALYARD_DEVICE_CODE_ARCHS is what is really built: empty when there is no compiler for it. The files themselves lie in
# HALYARD_DEVICE_CODE_DIR as ARCH.co (AMD) and ARCH.ptx (NVIDIA).
set(HALYARD_GPU_ARCHS
    "gfx1100;gfx1101;gfx1102;gfx1103;gfx1150;gfx1151;gfx1152;gfx1153;gfx1200;gfx1201;sm_80;sm_90" CACHE STRING
    "GPU architectures with code in the program, gfxNNNN or sm_NN; empty: none")
find_program(HALYARD_DEVICE_COMPILER NAMES clang++-22 clang++ DOC "clang 22 or later, with its lld: compiles device code")

set(HALYARD_DEVICE_CODE_DIR "${PROJECT_BINARY_DIR}/device_code")
set(HALYARD_DEVICE_FLAGS -std=c++20 -O3 -ffreestanding -ffp-contract=off -Wall -Wextra -Wshadow -Wconversion
    -Wno-sign-conversion -Werror "-I${PROJECT_SOURCE_DIR}/src")
# Version 5 of the code object: clang's own default, 6, is refused by older HIP runtimes.
set(HALYARD_AMD_FLAGS -x hip --cuda-device-only -nogpuinc -nogpulib --no-gpu-bundle-output -mcode-object-version=5)
set(HALYARD_NVIDIA_FLAGS -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-path=/nonexistent
    --cuda-feature=+ptx80 -S)

# Why there can be no device code; empty: there can.
function(halyard_device_code_problem out)
  set(${out} "" PARENT_SCOPE)
  if(NOT HALYARD_GPU_ARCHS)
    set(${out} "HALYARD_GPU_ARCHS is empty" PARENT_SCOPE)
  elseif(NOT HALYARD_DEVICE_COMPILER)
    set(${out} "needs clang 22 and lld 22: scripts/install-packages build" PARENT_SCOPE)
  else()
    execute_process(COMMAND "${HALYARD_DEVICE_COMPILER}" --version OUTPUT_VARIABLE version ERROR_QUIET)
    # AMD code is linked by the lld beside the compiler.
    execute_process(COMMAND "${HALYARD_DEVICE_COMPILER}" -print-prog-name=ld.lld OUTPUT_VARIABLE linker ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT version MATCHES "clang version ([0-9]+)" OR CMAKE_MATCH_1 LESS 22)
      set(${out} "${HALYARD_DEVICE_COMPILER} is not clang 22 or later" PARENT_SCOPE)
    elseif(HALYARD_GPU_ARCHS MATCHES "gfx" AND NOT EXISTS "${linker}")
      set(${out} "${HALYARD_DEVICE_COMPILER} has no lld of its version" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# One architecture's file from one source, with the headers that the compiler saw as dependencies.
function(halyard_compile_device_code source arch file)
  if(arch MATCHES "^gfx[0-9a-f]+$")
    set(flags ${HALYARD_AMD_FLAGS} --offload-arch=${arch})
  elseif(arch MATCHES "^sm_[0-9]+a?$")
    set(flags ${HALYARD_NVIDIA_FLAGS} --cuda-gpu-arch=${arch})
  else()
    message(FATAL_ERROR "HALYARD_GPU_ARCHS: ${arch} is neither gfxNNNN nor sm_NN")
  endif()
  # -MD says nothing for code objects: the front end writes the list itself.
  add_custom_command(
    OUTPUT "${file}"
    COMMAND "${HALYARD_DEVICE_COMPILER}" ${flags} ${HALYARD_DEVICE_FLAGS} -Xclang -dependency-file -Xclang "${file}.d"
            -Xclang -MT -Xclang "${file}" "${source}" -o "${file}"
    DEPENDS "${source}" "${HALYARD_DEVICE_COMPILER}"
    DEPFILE "${file}.d"
    COMMENT "Device code for ${arch}"
    VERBATIM)
endfunction()

# The assembly that puts files and a table of them into the program; the table has the layout of
# src/backend/gpu/kernels/device_code_rows.h and the symbols NAME_count and NAME_rows.
function(halyard_write_device_code_table assembly name archs files)
  set(HALYARD_DEVICE_CODE_NAME ${name})
  set(HALYARD_DEVICE_CODE_BYTES "")
  set(HALYARD_DEVICE_CODE_ROWS "")
  foreach(arch file IN ZIP_LISTS archs files)
    string(APPEND HALYARD_DEVICE_CODE_BYTES
           "    .balign 64\n.Lbegin_${arch}:\n    .incbin \"${file}\"\n.Lend_${arch}:\n    .byte 0\n"
           ".Lname_${arch}:\n    .asciz \"${arch}\"\n")
    string(APPEND HALYARD_DEVICE_CODE_ROWS
           "    .quad .Lname_${arch}, .Lbegin_${arch}, .Lend_${arch} - .Lbegin_${arch}\n")
  endforeach()
  list(LENGTH archs HALYARD_DEVICE_CODE_COUNT)
  set(HALYARD_DEVICE_CODE_RODATA ".section .rodata")
  set(HALYARD_DEVICE_CODE_TABLE ".section .data.rel.ro,\"aw\"")  # addresses, which the loader fills in
  if(WIN32)
    set(HALYARD_DEVICE_CODE_RODATA ".section .rdata,\"dr\"")
    set(HALYARD_DEVICE_CODE_TABLE ".section .rdata,\"dr\"")
  endif()
  configure_file("${PROJECT_SOURCE_DIR}/src/backend/gpu/kernels/device_code.S.in" "${assembly}" @ONLY)
endfunction()

# A source for each of the architectures, as ARCH.co and ARCH.ptx in a folder, and a table of them; `out` is what a target
# has among its sources to hold it.
function(halyard_embed_device_code out name source folder archs)
  file(MAKE_DIRECTORY "${folder}")
  set(files "")
  foreach(arch ${archs})
    set(extension co)
    if(arch MATCHES "^sm_")
      set(extension ptx)
    endif()
    set(file "${folder}/${arch}.${extension}")
    halyard_compile_device_code("${source}" ${arch} "${file}")
    list(APPEND files "${file}")
  endforeach()
  set(assembly "${folder}/${name}.S")
  halyard_write_device_code_table("${assembly}" ${name} "${archs}" "${files}")
  if(MSVC)  # whose assembler cannot include a file
    set(object "${folder}/${name}.obj")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${HALYARD_DEVICE_COMPILER}" --target=x86_64-pc-windows-msvc -c "${assembly}" -o "${object}"
      DEPENDS "${assembly}" ${files}
      VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    set(${out} "${object}" PARENT_SCOPE)
  else()
    set_source_files_properties("${assembly}" PROPERTIES OBJECT_DEPENDS "${files}")
    set(${out} "${assembly}" PARENT_SCOPE)
  endif()
endfunction()

function(halyard_device_code out)
  set(HALYARD_DEVICE_CODE_ARCHS "" CACHE INTERNAL "")
  halyard_device_code_problem(problem)
  if(problem)
    message(STATUS "no device code, so no GPU: ${problem}")
    set(${out} "${PROJECT_SOURCE_DIR}/src/backend/gpu/kernels/no_device_code.cpp" PARENT_SCOPE)
    return()
  endif()
  set(HALYARD_DEVICE_CODE_ARCHS "${HALYARD_GPU_ARCHS}" CACHE INTERNAL "")
  halyard_embed_device_code(embedded halyard_device_code "${PROJECT_SOURCE_DIR}/src/backend/gpu/kernels/kernels.cu"
                            "${HALYARD_DEVICE_CODE_DIR}" "${HALYARD_GPU_ARCHS}")
  set(${out} "${embedded}" PARENT_SCOPE)
endfunction()
