# Damaged copies of the tiny model, given to `run`: exit code 0, 1 or 2, one error on standard error, in time.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(copy "${FOLDER}/damaged-копия.gguf")
math(EXPR last "${COPIES} - 1")
set(n_ran 0)
foreach(number RANGE ${last})
  execute_process(COMMAND ${EMULATOR} "${BROKEN_MODEL}" damaged "${SOURCE}/models/tiny-q4.gguf" ${number} "${copy}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE damage ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "broken_model damaged ${number}: ${code}\n${err}")
  endif()
  execute_process(COMMAND ${EMULATOR} "${HALYARD}" run -p Hi --max-tokens 3 --memory 0.25 -m "${copy}"
                  TIMEOUT 120 RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err ENCODING UTF8)
  if(NOT code MATCHES "^[012]$" OR (code EQUAL 1 AND NOT err MATCHES "error: .*\n  at:  .*\n  fix: "))
    message(SEND_ERROR "copy ${number} (${damage}): ${code}\n--- stdout\n${out}--- stderr\n${err}")
  endif()
  if(code EQUAL 0)
    math(EXPR n_ran "${n_ran} + 1")
  endif()
endforeach()
message("${COPIES} damaged copies, ${n_ran} of them ran")
file(REMOVE "${copy}")
