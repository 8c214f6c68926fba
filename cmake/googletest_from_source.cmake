# GoogleTest from its packaged source (Debian's googletest; also for MinGW). On Windows vcpkg brings a built one.
find_path(HALYARD_GTEST_SOURCE src/gtest-all.cc PATHS /usr/src/googletest/googletest NO_DEFAULT_PATH
          NO_CMAKE_FIND_ROOT_PATH)
if(HALYARD_GTEST_SOURCE)
  add_library(halyard_gtest STATIC "${HALYARD_GTEST_SOURCE}/src/gtest-all.cc" "${HALYARD_GTEST_SOURCE}/src/gtest_main.cc")
  target_include_directories(halyard_gtest SYSTEM PUBLIC "${HALYARD_GTEST_SOURCE}/include" PRIVATE "${HALYARD_GTEST_SOURCE}")
  target_link_libraries(halyard_gtest PUBLIC Threads::Threads)
else()
  find_package(GTest CONFIG REQUIRED)
  add_library(halyard_gtest INTERFACE)
  target_link_libraries(halyard_gtest INTERFACE GTest::gtest GTest::gtest_main)
endif()
