#include <array>

#include "emulator/hip.h"

namespace halyard::emulator {
namespace {

struct Text {
  int code;
  const char *name, *text;
};
constexpr auto texts = std::to_array<Text>({
    {kHipSuccess, "hipSuccess", "no error"},
    {kHipInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    {kHipOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    {kHipNotInitialized, "hipErrorNotInitialized", "initialization error"},
    {kHipNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    {kHipInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    {kHipInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    {kHipNoBinaryForGpu, "hipErrorNoBinaryForGpu",
     "no kernel image is available for execution on the device"},
    {kHipInvalidKernelFile, "hipErrorInvalidKernelFile", "invalid kernel file"},
    {kHipNotFound, "hipErrorNotFound", "named symbol not found"},
    {kHipNotReady, "hipErrorNotReady", "device not ready"},
    {kHipLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    {kHipNotSupported, "hipErrorNotSupported", "operation not supported"},
    {kHipUnknown, "hipErrorUnknown", "unknown error"},
});

}  // namespace

EMULATOR_EXPORT const char* hipGetErrorName(int code) {
  for (const Text& t : texts) {
    if (t.code == code) return t.name;
  }
  return "hipErrorUnknown";
}

// That of a failed launch carries the first line of the report. Valid until the process ends.
EMULATOR_EXPORT const char* hipGetErrorString(int code) {
  if (code == kHipLaunchFailure && !device().fault_line.empty()) {
    static const std::string text = "unspecified launch failure: " + device().fault_line;
    return text.c_str();
  }
  for (const Text& t : texts) {
    if (t.code == code) return t.text;
  }
  return "unknown error";
}

}  // namespace halyard::emulator
