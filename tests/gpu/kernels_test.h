// A device with the kernels of its architecture, for op tests: whatever HALYARD_HIP_LIBRARY or
// HALYARD_CUDA_LIBRARY names (the emulator in continuous integration), otherwise the first GPU of the system.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/gpu/gpu_device.h"
#include "backend/gpu/kernels/arguments.h"
#include "backend/gpu/module.h"
#include "device/device.h"

namespace halyard {

struct KernelDevice {
  std::unique_ptr<GpuDevice> device;
  std::unique_ptr<GpuModule> kernels;
};

// Null, with the reason in *why, when there is no device, or no code for it.
KernelDevice* kernel_device(std::string* why = nullptr);

// Every test begins with it. A machine without a GPU skips, unless HALYARD_KERNELS_MUST_RUN says that it has
// one.
class KernelTest : public testing::Test {
 protected:
  void SetUp() override;
  GpuDevice& device() { return *kernel_device()->device; }

  // Launches and waits. `name` also keys the largest error that the program prints at its end.
  template <class Arguments>
  void launch(const char* name, const Arguments& arguments) {
    GpuKernel kernel = kernel_device()->kernels->kernel(name);
    const gpu::Grid grid = arguments.grid();
    kernel.launch({{grid.x, grid.y, 1}, {Arguments::kThreads, 1, 1}, 0}, arguments);
    device().synchronize();
  }
};

// The largest error seen of each kernel, relative to what its test says.
void note_error(std::string_view kernel, double error);

// Input on the device: exactly its bytes, so that what lies behind is not its own. `shift` bytes of an odd
// beginning are left free in front, for data of formats that promise only an even address.
template <class T>
class DeviceInput {
 public:
  DeviceInput(GpuDevice& device, std::span<const T> values, uint64_t shift = 0)
      : buffer_(device, Pool::kDedicated, shift + values.size_bytes()), shift_(shift) {
    device.upload(buffer_.block().address + shift, std::as_bytes(values));
  }
  T* pointer() const {
    return reinterpret_cast<T*>(static_cast<uintptr_t>(buffer_.block().address + shift_));
  }

 private:
  DeviceBuffer buffer_;
  uint64_t shift_;
};

// Output on the device, with bytes 0xFF (NaN as floats) planted in all of it and in a margin behind it.
template <class T>
class DeviceOutput {
 public:
  static constexpr uint64_t kMargin = 64;
  DeviceOutput(GpuDevice& device, uint64_t n)
      : device_(device), buffer_(device, Pool::kDedicated, (n + kMargin) * sizeof(T)), n_(n) {
    device.fill(buffer_.block().address, 0xFF, (n + kMargin) * sizeof(T));
  }
  T* pointer() const { return reinterpret_cast<T*>(static_cast<uintptr_t>(buffer_.block().address)); }

  // The values; the margin must be as it was.
  std::vector<T> read() const {
    std::vector<std::byte> bytes((n_ + kMargin) * sizeof(T));
    device_.copy_to_host(bytes, buffer_.block().address);
    for (size_t i = n_ * sizeof(T); i < bytes.size(); ++i) {
      if (bytes[i] != std::byte{0xFF}) {
        ADD_FAILURE() << "byte " << i - n_ * sizeof(T) << " behind the output was written";
        break;
      }
    }
    std::vector<T> values(n_);
    std::memcpy(values.data(), bytes.data(), n_ * sizeof(T));
    return values;
  }

 private:
  GpuDevice& device_;
  DeviceBuffer buffer_;
  uint64_t n_;
};

// Uniform in [-1, 1).
std::vector<float> random_floats(uint32_t seed, uint64_t n, float scale = 1.0f);
std::vector<uint8_t> random_bytes(uint32_t seed, uint64_t n);

// Every element of `got` against `want`, with the error relative to `scale[i]` (what the sum of magnitudes
// is, say). NaN fails, and so does a reference that is all zeros.
void expect_close(std::string_view kernel, std::span<const float> got, std::span<const double> want,
                  std::span<const double> scale, double limit);

}  // namespace halyard
