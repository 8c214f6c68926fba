# halyard_library(NAME folder SOURCES ... [POSIX ...] [WIN32 ...] DEPENDS ... [PRIVATE_DEPENDS ...])
# One static library a folder of src/. Its headers are included as "folder/x.h"; a target sees only the folders that it
# depends on, because each folder is shown through an include root of its own: a wrong include does not compile.
function(halyard_library target)
  cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;POSIX;WIN32;DEPENDS;PRIVATE_DEPENDS" ${ARGN})
  if(WIN32)
    list(APPEND ARG_SOURCES ${ARG_WIN32})
  else()
    list(APPEND ARG_SOURCES ${ARG_POSIX})
  endif()
  # Links to the folder's own headers only: those of its sub-folders belong to other targets.
  set(root "${CMAKE_BINARY_DIR}/include-roots/${target}")
  file(REMOVE_RECURSE "${root}")
  file(MAKE_DIRECTORY "${root}/${ARG_FOLDER}")
  file(GLOB headers CONFIGURE_DEPENDS "*.h" "*.inc")
  foreach(header ${headers})
    get_filename_component(name "${header}" NAME)
    file(CREATE_LINK "${header}" "${root}/${ARG_FOLDER}/${name}" RESULT linked SYMBOLIC)
    if(linked)
      set(root "${PROJECT_SOURCE_DIR}/src")  # Windows without the right to make links: all folders are visible
      break()
    endif()
  endforeach()
  add_library(${target} STATIC ${ARG_SOURCES})
  set_property(GLOBAL APPEND PROPERTY HALYARD_LIBRARIES ${target})  # cmake/install.cmake makes one library of them
  target_include_directories(${target} PUBLIC "${root}")
  target_link_libraries(${target} PUBLIC ${ARG_DEPENDS} PRIVATE ${ARG_PRIVATE_DEPENDS} halyard_flags)
endfunction()
