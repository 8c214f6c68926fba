// How fast a model's file comes from the disk into a device's memory, beside what reading it alone takes:
// what `halyard bench --load` shows.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace halyard {

struct LoadSpeedOptions {
  std::string model_path;   // UTF-8
  unsigned n_rounds = 5;    // of each kind
  uint64_t ring_bytes = 0;  // pinned memory; 0: what a load takes by itself. The same for window and readers
  uint64_t window_bytes = 0;  // of one read
  unsigned n_readers = 0;     // threads, of the load and of the plain read
};

// One kind of reading: through the page cache, which holds the file, or past it.
struct LoadRate {
  std::string kind;  // "warm, buffered" or "cold, unbuffered"
  // Bytes a second of each round. The two are measured in turns; a plain read takes the same windows with the
  // same number of threads, and drops them.
  std::vector<double> load_rates, plain_rates;
  double first_byte_seconds = 0;  // until the first window was on the device, of the slowest round
  std::string note;               // why it is not what its kind says, or was not measured; else empty
};

struct LoadSpeed {
  std::string model;
  uint64_t file_bytes = 0;
  uint64_t read_bytes = 0;    // of them, by a load: what tensors need
  uint64_t highest_byte = 0;  // place in its file of the last byte that a load brought to the device
  unsigned n_readers = 0;
  uint64_t ring_bytes = 0, window_bytes = 0;
  std::vector<LoadRate> rates;
  uint64_t directory_bytes = 0;  // of the files: what is read before the weights
  uint64_t peak_resident_bytes =
      0;                    // of this process, which has no device memory: the copies are counted and dropped
  double plan_seconds = 0;  // to plan what lives where
};

// Reads the file 4 * n_rounds times. The device is simulated: its copies take no time. Throws what
// Engine::open throws before it loads weights, kUsage for the built-in model, and what load_tensors throws.
LoadSpeed measure_load_speed(const LoadSpeedOptions& options);

}  // namespace halyard
