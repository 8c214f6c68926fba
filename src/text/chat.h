// A conversation as the text that the model was trained on. Spec: chat.md, "Rendering a conversation".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "halyard/chat.h"

namespace halyard {

// A stretch of prompt text for one of the two encoders.
//
// protocol: special tokens that the protocol asks for, one after the other, and nothing else: for the special
// encoder. Otherwise: ordinary text, for the plain encoder, which never makes a special token.
//
// Whether a marker is a token depends on who wrote it, not on its characters: the renderer makes markers from
// its own constants only (BOS, EOS, role and think markers, each ｜DSML｜ of the tools header and of the
// frame of a call). What came with the request (messages, reasoning, tool results, the JSON of tools and
// schemas, names and arguments of calls) is ordinary text throughout. The ordinary words of the protocol ("##
// Tools", "<tool_result>") are ordinary text too, in one piece with their neighbours, because the model was
// trained on texts that are cut at special tokens only: the ids of the pieces, one after the other, are those
// of the whole text.
struct PromptPiece {
  std::string text;
  bool protocol;
};

// The prompt for the next assistant turn, from BOS to the assistant marker and its think part. Pieces
// alternate and are never empty. System messages may stand anywhere; tool results are sorted into the order
// of the calls that they answer. Throws Error(kUsage) for an empty conversation, one that ends with an
// assistant message, and bad JSON in tools, schema or arguments (with the place); call arguments that are
// empty or blank count as {}.
std::vector<PromptPiece> render_prompt(const std::vector<Message>& messages, const ChatOptions& options);

std::string joined(
    const std::vector<PromptPiece>& pieces);  // for people and tests; the piece borders are lost

// The release by its published name: `general.name` of the file, or the file's name without folder. k0731
// when either has a date from 0731 on: a number of exactly four digits MMDD, or of eight digits 20YYMMDD from
// 20260731 on. A four-digit number other than 0731 must stand alone between '-', '_', '.', ' ' or the ends
// (1024 in "ctx1024" is no date). A date of a later January to July without its year is not seen: that is
// what --release is for.
Release guess_release(std::string_view general_name, std::string_view file_name);

}  // namespace halyard
