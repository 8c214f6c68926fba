// Any bytes through the tokenizer of the tiny model and back.
// Input: 4 bytes that choose the cuts, then the text.
#include "engine/vocabulary.h"
#include "fuzz/fuzz.h"
#include "models/builtin_model.h"
#include "text/pretokenizer.h"
#include "text/utf8_stream.h"

namespace halyard {
namespace {

using fuzz::require;

const Tokenizer& tiny_tokenizer() {
  static const Tokenizer tokenizer = [] {
    const auto bytes = builtin_model();
    const gguf::Header header = gguf::parse(bytes, bytes.size(), "the tiny model");
    return read_tokenizer(header, static_cast<uint32_t>(header.string_list("tokenizer.ggml.tokens").size()));
  }();
  return tokenizer;
}

void check_round_trip(std::string_view text) {
  const Tokenizer& tokenizer = tiny_tokenizer();
  const std::vector<int32_t> plain = tokenizer.encode_plain(text);
  require(tokenizer.decode(plain) == text, "encode_plain loses text");
  for (const int32_t token : plain) {
    const TokenType type = tokenizer.type_of(token);
    require(type != TokenType::kControl && type != TokenType::kUserDefined,
            "a special token from plain text");
  }
  require(tokenizer.decode(tokenizer.encode_special(text)) == text, "encode_special loses text");
}

void check_ids(std::string_view text) {
  const Tokenizer& tokenizer = tiny_tokenizer();
  fuzz::Input ids(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  while (!ids.empty()) {
    const auto id = static_cast<int32_t>(ids.number(4));
    const bool known = id >= 0 && static_cast<size_t>(id) < tokenizer.size();
    try {
      tokenizer.bytes_of(id);
      require(known, "bytes of an id that is no token");
    } catch (const Error&) {
      require(!known, "no bytes of a token");
    }
  }
}

void check_pieces(std::string_view text) {
  std::string together;
  for_each_piece(text, [&](std::string_view piece) {
    require(!piece.empty(), "an empty piece");
    together += piece;
  });
  require(together == text, "the pieces are not the text");
}

void check_stream(std::string_view text, std::minstd_rand& random) {
  Utf8Stream whole, cut, again;
  const std::string once = whole.feed(text) + whole.flush();
  std::string in_pieces;
  for (const std::string_view piece : fuzz::random_pieces(text, random)) in_pieces += cut.feed(piece);
  in_pieces += cut.flush();
  require(in_pieces == once, "the cuts change the text of a stream");
  require(again.feed(once) + again.flush() == once, "the text of a stream is not UTF-8");
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  halyard::fuzz::Input input(data, size);
  std::minstd_rand random(static_cast<uint32_t>(input.number(4)));
  halyard::check_round_trip(input.rest());
  halyard::check_ids(input.rest());
  halyard::check_pieces(input.rest());
  halyard::check_stream(input.rest(), random);
  return 0;
}
