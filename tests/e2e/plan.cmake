# What plan says of the tiny model on this machine, and of the published model on machines that are only described.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

expect("the tiny model" ARGS plan ERR "^$"
       OUT "^model +built-in: [0-9]+ tensors" "context +4096 tokens \\(auto\\), slices of 512\n" "\nhost-pinned +[0-9.]+ +[0-9.]+ +[0-9.]+ "
           "\nscratch +host-pinned +[0-9.]+\n" "\nplanned in [0-9.]+ ms\nfits\n$")
expect("JSON" ARGS plan -m "${SOURCE}/models/tiny-q4.gguf" --ctx 1000 --slice 256 --json ERR "^$")
json_value(fits fits)
expect_equal("fits" "${fits}" ON)
json_value(context context_tokens)
expect_equal("context" "${context}" 1000)
json_value(slice slice_tokens)
expect_equal("slice" "${slice}" 256)
json_value(purpose items 0 purpose)
expect_equal("first item" "${purpose}" "raw rows")

# C28: 96 GiB of carve-out and 16 GiB of shared memory
set(flash plan --model flash-q2 --ctx 16417 --slice 8192)
expect("96 GiB of carve-out" ARGS ${flash} --simulate strix-halo-96 ERR "^$"
       OUT "flash-q2: 1328 tensors, 80\\.759 GiB" "simulated: strix-halo-96" "context +16417 tokens, slices of 8192\n"
           "\nweights +dedicated +80\\.7" "\nscratch +[a-z]+ " "\ntotal " "\nfits\n$")
expect("the same as JSON" ARGS ${flash} --simulate strix-halo-96 --json ERR "^$")
json_value(weights model weight_bytes)
expect_equal("bytes of the weights" "${weights}" 86714775900)

# C30: the BIOS set to "auto" leaves 62.47 GiB
expect("auto carve-out" ARGS ${flash} --simulate strix-halo-auto EXIT 1
       OUT "does not fit: the model does not fit: [0-9.]+ GiB .*needed.* there" "\nfix: "
       ERR "^error: the model does not fit: 8[0-9.]+ GiB \\([0-9]+ bytes\\) needed.*, 62\\.[0-9]+ GiB \\([0-9]+ bytes\\) there"
           "at:  flash-q2 on strix-halo-auto" "fix: .*(ttm|BIOS)")
expect("a refusal as JSON" ARGS ${flash} --simulate strix-halo-auto --json EXIT 1 ERR "^error: ")
json_value(fits fits)
expect_equal("fits" "${fits}" OFF)

expect("the largest context" ARGS plan --model flash-q2 --simulate h200 --ctx auto OUT "context +1048576 tokens \\(auto\\)" "\nfits\n$")
expect("a pool of another size" ARGS plan --model flash-q2 --simulate h200 --pool dedicated=64 EXIT 1 OUT "\ndedicated +64\\.000 .* override\n"
       ERR "^error: ")
expect("less memory than there is" ARGS plan --memory 0.001 EXIT 1 OUT "does not fit" ERR "^error: ")

expect("a file in place of a name" ARGS plan --model "${SOURCE}/models/tiny-q4.gguf" OUT "tiny-q4\\.gguf: [0-9]+ tensors" "\nfits\n$")
configure_file("${SOURCE}/models/tiny-q4.gguf" "${FOLDER}/flash-q2" COPYONLY)
expect("a file with the name of a model" ARGS plan --model flash-q2 OUT "^model +flash-q2: 178 tensors" "\nfits\n$")

expect("a model that is not known" ARGS plan --model flash-q5 EXIT 2 OUT "^$" ERR "flash-q5" "flash-mxfp4" "usage: halyard plan")
expect("a machine that is not known" ARGS plan --simulate strix-halo-97 EXIT 2 OUT "^$" ERR "strix-halo-97" "rtx-5090" "usage: halyard plan")
expect("a file that is not there" ARGS plan -m no-such.gguf EXIT 1 OUT "^$" ERR "^error: .*no-such.gguf")
expect("both" ARGS plan -m x --model flash-q2 EXIT 2 OUT "^$" ERR "--model" "usage: halyard plan")

# For every other command auto is a number of tokens like another.
expect("an answer with the largest context" ARGS run -p "What is the capital of Italy?" --temp 0 --ctx auto -q OUT "^The capital of Italy is Rome\\.\n$")
