// Memory for arrays larger than memory should be: large blocks lie in unnamed files of a folder, mapped, and leave
// memory again when the process has grown beyond a limit; the operating system keeps them, on disk if need be.
// A std::pmr resource, so that an array (array.h) is in memory or in a file without knowing. It pays for arrays that
// are read and written in runs, not at random. Where files cannot be mapped it is ordinary memory.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/buffer.h"

namespace dragoman {

class ScratchSpace : public std::pmr::memory_resource {
 public:
  // Smaller blocks are not worth a file.
  static constexpr size_t least_block_bytes = size_t{1} << 20;

  // The limit is of all memory of the process. Room is made before it is reached, because a few milliseconds may pass
  // until somebody looks.
  ScratchSpace(std::string folder, size_t limit_bytes);
  ScratchSpace(const ScratchSpace&) = delete;
  ScratchSpace& operator=(const ScratchSpace&) = delete;
  ~ScratchSpace() override;

  size_t limit_bytes() const { return limit_bytes_; }
  // Mapped files that are to leave memory too; forgotten when nobody uses them any more.
  void watch(const std::shared_ptr<const Buffer>& file);
  // The most bytes that lay in files at once.
  size_t peak_bytes() const;

 private:
  // Throws IoError where the folder cannot be written or its disk is full.
  void* do_allocate(size_t bytes, size_t alignment) override;
  void do_deallocate(void* block, size_t bytes, size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  // Looks every few milliseconds whether too much is in memory.
  void keep();
  void relieve();
  // With the lock held.
  void start_keeper();

  const std::string folder_;
  const size_t limit_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable ended_;
  std::map<void*, size_t> blocks_;
  std::vector<std::weak_ptr<const Buffer>> watched_;
  size_t bytes_ = 0, peak_bytes_ = 0;
  bool ending_ = false;
  std::thread keeper_;
};

}  // namespace dragoman
