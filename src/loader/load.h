// From files to device memory: threads read aligned windows of the files into a small ring of pinned buffers,
// tensors are cut out of them, and copies to the device overlap the reads.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/device.h"
#include "halyard/load.h"
#include "loader/read_source.h"

namespace halyard {

// One file of the model.
struct LoadFile {
  OpenSource open;
  // Lower-case hexadecimal SHA-256 that the whole file must have; empty: not checked. Checking reads all of
  // the file, also what no tensor needs.
  std::string sha256;
};

// A tensor, or a part of one, and where its bytes go.
struct LoadTensor {
  std::string name;
  uint32_t file = 0;         // index of its file
  uint64_t file_offset = 0;  // in that file
  uint64_t bytes = 0;
  uint64_t address = 0;  // device address of the first byte
};

struct LoadOptions {
  uint64_t ring_bytes = uint64_t{32} << 20;   // pinned memory in all
  uint64_t window_bytes = uint64_t{4} << 20;  // of one read; a multiple of 64 KiB
  unsigned n_readers = 4;                     // threads, each with a handle of its own
  std::optional<Caching> caching;             // nothing: as a probe of the page cache says, for each file
  LoadWatcher watcher;                        // may be empty
  // Called from the calling thread when all copies of tensors[index] are queued: what it queues on the device
  // sees the whole tensor. To repack in place, for example.
  std::function<void(size_t index)> arrived;
};

struct LoadReport {
  uint64_t read_bytes = 0;    // of the files, gaps that a window spans among them
  uint64_t highest_byte = 0;  // place in its file of the last byte that reached the device's queue
  uint64_t copied_bytes = 0;  // to the device
  uint64_t pinned_bytes = 0;  // the ring as it was
  unsigned n_readers = 0;
  uint32_t n_unbuffered = 0;  // files read past the page cache
  double seconds = 0;
  double first_byte_seconds = 0;  // until the first copy was done
};

// Returns when all tensors are on the device. Takes the ring and nothing that grows with the files. Throws
// kBadFile (a file is too short or has another SHA-256), kIo, kDevice, kOutOfMemory or kCancelled, with file,
// byte, tensor and bytes; all threads have ended then, all pinned memory is released and no copy is queued
// any more: another attempt may follow.
LoadReport load_tensors(std::span<const LoadFile> files, std::span<const LoadTensor> tensors, Device& device,
                        const LoadOptions& options);

}  // namespace halyard
