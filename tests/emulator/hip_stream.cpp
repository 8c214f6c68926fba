// Streams, events and graphs. Work is done before a call returns, so streams order nothing and events are
// always ready. Stream capture is not offered: a program that wants graphs gets kHipNotSupported and must do
// without.
#include <chrono>

#include "emulator/hip.h"

namespace halyard::emulator {
namespace {

using Clock = std::chrono::steady_clock;

struct Stream {};
struct Event {
  bool recorded = false;
  Clock::time_point time;
};

}  // namespace

EMULATOR_EXPORT int hipStreamCreateWithFlags(void** out, unsigned) {
  return on_device([&](Device&) {
    if (out == nullptr) return kHipInvalidValue;
    *out = new Stream();
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipStreamDestroy(void* stream) {
  return give_back([&](Device&) {
    if (stream == nullptr) return kHipInvalidValue;
    delete static_cast<Stream*>(stream);
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipStreamSynchronize(void*) {
  return on_device([](Device&) { return kHipSuccess; });
}
EMULATOR_EXPORT int hipStreamQuery(void*) {
  return on_device([](Device&) { return kHipSuccess; });
}
EMULATOR_EXPORT int hipDeviceSynchronize() {
  return on_device([](Device&) { return kHipSuccess; });
}
EMULATOR_EXPORT int hipStreamWaitEvent(void*, void* event, unsigned) {
  return on_device([&](Device&) { return event != nullptr ? kHipSuccess : kHipInvalidValue; });
}

EMULATOR_EXPORT int hipEventCreateWithFlags(void** out, unsigned) {
  return on_device([&](Device&) {
    if (out == nullptr) return kHipInvalidValue;
    *out = new Event();
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipEventDestroy(void* event) {
  return give_back([&](Device&) {
    if (event == nullptr) return kHipInvalidValue;
    delete static_cast<Event*>(event);
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipEventRecord(void* event, void*) {
  return on_device([&](Device&) {
    if (event == nullptr) return kHipInvalidValue;
    *static_cast<Event*>(event) = {true, Clock::now()};
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipEventQuery(void* event) {
  return on_device([&](Device&) { return event != nullptr ? kHipSuccess : kHipInvalidValue; });
}
EMULATOR_EXPORT int hipEventSynchronize(void* event) {
  return on_device([&](Device&) { return event != nullptr ? kHipSuccess : kHipInvalidValue; });
}
EMULATOR_EXPORT int hipEventElapsedTime(float* ms, void* begin, void* end) {
  return on_device([&](Device&) {
    if (ms == nullptr || begin == nullptr || end == nullptr) return kHipInvalidValue;
    const Event &first = *static_cast<Event*>(begin), &last = *static_cast<Event*>(end);
    if (!first.recorded || !last.recorded) return kHipInvalidValue;
    *ms = std::chrono::duration<float, std::milli>(last.time - first.time).count();
    return kHipSuccess;
  });
}

}  // namespace halyard::emulator
