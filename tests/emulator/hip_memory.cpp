#include <cstring>

#include "emulator/hip.h"

namespace halyard::emulator {
namespace {

HipResult allocate(void** out, size_t bytes, MemoryKind kind) {
  return on_device([&](Device& d) {
    if (out == nullptr) return kHipInvalidValue;
    *out = nullptr;
    if (bytes == 0) return kHipSuccess;
    Allocation* made = d.memory.allocate(bytes, kind);
    if (made == nullptr) return kHipOutOfMemory;
    *out = made->data();
    return kHipSuccess;
  });
}

HipResult release(void* data) {
  return give_back([&](Device& d) {
    if (data == nullptr) return kHipSuccess;
    return d.memory.release(reinterpret_cast<uint64_t>(data)) ? kHipSuccess : kHipInvalidValue;
  });
}

// The whole range must lie in one allocation.
Allocation* holder(Device& d, const void* data, size_t bytes) {
  const auto address = reinterpret_cast<uint64_t>(data);
  Allocation* a = d.memory.find(address);
  return a != nullptr && a->holds(address, bytes) ? a : nullptr;
}

uint8_t* map_of(const Allocation* a, const void* data) {
  if (a == nullptr || a->written == nullptr) return nullptr;
  return a->written + (reinterpret_cast<uint64_t>(data) - a->address);
}

// Host memory that nobody told the device about is as good as pinned memory for a copy.
HipResult copy(void* to, const void* from, size_t bytes, bool to_device, bool from_device) {
  return on_device([&](Device& d) {
    if (bytes == 0) return kHipSuccess;
    const Allocation *target = holder(d, to, bytes), *source = holder(d, from, bytes);
    if ((to_device && target == nullptr) || (from_device && source == nullptr)) return kHipInvalidValue;
    std::memmove(to, from, bytes);
    uint8_t *target_map = map_of(target, to), *source_map = map_of(source, from);
    if (target_map != nullptr && source_map != nullptr) std::memmove(target_map, source_map, bytes);
    if (target_map != nullptr && source_map == nullptr) std::memset(target_map, 1, bytes);
    return kHipSuccess;
  });
}

HipResult fill(void* to, uint8_t value, size_t bytes) {
  return on_device([&](Device& d) {
    if (bytes == 0) return kHipSuccess;
    const Allocation* target = holder(d, to, bytes);
    if (target == nullptr) return kHipInvalidValue;
    std::memset(to, value, bytes);
    if (uint8_t* map = map_of(target, to)) std::memset(map, 1, bytes);
    return kHipSuccess;
  });
}

}  // namespace

EMULATOR_EXPORT int hipMalloc(void** out, size_t bytes) {
  return allocate(out, bytes, MemoryKind::kDevice);
}
EMULATOR_EXPORT int hipMallocManaged(void** out, size_t bytes, unsigned) {
  return allocate(out, bytes, MemoryKind::kManaged);
}
EMULATOR_EXPORT int hipMallocAsync(void** out, size_t bytes, void*) {
  return allocate(out, bytes, MemoryKind::kDevice);
}
EMULATOR_EXPORT int hipFree(void* data) {
  return release(data);
}
EMULATOR_EXPORT int hipFreeAsync(void* data, void*) {
  return release(data);
}
EMULATOR_EXPORT int hipHostMalloc(void** out, size_t bytes, unsigned) {
  return allocate(out, bytes, MemoryKind::kHost);
}
EMULATOR_EXPORT int hipHostFree(void* data) {
  return release(data);
}

EMULATOR_EXPORT int hipHostRegister(void* data, size_t bytes, unsigned) {
  return on_device([&](Device& d) {
    if (data == nullptr || bytes == 0) return kHipInvalidValue;
    return d.memory.adopt(data, bytes) != nullptr ? kHipSuccess : kHipInvalidValue;
  });
}
EMULATOR_EXPORT int hipHostUnregister(void* data) {
  return release(data);
}

EMULATOR_EXPORT int hipHostGetDevicePointer(void** out, void* data, unsigned) {
  return on_device([&](Device& d) {
    if (out == nullptr || d.memory.find(reinterpret_cast<uint64_t>(data)) == nullptr) return kHipInvalidValue;
    *out = data;
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipMemAdvise(const void*, size_t, int, int) {
  return kHipSuccess;
}

EMULATOR_EXPORT int hipMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return on_device([&](Device& d) {
    *total_bytes = d.memory.capacity_bytes();
    *free_bytes = d.memory.capacity_bytes() - d.memory.used_bytes();
    return kHipSuccess;
  });
}

EMULATOR_EXPORT int hipMemcpyHtoD(void* to, const void* from, size_t n) {
  return copy(to, from, n, true, false);
}
EMULATOR_EXPORT int hipMemcpyDtoH(void* to, void* from, size_t n) {
  return copy(to, from, n, false, true);
}
EMULATOR_EXPORT int hipMemcpyDtoD(void* to, void* from, size_t n) {
  return copy(to, from, n, true, true);
}
EMULATOR_EXPORT int hipMemcpyHtoDAsync(void* to, const void* from, size_t n, void*) {
  return copy(to, from, n, true, false);
}
EMULATOR_EXPORT int hipMemcpyDtoHAsync(void* to, void* from, size_t n, void*) {
  return copy(to, from, n, false, true);
}
EMULATOR_EXPORT int hipMemcpyDtoDAsync(void* to, void* from, size_t n, void*) {
  return copy(to, from, n, true, true);
}
EMULATOR_EXPORT int hipMemcpyAsync(void* to, const void* from, size_t n, int kind, void*) {
  return copy(to, from, n, kind == 1 || kind == 3, kind == 2 || kind == 3);
}
EMULATOR_EXPORT int hipMemsetD8(void* to, unsigned char value, size_t n) {
  return fill(to, value, n);
}
EMULATOR_EXPORT int hipMemsetD8Async(void* to, unsigned char value, size_t n, void*) {
  return fill(to, value, n);
}

// hipPointerAttribute_t: type (0 unregistered, 1 host, 2 device, 3 managed), device, device pointer, host
// pointer.
EMULATOR_EXPORT int hipPointerGetAttributes(void* out, const void* data) {
  return on_device([&](Device& d) {
    struct {
      int type, ordinal;
      const void *device_address, *host_address;
      int managed;
      unsigned flags;
    } attributes = {};
    const Allocation* a = d.memory.find(reinterpret_cast<uint64_t>(data));
    if (a == nullptr) return kHipInvalidValue;
    const bool managed = a->kind == MemoryKind::kManaged, on_device = a->kind == MemoryKind::kDevice;
    attributes.type = managed ? 3 : on_device ? 2 : 1;
    attributes.device_address = data;
    attributes.host_address = on_device ? nullptr : data;
    attributes.managed = managed ? 1 : 0;
    std::memcpy(out, &attributes, sizeof attributes);
    return kHipSuccess;
  });
}

}  // namespace halyard::emulator
