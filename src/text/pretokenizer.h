// Splits text into the pieces inside which byte pairs are merged, by the `deepseek-v3` rules (`joyai-llm` is
// the same). Spec: chat.md, "Tokenizer", Splitting.
#pragma once
#include <functional>
#include <string_view>

namespace halyard {

// Calls use(piece) for each piece, in order: views into `text` that together are all of it, none empty. Any
// bytes are text: one that belongs to no valid UTF-8 sequence counts as a character without a class. A
// stretch that no rule matches is one piece. Time is linear in the text, memory constant.
void for_each_piece(std::string_view text, const std::function<void(std::string_view piece)>& use);

}  // namespace halyard
