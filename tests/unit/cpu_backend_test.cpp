// What the CPU backend promises beyond the numbers of each step.
#include "backend/cpu/cpu_backend.h"

#include <gtest/gtest.h>

#include "halyard/error.h"
#include "model/forward.h"
#include "support/synthetic_model.h"

namespace halyard {
namespace {

std::unique_ptr<test::SyntheticModel> small_model() {
  test::SyntheticOptions options;
  options.shape = test::tiny_shape();
  options.ratios = {0, 4, 128};
  options.n_hash_layers = 1;
  options.formats = {"q2", Format::kQ8_0, Format::kF16, Format::kIQ2_XXS, Format::kQ2_K};
  return make_synthetic_model(options);
}

// Logits of all tokens, evaluated in slices of the given length.
std::vector<float> logits(InstructionSet set, const Model& model, unsigned n_threads, size_t slice) {
  const auto backend = make_cpu_backend_with(set, model, {.cache_rounding = true, .n_threads = n_threads});
  test::Random random(3);
  std::vector<int32_t> tokens(150);
  for (int32_t& t : tokens) t = static_cast<int32_t>(random.below(model.shape.vocab));
  const auto cache = backend->make_cache(tokens.size());
  std::vector<float> all;
  for (size_t at = 0; at < tokens.size(); at += slice) {
    const std::span<const int32_t> part = std::span(tokens).subspan(at, std::min(slice, tokens.size() - at));
    const auto rows = forward(*backend, model, *cache, {part, at}, static_cast<uint32_t>(part.size()));
    all.insert(all.end(), rows.begin(), rows.end());
  }
  return all;
}

TEST(CpuBackend, SameBitsForAnyNumberOfThreadsAndEverySplit) {
  const auto made = small_model();
  for (InstructionSet set : usable_instruction_sets()) {
    SCOPED_TRACE(instruction_set_name(set));
    const std::vector<float> whole = logits(set, made->model, 1, 512);
    for (unsigned n_threads : {2u, 5u})
      EXPECT_EQ(logits(set, made->model, n_threads, 512), whole) << n_threads;
    for (size_t slice : {1, 6, 64, 127}) EXPECT_EQ(logits(set, made->model, 3, slice), whole) << slice;
  }
}

void expect_refused(const Model& model, const std::string& tensor) {
  try {
    make_cpu_backend(model, {});
    FAIL() << "not refused: " << tensor;
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kUnsupported);
    EXPECT_EQ(e.where(), tensor);
  }
}

TEST(CpuBackend, RefusesAFormatWithoutKernelsByTheTensorsName) {
  constexpr Format kQ6_K{14};
  const auto made = small_model();
  Layer& layer = made->model.layers[1];
  for (Tensor* tensor : {&made->model.output, &layer.indexer_compressor.gate, &layer.down_experts,
                         &layer.attn_norm, &made->model.token_embedding}) {
    const Format format = tensor->format;
    tensor->format = kQ6_K;
    expect_refused(made->model, tensor->name);
    tensor->format = format;
  }
  made->model.layers[0].q_a.format = Format::kI32;
  expect_refused(made->model, "blk.0.attn_q_a.weight");
}

TEST(CpuBackend, RefusesRowsThatAreNoMultipleOfAVector) {
  const auto made = small_model();
  made->model.layers[0].router.dims[0] = 250;
  expect_refused(made->model, "blk.0.ffn_gate_inp.weight");
}

TEST(CpuBackend, AnExpertIdOutsideTheModelIsAnErrorOfTheFile) {
  const auto made = small_model();
  const Tensor& table = made->model.layers[0].token_experts;
  for (std::vector<std::byte>& bytes : made->storage) {
    if (bytes.data() == table.data) std::fill(bytes.begin(), bytes.end(), std::byte{0x7f});
  }
  try {
    logits(usable_instruction_sets().back(), made->model, 2, 64);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kBadFile);
    EXPECT_NE(e.where().find("blk.0.ffn_gate_tid2eid"), std::string::npos) << e.where();
  }
}

}  // namespace
}  // namespace halyard
