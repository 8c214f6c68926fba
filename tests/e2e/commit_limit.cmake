# C42: under a limit of 1 GiB for memory of its own, the program uses a model file of 6 GiB: it maps it, or copies what
# tensors need, and promises itself no model-sized memory.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
find_program(SH sh REQUIRED)
set(model "${FOLDER}/large.gguf")
file(COPY_FILE "${SHARED}/reference/tiny-q4.gguf" "${model}")
execute_process(COMMAND truncate --size=6G "${model}" COMMAND_ERROR_IS_FATAL ANY)
set(limited ${SH} -c "ulimit -d 1048576 && exec \"$0\" \"$@\"" "${HALYARD}")

function(expect_limited what regex)
  execute_process(COMMAND ${limited} ${ARGN} WORKING_DIRECTORY "${FOLDER}"
                  RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err ENCODING UTF8)
  if(NOT code EQUAL 0 OR NOT out MATCHES "${regex}")
    message(SEND_ERROR "${what}: exit code ${code}\n--- stdout\n${out}--- stderr\n${err}")
  endif()
endfunction()

expect_limited("plan" "fits" plan -m large.gguf)
foreach(load map copy)
  expect_limited("${load}" "Rome" run -m large.gguf --load ${load} -p "What is the capital of Italy?" --temp 0)
endforeach()
