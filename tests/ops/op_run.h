// Runs one case on one backend and compares what two backends gave.
#pragma once
#include <string>
#include <vector>

#include "ops/op_backends.h"
#include "ops/op_cases.h"

namespace halyard::test {

// A part of a step's result: rows of values.
struct OpOutput {
  enum class Kind { kValues, kExperts, kSelection };
  std::string name;
  Kind kind;
  size_t row_values;
  std::vector<float> values;
};

struct OpResult {
  std::vector<OpOutput> outputs;
  // For kSelect: the indexer rows that the backend cached, [rows][indexer_dim].
  std::vector<float> indexer_rows;
};

// Writes the inputs of the case (the same on every backend), fills the cache by the earlier steps, poisons
// the outputs with NaN, and runs the step.
OpResult run_op(const OpCase& c, const OpBackend& on);

// Fails the running test where `result` is further from `expected` than the tolerance. Experts are equal; a
// selected row may differ where its exact score is as good as that of the last row kept.
void expect_close(const OpCase& c, const OpResult& result, const OpResult& expected,
                  const OpTolerance& tolerance);

}  // namespace halyard::test
