// Vectors that begin where a cache line does and share no line with another. A register of 64 bytes is then loaded from
// one line and not from two, and threads that write side by side, each into a stretch of whole lines, do not take the
// line between them from each other with every write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace dragoman {

inline constexpr size_t cache_line = 64;

template <class Value>
struct LineAllocator {
  using value_type = Value;

  LineAllocator() = default;
  template <class Other>
  LineAllocator(const LineAllocator<Other>&) {}

  Value* allocate(size_t count) {
    return static_cast<Value*>(::operator new(in_lines(count), std::align_val_t{cache_line}));
  }
  void deallocate(Value* values, size_t) { ::operator delete(values, std::align_val_t{cache_line}); }
  friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }

 private:
  static size_t in_lines(size_t count) {
    if (count > SIZE_MAX / sizeof(Value) - cache_line) throw std::bad_array_new_length();
    return (count * sizeof(Value) + cache_line - 1) / cache_line * cache_line;
  }
};

template <class Value>
using LineVector = std::vector<Value, LineAllocator<Value>>;

}  // namespace dragoman
