# C26: the hostile corpus through every sub-command that opens a model: exit code 0, 1 or 2 and in time. C06: from a
# folder of many scripts, whose name comes back in UTF-8.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

set(folder "${FOLDER}/模型 žluť/Загрузки")
file(MAKE_DIRECTORY "${folder}")
set(model "${folder}/m.gguf")
foreach(number RANGE 1000)
  execute_process(COMMAND ${EMULATOR} "${BROKEN_MODEL}" hostile ${number} "${model}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE name ERROR_VARIABLE err)
  if(code EQUAL 3)
    break()
  elseif(NOT code EQUAL 0)
    message(FATAL_ERROR "broken_model hostile ${number}: ${code}\n${err}")
  endif()
  foreach(command "run -p Hi --max-tokens 3 -m" "bench --ctx-start 64 --ctx-max 64 --gen-tokens 2 -m" "perplexity -f ${CMAKE_CURRENT_LIST_FILE} -m" "inspect")
    separate_arguments(arguments UNIX_COMMAND "${command}")
    execute_process(COMMAND ${EMULATOR} "${HALYARD}" ${arguments} "${model}" TIMEOUT 120 ENCODING UTF8
                    RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
    if(NOT code MATCHES "^[012]$" OR (code EQUAL 0 AND NOT name MATCHES "^C11"))
      message(SEND_ERROR "${name}: ${command}: ${code}\n--- stdout\n${out}--- stderr\n${err}")
    endif()
  endforeach()
  set(n_files "${number}")
endforeach()
message("hostile files 0 to ${n_files}")

file(COPY_FILE "${SOURCE}/models/tiny-q4.gguf" "${model}")
expect("C06 a path of many scripts" ARGS inspect ${model} OUT "模型 žluť.Загрузки.m\\.gguf" "no problems found" ERR "^$")
