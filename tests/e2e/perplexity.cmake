# Perplexity of a text. The numbers of the reference are in reference.cmake.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

file(WRITE "${FOLDER}/текст.txt" "And the captain said unto the people, Count from 3 to 9. The sea was calm and the ship lay still.")
expect("text" ARGS perplexity -f текст.txt --window 16 OUT "^perplexity [0-9.]+ over 15 tokens in 1 windows\n$|^perplexity [0-9.]+ over [0-9]+ tokens in [2-9] windows\n$")
expect("JSON" ARGS perplexity -f текст.txt --window 16 --json)
json_value(count windows 0 count)
expect_equal("count" "${count}" 15)
expect("too short" ARGS perplexity -f текст.txt EXIT 2 OUT "^$" ERR "the text has [0-9]+ tokens; one window has 1024" "usage:")

file(WRITE "${FOLDER}/tokens.json" "{\"perplexity\": [{\"tokens\": [0, 4096]}]}")
expect("a foreign vocabulary" ARGS perplexity --tokens-json tokens.json EXIT 2 OUT "^$" ERR "token 4096 is not in the vocabulary of 4096")
