#include "base/scratch.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <vector>

#include "base/errors.h"

#if defined(__unix__) || defined(__APPLE__)
#define DRAGOMAN_HAS_MMAP
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace dragoman {

ScratchSpace::ScratchSpace(std::string folder, size_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes), pager_(limit_bytes) {}

size_t ScratchSpace::peak_bytes() const {
  std::lock_guard lock(mutex_);
  return peak_bytes_;
}

#ifdef DRAGOMAN_HAS_MMAP

namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

// Space on disk now, because a mapped page without any ends the process when it is written.
int reserve(int fd, size_t bytes) {
#if defined(__linux__)
  return ::posix_fallocate(fd, 0, static_cast<off_t>(bytes));
#else
  const std::vector<char> zeros(size_t{1} << 20);
  for (size_t at = 0; at < bytes; at += zeros.size()) {
    const size_t size = bytes - at < zeros.size() ? bytes - at : zeros.size();
    if (::pwrite(fd, zeros.data(), size, static_cast<off_t>(at)) != static_cast<ssize_t>(size)) return ENOSPC;
  }
  return 0;
#endif
}

}  // namespace

void* ScratchSpace::do_allocate(size_t bytes, size_t alignment) {
  if (bytes < least_block_bytes) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  std::string path = folder_ + "/.dragoman-scratch-" + std::string(6, 'X');
  const Descriptor file{::mkstemp(path.data())};
  if (file.fd < 0) throw IoError(folder_, errno);
  // Without a name it goes with the process, however that ends.
  ::unlink(path.c_str());
  if (const int error = reserve(file.fd, bytes)) throw IoError(folder_, error);
  void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.fd, 0);
  if (block == MAP_FAILED) throw IoError(folder_, errno);
  try {
    pager_.add(block, bytes, true);
  } catch (...) {
    ::munmap(block, bytes);
    throw;
  }
  std::lock_guard lock(mutex_);
  bytes_ += bytes;
  peak_bytes_ = bytes_ > peak_bytes_ ? bytes_ : peak_bytes_;
  return block;
}

void ScratchSpace::watch(const std::shared_ptr<const Buffer>& file) { file->page(pager_); }

void ScratchSpace::do_deallocate(void* block, size_t bytes, size_t alignment) {
  if (bytes < least_block_bytes) return std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  Pager::remove(block);
  ::munmap(block, bytes);
  std::lock_guard lock(mutex_);
  bytes_ -= bytes;
}

#else

void* ScratchSpace::do_allocate(size_t bytes, size_t alignment) {
  return std::pmr::new_delete_resource()->allocate(bytes, alignment);
}

void ScratchSpace::do_deallocate(void* block, size_t bytes, size_t alignment) {
  std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
}

void ScratchSpace::watch(const std::shared_ptr<const Buffer>&) {}

#endif

}  // namespace dragoman
