// Look-ups in a parsed header.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <numeric>
#include <optional>

#include "gguf/gguf.h"
#include "gguf/printable.h"

namespace halyard::gguf {
namespace {

constexpr const char* kFix = "fetch the file again, or make it anew with a current converter";

std::string_view name_of(const std::pair<std::string_view, Value>& entry) {
  return entry.first;
}
std::string_view name_of(const TensorInfo& tensor) {
  return tensor.name;
}

// Sorted positions and not a hash table: a file cannot choose names that make them slow, and they take 4
// bytes a name.
template <class Entry>
std::vector<uint32_t> positions_by_name(const std::vector<Entry>& entries, std::string_view kind,
                                        const std::string& where) {
  std::vector<uint32_t> positions(entries.size());
  std::iota(positions.begin(), positions.end(), 0u);
  std::sort(positions.begin(), positions.end(),
            [&](uint32_t a, uint32_t b) { return name_of(entries[a]) < name_of(entries[b]); });
  const auto twin = std::adjacent_find(positions.begin(), positions.end(), [&](uint32_t a, uint32_t b) {
    return name_of(entries[a]) == name_of(entries[b]);
  });
  if (twin != positions.end()) {
    throw Error(ErrorCode::kBadFile, fmt::format("{} {} occurs twice", kind, quoted(name_of(entries[*twin]))),
                where, kFix);
  }
  return positions;
}

template <class Entry>
const Entry* find_by_name(const std::vector<Entry>& entries, const std::vector<uint32_t>& positions,
                          std::string_view name) {
  const auto at = std::lower_bound(
      positions.begin(), positions.end(), name,
      [&](uint32_t position, std::string_view wanted) { return name_of(entries[position]) < wanted; });
  return at != positions.end() && name_of(entries[*at]) == name ? &entries[*at] : nullptr;
}

std::string type_text(const Value& value) {
  const std::string_view type = value_type_name(value.type);
  if (const auto* array = std::get_if<Array>(&value.data)) {
    return fmt::format("of type array of {}", value_type_name(array->element));
  }
  if (const auto* u = std::get_if<uint64_t>(&value.data)) return fmt::format("{} ({})", *u, type);
  if (const auto* i = std::get_if<int64_t>(&value.data)) return fmt::format("{} ({})", *i, type);
  return fmt::format("of type {}", type);
}

const Value& require(const Header& header, std::string_view key) {
  if (const Value* value = header.find(key)) return *value;
  throw Error(ErrorCode::kBadFile, fmt::format("metadata key {} is missing", quoted(key)), header.where,
              kFix);
}

[[noreturn]] void fail_type(const Header& header, std::string_view key, const Value& value,
                            std::string_view wanted) {
  throw Error(ErrorCode::kBadFile,
              fmt::format("metadata key {} is {}; {} is needed", quoted(key), type_text(value), wanted),
              header.where, kFix);
}

std::optional<uint64_t> as_uint(const Value& value) {
  if (const auto* u = std::get_if<uint64_t>(&value.data)) return *u;
  if (const auto* i = std::get_if<int64_t>(&value.data); i != nullptr && *i >= 0)
    return static_cast<uint64_t>(*i);
  return std::nullopt;
}

std::optional<int64_t> as_int(const Value& value) {
  constexpr uint64_t kMax = std::numeric_limits<int64_t>::max();
  if (const auto* i = std::get_if<int64_t>(&value.data)) return *i;
  if (const auto* u = std::get_if<uint64_t>(&value.data); u != nullptr && *u <= kMax)
    return static_cast<int64_t>(*u);
  return std::nullopt;
}

std::optional<double> as_real(const Value& value) {
  if (const auto* f = std::get_if<double>(&value.data)) return *f;
  if (const auto* i = std::get_if<int64_t>(&value.data)) return static_cast<double>(*i);
  if (const auto* u = std::get_if<uint64_t>(&value.data)) return static_cast<double>(*u);
  return std::nullopt;
}

// A scalar gives one element.
template <class Number>
std::vector<Number> number_list(const Header& header, std::string_view key,
                                std::optional<Number> (*convert)(const Value&), std::string_view wanted) {
  const Value& value = require(header, key);
  const auto* array = std::get_if<Array>(&value.data);
  if (array != nullptr && array->element == ValueType::kString) fail_type(header, key, value, wanted);
  const uint64_t count = array != nullptr ? array->count : 1;
  std::vector<Number> out;
  out.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    const auto number = convert(array != nullptr ? array->at(i) : value);
    if (!number) fail_type(header, key, value, wanted);
    out.push_back(*number);
  }
  return out;
}

}  // namespace

void Header::make_indexes() {
  metadata_by_key_ = positions_by_name(metadata, "metadata key", where);
  tensors_by_name_ = positions_by_name(tensors, "tensor", where);
}

const Value* Header::find(std::string_view key) const {
  const auto* entry = find_by_name(metadata, metadata_by_key_, key);
  return entry != nullptr ? &entry->second : nullptr;
}

const TensorInfo* Header::find_tensor(std::string_view name) const {
  return find_by_name(tensors, tensors_by_name_, name);
}

uint64_t Header::uint(std::string_view key) const {
  const Value& value = require(*this, key);
  if (const auto number = as_uint(value)) return *number;
  fail_type(*this, key, value, "an integer of 0 or more");
}

double Header::real(std::string_view key) const {
  const Value& value = require(*this, key);
  if (const auto number = as_real(value)) return *number;
  fail_type(*this, key, value, "a number");
}

bool Header::boolean(std::string_view key) const {
  const Value& value = require(*this, key);
  if (const auto* boolean = std::get_if<bool>(&value.data)) return *boolean;
  fail_type(*this, key, value, "a bool");
}

std::string_view Header::string(std::string_view key) const {
  const Value& value = require(*this, key);
  if (const auto* text = std::get_if<std::string_view>(&value.data)) return *text;
  fail_type(*this, key, value, "a string");
}

std::vector<int64_t> Header::int_list(std::string_view key) const {
  return number_list(*this, key, as_int, "a list of integers below 2^63");
}

std::vector<double> Header::real_list(std::string_view key) const {
  return number_list(*this, key, as_real, "a list of numbers");
}

std::vector<std::string_view> Header::string_list(std::string_view key) const {
  const Value& value = require(*this, key);
  if (const auto* text = std::get_if<std::string_view>(&value.data)) return {*text};
  const auto* array = std::get_if<Array>(&value.data);
  if (array == nullptr || array->element != ValueType::kString)
    fail_type(*this, key, value, "a list of strings");
  return array->strings();
}

}  // namespace halyard::gguf
