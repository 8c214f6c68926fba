# Language level, warnings and sanitizers for everything in the tree.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY_RELEASE "${CMAKE_BINARY_DIR}/bin")  # Visual Studio would add a folder

add_library(halyard_flags INTERFACE)
if(MSVC)
  target_compile_options(halyard_flags INTERFACE /W4 /WX /utf-8 /permissive- /Zc:__cplusplus /Zc:preprocessor)
else()
  # No -ffast-math and no contraction: the same source gives the same numbers wherever an FMA is not asked for.
  target_compile_options(halyard_flags INTERFACE -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Werror
                                                 -ffp-contract=off)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # The stable_sort of GCC 12's library calls what that library calls deprecated; GCC itself judges ours.
    target_compile_options(halyard_flags INTERFACE -Wno-deprecated-declarations)
  endif()
endif()
if(WIN32)
  target_compile_definitions(halyard_flags INTERFACE UNICODE _UNICODE _WIN32_WINNT=0x0A00)
endif()
if(MINGW)
  add_link_options(-static)  # one executable, no runtime DLL beside it
endif()
if(HALYARD_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined)
endif()
if(HALYARD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=address,undefined -fuse-ld=lld)
endif()

if(HALYARD_SANITIZE_THREAD)
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=thread)
endif()

find_package(Threads REQUIRED)
find_program(HALYARD_CCACHE ccache)
if(HALYARD_CCACHE AND NOT MSVC)
  # Paths relative to the checkout, so that another clone of the same sources finds what this one compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${HALYARD_CCACHE}")
endif()
