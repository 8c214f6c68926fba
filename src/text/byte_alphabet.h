// The GPT-2 byte alphabet: vocabularies write each byte as one printable character. Spec: chat.md,
// "Tokenizer".
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace halyard {

// Appends the bytes that `text` stands for. False, and `out` as before, when a character is not of the
// alphabet.
bool append_alphabet_bytes(std::string_view text, std::vector<char>& out);

// How the alphabet writes `bytes`.
std::string alphabet_text(std::string_view bytes);

}  // namespace halyard
