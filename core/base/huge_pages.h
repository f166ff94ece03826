// An allocator for large tables that are read at random: on pages of 2 MB, where the system has them, nearly every
// address is found without a walk through the page tables. Memory is as much as asked for, rounded up to such a page.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace dragoman {

template <typename T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t page_bytes = std::size_t{2} << 20;

  HugePages() = default;
  template <typename Other>
  HugePages(const HugePages<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = (count * sizeof(T) + page_bytes - 1) / page_bytes * page_bytes;
    void* block = std::aligned_alloc(page_bytes, bytes);
    if (block == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    // A wish: without it, everything works as well, only slower.
    ::madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t) { std::free(block); }

  bool operator==(const HugePages&) const { return true; }
};

}  // namespace dragoman
