#include <gtest/gtest.h>

#include "backend/kv_cache.h"
#include "device/simulated_profiles.h"
#include "halyard/error.h"
#include "model/flash.h"
#include "model/weights.h"
#include "planner/arenas.h"
#include "planner/plan.h"
#include "planner/scratch.h"
#include "planning/requests.h"

namespace halyard::test {
namespace {

// The whole plan taken on a device of that kind; the test fails where it refuses.
void expect_allocatable(const Plan& plan, const SimulatedDeviceOptions& options) {
  SimulatedDevice device(dropping(options));
  {
    const std::vector<DeviceBuffer> weights = allocate_arenas(device, plan);
    const std::vector<DeviceBuffer> session = allocate_session(device, plan);
    EXPECT_EQ(device.counters().blocks.bytes, plan.total_bytes());
  }
  EXPECT_EQ(device.counters().blocks.n, 0u);
}

Tensor tensor_of(std::string name, uint64_t bytes, uint64_t file_offset) {
  Tensor tensor;
  tensor.name = std::move(name);
  tensor.dims = {bytes};
  tensor.bytes = bytes;
  tensor.file_offset = file_offset;
  return tensor;
}

TEST(Planner, C09_WorkerOfSomeLayersTakesTheSumOfItsTensors) {
  // Layers 0 to 21 and the output, which lies at the end of the file.
  Model model = flash();
  uint64_t bytes = 0, first = UINT64_MAX, last = 0;
  for (uint32_t i = 22; i < model.layers.size(); ++i) {
    Layer empty;
    empty.index = i;
    empty.attention = model.layers[i].attention;
    empty.ratio = model.layers[i].ratio;
    model.layers[i] = empty;
  }
  model.output.file_offset = uint64_t{86} << 30;
  for (const Tensor* tensor : present_tensors(model)) {
    bytes += tensor->bytes;
    first = std::min(first, tensor->file_offset);
    last = std::max(last, tensor->file_offset + tensor->bytes);
  }
  const PlanRequest request =
      request_for(model, facts_with({told(Pool::kDedicated, 64 * kGib)}, false), 4096);
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(fault_of(plan, request), "");
  EXPECT_GT(last - first, 80 * kGib);
  EXPECT_EQ(plan.bytes(Purpose::kWeights) - plan.waste_bytes(), bytes);
  EXPECT_LT(plan.bytes(Purpose::kWeights), 45 * kGib);
}

TEST(Planner, C28_16KContextFitsBesideTheWeightsOnA96GibCarveOut) {
  const PlanRequest request = request_for(
      flash(),
      facts_with({told(Pool::kDedicated, 96 * kGib), told(Pool::kShared, 16 * kGib)}, true, System::kWindows),
      16417, 8192);
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(fault_of(plan, request), "");
  EXPECT_EQ(plan.slice_tokens, 8192u);
  EXPECT_EQ(plan.context_tokens, 16417u);
  EXPECT_NEAR(static_cast<double>(plan.bytes(Purpose::kWeights)) / kGib, 80.76, 0.01);
  for (const Purpose purpose : {Purpose::kRawRows, Purpose::kCompressedRows, Purpose::kIndexerRows,
                                Purpose::kPartialWindows, Purpose::kScratch}) {
    EXPECT_GT(plan.bytes(purpose), 0u) << purpose_name(purpose);
  }
}

TEST(Planner, C28_SpillsScratchAndCacheToTheSharedPoolAndSaysSo) {
  // Room for the weights and half a GiB in the carve-out: the rest goes elsewhere by itself.
  const PlanRequest request = request_for(
      flash(),
      facts_with({told(Pool::kDedicated, 82 * kGib + 300 * kMib), told(Pool::kShared, 16 * kGib)}, true),
      16417, 8192);
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(fault_of(plan, request), "");
  EXPECT_EQ(plan.slice_tokens, 8192u);
  EXPECT_GT(plan.bytes(Pool::kShared), 4 * kGib);
  EXPECT_GE(plan.bytes(Pool::kDedicated), plan.bytes(Purpose::kWeights));
  EXPECT_TRUE(contains(all_notes(plan), "shared memory: takes what dedicated memory has no room for: "))
      << all_notes(plan);
}

TEST(Planner, C28_TheMachineOfThatReportWorks) {
  const PlanRequest request = request_for(flash(), simulated_facts("strix-halo-96"), 16417, 8192);
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(fault_of(plan, request), "");
  expect_allocatable(plan, simulated_options("strix-halo-96"));
}

TEST(Planner, C29_EveryCarveOutFitsWithARaisedGttOrExplains) {
  for (const char* machine : {"strix-halo-2", "strix-halo-8", "strix-halo-16", "strix-halo-32",
                              "strix-halo-64", "strix-halo-96-linux"}) {
    for (const uint64_t context : {49152u, 65536u, 100000u}) {
      const PlanRequest request = request_for(flash(), simulated_facts(machine), context, 512);
      const Plan plan = make_plan(request);
      ASSERT_TRUE(plan.fits) << machine << ": " << describe(plan);
      EXPECT_EQ(fault_of(plan, request), "") << machine;
      expect_allocatable(plan, simulated_options(machine));
    }
  }
}

TEST(Planner, C29_EveryCarveOutWithTheUsualGttFitsOrExplains) {
  // Half of the system's memory is lent: too little with a small carve-out.
  for (const uint64_t carve_out : {2u, 8u, 16u, 32u, 64u, 96u}) {
    const uint64_t host = (128 - carve_out) * kGib;
    SimulatedDeviceOptions options;
    options.driver = "HIP 7.2";
    options.integrated = true;
    options.host_total_bytes = host;
    options.host_available_bytes = host - 4 * kGib;
    options.pools = {truthful_pool(Pool::kDedicated, carve_out * kGib),
                     truthful_pool(Pool::kShared, host / 2)};
    const PlanRequest request = request_for(flash(), facts_of(options), 100000);
    const Plan plan = make_plan(request);
    EXPECT_EQ(plan.fits, carve_out >= 64) << carve_out << " GiB: " << describe(plan);
    if (plan.fits) {
      EXPECT_EQ(fault_of(plan, request), "");
      expect_allocatable(plan, options);
    } else {
      EXPECT_TRUE(contains(plan.problem, "short")) << plan.problem;
      EXPECT_TRUE(contains(plan.fix, "ttm.pages_limit=")) << plan.fix;
      EXPECT_TRUE(contains(plan.fix, " GiB in the BIOS")) << plan.fix;
    }
  }
}

TEST(Planner, C30_RefusesWithBothNumbersBeforeAnythingIsCopied) {
  const Plan plan = make_plan(request_for(flash(), simulated_facts("strix-halo-auto"), 16384));
  EXPECT_FALSE(plan.fits);
  EXPECT_TRUE(contains(plan.problem, "80.76 GiB weights")) << plan.problem;
  EXPECT_TRUE(contains(plan.problem, "62.47 GiB shared memory")) << plan.problem;
  EXPECT_TRUE(contains(plan.problem, "512.00 MiB dedicated memory")) << plan.problem;
  EXPECT_TRUE(contains(plan.problem, " bytes) short")) << plan.problem;
  EXPECT_FALSE(plan.fix.empty());
  try {
    require_fit(plan, "flash.gguf");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory);
    EXPECT_EQ(error.where(), "flash.gguf");
    EXPECT_EQ(error.problem(), plan.problem);
    EXPECT_EQ(error.fix(), plan.fix);
  }
}

TEST(Planner, C31_OptionalCachesGetWhatIsLeftAndNothingStarves) {
  PlanRequest request =
      request_for(flash(), facts_with({told(Pool::kDedicated, 96 * kGib)}, true), 65536, 2048);
  const Plan without = make_plan(request);
  request.optional_bytes = 40 * kGib;
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(fault_of(plan, request), "");
  EXPECT_EQ(plan.slice_tokens, 2048u);
  for (const Purpose purpose : {Purpose::kWeights, Purpose::kRawRows, Purpose::kCompressedRows,
                                Purpose::kIndexerRows, Purpose::kPartialWindows, Purpose::kScratch}) {
    EXPECT_EQ(plan.bytes(purpose), without.bytes(purpose)) << purpose_name(purpose);
  }
  EXPECT_GT(plan.bytes(Purpose::kOptional), kGib);
  EXPECT_EQ(plan.bytes(Purpose::kOptional), plan.pools[0].usable_bytes - without.total_bytes());
  EXPECT_LE(plan.total_bytes(), 95 * kGib);  // the reserve is left
  EXPECT_TRUE(contains(all_notes(plan), "optional caches get")) << all_notes(plan);
}

TEST(Planner, C31_OptionalCachesGetNothingWhereNothingIsLeft) {
  PlanRequest request = request_for(flash(), facts_with({told(Pool::kDedicated, 96 * kGib)}, true), 16384);
  request.limit_bytes = make_plan(request).total_bytes();
  request.optional_bytes = kGib;
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(plan.bytes(Purpose::kOptional), 0u);
  EXPECT_EQ(plan.slice_tokens, 512u);
}

TEST(Planner, C37_IntegratedDevicesHaveBothPoolsDiscreteOnesTheirOwn) {
  const std::vector<PoolReport> pools = {told(Pool::kDedicated, kGib), told(Pool::kShared, 108 * kGib)};
  const auto total = [&](bool integrated) {
    uint64_t sum = 0;
    for (const PoolRoom& room : make_plan(request_for(flash(), facts_with(pools, integrated), 4096)).pools)
      sum += room.total_bytes;
    return sum;
  };
  EXPECT_EQ(total(true), 109 * kGib);
  EXPECT_EQ(total(false), kGib);
  const Plan integrated = make_plan(request_for(flash(), facts_with(pools, true), 4096));
  EXPECT_TRUE(integrated.fits) << describe(integrated);
  const Plan discrete = make_plan(request_for(flash(), facts_with(pools, false), 4096));
  EXPECT_FALSE(discrete.fits);
  EXPECT_FALSE(contains(discrete.problem, "shared")) << discrete.problem;
  EXPECT_FALSE(contains(discrete.fix, "BIOS")) << discrete.fix;
}

TEST(Planner, C38_LoadingNeedsLittleOfTheHost) {
  // The processor has 24 GiB left, less than a third of the file: only what is staged counts.
  DeviceFacts facts = facts_with({told(Pool::kDedicated, 96 * kGib), told(Pool::kShared, 512 * kMib)}, true,
                                 System::kWindows);
  facts.host_total_bytes = 32 * kGib;
  facts.host_available_bytes = 24 * kGib;
  const Plan plan = make_plan(request_for(flash(), facts, 16417, 512));
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_GT(plan.staging_bytes, 0u);
  EXPECT_LE(plan.staging_bytes, kGib);
  EXPECT_EQ(plan.bytes(Pool::kShared) + plan.bytes(Pool::kHostPinned), 0u);
  facts.host_total_bytes = kGib;
  facts.host_available_bytes = 700 * kMib;
  EXPECT_LE(make_plan(request_for(flash(), facts, 16417, 512)).staging_bytes, 32 * kMib);
}

TEST(Planner, C41_ReservesHardlyMoreAddressesThanItUses) {
  for (const char* machine : {"strix-halo-96", "strix-halo-2", "h200"}) {
    const PlanRequest request = request_for(flash(), simulated_facts(machine), 16417, 8192);
    const Plan plan = make_plan(request);
    ASSERT_TRUE(plan.fits) << machine << ": " << describe(plan);
    uint64_t used = device_scratch_bytes(flash(), plan.slice_tokens, plan.context_tokens);
    for (const Tensor* tensor : present_tensors(flash())) used += tensor->bytes;
    const CacheLayout layout(flash(), true, plan.context_tokens);
    used += layout.row_bytes(flash(), plan.context_tokens) + layout.partial_window_bytes;
    EXPECT_LE(static_cast<double>(plan.total_bytes()), 1.2 * static_cast<double>(used)) << machine;
    SimulatedDevice device(dropping(simulated_options(machine)));
    const std::vector<DeviceBuffer> weights = allocate_arenas(device, plan);
    const std::vector<DeviceBuffer> session = allocate_session(device, plan);
    EXPECT_LE(static_cast<double>(device.counters().reserved.bytes), 1.2 * static_cast<double>(used));
  }
}

TEST(Planner, C43_LeavesSixGibOfWhatIsAvailable) {
  for (const char* machine : {"cpu-128", "strix-halo-0.5"}) {
    DeviceFacts facts = simulated_facts(machine);
    facts.host_available_bytes = 122 * kGib;
    PlanRequest request = request_for(flash(), facts, 16384);
    request.optional_bytes = 500 * kGib;  // takes all that it gets
    const Plan plan = make_plan(request);
    ASSERT_TRUE(plan.fits) << machine << ": " << describe(plan);
    const uint64_t host = plan.total_bytes() - plan.bytes(Pool::kDedicated);
    EXPECT_LE(host, 116 * kGib) << machine;
    EXPECT_GE(host, 113 * kGib) << machine;
    request.reserve_bytes = 20 * kGib;
    EXPECT_LE(make_plan(request).total_bytes() - make_plan(request).bytes(Pool::kDedicated), 102 * kGib);
  }
}

TEST(Planner, ListsTheSameTensorsAsTheModel) {
  Model model = flash();
  size_t n = 0;
  const std::vector<const Tensor*> tensors = present_tensors(model);
  for (const TensorSlot& slot : tensor_slots(model)) {
    EXPECT_EQ(std::count(tensors.begin(), tensors.end(), slot.tensor), 1) << slot.name;
    ++n;
  }
  EXPECT_EQ(n, 1328u);
  EXPECT_EQ(tensors.size(), n);
  EXPECT_TRUE(std::is_sorted(tensors.begin(), tensors.end(), [](const Tensor* a, const Tensor* b) {
    return a->file_offset < b->file_offset;
  }));
}

TEST(Planner, SamePlanForTheSameRequest) {
  PlanRequest request = request_for(flash(), simulated_facts("strix-halo-64"), 0, 8192);
  request.context_tokens.reset();
  const Plan a = make_plan(request), b = make_plan(request);
  EXPECT_EQ(describe(a), describe(b));
  ASSERT_EQ(a.places.size(), b.places.size());
  for (size_t i = 0; i < a.places.size(); ++i) {
    EXPECT_EQ(a.places[i].tensor, b.places[i].tensor);
    EXPECT_EQ(a.places[i].arena, b.places[i].arena);
    EXPECT_EQ(a.places[i].offset, b.places[i].offset);
  }
}

TEST(Planner, AutoContextIsTheLargestThatFits) {
  for (const uint64_t gib : {84u, 86u, 90u, 120u}) {
    PlanRequest request = request_for(flash(), facts_with({told(Pool::kDedicated, gib * kGib)}, false), 0);
    request.context_tokens.reset();
    const Plan plan = make_plan(request);
    ASSERT_TRUE(plan.fits) << gib << ": " << describe(plan);
    EXPECT_EQ(plan.context_tokens % 128, 0u);
    EXPECT_EQ(plan.slice_tokens, 512u);
    if (plan.context_tokens == flash().shape.context_tokens) {
      EXPECT_GE(gib, 90u);
      continue;
    }
    EXPECT_LE(gib, 86u);
    request.context_tokens = plan.context_tokens;
    EXPECT_EQ(make_plan(request).slice_tokens, 512u);
    request.context_tokens = plan.context_tokens + 128;
    const Plan more = make_plan(request);
    EXPECT_TRUE(!more.fits || more.slice_tokens < 512) << gib << ": " << describe(more);
    EXPECT_TRUE(contains(all_notes(plan), "is the most that fits; the model has 1048576")) << all_notes(plan);
  }
}

TEST(Planner, DiscreteCardTakesASmallerSliceThenRefuses) {
  uint32_t last = 8192;
  bool refused = false;
  for (uint64_t mib = 90 * 1024; mib > 81 * 1024; mib -= 32) {
    const PlanRequest request =
        request_for(flash(), facts_with({told(Pool::kDedicated, mib * kMib)}, false), 16417, 8192);
    const Plan plan = make_plan(request);
    if (!plan.fits) {
      refused = true;
      continue;
    }
    EXPECT_FALSE(refused) << "fits in " << mib << " MiB, but not in more";
    EXPECT_LE(plan.slice_tokens, last);
    EXPECT_EQ(plan.slice_tokens % 128, 0u);
    EXPECT_EQ(plan.slice_tokens < 8192, contains(all_notes(plan), "instead of 8192")) << all_notes(plan);
    last = plan.slice_tokens;
  }
  EXPECT_EQ(last, 128u);
  EXPECT_TRUE(refused);
}

TEST(Planner, RefusalNamesTheContextThatFits) {
  PlanRequest request =
      request_for(flash(), facts_with({told(Pool::kDedicated, 84 * kGib)}, false), 1000000, 8192);
  const Plan plan = make_plan(request);
  ASSERT_FALSE(plan.fits);
  const size_t at = plan.fix.find("--ctx ");
  ASSERT_NE(at, std::string::npos) << plan.fix;
  request.context_tokens = std::stoull(plan.fix.substr(at + 6));
  const size_t slice_at = plan.fix.find("--slice ");
  ASSERT_NE(slice_at, std::string::npos) << plan.fix;
  request.slice_tokens = static_cast<uint32_t>(std::stoul(plan.fix.substr(slice_at + 8)));
  const Plan cured = make_plan(request);
  EXPECT_TRUE(cured.fits) << describe(cured);
  EXPECT_EQ(cured.slice_tokens, request.slice_tokens);
}

TEST(Planner, AContextBeyondAllNumbersIsRefused) {
  for (const uint64_t context : {uint64_t{1} << 41, UINT64_MAX}) {
    const Plan plan = make_plan(request_for(flash(), simulated_facts("h200"), context));
    EXPECT_FALSE(plan.fits);
    EXPECT_TRUE(contains(plan.fix, "--ctx ")) << plan.fix;
  }
}

TEST(Planner, LimitCapsEverything) {
  PlanRequest request = request_for(flash(), simulated_facts("h200"), 4096);
  request.limit_bytes = 83 * kGib;
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_LE(plan.total_bytes(), 83 * kGib);
  request.limit_bytes = 80 * kGib;
  const Plan refused = make_plan(request);
  EXPECT_FALSE(refused.fits);
  EXPECT_TRUE(contains(refused.problem, "limit of 80.00 GiB by --memory")) << refused.problem;
  EXPECT_TRUE(contains(refused.fix, "--memory 81")) << refused.fix;
}

TEST(Planner, MappedWeightsNeedNoRoomButSayThatTheyAreSlow) {
  PlanRequest request = request_for(flash(), simulated_facts("cpu-32"), 16384);
  request.weights = WeightsHome::kMapped;
  const Plan plan = make_plan(request);
  ASSERT_TRUE(plan.fits) << describe(plan);
  EXPECT_EQ(fault_of(plan, request), "");
  EXPECT_EQ(plan.bytes(Purpose::kWeights), 0u);
  EXPECT_TRUE(plan.arenas.empty());
  EXPECT_EQ(plan.staging_bytes, 0u);
  EXPECT_NEAR(static_cast<double>(plan.mapped_bytes) / kGib, 80.76, 0.01);
  EXPECT_TRUE(contains(all_notes(plan), "read from the disk for each token")) << all_notes(plan);
  request.device = simulated_facts("cpu-128");
  EXPECT_FALSE(contains(all_notes(make_plan(request)), "disk")) << all_notes(make_plan(request));
}

TEST(Planner, MappedWeightsCountWithinALimit) {
  PlanRequest request = request_for(flash(), simulated_facts("cpu-32"), 16384);
  request.weights = WeightsHome::kMapped;
  request.limit_bytes = 82 * kGib;
  EXPECT_TRUE(make_plan(request).fits) << describe(make_plan(request));
  for (const uint64_t gib : {20u, 80u}) {
    request.limit_bytes = gib * kGib;
    const Plan plan = make_plan(request);
    EXPECT_FALSE(plan.fits);
    EXPECT_TRUE(contains(plan.problem, "80.76 GiB weights")) << plan.problem;
    EXPECT_TRUE(contains(plan.problem, "limit of")) << plan.problem;
  }
}

TEST(Planner, HostBackendsKeepOneWindowOfRawRowsDevicesASliceMore) {
  PlanRequest request = request_for(flash(), simulated_facts("cpu-128"), 16384, 512);
  request.scratch_bytes = [](uint32_t, uint64_t) { return uint64_t{1000}; };
  const uint64_t row = 512 * 2;
  EXPECT_EQ(make_plan(request).bytes(Purpose::kRawRows), 43 * (127 + 512) * row);
  request.weights = WeightsHome::kMapped;
  const Plan plan = make_plan(request);
  const CacheLayout layout(flash(), true, 16384);
  EXPECT_EQ(plan.bytes(Purpose::kRawRows), 43 * 128 * row);
  EXPECT_EQ(plan.total_bytes() - plan.bytes(Purpose::kScratch) - plan.bytes(Purpose::kPartialWindows),
            layout.row_bytes(flash(), 16384));
  EXPECT_EQ(plan.bytes(Purpose::kScratch), 1024u);
}

TEST(Planner, ScratchOfFlashIsOfASensibleSize) {
  const double small = static_cast<double>(device_scratch_bytes(flash(), 512, 16417)) / kMib;
  const double large = static_cast<double>(device_scratch_bytes(flash(), 8192, 16417)) / kGib;
  EXPECT_GT(small, 200);
  EXPECT_LT(small, 600);
  EXPECT_GT(large, 4);
  EXPECT_LT(large, 6.5);
  // Scores are made tile by tile: the largest context costs little more.
  EXPECT_LT(device_scratch_bytes(flash(), 8192, 1048576),
            device_scratch_bytes(flash(), 8192, 16417) + 200 * kMib);
}

TEST(Planner, ATensorLargerThanAnyBlockIsNamed) {
  Model model;
  model.shape.n_layers = 0;
  model.token_embedding = tensor_of("token_embd.weight", 5 * kGib, 0);
  const Plan plan =
      make_plan(request_for(model, facts_with({told(Pool::kDedicated, 96 * kGib, 4 * kGib)}, false), 128));
  EXPECT_FALSE(plan.fits);
  EXPECT_TRUE(contains(plan.problem, "token_embd.weight")) << plan.problem;
  EXPECT_TRUE(contains(plan.problem, "largest block of the device is 4.00 GiB")) << plan.problem;
}

TEST(Planner, NoMemoryAtAllIsSaid) {
  const Plan plan = make_plan(request_for(flash(), facts_with({}, false), 128));
  EXPECT_FALSE(plan.fits);
  EXPECT_TRUE(contains(plan.problem, "no memory")) << plan.problem;
}

}  // namespace
}  // namespace halyard::test
