// A text to prefill with: ours, so that every machine measures the same tokens.
#pragma once
#include <string_view>

namespace halyard::app {

inline constexpr std::string_view kBenchText =
    "The harbour lay quiet that morning, and the fog came in between the masts so slowly that nobody saw it "
    "move. A boy carried two buckets of tar along the quay. \"Where is she bound?\" he asked the sailmaker, "
    "who "
    "sat on an upturned boat with forty yards of canvas across his knees.\n\n"
    "\"North,\" said the sailmaker, \"as soon as there is wind. She takes 312 barrels of salt, 40 of flour, "
    "and "
    "a clock for the church at Vardal. The clock is the heaviest of them all, if you ask the men who lifted "
    "it.\" He bit off his thread. In his youth he had sailed to places that were on no chart, or so he told "
    "it; "
    "the older he grew, the fewer people were left who could say otherwise.\n\n"
    "Towards noon the halyards began to knock against the wood. First one, then ten, then the whole harbour "
    "was ticking like a workshop. The captain came up, wetted a finger, and held it over his head as if he "
    "wanted to ask a question. Then he gave his orders, and every one of them was shorter than the one "
    "before.\n\n";

}  // namespace halyard::app
