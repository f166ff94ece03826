// Memory for arrays larger than memory should be: large blocks lie in unnamed files of a folder, mapped, and a pager
// keeps what the process has of them in memory within a limit; the operating system keeps the rest, on disk if need be.
// A std::pmr resource, so that an array (array.h) is in memory or in a file without knowing. It pays for arrays that
// are read and written in runs, not at random. Where files cannot be mapped it is ordinary memory.
#pragma once

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>

#include "base/buffer.h"
#include "base/pager.h"

namespace dragoman {

class ScratchSpace : public std::pmr::memory_resource {
 public:
  // Smaller blocks are not worth a file.
  static constexpr size_t least_block_bytes = size_t{1} << 20;

  // The limit is of all memory of the process.
  ScratchSpace(std::string folder, size_t limit_bytes);

  size_t limit_bytes() const { return limit_bytes_; }
  // A mapped file that is to keep to the limit too.
  void watch(const std::shared_ptr<const Buffer>& file);
  // The most bytes that lay in files at once.
  size_t peak_bytes() const;

 private:
  // Throws IoError where the folder cannot be written or its disk is full.
  void* do_allocate(size_t bytes, size_t alignment) override;
  void do_deallocate(void* block, size_t bytes, size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  const std::string folder_;
  const size_t limit_bytes_;
  Pager pager_;
  mutable std::mutex mutex_;
  size_t bytes_ = 0, peak_bytes_ = 0;
};

}  // namespace dragoman
