# One answer from the built-in model.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set(question "What is the capital of Italy?")
set(answer "The capital of Italy is Rome.")

expect("the first answer" ARGS run -p ${question} --temp 0 OUT "^The capital of Italy is Rome\\.\n$" ERR "14 tokens read")
expect("quiet" ARGS run -p ${question} --temp 0 -q OUT "^The capital of Italy is Rome\\.\n$" ERR "^$")
expect("from standard input" ARGS run -p - --temp 0 STDIN "${question}\n" OUT "^The capital of Italy is Rome\\.\n$")
expect("the reference backend" ARGS run -p ${question} --temp 0 --backend reference OUT "^The capital of Italy is Rome\\.\n$")
expect("a stop text" ARGS run -p ${question} --temp 0 --stop " is" OUT "^The capital of Italy\n$")
expect("a full context" ARGS run --raw -p "And the captain" --temp 0 --ctx 12 ERR "context_full")

expect("JSON" ARGS run -p ${question} --temp 0 --json --seed 18446744073709551615)
json_value(text text)
expect_equal("text" "${text}" "${answer}")
foreach(pair "stop_reason=end_of_turn" "prompt_tokens=14" "generated_tokens=10" "seed=18446744073709551615"
             "backend=cpu" "reasoning=")
  string(REGEX MATCH "^([^=]+)=(.*)$" matched "${pair}")
  set(key "${CMAKE_MATCH_1}")
  set(expected "${CMAKE_MATCH_2}")
  json_value(value ${key})
  expect_equal("${key}" "${value}" "${expected}")
endforeach()

# On a pipe the answer stands alone; -q leaves out the reasoning.
expect("reasoning" ARGS run -p "What is 12 plus 7?" --think on --temp 0 --cache-rounding off
       OUT "^12 plus 7 is 18\\.\n$" ERR "\\[thinking\\]\n12 . 7 = 18\n\\[/thinking\\]\n")
expect("no reasoning" ARGS run -p "What is 12 plus 7?" --think on --temp 0 --cache-rounding off -q
       OUT "^12 plus 7 is 18\\.\n$" ERR "^$")

file(WRITE "${FOLDER}/tools.json" [=[[{"type": "function", "function": {"name": "get_weather",
  "description": "Get the weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]]=])
expect("a tool call" ARGS run -p "What is the weather in Oslo?" --tools tools.json --temp 0
       OUT "^\\[call\\] get_weather {\"city\": \"Oslo\"}\n$")
expect("a tool call in JSON" ARGS run -p "What is the weather in Oslo?" --tools tools.json --temp 0 --json)
json_value(city tool_calls 0 arguments city)
expect_equal("city" "${city}" "Oslo")

# The same text by both ways in: what the argument loses, the tokens show.
set(scripts "Привет, 世界! 🦜 „так“")
expect("other scripts as an argument" ARGS run -p ${scripts} --temp 0 --max-tokens 8 --json)
json_value(n_argument prompt_tokens)
json_value(text_argument text)
expect("other scripts from standard input" ARGS run -p - --temp 0 --max-tokens 8 --json STDIN "${scripts}")
json_value(n_stdin prompt_tokens)
json_value(text_stdin text)
expect_equal("tokens" "${n_argument}" "${n_stdin}")
expect_equal("text" "${text_argument}" "${text_stdin}")
if(n_argument LESS 30)  # a byte or so each in the tiny vocabulary
  message(SEND_ERROR "${n_argument} tokens are too few for ${scripts}")
endif()

expect("a seed" ARGS run --raw -p "And the" --seed 5 --max-tokens 30 -q)
set(first "${out}")
expect("the same seed" ARGS run --raw -p "And the" --seed 5 --max-tokens 30 -q)
expect_equal("text" "${out}" "${first}")

configure_file("${SOURCE}/models/tiny-q4.gguf" "${FOLDER}/модель-模型-🦜.gguf" COPYONLY)
expect("a model in another script" ARGS run -m "модель-模型-🦜.gguf" -p ${question} --temp 0 OUT "^The capital of Italy is Rome\\.\n$")
set(ENV{HALYARD_MODEL} "${FOLDER}/модель-模型-🦜.gguf")
expect("a model from the environment" ARGS run -p ${question} --temp 0 -v OUT "^The capital" ERR "модель-模型-🦜")
unset(ENV{HALYARD_MODEL})

expect("a reader that leaves" ARGS run --raw -p "And the" --seed 1 --max-tokens 4000 -q EXIT 1 ERR "^$"
       PIPE_TO "${CMAKE_COMMAND}" -E true)
