# find_package(halyard), and the installed program.
include("${CMAKE_CURRENT_LIST_DIR}/hello.cmake")
set(how "-DCMAKE_PREFIX_PATH=${PREFIX}")
if(TOOLCHAIN)  # a toolchain file may look for packages in its own root only
  set(how "-DCMAKE_TOOLCHAIN_FILE=${TOOLCHAIN}" "-Dhalyard_DIR=${PREFIX}/${LIBDIR}/cmake/halyard")
endif()
must("configuring hello" "${CMAKE_COMMAND}" -S "${HELLO}" -B "${FOLDER}/build" -G "${GENERATOR}" ${how}
     "-DCMAKE_CXX_COMPILER=${COMPILER}" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_EXE_LINKER_FLAGS=${link_flags}"
     "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=$<1:${FOLDER}>")
must("building hello" "${CMAKE_COMMAND}" --build "${FOLDER}/build" --config Release)
expect_hello("${FOLDER}/hello${SUFFIX}")

must("the installed program" ${EMULATOR} "${PREFIX}/bin/halyard${SUFFIX}" --version)
if(NOT out MATCHES "^halyard ${VERSION}")
  message(FATAL_ERROR "the installed program says ${out}")
endif()
foreach(file include/halyard/engine.h include/halyard/halyard.h include/halyard/version.h share/doc/halyard/LICENSE)
  if(NOT EXISTS "${PREFIX}/${file}")
    message(FATAL_ERROR "${file} is not installed")
  endif()
endforeach()
