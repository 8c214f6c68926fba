// Device code and launches of it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "backend/gpu/gpu_device.h"

namespace halyard {

// Copies of a kernel's arguments, in the order of its parameters. A pointer of the device is a uint64_t
// (Block::address); a structure that is passed by value must be laid out alike on both sides. Short arguments
// are followed by zeros up to 16 bytes, so that a parameter of 64 bits takes an unsigned one of 32.
class GpuArguments {
 public:
  template <typename... Values>
  explicit GpuArguments(const Values&... values) {
    static_assert((... && std::is_trivially_copyable_v<Values>), "arguments are copied as bytes");
    static_assert((... && !std::is_pointer_v<Values>), "a pointer of the host means nothing to a kernel");
    static_assert((... && !std::is_same_v<Values, Block>), "pass the block's address");
    static_assert((size_t{0} + ... + rounded(sizeof(Values))) <= kMostBytes, "4 KiB of arguments at most");
    slots_.resize((size_t{0} + ... + rounded(sizeof(Values))) / sizeof(Slot));
    places_.reserve(sizeof...(Values));
    [[maybe_unused]] size_t at = 0;
    (add(at, &values, sizeof(Values)), ...);
  }
  GpuArguments(const GpuArguments&) = delete;
  GpuArguments& operator=(const GpuArguments&) = delete;

  // As both drivers want them; valid as long as this object.
  void** pointers() { return places_.empty() ? nullptr : places_.data(); }
  size_t size() const { return places_.size(); }

 private:
  struct alignas(16) Slot {
    std::array<std::byte, 16> bytes{};
  };
  static constexpr size_t kMostBytes = 4096;
  static constexpr size_t rounded(size_t bytes) {
    return (bytes + sizeof(Slot) - 1) / sizeof(Slot) * sizeof(Slot);
  }
  void add(size_t& at, const void* value, size_t bytes) {
    std::memcpy(slots_.data() + at, value, bytes);
    places_.push_back(slots_.data() + at);
    at += rounded(bytes) / sizeof(Slot);
  }

  std::vector<Slot> slots_;
  std::vector<void*> places_;
};

struct GpuSize {
  uint32_t x = 1, y = 1, z = 1;
};

// Blocks of threads, threads of a block, and the bytes of LDS that the kernel takes beyond those it declares.
struct GpuShape {
  GpuSize grid, block;
  uint32_t lds_bytes = 0;
};

class GpuModule;

// A kernel of a module, which outlives it. One thread at a time.
class GpuKernel {
 public:
  // Queues the kernel. Throws kUsage for a shape that the device cannot have, kDevice when the device is lost
  // or refuses; a fault of the kernel itself is thrown by the next call that waits.
  template <typename... Values>
  void launch(const GpuShape& shape, const Values&... values) {
    GpuArguments arguments(values...);
    launch_with(shape, arguments);
  }
  void launch_with(const GpuShape& shape, GpuArguments& arguments);

  const std::string& name() const { return name_; }

 private:
  friend class GpuModule;
  GpuKernel(GpuDevice& device, GpuFunctionHandle function, std::string name)
      : device_(&device), function_(function), name_(std::move(name)) {}
  void require_shape(const GpuShape& shape) const;

  GpuDevice* device_;
  GpuFunctionHandle function_;
  std::string name_;
  uint32_t allowed_lds_bytes_ = 48 * 1024;  // of NVIDIA, without asking for more
};

// Owns code that was loaded to a device, which outlives it.
class GpuModule {
 public:
  // `image`: a code object (AMD) or PTX (NVIDIA; the text need not end in zero). Throws kDevice with the
  // driver's text, and the errors of NVIDIA's compiler.
  GpuModule(GpuDevice& device, std::span<const std::byte> image, std::string name);
  GpuModule(GpuModule&& other) noexcept;
  GpuModule& operator=(GpuModule&&) = delete;
  ~GpuModule();

  // Throws kDevice when the module has no kernel of that name.
  GpuKernel kernel(const std::string& name);

 private:
  GpuDevice* device_;
  GpuModuleHandle handle_ = nullptr;
  std::string name_;
  std::vector<std::byte> image_;
};

}  // namespace halyard
