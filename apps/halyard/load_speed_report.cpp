#include "load_speed_report.h"

#include <algorithm>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "bench_report.h"
#include "build_info.h"

namespace halyard::app {
namespace {

using Json = nlohmann::ordered_json;

double gib(double bytes) {
  return bytes / 0x1p30;
}
double mib(uint64_t bytes) {
  return static_cast<double>(bytes) / 0x1p20;
}

// Of each round: the load's rate over that of the plain read beside it.
Spread ratios(const LoadRate& rate) {
  std::vector<double> all;
  for (size_t i = 0; i < std::min(rate.load_rates.size(), rate.plain_rates.size()); ++i)
    all.push_back(rate.load_rates[i] / rate.plain_rates[i]);
  return spread(std::move(all));
}

Json as_json(const Spread& s) {
  return {{"min", s.min}, {"median", s.median}, {"max", s.max}};
}

}  // namespace

std::string load_speed_table(const LoadSpeed& speed) {
  std::string text = fmt::format(
      "model    {}, {:.2f} GiB; a load reads {:.2f} GiB, up to byte {}\n"
      "load     {} readers, windows of {:.0f} MiB, a ring of {:.0f} MiB, into a simulated device that drops "
      "it\n"
      "host     {:.1f} MiB at most, of which the ring {:.0f} and the directory {:.1f}; the plan took {:.2f} "
      "ms\n\n"
      "{:<17} {:>13} {:>7} {:>13} {:>7} {:>11} {:>7} {:>14}\n",
      speed.model, gib(static_cast<double>(speed.file_bytes)), gib(static_cast<double>(speed.read_bytes)),
      speed.highest_byte, speed.n_readers, mib(speed.window_bytes), mib(speed.ring_bytes),
      mib(speed.peak_resident_bytes), mib(speed.ring_bytes), mib(speed.directory_bytes),
      speed.plan_seconds * 1e3, "", "load GiB/s", "worst", "plain GiB/s", "worst", "load/plain", "worst",
      "first byte ms");
  for (const LoadRate& rate : speed.rates) {
    if (!rate.load_rates.empty()) {
      const Spread load = spread(rate.load_rates), plain = spread(rate.plain_rates), ratio = ratios(rate);
      text += fmt::format("{:<17} {:>13.2f} {:>7.2f} {:>13.2f} {:>7.2f} {:>10.1f}% {:>6.1f}% {:>14.1f}\n",
                          rate.kind, gib(load.median), gib(load.min), gib(plain.median), gib(plain.min),
                          ratio.median * 100, ratio.min * 100, rate.first_byte_seconds * 1e3);
    }
    if (!rate.note.empty()) text += fmt::format("{:<17} {}\n", rate.kind, rate.note);
  }
  return text;
}

std::string load_speed_json(const LoadSpeed& speed) {
  Json json = {{"version", build_info().version},
               {"commit", build_info().commit},
               {"model", speed.model},
               {"file_bytes", speed.file_bytes},
               {"read_bytes", speed.read_bytes},
               {"highest_byte", speed.highest_byte},
               {"readers", speed.n_readers},
               {"window_bytes", speed.window_bytes},
               {"ring_bytes", speed.ring_bytes},
               {"directory_bytes", speed.directory_bytes},
               {"peak_resident_bytes", speed.peak_resident_bytes},
               {"plan_seconds", speed.plan_seconds},
               {"rates", Json::array()}};
  for (const LoadRate& rate : speed.rates)
    json["rates"].push_back({{"kind", rate.kind},
                             {"load_bytes_per_second", as_json(spread(rate.load_rates))},
                             {"plain_bytes_per_second", as_json(spread(rate.plain_rates))},
                             {"load_over_plain", as_json(ratios(rate))},
                             {"first_byte_seconds", rate.first_byte_seconds},
                             {"note", rate.note}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halyard::app
