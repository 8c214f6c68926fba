// Events of the output parser for comparison: neighbours of one kind joined, printable.
#pragma once
#include <gtest/gtest.h>
#include <ostream>
#include <string>
#include <vector>

#include "text/output_parser.h"

namespace halyard {

using Events = std::vector<OutputEvent>;

inline bool operator==(const OutputEvent& a, const OutputEvent& b) {
  return a.kind == b.kind && a.text == b.text;
}

inline void PrintTo(const OutputEvent& event, std::ostream* out) {
  constexpr const char* kNames[] = {"reasoning", "content", "call", "arguments", "end", "cut short"};
  *out << kNames[static_cast<size_t>(event.kind)] << " \"" << event.text << "\"";
}

inline Events merged(const Events& events) {
  Events result;
  for (const OutputEvent& event : events) {
    const bool is_text = event.kind == OutputKind::kReasoning || event.kind == OutputKind::kContent ||
                         event.kind == OutputKind::kCallArguments;
    if (is_text && !result.empty() && result.back().kind == event.kind)
      result.back().text += event.text;
    else
      result.push_back(event);
  }
  return result;
}

inline Events parsed_in_pieces(bool thinking, const std::vector<std::string>& pieces) {
  OutputParser parser(thinking);
  Events events;
  for (const std::string& piece : pieces) parser.feed(piece, events);
  parser.finish(events);
  return merged(events);
}

inline std::vector<std::string> bytes_of(const std::string& text) {
  std::vector<std::string> bytes;
  for (const char c : text) bytes.emplace_back(1, c);
  return bytes;
}

inline void expect_same_for_every_split(bool thinking, const std::string& text) {
  const Events whole = parsed_in_pieces(thinking, {text});
  for (size_t at = 0; at <= text.size(); ++at)
    EXPECT_EQ(parsed_in_pieces(thinking, {text.substr(0, at), text.substr(at)}), whole)
        << "split at byte " << at << " of " << text;
  EXPECT_EQ(parsed_in_pieces(thinking, bytes_of(text)), whole) << "byte by byte: " << text;
}

}  // namespace halyard
