// Values of options, as text and as what they mean. All throw kUsage with the name of the option and what it
// takes; names are flags ("--threads") or "environment variable X".
#pragma once
#include <charconv>
#include <fmt/format.h>
#include <initializer_list>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include "halyard/error.h"

namespace halyard::app {

// The whole of `text` as a decimal number from `low` to `high`.
template <class Number>
Number parse_number(const std::string& text, Number low, Number high, const std::string& name) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const char* kind = std::is_integral_v<Number> ? "whole number" : "number";
  const std::string fix = fmt::format("give a {} from {} to {}", kind, low, high);
  if (end != text.data() + text.size() || error == std::errc::invalid_argument)
    throw Error(ErrorCode::kUsage, fmt::format("\"{}\" is not a {}", text, kind), name, fix);
  if (error != std::errc{} || !(value >= low && value <= high))  // NaN is in no range
    throw Error(ErrorCode::kUsage, text + " is out of range", name, fix);
  return value;
}

template <class Value>
using Choices = std::initializer_list<std::pair<const char*, Value>>;

template <class Value>
Value parse_choice(const std::string& text, Choices<Value> choices, const std::string& name) {
  std::string known;
  for (const auto& [word, value] : choices) {
    if (text == word) return value;
    known += known.empty() ? word : std::string(", ") + word;
  }
  throw Error(ErrorCode::kUsage, fmt::format("\"{}\" is not one of its values", text), name,
              "give one of: " + known);
}

}  // namespace halyard::app
