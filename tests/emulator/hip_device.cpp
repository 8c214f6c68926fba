#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/hip.h"

namespace halyard::emulator {
namespace {

constexpr int kVersion = 70200000;  // HIP 7.2
constexpr const char* kName = "gfx1151 (emulated)";
constexpr const char* kArchitecture = "gfx1151";

struct Attribute {
  int number, value;
};
// Numbers of hipDeviceAttribute_t; a machine with 20 work group processors, as a Strix Halo reports itself.
constexpr auto attributes = std::to_array<Attribute>({
    {16, 1},      // integrated
    {24, 0},      // managed memory: hipMallocManaged works here, but real drivers differ
    {9, 0},       // concurrent managed access
    {65, 0},      // pageable memory access
    {66, 0},      // by the host's page tables
    {3, 1},       // maps host memory
    {85, 1},      // unified addressing
    {87, 32},     // warp size
    {63, 20},     // multiprocessors
    {10015, 40},  // compute units
    {5, 2900000},    {60, 1000000}, {59, 256}, {19, 2097152},  // L2
    {74, 65536},                                               // LDS of a block
    {56, 1024},                                                // threads of a block
    {67, 0},                                                   // PCI bus, device, domain
    {68, 0},         {69, 0},       {23, 11},                  // capability
    {61, 5},         {88, 0},                                  // memory pools
    {89, 0},                                                   // virtual memory
    {90, 1},                                                   // hipHostRegister
    {10017, 100000}, {10011, 1},
});

bool known(int ordinal) {
  return ordinal == 0;
}

}  // namespace

EMULATOR_EXPORT int hipInit(unsigned flags) {
  return result(flags == 0 ? kHipSuccess : kHipInvalidValue);
}
EMULATOR_EXPORT int hipDriverGetVersion(int* version) {
  *version = kVersion;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipRuntimeGetVersion(int* version) {
  *version = kVersion;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipGetDeviceCount(int* count) {
  *count = 1;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipDeviceGet(int* out, int ordinal) {
  if (!known(ordinal)) return result(kHipInvalidDevice);
  *out = ordinal;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipSetDevice(int ordinal) {
  return result(known(ordinal) ? kHipSuccess : kHipInvalidDevice);
}
EMULATOR_EXPORT int hipGetDevice(int* ordinal) {
  *ordinal = 0;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipDeviceGetName(char* name, int bytes, int ordinal) {
  if (!known(ordinal) || name == nullptr || bytes <= 0) return result(kHipInvalidValue);
  const size_t n = std::min(std::strlen(kName), static_cast<size_t>(bytes) - 1);
  std::memcpy(name, kName, n);
  name[n] = 0;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipDeviceGetAttribute(int* value, int attribute, int ordinal) {
  if (!known(ordinal)) return result(kHipInvalidDevice);
  for (const Attribute& a : attributes) {
    if (a.number != attribute) continue;
    *value = a.value;
    return kHipSuccess;
  }
  return result(kHipInvalidValue);
}
EMULATOR_EXPORT int hipDeviceTotalMem(size_t* bytes, int ordinal) {
  if (!known(ordinal)) return result(kHipInvalidDevice);
  *bytes = Device::kMemoryBytes;
  return kHipSuccess;
}
EMULATOR_EXPORT int hipDeviceGetPCIBusId(char* text, int bytes, int ordinal) {
  constexpr const char* kId = "0000:00:00.0";
  if (!known(ordinal) || bytes <= static_cast<int>(std::strlen(kId))) return result(kHipInvalidValue);
  std::memcpy(text, kId, std::strlen(kId) + 1);
  return kHipSuccess;
}

// hipDeviceProp_tR0600: 1472 bytes. Filled are name (at 0), uuid and luid (0), totalGlobalMem (288) and what
// follows as far as programs ask for it by the structure, and gcnArchName (1160).
EMULATOR_EXPORT int hipGetDevicePropertiesR0600(void* properties, int ordinal) {
  if (!known(ordinal) || properties == nullptr) return result(kHipInvalidValue);
  constexpr size_t kBytes = 1472, kTotalMemoryAt = 288, kArchitectureAt = 1160;
  auto* out = static_cast<uint8_t*>(properties);
  std::memset(out, 0, kBytes);
  std::memcpy(out, kName, std::strlen(kName));
  const uint64_t total = Device::kMemoryBytes;
  std::memcpy(out + kTotalMemoryAt, &total, sizeof total);
  std::memcpy(out + kArchitectureAt, kArchitecture, std::strlen(kArchitecture));
  return kHipSuccess;
}

EMULATOR_EXPORT int hipDevicePrimaryCtxRetain(void** context, int ordinal) {
  if (!known(ordinal)) return result(kHipInvalidDevice);
  *context = &device();
  return kHipSuccess;
}
EMULATOR_EXPORT int hipCtxSetCurrent(void*) {
  return kHipSuccess;
}

}  // namespace halyard::emulator
