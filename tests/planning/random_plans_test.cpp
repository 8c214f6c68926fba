// Whatever the device and the model: what a plan says fits can be taken, and what it refuses it explains.
#include <gtest/gtest.h>
#include <random>

#include "planner/arenas.h"
#include "planning/requests.h"

namespace halyard::test {
namespace {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint64_t below(uint64_t n) { return engine_() % n; }
  bool chance(uint64_t percent) { return below(100) < percent; }
  // Of any order of magnitude up to 2^bits.
  uint64_t size(unsigned bits) { return 1 + below(uint64_t{1} << (1 + below(bits))); }

 private:
  std::mt19937_64 engine_;
};

Tensor random_tensor(Random& random, std::string name, uint64_t& offset, unsigned bits) {
  Tensor tensor;
  if (random.chance(5)) return tensor;  // a part of the model that this machine does not hold
  tensor.name = std::move(name);
  tensor.bytes = random.size(bits);
  tensor.dims = {tensor.bytes};
  tensor.part = static_cast<uint32_t>(random.below(2));
  tensor.file_offset = offset;
  offset += tensor.bytes;
  return tensor;
}

Model random_model(Random& random) {
  Model model;
  ModelShape& s = model.shape;
  s.n_layers = static_cast<uint32_t>(random.below(12));
  s.hidden = static_cast<uint32_t>(64 * random.size(6));
  s.vocab = static_cast<uint32_t>(random.size(17));
  s.context_tokens = random.chance(10) ? random.size(6) : random.size(20);
  s.n_heads = static_cast<uint32_t>(random.size(6));
  s.head_dim = static_cast<uint32_t>(random.size(9));
  s.q_rank = static_cast<uint32_t>(random.size(10));
  s.out_groups = 8;
  s.out_rank = static_cast<uint32_t>(random.size(10));
  s.window = static_cast<uint32_t>(random.size(8));
  s.indexer_heads = static_cast<uint32_t>(random.size(6));
  s.indexer_dim = static_cast<uint32_t>(random.size(7));
  s.indexer_top_k = static_cast<uint32_t>(random.size(10));
  s.n_experts = static_cast<uint32_t>(random.size(8));
  s.n_experts_used = static_cast<uint32_t>(1 + random.below(8));
  s.expert_hidden = static_cast<uint32_t>(random.size(11));
  uint64_t offset = random.size(20);
  model.output = random_tensor(random, "output", offset, 32);
  for (uint32_t i = 0; i < s.n_layers; ++i) {
    Layer& layer = model.layers.emplace_back();
    layer.index = i;
    const uint32_t ratios[] = {0, 4, 128};
    const size_t kind = random.below(3);
    layer.attention = static_cast<Attention>(kind);
    layer.ratio = ratios[kind];
    const std::string prefix = "blk." + std::to_string(i) + ".";
    layer.attn_norm = random_tensor(random, prefix + "attn_norm", offset, 14);
    layer.q_b = random_tensor(random, prefix + "q_b", offset, 26);
    layer.compressor.ape = random_tensor(random, prefix + "ape", offset, 16);
    layer.hc_ffn.fn = random_tensor(random, prefix + "hc_ffn", offset, 20);
    layer.gate_experts = random_tensor(random, prefix + "gate", offset, 33);
    layer.up_experts = random_tensor(random, prefix + "up", offset, 33);
    layer.down_experts = random_tensor(random, prefix + "down", offset, 33);
  }
  return model;
}

SimulatedDeviceOptions random_device(Random& random) {
  SimulatedDeviceOptions options;
  options.driver = random.chance(50) ? "HIP 7" : "";
  options.system = random.chance(50) ? System::kLinux : System::kWindows;
  options.integrated = random.chance(70);
  options.storage = Storage::kDrop;
  for (const Pool pool : {Pool::kDedicated, Pool::kShared, Pool::kHostPinned}) {
    if (random.chance(25)) continue;
    const uint64_t block = random.chance(30) ? (uint64_t{1} << 20) + random.size(33) : 0;
    SimulatedPool& made = options.pools.emplace_back(
        truthful_pool(pool, random.size(37) + (random.chance(50) ? 4 * kGib : 0), block));
    if (random.chance(30)) made.said.driver_total_bytes = made.said.system_total_bytes.value() / 3;
    if (random.chance(20)) made.said.driver_total_bytes = made.said.driver_free_bytes = std::nullopt;
    if (random.chance(20)) made.said.driver_free_bytes = 0;
    if (random.chance(20)) made.said.system_free_bytes = std::nullopt;
  }
  if (random.chance(60)) {
    options.host_total_bytes = random.size(37);
    options.host_available_bytes = options.host_total_bytes - random.below(options.host_total_bytes);
  }
  return options;
}

PlanRequest random_request(Random& random, const Model& model, const DeviceFacts& facts) {
  PlanRequest request;
  request.model = &model;
  request.device = facts;
  request.weights = random.chance(85) ? WeightsHome::kDevice : WeightsHome::kMapped;
  if (random.chance(60)) request.context_tokens = random.size(21);
  request.slice_tokens =
      static_cast<uint32_t>(random.chance(80) ? 128 * (1 + random.below(64)) : random.size(7));
  request.cache_rounding = random.chance(50);
  if (random.chance(15)) request.limit_bytes = random.size(37);
  if (random.chance(20)) request.reserve_bytes = random.below(uint64_t{8} << 30);
  if (random.chance(40)) request.optional_bytes = random.size(37);
  if (random.chance(30)) {
    request.scratch_bytes = [](uint32_t slice, uint64_t context) {
      return 40000 * uint64_t{slice} + context;
    };
  }
  return request;
}

TEST(RandomPlans, WhatFitsCanBeTakenAndWhatDoesNotIsExplained) {
  constexpr uint64_t kSeed = 20261201;
  size_t n_fit = 0, n_spilled = 0, n_refused = 0, n_smaller_slice = 0;
  for (uint64_t round = 0; round < 1500; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
    Random random(kSeed + round);
    const Model model = random_model(random);
    const SimulatedDeviceOptions options = random_device(random);
    const PlanRequest request = random_request(random, model, facts_of(options));
    const Plan plan = make_plan(request);
    if (!plan.fits) {
      ++n_refused;
      EXPECT_FALSE(plan.problem.empty());
      EXPECT_FALSE(plan.fix.empty());
      continue;
    }
    ++n_fit;
    ASSERT_EQ(fault_of(plan, request), "") << describe(plan);
    if (request.context_tokens) {
      EXPECT_EQ(plan.context_tokens, *request.context_tokens);
    } else {
      EXPECT_TRUE(plan.context_tokens % 128 == 0 || plan.context_tokens == model.shape.context_tokens);
    }
    EXPECT_LE(plan.slice_tokens, request.slice_tokens);
    n_smaller_slice += plan.slice_tokens < request.slice_tokens ? 1 : 0;
    n_spilled += options.integrated && plan.bytes(Pool::kShared) != 0 && plan.bytes(Pool::kDedicated) != 0;
    SimulatedDevice device(options);
    {
      const std::vector<DeviceBuffer> weights = allocate_arenas(device, plan);
      const std::vector<DeviceBuffer> session = allocate_session(device, plan);
      EXPECT_EQ(device.counters().blocks.bytes, plan.total_bytes());
      EXPECT_EQ(device.counters().n_refused, 0u);
    }
    EXPECT_EQ(device.counters().blocks.n, 0u);
  }
  // The rounds are of all kinds.
  EXPECT_GT(n_fit, 100u);
  EXPECT_GT(n_refused, 100u);
  EXPECT_GT(n_spilled, 20u);
  EXPECT_GT(n_smaller_slice, 10u);
}

TEST(RandomPlans, EveryTensorOfAWorkerIsPlacedByItsFileOrder) {
  constexpr uint64_t kSeed = 7;
  for (uint64_t round = 0; round < 50; ++round) {
    SCOPED_TRACE("seed " + std::to_string(kSeed) + ", round " + std::to_string(round));
    Random random(kSeed + round);
    const Model model = random_model(random);
    const std::vector<const Tensor*> tensors = present_tensors(model);
    for (size_t i = 1; i < tensors.size(); ++i) {
      const bool next_part = tensors[i]->part > tensors[i - 1]->part;
      EXPECT_TRUE(next_part || (tensors[i]->part == tensors[i - 1]->part &&
                                tensors[i]->file_offset > tensors[i - 1]->file_offset));
    }
  }
}

}  // namespace
}  // namespace halyard::test
