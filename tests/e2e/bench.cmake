# The table, the CSV and the JSON of bench, on the built-in model.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set(short bench --ctx-start 64 --ctx-max 200 --gen-tokens 3)

expect("table" ARGS ${short} OUT "model    tiny" "limit    memory reads [0-9.]+ GB/s" "\n +64 +64 " "\n +128 +64 " "\n +200 +72 "
       ERR "context 200: prefill")
expect("CSV" ARGS ${short} --csv -q ERR "^$"
       OUT "^ctx_tokens,prefill_tokens,prefill_tps,gen_tokens,gen_tps,gen_first_ms,gen_steady_tokens,gen_steady_tps,kvcache_bytes\n64,64,[0-9.]+,3,[0-9.]+,[0-9.]+,2,[0-9.]+,[0-9]+\n128,64,[^\n]+\n200,72,[^\n]+\n$")
expect("JSON" ARGS ${short} --json --repeat 2 --step-incr 100)
string(JSON n_frontiers LENGTH "${out}" frontiers)
expect_equal("frontiers" "${n_frontiers}" 3)
json_value(ctx_tokens frontiers 1 ctx_tokens)
expect_equal("second frontier" "${ctx_tokens}" 164)
json_value(backend backend)
expect_equal("backend" "${backend}" cpu)

expect("a context beyond the training, and beyond --ctx" ARGS bench --ctx-max 5000 --ctx 100 EXIT 2 OUT "^$"
       ERR "warning: .*trained for 4096" "do not fit a context of 100")
file(WRITE "${FOLDER}/short.txt" "The harbour lay quiet that morning.")
expect("a prompt file too short" ARGS ${short} --prompt-file short.txt EXIT 2 OUT "^$"
       ERR "the prompt file has [0-9]+ tokens" "needs 200" "usage: halyard bench")

expect("text" ARGS bench --text ERR "^$" OUT "vocabulary of built-in" "\nspaces +1000000 +[0-9]+ +[0-9.]+ +[0-9.]+\n"
       "129280 tokens and 127741 merges")
expect("text as JSON" ARGS bench --text --json -m "${SOURCE}/models/tiny-q4.gguf")
string(JSON n_texts LENGTH "${out}" texts)
expect_equal("texts" "${n_texts}" 6)

# Ctrl-C: the frontiers so far are shown. Where there is `timeout` and no Wine in between.
find_program(TIMEOUT timeout)
if(TIMEOUT AND CMAKE_HOST_UNIX AND NOT EMULATOR)
  set(EMULATOR "${TIMEOUT}" --preserve-status -s INT 2)
  expect("Ctrl-C" ARGS bench --ctx-start 1 --ctx-max 300000 --gen-tokens 1 --csv EXIT 130 OUT "^(ctx_tokens,[^\n]+\n(.*\n)?)?$")
endif()
