#include "base/scratch.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "base/errors.h"
#include "base/start_thread.h"

#if defined(__unix__) || defined(__APPLE__)
#define DRAGOMAN_HAS_MMAP
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace dragoman {

ScratchSpace::ScratchSpace(std::string folder, size_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}

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

// How often somebody looks: a thread that reads on gets some gigabytes a second back from the files.
constexpr std::chrono::milliseconds far_from_the_limit(5), near_the_limit(1);

// What a process may take until somebody looks again, as a share of the limit. On a machine with more to do than cores
// that may be late: with an eighth of a gigabyte and two threads, alignment came to 1.02 GB.
constexpr size_t slack_share = 4;

struct Resident {
  size_t bytes = 0, of_files = 0;

  // Whether this process has more in memory than it should, and mapped files are to blame: what else it needs may
  // leave them little, but never less than a quarter.
  bool over(size_t limit) const { return bytes > limit - limit / slack_share && of_files > limit / 4; }
  bool near(size_t limit) const { return bytes > limit / 2; }
};

Resident resident_now() {
  size_t resident = 0, shared = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%*s %zu %zu", &resident, &shared) != 2) resident = shared = 0;
    std::fclose(file);
  }
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return {resident * page, shared * page};
}

}  // namespace

ScratchSpace::~ScratchSpace() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ended_.notify_all();
  if (keeper_.joinable()) keeper_.join();
}

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
  std::lock_guard lock(mutex_);
  blocks_[block] = bytes;
  bytes_ += bytes;
  peak_bytes_ = bytes_ > peak_bytes_ ? bytes_ : peak_bytes_;
  start_keeper();
  return block;
}

void ScratchSpace::watch(const std::shared_ptr<const Buffer>& file) {
  std::lock_guard lock(mutex_);
  std::erase_if(watched_, [](const auto& buffer) { return buffer.expired(); });
  watched_.push_back(file);
  start_keeper();
}

void ScratchSpace::start_keeper() {
  // Without a keeper the system alone decides what stays in memory; the next block tries again.
  if (!keeper_.joinable()) start_thread(keeper_, [this] { keep(); });
}

void ScratchSpace::do_deallocate(void* block, size_t bytes, size_t alignment) {
  if (bytes < least_block_bytes) return std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  std::lock_guard lock(mutex_);
  blocks_.erase(block);
  bytes_ -= bytes;
  ::munmap(block, bytes);
}

void ScratchSpace::keep() {
  std::unique_lock lock(mutex_);
  auto pause = far_from_the_limit;
  while (!ended_.wait_for(lock, pause, [this] { return ending_; })) {
    const Resident now = resident_now();
    if (now.over(limit_bytes_)) relieve();
    pause = now.near(limit_bytes_) ? near_the_limit : far_from_the_limit;
  }
}

// What was written stays with the file; only this process lets go of it. Threads that are using a page get it back.
void ScratchSpace::relieve() {
  for (const auto& [block, bytes] : blocks_) ::madvise(block, bytes, MADV_DONTNEED);
  for (const auto& buffer : watched_)
    if (const auto file = buffer.lock()) file->forget();
}

#else

ScratchSpace::~ScratchSpace() = default;

void* ScratchSpace::do_allocate(size_t bytes, size_t alignment) {
  return std::pmr::new_delete_resource()->allocate(bytes, alignment);
}

void ScratchSpace::do_deallocate(void* block, size_t bytes, size_t alignment) {
  std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
}

void ScratchSpace::watch(const std::shared_ptr<const Buffer>&) {}
void ScratchSpace::keep() {}
void ScratchSpace::relieve() {}
void ScratchSpace::start_keeper() {}

#endif

}  // namespace dragoman
