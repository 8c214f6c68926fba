# Puts the protocol texts into a source file. They are data: no line may be added, and no line ending changed.
foreach(name tools_header tools_footer response_format_header effort_absolute_maximum effort_beyond_maximum)
  set(file "${CMAKE_CURRENT_SOURCE_DIR}/protocol/${name}.txt")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(READ "${file}" ${name})
endforeach()
configure_file(protocol_text.cpp.in "${CMAKE_CURRENT_BINARY_DIR}/protocol_text.cpp" @ONLY NEWLINE_STYLE UNIX)
