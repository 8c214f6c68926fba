// What bench measured, and how it is shown. Pure functions of numbers.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halyard/engine.h"

namespace halyard::app {

// One visit to a frontier.
struct FrontierVisit {
  uint64_t ctx_tokens = 0;      // the frontier
  uint64_t prefill_tokens = 0;  // of the interval that ends here
  double prefill_seconds = 0;
  std::vector<double> token_seconds;  // of each decoded token, at least one
  uint64_t kvcache_bytes = 0;         // that the frontier's tokens fill
};

// Over the visits to a frontier.
struct Spread {
  double min = 0, median = 0, max = 0;
};

// Speeds are tokens per second. "Steady" leaves out the first decoded token, unless it is the only one.
struct FrontierRow {
  uint64_t ctx_tokens = 0, prefill_tokens = 0, gen_tokens = 0, gen_steady_tokens = 0;
  uint64_t kvcache_bytes = 0;
  Spread prefill_tps;
  Spread gen_tps;         // all decoded tokens, by their whole time
  Spread gen_first_ms;    // the first decoded token
  Spread gen_steady_tps;  // the others, by their whole time
  Spread gen_median_tps;  // of the steady tokens, the one in the middle
  Spread gen_worst_tps;   // of the steady tokens, the slowest
};

struct BenchReport {
  ModelInfo model;
  std::string backend;
  unsigned n_threads = 0;
  bool cache_rounding = true;
  uint32_t slice_tokens = 0;
  uint64_t n_repeats = 0;
  std::string date;       // UTC, ISO 8601
  std::string processor;  // brand, empty when not known
  unsigned n_cores = 0;
  uint64_t memory_bytes = 0;
  uint64_t peak_resident_bytes = 0;
  double read_bandwidth = 0;  // bytes a second
  std::vector<FrontierRow> rows;
};

Spread spread(std::vector<double> values);                     // zeros for none; between two, their mean
FrontierRow summarize(std::span<const FrontierVisit> visits);  // at least one, all to the same frontier

// Tokens a second that the memory allows, each reading all its weights once. 0 when one of them is not known.
double decode_limit_tps(const BenchReport& report);

std::string bench_table(const BenchReport& report);
std::string bench_csv(const BenchReport& report);  // medians, in the columns of ds4-bench
std::string bench_json(const BenchReport& report);

}  // namespace halyard::app
