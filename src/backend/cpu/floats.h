// Float buffers that start on a cache line: a vector load of 64 bytes that crosses one costs twice.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace halyard::cpu {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kAlignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(size_t n) {
    if (n > static_cast<size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(n * sizeof(T), kAlignment));
  }
  void deallocate(T* p, size_t) { ::operator delete(p, kAlignment); }
  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

using Floats = std::vector<float, CacheLineAllocator<float>>;

// n values whose content is not kept: a buffer that grows with the sequence gives its memory back before it
// takes more, so that never more than one of its sizes is held.
inline void refit(Floats& buffer, size_t n) {
  if (buffer.capacity() < n) buffer = Floats();
  buffer.resize(n);
}

}  // namespace halyard::cpu
