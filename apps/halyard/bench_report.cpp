#include "bench_report.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include <nlohmann/json.hpp>

#include "build_info.h"

namespace halyard::app {
namespace {

using Json = nlohmann::ordered_json;

double ratio(double numerator, double denominator) {
  return denominator > 0 ? numerator / denominator : 0;
}

double total(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// The spread of one number over the visits.
template <class Measure>
Spread over(std::span<const FrontierVisit> visits, Measure measure) {
  std::vector<double> values;
  for (const FrontierVisit& visit : visits) values.push_back(measure(visit));
  return spread(std::move(values));
}

std::span<const double> steady_seconds(const FrontierVisit& visit) {
  const std::span<const double> all = visit.token_seconds;
  return all.size() > 1 ? all.subspan(1) : all;
}

Json as_json(const Spread& spread) {
  return {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
}

Json row_json(const FrontierRow& row, double limit_tps) {
  return {{"ctx_tokens", row.ctx_tokens},
          {"prefill_tokens", row.prefill_tokens},
          {"prefill_tps", as_json(row.prefill_tps)},
          {"gen_tokens", row.gen_tokens},
          {"gen_tps", as_json(row.gen_tps)},
          {"gen_first_ms", as_json(row.gen_first_ms)},
          {"gen_steady_tokens", row.gen_steady_tokens},
          {"gen_steady_tps", as_json(row.gen_steady_tps)},
          {"gen_median_tps", as_json(row.gen_median_tps)},
          {"gen_worst_tps", as_json(row.gen_worst_tps)},
          {"fraction_of_limit", ratio(row.gen_median_tps.median, limit_tps)},
          {"kvcache_bytes", row.kvcache_bytes}};
}

std::string heading(const BenchReport& report) {
  const ModelInfo& model = report.model;
  std::string text = fmt::format("model    {} ({}; {})\n", model.name, model.source, model.formats);
  text += fmt::format("run      {} backend, {} threads, cache rounding {}, slices of {}{}\n", report.backend,
                      report.n_threads, report.cache_rounding ? "on" : "off", report.slice_tokens,
                      report.n_repeats > 1 ? fmt::format(", medians of {}", report.n_repeats) : "");
  text += fmt::format("machine  {}, {} cores, {:.1f} GiB\n",
                      report.processor.empty() ? "unknown processor" : report.processor, report.n_cores,
                      static_cast<double>(report.memory_bytes) / 0x1p30);
  text += fmt::format("limit    memory reads {:.1f} GB/s, a token reads {:.1f} MB: {:.1f} tokens/s\n",
                      report.read_bandwidth / 1e9, static_cast<double>(model.bytes_per_token) / 1e6,
                      decode_limit_tps(report));
  return text;
}

}  // namespace

Spread spread(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return {values.front(), (values[(n - 1) / 2] + values[n / 2]) / 2, values.back()};
}

FrontierRow summarize(std::span<const FrontierVisit> visits) {
  using Visit = FrontierVisit;
  const Visit& any = visits.front();
  FrontierRow row;
  row.ctx_tokens = any.ctx_tokens;
  row.prefill_tokens = any.prefill_tokens;
  row.gen_tokens = any.token_seconds.size();
  row.gen_steady_tokens = row.gen_tokens - 1;
  row.kvcache_bytes = any.kvcache_bytes;
  row.prefill_tps = over(
      visits, [](const Visit& v) { return ratio(static_cast<double>(v.prefill_tokens), v.prefill_seconds); });
  row.gen_tps = over(visits, [](const Visit& v) {
    return ratio(static_cast<double>(v.token_seconds.size()), total(v.token_seconds));
  });
  row.gen_first_ms = over(visits, [](const Visit& v) { return v.token_seconds.front() * 1e3; });
  row.gen_steady_tps = over(visits, [](const Visit& v) {
    return ratio(static_cast<double>(steady_seconds(v).size()), total(steady_seconds(v)));
  });
  row.gen_median_tps = over(visits, [](const Visit& v) {
    const std::span<const double> steady = steady_seconds(v);
    return ratio(1, spread({steady.begin(), steady.end()}).median);
  });
  row.gen_worst_tps =
      over(visits, [](const Visit& v) { return ratio(1, std::ranges::max(steady_seconds(v))); });
  return row;
}

double decode_limit_tps(const BenchReport& report) {
  return ratio(report.read_bandwidth, static_cast<double>(report.model.bytes_per_token));
}

std::string bench_table(const BenchReport& report) {
  std::string text = heading(report);
  text +=
      "\n"
      "           prefill             decode                                        KV\n"
      " context    tokens  tokens/s   tokens  median   worst  first ms  of limit   MiB\n";
  const double limit_tps = decode_limit_tps(report);
  for (const FrontierRow& row : report.rows) {
    text += fmt::format("{:8} {:9} {:9.1f} {:8} {:7.1f} {:7.1f} {:9.1f} {:8.1f}% {:5.1f}\n", row.ctx_tokens,
                        row.prefill_tokens, row.prefill_tps.median, row.gen_tokens, row.gen_median_tps.median,
                        row.gen_worst_tps.min, row.gen_first_ms.median,
                        100 * ratio(row.gen_median_tps.median, limit_tps),
                        static_cast<double>(row.kvcache_bytes) / 0x1p20);
  }
  return text;
}

std::string bench_csv(const BenchReport& report) {
  std::string text =
      "ctx_tokens,prefill_tokens,prefill_tps,gen_tokens,gen_tps,gen_first_ms,gen_steady_tokens,"
      "gen_steady_tps,kvcache_bytes\n";
  for (const FrontierRow& row : report.rows) {
    text += fmt::format("{},{},{:.3f},{},{:.3f},{:.3f},{},{:.3f},{}\n", row.ctx_tokens, row.prefill_tokens,
                        row.prefill_tps.median, row.gen_tokens, row.gen_tps.median, row.gen_first_ms.median,
                        row.gen_steady_tokens, row.gen_steady_tps.median, row.kvcache_bytes);
  }
  return text;
}

std::string bench_json(const BenchReport& report) {
  const ModelInfo& model = report.model;
  const BuildInfo& build = build_info();
  Json json = {
      {"version", build.version},
      {"build",
       {{"commit", build.commit},
        {"compiler", build.compiler},
        {"type", build.type},
        {"system", build.system}}},
      {"date", report.date},
      {"machine",
       {{"processor", report.processor}, {"cores", report.n_cores}, {"memory_bytes", report.memory_bytes}}},
      {"model",
       {{"name", model.name},
        {"source", model.source},
        {"formats", model.formats},
        {"file_bytes", model.file_bytes},
        {"weight_bytes", model.weight_bytes},
        {"bytes_per_token", model.bytes_per_token}}},
      {"backend", report.backend},
      {"threads", report.n_threads},
      {"cache_rounding", report.cache_rounding},
      {"slice_tokens", report.slice_tokens},
      {"repeat", report.n_repeats},
      {"read_bandwidth_bytes_per_second", report.read_bandwidth},
      {"decode_limit_tps", decode_limit_tps(report)},
      {"peak_resident_bytes", report.peak_resident_bytes},
      {"frontiers", Json::array()}};
  for (const FrontierRow& row : report.rows)
    json["frontiers"].push_back(row_json(row, decode_limit_tps(report)));
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace halyard::app
