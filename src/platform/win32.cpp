#include "platform/win32.h"

#include <array>
#include <climits>

#include "halyard/error.h"

namespace halyard::win32 {
namespace {

int checked_length(size_t length) {
  if (length > INT_MAX) {
    throw Error(ErrorCode::kUsage, "the text is too long", std::to_string(length) + " units",
                "pass less than 2 GiB of text");
  }
  return static_cast<int>(length);
}

}  // namespace

std::wstring wide(std::string_view utf8) {
  const int n_bytes = checked_length(utf8.size());
  if (n_bytes == 0) return {};
  const int n_units = ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), n_bytes, nullptr, 0);
  std::wstring out(static_cast<size_t>(n_units), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8.data(), n_bytes, out.data(), n_units);
  return out;
}

std::string utf8(std::wstring_view wide) {
  const int n_units = checked_length(wide.size());
  if (n_units == 0) return {};
  const int n_bytes = ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), n_units, nullptr, 0, nullptr, nullptr);
  std::string out(static_cast<size_t>(n_bytes), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), n_units, out.data(), n_bytes, nullptr, nullptr);
  return out;
}

std::string error_text(DWORD code) {
  std::array<wchar_t, 512> buffer;
  const DWORD n_units = ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr,
                                         code, 0, buffer.data(), static_cast<DWORD>(buffer.size()), nullptr);
  std::string text = utf8(std::wstring_view(buffer.data(), n_units));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.pop_back();
  return text.empty() ? "system error " + std::to_string(code) : text;
}

}  // namespace halyard::win32
