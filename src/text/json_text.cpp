#include "text/json_text.h"

#include <nlohmann/json.hpp>

#include "halyard/error.h"

namespace halyard {
namespace {

// Receives the parser's events and writes them down again. nlohmann's parser keeps its own stack on the heap,
// so deep nesting cannot exhaust ours.
class JsonRewriter {
 public:
  using Json = nlohmann::json;

  bool null() { return scalar("null"); }
  bool boolean(bool value) { return scalar(value ? "true" : "false"); }
  bool number_integer(Json::number_integer_t value) { return scalar(std::to_string(value)); }
  bool number_unsigned(Json::number_unsigned_t value) { return scalar(std::to_string(value)); }
  bool number_float(Json::number_float_t, const std::string& text) { return scalar(text); }
  bool binary(Json::binary_t&) { return false; }
  bool string(const std::string& value) {
    begin_value();
    if (is_member()) members_.push_back({std::move(key_), true, value});
    append_string(value);
    return true;
  }
  bool start_object(size_t) { return open('{'); }
  bool end_object() { return close('}'); }
  bool start_array(size_t) { return open('['); }
  bool end_array() { return close(']'); }
  bool key(const std::string& name) {
    separate();
    append_string(name);
    text_ += ": ";
    after_key_ = true;
    if (open_.size() == 1) key_ = name;
    return true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& error) {
    problem_ = error.what();
    problem_.erase(0, problem_.find("] ") + 2);  // the library's number of the error
    return false;
  }

  std::string& text() { return text_; }
  const std::string& problem() const { return problem_; }
  std::vector<JsonMember>& members() { return members_; }
  bool is_object() const { return text_.starts_with('{'); }

 private:
  bool is_member() const { return open_ == "{"; }  // directly inside the outermost object
  void separate() {
    if (!first_) text_ += ", ";
    first_ = false;
  }
  void begin_value() {
    if (!after_key_) separate();
    after_key_ = false;
  }
  void append_string(const std::string& value) {
    text_ += '"';
    append_json_escaped(text_, value);
    text_ += '"';
  }
  bool scalar(std::string_view written) {
    begin_value();
    if (is_member()) members_.push_back({std::move(key_), false, std::string(written)});
    text_ += written;
    return true;
  }
  bool open(char bracket) {
    begin_value();
    if (is_member()) member_start_ = text_.size();
    open_ += bracket;
    text_ += bracket;
    first_ = true;
    return true;
  }
  bool close(char bracket) {
    open_.pop_back();
    text_ += bracket;
    first_ = false;
    if (is_member()) members_.push_back({std::move(key_), false, text_.substr(member_start_)});
    return true;
  }

  std::string text_, open_, key_, problem_;
  std::vector<JsonMember> members_;
  size_t member_start_ = 0;
  bool first_ = true, after_key_ = false;
};

// The library takes one for the end of the text and would not look at what follows.
bool has_zero_byte(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

JsonRewriter rewritten(std::string_view json, const std::string& where) {
  const auto bad = [&](const std::string& problem) {
    return Error(ErrorCode::kUsage, "not valid JSON: " + problem, where, "send JSON text here");
  };
  if (has_zero_byte(json)) throw bad("it holds a zero byte");
  JsonRewriter rewriter;
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &rewriter)) throw bad(rewriter.problem());
  return rewriter;
}

}  // namespace

std::string respaced_json(std::string_view json, const std::string& where) {
  return std::move(rewritten(json, where).text());
}

std::vector<JsonMember> json_members(std::string_view object, const std::string& where) {
  JsonRewriter rewriter = rewritten(object, where);
  if (!rewriter.is_object())
    throw Error(ErrorCode::kUsage, "JSON, but not an object", where, "send an object: {\"key\": value}");
  return std::move(rewriter.members());
}

bool is_json(std::string_view text) {
  return !has_zero_byte(text) && nlohmann::json::accept(text.begin(), text.end());
}

void append_json_escaped(std::string& out, std::string_view text) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte < 0x20) {
          out += "\\u00";
          out += kHexDigits[byte >> 4];
          out += kHexDigits[byte & 15];
        } else {
          out += c;
        }
    }
  }
}

}  // namespace halyard
