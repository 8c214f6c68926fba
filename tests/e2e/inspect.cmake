# What inspect says of the tiny model's own file.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")
set(model "${SOURCE}/models/tiny-q4.gguf")

expect("text" ARGS inspect ${model} OUT "deepseek4" "token_embd\\.weight" "Q4_K" "no problems found" ERR "^$")
expect("JSON" ARGS inspect ${model} --json ERR "^$")
string(JSON kind TYPE "${out}")
expect_equal("JSON" "${kind}" OBJECT)
