#include "emulator/waits.h"

#include <algorithm>
#include <fmt/core.h>

#include "emulator/wave.h"

namespace halyard::emulator {
namespace {

void drop_oldest(Outstanding::Queue& queue, uint32_t n) {
  std::move(queue.entries.begin() + n, queue.entries.begin() + queue.n, queue.entries.begin());
  queue.n -= n;
}

}  // namespace

void Outstanding::add(const Instruction& i) {
  if (i.counter == Counter::kStore) {
    n_stores = std::min(n_stores + 1, kMost);
    return;
  }
  if (i.counter != Counter::kVector && i.counter != Counter::kScalar) ++n_lds_operations;
  Entry entry;
  entry.counter = i.counter;
  for (size_t w = 0; w < i.n_writes && w < 2; ++w) {
    entry.registers[w] = i.writes[w];
    for (uint32_t r = 0; r < i.writes[w].count; ++r) {
      const uint32_t operand = i.writes[w].first + r;
      pending[operand / 64 % 8] |= uint64_t{1} << operand % 64;
      any = true;
    }
  }
  if (i.counter == Counter::kVector || i.counter == Counter::kFlat) {
    if (vector.n == kMost) wait_vector(kMost - 1);
    vector.entries[vector.n++] = entry;
  }
  if (i.counter != Counter::kVector) {
    if (lds_scalar.n == kMost) wait_lds_scalar(0);
    lds_scalar.entries[lds_scalar.n++] = entry;
  }
}

void Outstanding::note_lds_write(uint32_t offset, uint32_t bytes) {
  constexpr size_t kMany = 4096;
  if (lds_writes.size() >= kMany) drop_finished_lds_writes();
  lds_writes.push_back({n_lds_operations, offset, bytes});
}

void Outstanding::drop_finished_lds_writes() {
  uint64_t n_left = 0;
  for (uint32_t e = 0; e < lds_scalar.n; ++e)
    n_left += lds_scalar.entries[e].counter != Counter::kScalar ? 1 : 0;
  std::erase_if(lds_writes, [&](const LdsWrite& write) { return write.serial + n_left < n_lds_operations; });
}

void Outstanding::rebuild() {
  pending = {};
  any = false;
  for (const Queue* queue : {&vector, &lds_scalar}) {
    for (uint32_t e = 0; e < queue->n; ++e) {
      for (const RegisterRange& range : queue->entries[e].registers) {
        for (uint32_t r = 0; r < range.count; ++r) {
          const uint32_t operand = range.first + r;
          pending[operand / 64 % 8] |= uint64_t{1} << operand % 64;
          any = true;
        }
      }
    }
  }
}

void Outstanding::wait_vector(uint32_t most) {
  if (vector.n <= most) return;
  drop_oldest(vector, vector.n - most);
  rebuild();
}

void Outstanding::wait_lds_scalar(uint32_t most) {
  if (lds_scalar.n <= most) return;
  // Scalar and flat loads finish in any order: only a count of zero says that one of them has come. What is
  // known of the others: LDS operations come in order among themselves, and those that may still be out are
  // the youngest.
  const auto in_order = [](const Entry& e) { return e.counter == Counter::kLds; };
  Queue& queue = lds_scalar;
  if (most == 0 || std::all_of(queue.entries.begin(), queue.entries.begin() + queue.n, in_order)) {
    drop_oldest(queue, queue.n - most);
    rebuild();
    return;
  }
  const auto n_in_order =
      static_cast<uint32_t>(std::count_if(queue.entries.begin(), queue.entries.begin() + queue.n, in_order));
  uint32_t n_done = n_in_order > most ? n_in_order - most : 0;  // should all that are left be LDS operations
  uint32_t kept = 0;
  for (uint32_t e = 0; e < queue.n; ++e) {
    const bool done = n_done > 0 && in_order(queue.entries[e]);
    n_done -= done ? 1 : 0;
    if (!done) queue.entries[kept++] = queue.entries[e];
  }
  queue.n = kept;
  rebuild();
}

void Outstanding::wait_stores(uint32_t most) {
  n_stores = std::min(n_stores, most);
}

bool Outstanding::is_pending(const RegisterRange& range, uint16_t* which) const {
  for (uint32_t r = 0; r < range.count; ++r) {
    const uint32_t operand = range.first + r;
    if ((pending[operand / 64 % 8] >> operand % 64 & 1) == 0) continue;
    *which = static_cast<uint16_t>(operand);
    return true;
  }
  return false;
}

// Whether every load that is to fill the register is counted by `counter`, so that a later one of the kind
// comes later.
bool Outstanding::only_counter(uint16_t operand, Counter counter) const {
  for (const Queue* queue : {&vector, &lds_scalar}) {
    for (uint32_t e = 0; e < queue->n; ++e) {
      for (const RegisterRange& range : queue->entries[e].registers) {
        const bool covers = operand >= range.first && operand < range.first + range.count;
        if (covers && queue->entries[e].counter != counter) return false;
      }
    }
  }
  return true;
}

int Outstanding::first_missing(const Instruction& i) const {
  uint16_t which = 0;
  for (size_t r = 0; r < i.n_reads; ++r) {
    if (is_pending(i.reads[r], &which)) return which;
  }
  const bool in_order = i.counter == Counter::kVector || i.counter == Counter::kLds;
  for (size_t w = 0; w < i.n_writes; ++w) {
    if (is_pending(i.writes[w], &which) && !(in_order && only_counter(which, i.counter))) return which;
  }
  return -1;
}

void check_waits(const Wave& wave, const Instruction& i) {
  const int operand = wave.outstanding->first_missing(i);
  if (operand < 0) return;
  const bool vector = operand >= kVgpr0;
  const std::string name = operand == kVccLo   ? "vcc_lo"
                           : operand == kVccHi ? "vcc_hi"
                           : operand == kM0
                               ? "m0"
                               : fmt::format("{}{}", vector ? 'v' : 's', vector ? operand - kVgpr0 : operand);
  fault(wave, i, fmt::format("missing wait: {} is used before the load that fills it was waited for", name));
}

}  // namespace halyard::emulator
