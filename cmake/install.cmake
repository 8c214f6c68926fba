# cmake --install: the program, one library with its headers, and what finds them (CMake package, pkg-config file).
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# The folders' libraries as one libhalyard.a.
get_property(libraries GLOBAL PROPERTY HALYARD_LIBRARIES)
list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
add_library(halyard_whole STATIC ${objects})
set_target_properties(halyard_whole PROPERTIES OUTPUT_NAME halyard EXPORT_NAME halyard LINKER_LANGUAGE CXX)
target_include_directories(halyard_whole INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_compile_features(halyard_whole INTERFACE cxx_std_20)
# What dep_sha256 is (cmake/dependencies.cmake), as another project finds it.
if(WIN32)
  set(sha256_target bcrypt)
  set(sha256_flag -lbcrypt)
else()
  set(sha256_target OpenSSL::Crypto)
  set(sha256_flag -lcrypto)
  set(sha256_package "find_dependency(OpenSSL COMPONENTS Crypto)")
endif()
target_link_libraries(halyard_whole INTERFACE Threads::Threads ${CMAKE_DL_LIBS} $<INSTALL_INTERFACE:${sha256_target}>)

file(GLOB public_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/halyard/*.h")
install(FILES ${public_headers} "${PROJECT_BINARY_DIR}/include/halyard/version.h"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/halyard")
install(TARGETS halyard RUNTIME)
install(TARGETS halyard_whole EXPORT halyard ARCHIVE)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(MSVC)  # the program has the tiny model beside it there (models/CMakeLists.txt)
  install(FILES "${HALYARD_TINY_MODEL}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# The manual page and the completion of shells, written by the program itself: where it runs.
if(NOT WIN32)
  set(shell_files "${PROJECT_BINARY_DIR}/shell")
  add_custom_command(OUTPUT "${shell_files}/halyard.1" "${shell_files}/halyard" "${shell_files}/_halyard"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${shell_files}"
    COMMAND halyard man > "${shell_files}/halyard.1"
    COMMAND halyard completion bash > "${shell_files}/halyard"
    COMMAND halyard completion zsh > "${shell_files}/_halyard"
    DEPENDS halyard COMMENT "Manual page and shell completion" VERBATIM)
  add_custom_target(halyard_shell_files ALL DEPENDS "${shell_files}/halyard.1")
  install(FILES "${shell_files}/halyard.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  install(FILES "${shell_files}/halyard" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  install(FILES "${shell_files}/_halyard" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions")
endif()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/halyard")
install(EXPORT halyard NAMESPACE halyard:: FILE halyardTargets.cmake DESTINATION "${package}")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/halyardConfig.cmake.in" "${PROJECT_BINARY_DIR}/halyardConfig.cmake"
                              INSTALL_DESTINATION "${package}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/halyardConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/halyardConfig.cmake" "${PROJECT_BINARY_DIR}/halyardConfigVersion.cmake"
        DESTINATION "${package}")

# The prefix is found from where the file lies, so that the installed tree may be moved.
set(pkgconfig "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH to_prefix "/prefix/${pkgconfig}" "/prefix")
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
configure_file("${CMAKE_CURRENT_LIST_DIR}/halyard.pc.in" "${PROJECT_BINARY_DIR}/halyard.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/halyard.pc" DESTINATION "${pkgconfig}")
