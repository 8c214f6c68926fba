// Stop strings against a plain search.
// Input: 4 bytes that choose the cuts; then the stop strings and the text, with a byte 0x1e between them.
#include "text/stop_strings.h"

#include "fuzz/fuzz.h"

namespace halyard {
namespace {

using fuzz::require;

struct Result {
  std::string text;
  bool stopped = false;
};

// The first end of a stop string decides, then the longest that ends there.
Result searched(const std::vector<std::string>& stops, std::string_view text) {
  for (size_t end = 1; end <= text.size(); ++end) {
    size_t longest = 0;
    for (const std::string& stop : stops)
      if (text.substr(0, end).ends_with(stop)) longest = std::max(longest, stop.size());
    if (longest > 0) return {std::string(text.substr(0, end - longest)), true};
  }
  return {std::string(text), false};
}

Result fed(const std::vector<std::string>& stops, const std::vector<std::string_view>& pieces) {
  StopStrings stream(stops);
  Result result;
  for (const std::string_view piece : pieces) stream.feed(piece, result.text);
  stream.finish(result.text);
  result.stopped = stream.stopped();
  return result;
}

void check(const std::vector<std::string>& stops, std::string_view text, std::minstd_rand& random) {
  const Result expected = searched(stops, text);
  for (const auto& pieces : {std::vector{text}, fuzz::random_pieces(text, random)}) {
    const Result result = fed(stops, pieces);
    require(result.stopped == expected.stopped, "stopped, or went on, against the search");
    require(result.text == expected.text, "another text than the search gives");
  }
}

}  // namespace
}  // namespace halyard

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace halyard;
  fuzz::Input input(data, size);
  std::minstd_rand random(static_cast<uint32_t>(input.number(4)));
  const auto fields = fuzz::split(input.rest(), '\x1e');
  const std::vector<std::string> stops(fields.begin(), fields.end() - 1);
  const bool has_empty = std::find(stops.begin(), stops.end(), "") != stops.end();
  try {
    check(stops, fields.back(), random);
    fuzz::require(!has_empty, "an empty stop string was taken");
  } catch (const Error&) {
    fuzz::require(has_empty, "sound stop strings were refused");
  }
  return 0;
}
