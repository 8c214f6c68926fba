#include <cstring>
#include <gtest/gtest.h>

#include "device/simulated_device.h"
#include "halyard/error.h"
namespace halyard {
namespace {
TEST(SimulatedDevice, KeepsTheBytesOfCopies) {
  SimulatedDeviceOptions options;
  options.pools = {truthful_pool(Pool::kDedicated, uint64_t{1} << 30)};
  SimulatedDevice device(options);
  DeviceBuffer buffer(device, Pool::kDedicated, 200000);
  PinnedBuffer pinned(device, 100000);
  std::memset(pinned.memory().data(), 7, 100000);
  device.copy_to_device(buffer.block().address + 50000, pinned.memory());
  device.wait(device.record());
  std::vector<std::byte> out(200000);
  device.copy_to_host(out, buffer.block().address);
  EXPECT_EQ(out[49999], SimulatedMemory::kPoison);
  EXPECT_EQ(out[50000], std::byte{7});
  EXPECT_EQ(out[149999], std::byte{7});
  EXPECT_EQ(out[150000], SimulatedMemory::kPoison);
  EXPECT_EQ(device.unwritten_bytes(buffer.block()), 100000u);
}
}  // namespace
}  // namespace halyard
