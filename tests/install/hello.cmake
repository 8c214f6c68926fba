# For the two scripts beside this one: a fresh FOLDER, and expect_hello(PROGRAM).
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
# Windows programs bring the runtime along, as Halyard's own do (cmake/compiler.cmake).
set(link_flags "")
if(EMULATOR)
  set(link_flags -static)
endif()

# Runs COMMAND; its output is left in `out`.
function(must what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${FOLDER}" RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what}: ${code}\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(expect_hello program)
  must("running hello" ${EMULATOR} "${program}")
  string(STRIP "${out}" answer)
  if(NOT answer STREQUAL "The capital of Italy is Rome.")
    message(FATAL_ERROR "hello says \"${answer}\"")
  endif()
endfunction()
