// The reference outputs of HALYARD_SHARED/reference (its README says what they are), and how close a result
// must come.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace halyard::test {

std::filesystem::path reference_path(const std::string& name);
const nlohmann::json& reference_json();  // reference.json
const nlohmann::json& window0_json();
const nlohmann::json& flash4_json();
std::vector<float> read_f32(const std::string& name);  // float32, little endian
std::vector<int32_t> sequence_tokens(const std::string& name);

// Relative L2 distances of rows of logits, pooled.
struct Distance {
  std::vector<double> rows;  // |a - b| / |b| of each
  double aggregate = 0;      // of all rows as one vector
  double median() const;
  double worst() const;
};
Distance distance(std::span<const float> result, std::span<const float> expected, size_t row_values);

// Limits of the design's numerics table for one class of matmul inputs; 0 is no limit.
struct ClassLimits {
  double median, every_position, aggregate;
};
inline constexpr ClassLimits kFloat32Off{1e-5, 1e-3, 0}, kFloat32On{1e-3, 0, 0};
inline constexpr ClassLimits kFlashFloat32Off{1e-5, 1e-3, 0}, kFlashFloat32On{5e-3, 0, 0};

// Fails the running test, with the figures, where `d` is outside the limits; prints them always.
void expect_within(const Distance& d, const ClassLimits& limits, const std::string& what);

}  // namespace halyard::test
