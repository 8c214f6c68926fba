# What devices says of this machine and of the options in force.
include("${CMAKE_CURRENT_LIST_DIR}/expect.cmake")

expect("text" ARGS devices ERR "^$"
       OUT "^cpu +[^\n]+\n +cores +[0-9]+ usable\n +has " "kernels +[a-z0-9]+ +used" "\nhip +not usable: this build has no GPU backend"
           "\nmemory +[0-9.]+ GiB, available [0-9.]+ GiB" "\nin force\n +--model +built-in +default")
set(ENV{HALYARD_THREADS} 1)
set(ENV{HALYARD_CACHE_ROUNDING} 0)
set(ENV{HALYARD_THREDS} 3)
expect("a variable with a slip of the pen" ARGS devices OUT "\nnot known\n(.*\n)? +environment variable HALYARD_THREDS\n")
unset(ENV{HALYARD_THREDS})
expect("sources" ARGS devices --threads 2 --slice 256
       OUT "--threads +2 +flag" "--cache-rounding +off +environment variable HALYARD_CACHE_ROUNDING" "--slice +256 +flag")
expect("JSON" ARGS devices --json)
json_value(threads settings 2 source)
expect_equal("source of --threads" "${threads}" environment)
json_value(backend devices 0 backend)
expect_equal("first device" "${backend}" cpu)
set(ENV{HALYARD_THREADS} many)
expect("a bad variable" ARGS devices EXIT 2 OUT "^$" ERR "environment variable HALYARD_THREADS")
