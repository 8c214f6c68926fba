#include "text_speed_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "build_info.h"

namespace halyard::app {
namespace {

using Json = nlohmann::ordered_json;

double megabytes_per_second(uint64_t n_bytes, double seconds) {
  return seconds > 0 ? static_cast<double>(n_bytes) / seconds / 1e6 : 0;
}

}  // namespace

std::string text_speed_table(const TextSpeed& speed) {
  std::string text = fmt::format("vocabulary of {}\n\n{:<16} {:>9} {:>9} {:>8} {:>7}\n", speed.model, "text",
                                 "bytes", "tokens", "seconds", "MB/s");
  for (const TextTime& t : speed.texts)
    text += fmt::format("{:<16} {:>9} {:>9} {:>8.3f} {:>7.2f}\n", t.text, t.n_bytes, t.n_tokens, t.seconds,
                        megabytes_per_second(t.n_bytes, t.seconds));
  return text + fmt::format("\na directory of {} tokens and {} merges, {:.1f} MB, opens in {:.3f} s\n",
                            speed.directory_tokens, speed.directory_merges,
                            static_cast<double>(speed.directory_bytes) / 1e6, speed.directory_seconds);
}

std::string text_speed_json(const TextSpeed& speed) {
  Json json = {{"version", build_info().version},
               {"commit", build_info().commit},
               {"model", speed.model},
               {"texts", Json::array()},
               {"directory",
                {{"bytes", speed.directory_bytes},
                 {"tokens", speed.directory_tokens},
                 {"merges", speed.directory_merges},
                 {"seconds", speed.directory_seconds}}}};
  for (const TextTime& t : speed.texts)
    json["texts"].push_back({{"text", t.text},
                             {"bytes", t.n_bytes},
                             {"tokens", t.n_tokens},
                             {"seconds", t.seconds},
                             {"mb_per_second", megabytes_per_second(t.n_bytes, t.seconds)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halyard::app
