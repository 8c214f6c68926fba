// Requests of the planner's tests.
#pragma once
#include <string>
#include <string_view>

#include "backend/model.h"
#include "device/simulated_device.h"
#include "planner/plan.h"

namespace halyard::test {

inline constexpr uint64_t kMib = uint64_t{1} << 20, kGib = uint64_t{1} << 30;

// All tensors of a published Flash file bound, without data: "flash-q2", "flash-q4", "flash-mxfp4".
const Model& flash(std::string_view mix = "flash-q2");

// A pool of which driver and system say the same.
PoolReport told(Pool pool, uint64_t bytes, uint64_t largest_block_bytes = 0);

// Facts of a device whose host nobody tells of.
DeviceFacts facts_with(std::vector<PoolReport> pools, bool integrated, System system = System::kLinux);

PlanRequest request_for(const Model& model, const DeviceFacts& device, uint64_t context_tokens,
                        uint32_t slice_tokens = 512);

// What is wrong with a plan that says it fits: a pool that is exceeded, a tensor that is missing, twice
// there, out of its arena, or in another's bytes; empty: nothing.
std::string fault_of(const Plan& plan, const PlanRequest& request);

// Takes on the device what the plan has beside the arenas, in pieces as large as the plan's largest.
std::vector<DeviceBuffer> allocate_session(Device& device, const Plan& plan);

bool contains(const std::string& text, const std::string& part);
std::string all_notes(const Plan& plan);
// "fits: weights 80.76 GiB in dedicated, ..." or the problem: for messages of tests.
std::string describe(const Plan& plan);

// A device that keeps nothing of what is copied.
SimulatedDeviceOptions dropping(SimulatedDeviceOptions options);

}  // namespace halyard::test
