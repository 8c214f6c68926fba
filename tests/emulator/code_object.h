// Reading a code object of AMD: an ELF file with kernels, their descriptors and their notes. A pure function
// of bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace halyard::emulator {

struct KernelArgument {
  uint32_t offset_bytes = 0, size_bytes = 0;
  std::string kind;  // .value_kind: by_value, global_buffer, hidden_block_count_x, ...
};

// Of one kernel, from NAME.kd and from the notes.
struct KernelInfo {
  std::string name;
  uint64_t entry_address = 0;  // in the object's own addresses
  uint32_t lds_bytes = 0;      // the static part
  uint32_t scratch_bytes = 0;  // of one lane
  uint32_t argument_bytes = 0;
  uint32_t rsrc1 = 0, rsrc2 = 0;
  uint16_t properties = 0;
  std::vector<KernelArgument> arguments;
  uint32_t max_threads = 1024;  // .max_flat_workgroup_size
  uint32_t n_vgprs = 0, n_sgprs = 0;
};

struct Segment {
  uint64_t address = 0;  // the object's own
  std::vector<uint8_t> bytes;
};

struct Relocation {
  uint64_t place = 0;
  int64_t value = 0;  // an address of the object's own: the base is added
};

struct CodeObject {
  std::string target;  // "gfx1151"
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  uint64_t text_address = 0;
  std::vector<uint32_t> text;  // the dwords of .text
  std::vector<KernelInfo> kernels;
  uint64_t size_bytes = 0;  // of all segments, from address 0 on
};

// Throws halyard::Error (kBadFile for broken bytes, kUnsupported for another architecture, by name).
CodeObject read_code_object(std::span<const uint8_t> bytes);
// How many bytes the ELF file at `image` has, from its own header: what hipModuleLoadData must find out.
size_t code_object_bytes(const uint8_t* image);

}  // namespace halyard::emulator
