#include "emulator/code_object.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "emulator/message_pack.h"
#include "halyard/error.h"

namespace halyard::emulator {
namespace {

constexpr uint16_t kMachineAmdGpu = 224;
constexpr uint32_t kLoad = 1, kNoteSegment = 4;                        // program header types
constexpr uint32_t kSymbolTable = 2, kRela = 4, kDynamicSymbols = 11;  // section types
constexpr uint32_t kRelocateAbsolute64 = 3, kRelocateRelative64 = 13;
constexpr uint32_t kNoteMetadata = 32;
constexpr uint64_t kMostBytes = uint64_t{1} << 30;
constexpr uint64_t kDescriptorBytes = 64;

struct Architecture {
  uint32_t machine;  // low byte of e_flags
  const char* name;
  bool runs;
};
constexpr std::array kArchitectures = {
    Architecture{0x41, "gfx1100", true},  Architecture{0x46, "gfx1101", true},
    Architecture{0x47, "gfx1102", true},  Architecture{0x44, "gfx1103", true},
    Architecture{0x43, "gfx1150", true},  Architecture{0x4a, "gfx1151", true},
    Architecture{0x55, "gfx1152", true},  Architecture{0x58, "gfx1153", true},
    Architecture{0x48, "gfx1200", false}, Architecture{0x4e, "gfx1201", false},
    Architecture{0x36, "gfx1030", false}, Architecture{0x3f, "gfx90a", false},
    Architecture{0x4c, "gfx942", false},  Architecture{0x2f, "gfx906", false},
};

[[noreturn]] void broken(const std::string& what) {
  throw Error(ErrorCode::kBadFile, "the code object is broken: " + what, "ELF file given to the emulator",
              "build the code object anew");
}

class Bytes {
 public:
  explicit Bytes(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  template <typename T>
  T at(uint64_t place) const {
    T value;
    std::memcpy(&value, piece(place, sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::span<const uint8_t> piece(uint64_t place, uint64_t n) const {
    if (place > bytes_.size() || n > bytes_.size() - place) broken("a part lies outside of the file");
    return bytes_.subspan(place, n);
  }
  std::string text(uint64_t place) const {
    std::string out;
    while (const char c = at<char>(place++)) out += c;
    return out;
  }

 private:
  std::span<const uint8_t> bytes_;
};

struct Section {
  uint32_t name, type, link;
  uint64_t address, place, bytes;
};

std::string read_target(const Bytes& file) {
  const auto magic = file.at<uint32_t>(0);
  if (magic != 0x464c457fu || file.at<uint8_t>(4) != 2 || file.at<uint8_t>(5) != 1)
    broken("no 64-bit ELF file");
  if (file.at<uint16_t>(18) != kMachineAmdGpu) broken("an ELF file of another processor");
  const uint32_t machine = file.at<uint32_t>(48) & 0xff;
  for (const Architecture& a : kArchitectures) {
    if (a.machine == machine && a.runs) return a.name;
    if (a.machine == machine) {
      throw Error(ErrorCode::kUnsupported, std::string("the emulator does not run ") + a.name, "code object",
                  "build for one of gfx1100 to gfx1103 or gfx1150 to gfx1153");
    }
  }
  throw Error(ErrorCode::kUnsupported, "the emulator does not run machine number " + std::to_string(machine),
              "code object", "build for one of gfx1100 to gfx1103 or gfx1150 to gfx1153");
}

std::vector<Section> read_sections(const Bytes& file) {
  const auto first = file.at<uint64_t>(40);
  const auto n = file.at<uint16_t>(60);
  std::vector<Section> out;
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t at = first + i * 64;
    file.piece(at, 64);
    out.push_back({file.at<uint32_t>(at), file.at<uint32_t>(at + 4), file.at<uint32_t>(at + 40),
                   file.at<uint64_t>(at + 16), file.at<uint64_t>(at + 24), file.at<uint64_t>(at + 32)});
  }
  return out;
}

PackValue read_notes(const Bytes& file, uint64_t place, uint64_t bytes) {
  const uint64_t end = place + bytes;
  while (place + 12 <= end) {
    const uint64_t name_bytes = file.at<uint32_t>(place), content_bytes = file.at<uint32_t>(place + 4);
    const uint64_t content = place + 12 + (name_bytes + 3) / 4 * 4;
    if (file.at<uint32_t>(place + 8) == kNoteMetadata)
      return read_message_pack(file.piece(content, content_bytes));
    place = content + (content_bytes + 3) / 4 * 4;
  }
  return {};
}

// Segments into out; returns the notes.
PackValue read_segments(const Bytes& file, CodeObject& out) {
  const auto first = file.at<uint64_t>(32);
  const auto n = file.at<uint16_t>(56);
  PackValue notes;
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t at = first + i * 56;
    const auto type = file.at<uint32_t>(at);
    const auto place = file.at<uint64_t>(at + 8), address = file.at<uint64_t>(at + 16);
    const auto file_bytes = file.at<uint64_t>(at + 32), memory_bytes = file.at<uint64_t>(at + 40);
    if (type == kNoteSegment && notes.kind == PackValue::Kind::kNil)
      notes = read_notes(file, place, file_bytes);
    if (type != kLoad || memory_bytes == 0) continue;
    if (memory_bytes > kMostBytes || address > kMostBytes || file_bytes > memory_bytes)
      broken("a segment is too large");
    Segment segment{address, std::vector<uint8_t>(memory_bytes)};
    const auto from = file.piece(place, file_bytes);
    std::copy(from.begin(), from.end(), segment.bytes.begin());
    out.size_bytes = std::max(out.size_bytes, address + memory_bytes);
    out.segments.push_back(std::move(segment));
  }
  return notes;
}

// The bytes at an address of the object's own.
std::span<const uint8_t> loaded(const CodeObject& object, uint64_t address, uint64_t n) {
  for (const Segment& s : object.segments) {
    if (address >= s.address && address - s.address <= s.bytes.size() &&
        n <= s.bytes.size() - (address - s.address)) {
      return std::span(s.bytes).subspan(address - s.address, n);
    }
  }
  broken("an address lies outside of all segments");
}

KernelInfo read_descriptor(const CodeObject& object, std::string name, uint64_t address) {
  const Bytes descriptor(loaded(object, address, kDescriptorBytes));
  KernelInfo kernel;
  kernel.name = std::move(name);
  kernel.lds_bytes = descriptor.at<uint32_t>(0);
  kernel.scratch_bytes = descriptor.at<uint32_t>(4);
  kernel.argument_bytes = descriptor.at<uint32_t>(8);
  kernel.entry_address = address + descriptor.at<uint64_t>(16);
  kernel.rsrc1 = descriptor.at<uint32_t>(48);
  kernel.rsrc2 = descriptor.at<uint32_t>(52);
  kernel.properties = descriptor.at<uint16_t>(56);
  if (kernel.argument_bytes > 65536 || kernel.lds_bytes > 65536 || kernel.scratch_bytes > (1u << 20)) {
    broken("the descriptor of " + kernel.name + " asks for too much");
  }
  if ((kernel.properties & 0x400u) == 0) {
    throw Error(ErrorCode::kUnsupported, "the kernel is built for waves of 64 lanes", kernel.name,
                "build it for waves of 32 lanes");
  }
  return kernel;
}

void add_notes(KernelInfo& kernel, const PackValue& notes) {
  for (const PackValue& entry : notes["amdhsa.kernels"].list) {
    if (entry[".name"].text != kernel.name) continue;
    kernel.max_threads = static_cast<uint32_t>(entry[".max_flat_workgroup_size"].number_or(1024));
    kernel.n_vgprs = static_cast<uint32_t>(entry[".vgpr_count"].number_or(0));
    kernel.n_sgprs = static_cast<uint32_t>(entry[".sgpr_count"].number_or(0));
    for (const PackValue& argument : entry[".args"].list) {
      const uint64_t place = argument[".offset"].number_or(0), bytes = argument[".size"].number_or(0);
      if (place > kernel.argument_bytes || bytes > kernel.argument_bytes - place) {
        broken("an argument of " + kernel.name + " lies outside of its arguments");
      }
      kernel.arguments.push_back(
          {static_cast<uint32_t>(place), static_cast<uint32_t>(bytes), argument[".value_kind"].text});
    }
  }
}

void read_kernels(const Bytes& file, const std::vector<Section>& sections, const PackValue& notes,
                  CodeObject& out) {
  std::map<std::string, uint64_t> descriptors;
  for (const Section& s : sections) {
    if ((s.type != kSymbolTable && s.type != kDynamicSymbols) || s.link >= sections.size()) continue;
    file.piece(s.place, s.bytes);
    for (uint64_t at = s.place; at + 24 <= s.place + s.bytes; at += 24) {
      const std::string name = file.text(sections[s.link].place + file.at<uint32_t>(at));
      if (name.size() > 3 && name.ends_with(".kd"))
        descriptors[name.substr(0, name.size() - 3)] = file.at<uint64_t>(at + 8);
    }
  }
  for (const auto& [name, address] : descriptors) {
    KernelInfo kernel = read_descriptor(out, name, address);
    add_notes(kernel, notes);
    out.kernels.push_back(std::move(kernel));
  }
}

void read_relocations(const Bytes& file, const std::vector<Section>& sections, CodeObject& out) {
  for (const Section& s : sections) {
    if (s.type != kRela) continue;
    file.piece(s.place, s.bytes);
    for (uint64_t at = s.place; at + 24 <= s.place + s.bytes; at += 24) {
      const auto info = file.at<uint64_t>(at + 8);
      int64_t value = file.at<int64_t>(at + 16);
      const uint32_t type = static_cast<uint32_t>(info);
      if (type != kRelocateRelative64 && type != kRelocateAbsolute64) {
        throw Error(ErrorCode::kUnsupported, "relocation of type " + std::to_string(type), "code object",
                    "keep to code and constants that need no other relocation");
      }
      if (type == kRelocateAbsolute64) {
        if (s.link >= sections.size()) broken("a relocation without symbols");
        value += file.at<int64_t>(sections[s.link].place + (info >> 32) * 24 + 8);
      }
      const auto place = file.at<uint64_t>(at);
      loaded(out, place, 8);
      out.relocations.push_back({place, value});
    }
  }
}

void read_text(const Bytes& file, const std::vector<Section>& sections, CodeObject& out) {
  const auto names = file.at<uint16_t>(62);
  if (names >= sections.size()) broken("no names of sections");
  for (const Section& s : sections) {
    if (file.text(sections[names].place + s.name) != ".text") continue;
    const auto code = file.piece(s.place, s.bytes);
    out.text_address = s.address;
    out.text.resize(s.bytes / 4);
    std::memcpy(out.text.data(), code.data(), out.text.size() * 4);
    return;
  }
  broken("no .text");
}

}  // namespace

CodeObject read_code_object(std::span<const uint8_t> bytes) {
  const Bytes file(bytes);
  CodeObject out;
  out.target = read_target(file);
  const std::vector<Section> sections = read_sections(file);
  const PackValue notes = read_segments(file, out);
  read_text(file, sections, out);
  read_kernels(file, sections, notes, out);
  read_relocations(file, sections, out);
  return out;
}

size_t code_object_bytes(const uint8_t* image) {
  const Bytes header(std::span(image, 64));
  if (header.at<uint32_t>(0) != 0x464c457fu) broken("it does not begin like an ELF file");
  // The table of sections is the last thing in a file that lld writes.
  return header.at<uint64_t>(40) + uint64_t{header.at<uint16_t>(58)} * header.at<uint16_t>(60);
}

}  // namespace halyard::emulator
