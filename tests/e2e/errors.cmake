# What the user gets wrong besides the command line: one clear error, exit 1, nothing on standard output.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

function(expect_failure what)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "ARGS;ERR")
  expect("${what}" ARGS ${ARG_ARGS} EXIT 1 OUT "^$" ERR "^error: [^\n]+\n  at:  [^\n]+\n  fix: [^\n]+\n$" ${ARG_ERR})
endfunction()

file(WRITE "${FOLDER}/page.gguf" "<!DOCTYPE html>\n<html><body>404</body></html>\n")
file(WRITE "${FOLDER}/empty.gguf" "")
foreach(command "run -p x -m" "bench -m" "inspect")
  separate_arguments(arguments UNIX_COMMAND "${command}")
  expect_failure("a missing file" ARGS ${arguments} нет.gguf ERR "no such file" "нет\\.gguf")
  expect_failure("an HTML page" ARGS ${arguments} page.gguf ERR "starts with \"<!DOCTYPE html>")
  expect_failure("an empty file" ARGS ${arguments} empty.gguf ERR "empty\\.gguf")
  expect_failure("a folder" ARGS ${arguments} . ERR "directory")
endforeach()

expect_failure("too big for the memory" ARGS run -p x --memory 0.001 ERR "does not fit: [0-9.]+ [GM]iB .*needed.*, [0-9.]+ [GM]iB .*there")
expect_failure("a context too big for the memory" ARGS run -p x --memory 0.1 --ctx 4000000000 ERR "does not fit" "--ctx")
expect_failure("no such backend here" ARGS run -p x --backend cuda ERR "--backend cuda")
expect_failure("tools that are no JSON" ARGS run -p x --tools page.gguf ERR "not JSON")
expect_failure("tokens that are no JSON" ARGS perplexity --tokens-json page.gguf ERR "not JSON")
expect_failure("a missing text" ARGS perplexity -f нет.txt ERR "no such file")
