// Every case of op_cases() on every backend against the reference backend.
#include <gtest/gtest.h>

#include "ops/op_run.h"

namespace halyard::test {
namespace {

class Ops : public testing::TestWithParam<OpCase> {};

TEST_P(Ops, AgreesWithReference) {
  const OpCase& c = GetParam();
  const OpResult expected = run_op(c, op_backends().front());
  for (const OpBackend& backend : op_backends()) {
    // The reference runs twice for the small cases only: the same again shows that a case is sound.
    if (&backend == &op_backends().front() && c.size == Size::kFlashLike) continue;
    SCOPED_TRACE(backend.name);
    expect_close(c, run_op(c, backend), expected, backend.tolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Ops, testing::ValuesIn(op_cases()),
                         [](const auto& c) { return c.param.name(); });

}  // namespace
}  // namespace halyard::test
