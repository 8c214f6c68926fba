#include <cstring>
#include <vector>

#include "emulator/hip.h"

namespace halyard::emulator {
namespace {

struct Function {
  struct Module* module;
  const KernelInfo* kernel;
};
struct Module {
  Program program;
  std::vector<std::unique_ptr<Function>> functions;
};

// Values of `extra`, a list of pairs ended by kEnd.
void* const kBufferPointer = reinterpret_cast<void*>(1);
void* const kBufferSize = reinterpret_cast<void*>(2);
void* const kEnd = reinterpret_cast<void*>(3);

// The arguments as one block: from a packed buffer (`extra`), or from one pointer for each.
bool pack_arguments(const KernelInfo& kernel, void** arguments, void** extra, std::vector<uint8_t>& out) {
  out.assign(kernel.argument_bytes, 0);
  if (extra != nullptr) {
    const void* data = nullptr;
    size_t bytes = 0;
    for (; *extra != kEnd; extra += 2) {
      if (extra[0] == kBufferPointer) data = extra[1];
      if (extra[0] == kBufferSize) bytes = *static_cast<size_t*>(extra[1]);
    }
    if (data == nullptr || bytes > out.size()) return false;
    std::memcpy(out.data(), data, bytes);
    return true;
  }
  if (kernel.arguments.empty())
    return kernel.argument_bytes == 0;  // no notes: nobody knows where they belong
  size_t next = 0;
  for (const KernelArgument& argument : kernel.arguments) {
    if (argument.kind.starts_with("hidden_")) continue;
    if (arguments == nullptr || arguments[next] == nullptr) return false;
    std::memcpy(out.data() + argument.offset_bytes, arguments[next++], argument.size_bytes);
  }
  return true;
}

}  // namespace

EMULATOR_EXPORT int hipModuleLoadData(void** out, const void* image) {
  return on_device([&](Device& d) {
    if (out == nullptr || image == nullptr) return kHipInvalidValue;
    const auto* bytes = static_cast<const uint8_t*>(image);
    const CodeObject object = read_code_object({bytes, code_object_bytes(bytes)});
    auto module = std::make_unique<Module>();
    module->program = load_program(object, d.memory);
    *out = module.release();
    return kHipSuccess;
  });
}
EMULATOR_EXPORT int hipModuleLoadDataEx(void** out, const void* image, unsigned, int*, void**) {
  return hipModuleLoadData(out, image);
}

EMULATOR_EXPORT int hipModuleUnload(void* handle) {
  return give_back([&](Device& d) {
    if (handle == nullptr) return kHipInvalidValue;
    const std::unique_ptr<Module> module(static_cast<Module*>(handle));
    d.memory.release(module->program.image_address);
    return kHipSuccess;
  });
}

EMULATOR_EXPORT int hipModuleGetFunction(void** out, void* handle, const char* name) {
  return on_device([&](Device&) {
    if (out == nullptr || handle == nullptr || name == nullptr) return kHipInvalidValue;
    auto* module = static_cast<Module*>(handle);
    const KernelInfo* kernel = module->program.find(name);
    if (kernel == nullptr) return kHipNotFound;
    module->functions.push_back(std::make_unique<Function>(Function{module, kernel}));
    *out = module->functions.back().get();
    return kHipSuccess;
  });
}

// hipFunction_attribute: most threads, LDS, constants, private memory, registers, versions, -, most dynamic
// LDS.
EMULATOR_EXPORT int hipFuncGetAttribute(int* value, int attribute, void* handle) {
  return on_device([&](Device&) {
    if (value == nullptr || handle == nullptr) return kHipInvalidValue;
    const KernelInfo& kernel = *static_cast<Function*>(handle)->kernel;
    switch (attribute) {
      case 0:
        *value = static_cast<int>(kernel.max_threads);
        return kHipSuccess;
      case 1:
        *value = static_cast<int>(kernel.lds_bytes);
        return kHipSuccess;
      case 2:
        *value = 0;
        return kHipSuccess;
      case 3:
        *value = static_cast<int>(kernel.scratch_bytes);
        return kHipSuccess;
      case 4:
        *value = static_cast<int>(kernel.n_vgprs);
        return kHipSuccess;
      case 8:
        *value = static_cast<int>(65536 - kernel.lds_bytes);
        return kHipSuccess;
      default:
        return kHipInvalidValue;
    }
  });
}
EMULATOR_EXPORT int hipFuncSetAttribute(const void*, int, int) {
  return kHipSuccess;
}

EMULATOR_EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads,
                                                                       size_t lds_bytes) {
  if (blocks == nullptr || threads <= 0) return result(kHipInvalidValue);
  const int by_waves = 64 / ((threads + 31) / 32);
  const int by_lds = lds_bytes == 0 ? by_waves : static_cast<int>(131072 / lds_bytes);
  *blocks = by_waves < by_lds ? by_waves : by_lds;
  return kHipSuccess;
}

EMULATOR_EXPORT int hipModuleLaunchKernel(void* handle, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                          unsigned block_x, unsigned block_y, unsigned block_z,
                                          unsigned lds_bytes, void*, void** arguments, void** extra) {
  return on_device([&](Device& d) {
    if (handle == nullptr) return kHipInvalidValue;
    const Function& function = *static_cast<Function*>(handle);
    std::vector<uint8_t> packed;
    if (!pack_arguments(*function.kernel, arguments, extra, packed)) return kHipInvalidValue;
    const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, lds_bytes};
    d.wave_instructions +=
        launch(function.module->program, *function.kernel, d.memory, shape, packed, d.checks)
            .wave_instructions;
    return kHipSuccess;
  });
}

}  // namespace halyard::emulator
