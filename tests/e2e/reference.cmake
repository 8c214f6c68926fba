# The numbers of the reference, through the program. One window of the eight: the golden tests have them all.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

file(READ "${SHARED}/reference/reference.json" reference)
string(JSON tokens GET "${reference}" perplexity 0 tokens)
string(JSON nll GET "${reference}" perplexity 0 nll)
file(WRITE "${FOLDER}/window0.json" "{\"perplexity\": [{\"tokens\": ${tokens}}]}")

# exp(3729.3253 / 1023) = 38.301, within 0.1%
expect("perplexity" ARGS perplexity -m "${SHARED}/reference/tiny-f16.gguf" --tokens-json window0.json --cache-rounding off
       OUT "^perplexity 38\\.(2[6-9]|3[0-3])[0-9]+ over 1023 tokens in 1 windows\n$")
expect("JSON" ARGS perplexity -m "${SHARED}/reference/tiny-f16.gguf" --tokens-json window0.json --cache-rounding off --json)
json_value(measured nll)
if(NOT measured MATCHES "^37(2[6-9]|3[0-3])\\.")
  message(SEND_ERROR "nll ${measured}, the reference has ${nll}")
endif()

foreach(format f16 q8 q4 q2 mxfp4)
  set(model "${SHARED}/reference/tiny-${format}.gguf")
  expect("inspect ${format}" ARGS inspect ${model} OUT "no problems found")
  expect("answer of ${format}" ARGS run -m ${model} -p "What is the capital of Italy?" --temp 0 OUT "^The capital of Italy is Rome\\.\n$")
endforeach()

expect("another architecture" ARGS run -p x -m "${SHARED}/reference/tiny-mtp-f16.gguf" EXIT 1 OUT "^$" ERR "deepseek4_mtp_support")
expect("the story" ARGS run --raw -p "And the captain said unto the people," --temp 0 --max-tokens 12 --cache-rounding off
       -m "${SHARED}/reference/tiny-f16.gguf" OUT "^ Come up hither also and over all the")
