// Plans through the public header: published models without their files, machines that are only described,
// and this one.
#include "halyard/plan.h"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <gtest/gtest.h>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/host_facts.h"
#include "halyard/error.h"
#include "program_table.h"

namespace halyard {
namespace {

using Json = nlohmann::json;
constexpr uint64_t kGiB = uint64_t{1} << 30;

PlanOptions flash_on(const std::string& machine, std::optional<uint64_t> context_tokens,
                     uint32_t slice_tokens = 512) {
  PlanOptions options;
  options.model = "flash-q2";
  options.simulate = machine;
  options.context_tokens = context_tokens;
  options.slice_tokens = slice_tokens;
  return options;
}

uint64_t bytes_of(const Json& plan, const std::string& purpose) {
  uint64_t bytes = 0;
  for (const Json& item : plan["items"]) {
    if (item["purpose"] == purpose) bytes += item["bytes"].get<uint64_t>();
  }
  return bytes;
}

const Json& pool_of(const Json& plan, const std::string& name) {
  for (const Json& pool : plan["pools"]) {
    if (pool["pool"] == name) return pool;
  }
  throw std::runtime_error("no pool " + name);
}

void expect_contains(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

// What the JSON says of pools, items and the whole adds up.
void expect_sums(const MemoryPlan& plan) {
  const Json json = Json::parse(plan.json);
  std::map<std::string, uint64_t> used;
  uint64_t total = 0;
  for (const Json& item : json["items"]) {
    used[item["pool"]] += item["bytes"].get<uint64_t>();
    total += item["bytes"].get<uint64_t>();
  }
  EXPECT_EQ(json["total_bytes"], total);
  for (const Json& pool : json["pools"]) {
    EXPECT_EQ(pool["used_bytes"], used[pool["pool"]]);
    EXPECT_LE(pool["used_bytes"], pool["usable_bytes"]);
    EXPECT_LE(pool["usable_bytes"], pool["total_bytes"]);
  }
  uint64_t arenas = 0;
  for (const Json& arena : json["arenas"]["list"]) arenas += arena["bytes"].get<uint64_t>();
  EXPECT_EQ(json["arenas"]["bytes"], arenas);
  EXPECT_EQ(json["arenas"]["count"], json["arenas"]["list"].size());
}

TEST(PlanMemory, TheTinyModelFitsHere) {
  const MemoryPlan plan = plan_memory({});
  EXPECT_TRUE(plan.fits) << plan.text;
  EXPECT_EQ(plan.context_tokens, 4096u);  // what it was trained for
  EXPECT_EQ(plan.slice_tokens, 512u);
  EXPECT_EQ(plan.problem, "");
  expect_contains(plan.text, {"built-in", "context  4096 tokens (auto), slices of 512", "mapped",
                              "host-pinned", "scratch", "total", "\nfits\n"});
  expect_sums(plan);
  const Json json = Json::parse(plan.json);
  EXPECT_EQ(json["fits"], true);
  EXPECT_EQ(json["machine"]["simulated"], nullptr);
  EXPECT_GT(json["mapped_bytes"], 14000000u);
  EXPECT_EQ(json["arenas"]["count"], 0u);
  EXPECT_EQ(json["asked"]["context_tokens"], "auto");
}

TEST(PlanMemory, AFileIsPlannedAsTheModelInIt) {
  PlanOptions options;
  options.model_path = std::string(HALYARD_SOURCE_DIR) + "/models/tiny-q4.gguf";
  const Json file = Json::parse(plan_memory(options).json), built_in = Json::parse(plan_memory({}).json);
  EXPECT_EQ(file["items"], built_in["items"]);
  EXPECT_EQ(file["model"]["weight_bytes"], built_in["model"]["weight_bytes"]);
  EXPECT_EQ(file["model"]["name"], options.model_path);
}

TEST(PlanMemory, C28_SixteenThousandTokensFit96GiBOfCarveOut) {
  const MemoryPlan plan = plan_memory(flash_on("strix-halo-96", 16417, 8192));
  EXPECT_TRUE(plan.fits) << plan.text;
  EXPECT_EQ(plan.context_tokens, 16417u);
  EXPECT_EQ(plan.slice_tokens, 8192u);
  expect_contains(plan.text,
                  {"flash-q2: 1328 tensors, 80.759 GiB", "simulated: strix-halo-96", "Windows",
                   "slices of 8192\n", "\nweights           dedicated", "\nscratch ", "\nraw rows ",
                   "\ndedicated ", "\nshared ", " arenas, ", "while loading", "\nfits\n"});
  expect_sums(plan);
  const Json json = Json::parse(plan.json);
  EXPECT_EQ(json["model"]["weight_bytes"], 86714775900u);
  EXPECT_EQ(bytes_of(json, "weights"),
            json["model"]["weight_bytes"].get<uint64_t>() + json["arenas"]["waste_bytes"].get<uint64_t>());
}

TEST(PlanMemory, C30_ARefusalHasBothNumbersAndTheCure) {
  const MemoryPlan plan = plan_memory(flash_on("strix-halo-auto", 16417, 8192));
  EXPECT_FALSE(plan.fits);
  expect_contains(plan.problem, {"81.06 GiB", "62.84 GiB"});
  expect_contains(plan.fix, {"ttm.pages_limit", "BIOS"});
  expect_contains(plan.text, {"does not fit: " + plan.problem, "fix: " + plan.fix});
  EXPECT_EQ(plan.text.find("\nfits\n"), std::string::npos);
  expect_sums(plan);
  const Json json = Json::parse(plan.json);
  EXPECT_EQ(json["fits"], false);
  EXPECT_EQ(json["problem"], plan.problem);
  EXPECT_EQ(json["fix"], plan.fix);
}

TEST(PlanMemory, ASmallerSliceIsShownBesideTheOneAskedFor) {
  PlanOptions options = flash_on("h200", 16417, 8192);
  options.memory_limit_bytes = 82 * kGiB;
  const MemoryPlan plan = plan_memory(options);
  EXPECT_TRUE(plan.fits) << plan.text;
  EXPECT_LT(plan.slice_tokens, 8192u);
  expect_contains(plan.text, {"slices of " + std::to_string(plan.slice_tokens) + " instead of 8192"});
  EXPECT_EQ(Json::parse(plan.json)["asked"]["slice_tokens"], 8192u);
}

TEST(PlanMemory, AutoIsTheMostThatFits) {
  EXPECT_EQ(plan_memory(flash_on("h200", std::nullopt)).context_tokens, 1048576u);
  PlanOptions options = flash_on("strix-halo-96", std::nullopt);
  options.memory_limit_bytes = 84 * kGiB;
  const MemoryPlan largest = plan_memory(options);
  ASSERT_TRUE(largest.fits);
  EXPECT_GT(largest.context_tokens, 100000u);
  EXPECT_LT(largest.context_tokens, 1048576u);
  options.context_tokens = largest.context_tokens;
  EXPECT_TRUE(plan_memory(options).fits);
  options.context_tokens = largest.context_tokens + 65536;
  EXPECT_FALSE(plan_memory(options).fits);
}

TEST(PlanMemory, PoolsAndReserveAreThoseThatWereGiven) {
  PlanOptions options = flash_on("h200", 4096);
  options.pool_bytes = {{"dedicated", 64 * kGiB}};
  const MemoryPlan small = plan_memory(options);
  EXPECT_FALSE(small.fits);
  const Json pool = pool_of(Json::parse(small.json), "dedicated");
  EXPECT_EQ(pool["total_bytes"], 64 * kGiB);
  EXPECT_EQ(pool["source"], "override");
  expect_contains(small.text, {"override"});

  options = flash_on("strix-halo-2", 4096);
  options.reserve_bytes = 3 * kGiB;
  const uint64_t little = pool_of(Json::parse(plan_memory(options).json), "shared")["usable_bytes"];
  options.reserve_bytes = 20 * kGiB;
  const Json reserved = Json::parse(plan_memory(options).json);
  EXPECT_EQ(pool_of(reserved, "shared")["usable_bytes"], little - 17 * kGiB);
  EXPECT_EQ(reserved["asked"]["reserve_bytes"], 20 * kGiB);
}

TEST(PlanMemory, RowsThatAreNotRoundedTakeTwiceAsMuch) {
  PlanOptions options = flash_on("h200", 65536);
  const Json rounded = Json::parse(plan_memory(options).json);
  options.cache_rounding = false;
  const Json full = Json::parse(plan_memory(options).json);
  for (const char* purpose : {"raw rows", "compressed rows", "indexer rows"})
    EXPECT_EQ(bytes_of(full, purpose), 2 * bytes_of(rounded, purpose)) << purpose;
}

// The processor maps the file: a model larger than memory is slow, and no reason to refuse.
TEST(PlanMemory, C38_TheProcessorMapsWhatDoesNotFit) {
  const MemoryPlan plan = plan_memory(flash_on("cpu-32", 16384));
  EXPECT_TRUE(plan.fits) << plan.text;
  const Json json = Json::parse(plan.json);
  EXPECT_EQ(json["weights"], "mapped");
  EXPECT_EQ(json["mapped_bytes"], 86714775900u);
  EXPECT_EQ(bytes_of(json, "weights"), 0u);
}

TEST(PlanMemory, EveryModelOnEveryMachineFitsOrExplains) {
  double slowest = 0;  // printed, not judged
  for (const std::string& machine : simulated_machines()) {
    for (const std::string& model : flash_models()) {
      SCOPED_TRACE(model + " on " + machine);
      PlanOptions options = flash_on(machine, 16417);
      options.model = model;
      const MemoryPlan plan = plan_memory(options);
      EXPECT_EQ(plan.fits, plan.problem.empty());
      EXPECT_EQ(plan.fits, plan.fix.empty());
      expect_sums(plan);
      slowest = std::max(slowest, plan.seconds);
    }
  }
  std::printf("slowest plan: %.2f ms\n", 1e3 * slowest);
}

TEST(PlanMemory, WrongOptionsAreUsageErrors) {
  const std::vector<std::pair<std::string, std::function<void(PlanOptions&)>>> cases = {
      {"flash-q5", [](PlanOptions& o) { o.model = "flash-q5"; }},
      {"one of the two", [](PlanOptions& o) { o.model = "flash-q2", o.model_path = "x.gguf"; }},
      {"strix-halo-97", [](PlanOptions& o) { o.simulate = "strix-halo-97"; }},
      {"slice", [](PlanOptions& o) { o.slice_tokens = 200; }},
      {"slice", [](PlanOptions& o) { o.slice_tokens = 0; }},
      {"slice", [](PlanOptions& o) { o.slice_tokens = 16512; }},
      {"--ctx", [](PlanOptions& o) { o.context_tokens = 0; }},
      {"gtt", [](PlanOptions& o) { o.pool_bytes["gtt"] = 1; }},
  };
  for (const auto& [part, spoil] : cases) {
    PlanOptions options;
    spoil(options);
    try {
      plan_memory(options);
      ADD_FAILURE() << part << ": no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kUsage) << error.what();
      expect_contains(error.what(), {part});
      EXPECT_FALSE(error.fix().empty());
    }
  }
}

TEST(PlanMemory, AFileThatIsNotThereIsNotFound) {
  PlanOptions options;
  options.model_path = "no-such-file.gguf";
  try {
    plan_memory(options);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kNotFound) << error.what();
  }
}

TEST(PlanNames, HelpAndCompletionOfferThoseThatTheLibraryHas) {
  for (const app::CommandRow& command : app::program_table().commands) {
    if (command.name != "plan") continue;
    std::map<std::string, app::OptionRow> options;
    for (const app::OptionRow& option : command.options) options[option.names.front()] = option;
    EXPECT_EQ(options.at("--model").choices(), flash_models());
    EXPECT_EQ(options.at("--simulate").choices(), simulated_machines());
    for (const std::string& pool : memory_pools()) expect_contains(options.at("--pool").help, {pool});
    return;
  }
  ADD_FAILURE() << "no sub-command plan";
}

TEST(HostFacts, AreOnePoolAsTheSystemSays) {
  const DeviceFacts facts = host_facts({24 * kGiB, 20 * kGiB, 0}, System::kWindows, "a processor");
  EXPECT_EQ(facts.name, "a processor");
  EXPECT_EQ(facts.system, System::kWindows);
  EXPECT_TRUE(facts.integrated);
  ASSERT_EQ(facts.pools.size(), 1u);
  EXPECT_EQ(facts.pools[0].pool, Pool::kHostPinned);
  EXPECT_EQ(facts.pools[0].system_total_bytes, 24 * kGiB);
  EXPECT_EQ(facts.pools[0].system_free_bytes, 20 * kGiB);
  EXPECT_FALSE(facts.pools[0].driver_total_bytes.has_value());
  EXPECT_EQ(facts.host_total_bytes, 24 * kGiB);
  EXPECT_EQ(facts.host_available_bytes, 20 * kGiB);
}

TEST(HostFacts, ZeroIsNotKnown) {
  const DeviceFacts facts = host_facts({}, System::kLinux, "a processor");
  EXPECT_FALSE(facts.pools[0].system_total_bytes.has_value());
  EXPECT_FALSE(facts.pools[0].system_free_bytes.has_value());
}

TEST(HostFacts, ThisMachineHasMemoryAndAName) {
  const DeviceFacts facts = this_host_facts();
  EXPECT_GT(facts.host_total_bytes, 0u);
  EXPECT_FALSE(facts.name.empty());
}

}  // namespace
}  // namespace halyard
