#include "support/reference_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <stdexcept>

#include "platform/file.h"

namespace halyard::test {
namespace {

nlohmann::json load_json(const std::string& name) {
  std::ifstream in(reference_path(name), std::ios::binary);
  return nlohmann::json::parse(in);
}

}  // namespace

std::filesystem::path reference_path(const std::string& name) {
  return std::filesystem::path(HALYARD_SHARED_DIR) / "reference" / name;
}

const nlohmann::json& reference_json() {
  static const nlohmann::json json = load_json("reference.json");
  return json;
}

const nlohmann::json& window0_json() {
  static const nlohmann::json json = load_json("window0.json");
  return json;
}

const nlohmann::json& flash4_json() {
  static const nlohmann::json json = load_json("flash4.json");
  return json;
}

std::vector<float> read_f32(const std::string& name) {
  const File file = File::open(reference_path(name));
  std::vector<float> values(file.size_bytes() / sizeof(float));
  file.read_at(0, std::as_writable_bytes(std::span(values)));
  return values;
}

std::vector<int32_t> sequence_tokens(const std::string& name) {
  for (const auto& s : reference_json()["sequences"]) {
    if (s["name"] == name) return s["tokens"];
  }
  throw std::invalid_argument("no sequence " + name);
}

double Distance::median() const {
  std::vector<double> sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  return sorted.empty() ? 0 : sorted[sorted.size() / 2];
}

double Distance::worst() const {
  return rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
}

Distance distance(std::span<const float> result, std::span<const float> expected, size_t row_values) {
  if (result.size() != expected.size()) throw std::invalid_argument("rows to compare differ in number");
  Distance d;
  double all_error = 0, all_norm = 0;
  for (size_t begin = 0; begin < result.size(); begin += row_values) {
    double error = 0, norm = 0;
    for (size_t i = begin; i < begin + row_values; ++i) {
      const double difference = double{result[i]} - expected[i];
      error += difference * difference;
      norm += double{expected[i]} * expected[i];
    }
    // A NaN must fail every limit, and no comparison with NaN holds: make it infinite.
    const double relative = std::sqrt(error / norm);
    d.rows.push_back(std::isfinite(relative) ? relative : HUGE_VAL);
    all_error += error;
    all_norm += norm;
  }
  d.aggregate = std::sqrt(all_error / all_norm);
  if (!std::isfinite(d.aggregate)) d.aggregate = HUGE_VAL;
  return d;
}

void expect_within(const Distance& d, const ClassLimits& limits, const std::string& what) {
  std::printf("%-44s rows %5zu  median %.2e  worst %.2e  aggregate %.2e\n", what.c_str(), d.rows.size(),
              d.median(), d.worst(), d.aggregate);
  EXPECT_GT(d.rows.size(), 0u) << what;
  EXPECT_LE(d.median(), limits.median) << what;
  if (limits.every_position > 0) {
    EXPECT_LE(d.worst(), limits.every_position) << what;
  }
  if (limits.aggregate > 0) {
    EXPECT_LE(d.aggregate, limits.aggregate) << what;
  }
}

}  // namespace halyard::test
