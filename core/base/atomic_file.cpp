#include "base/atomic_file.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "base/process.h"

#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace dragoman {
namespace {

constexpr size_t buffer_bytes = size_t{1} << 18;

// A device or a pipe: renaming over it would put a file in its place.
bool is_special(const std::string& path) {
#if defined(__unix__) || defined(__APPLE__)
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
#else
  (void)path;
  return false;
#endif
}

// The content must reach the disk before the name does, or a power cut could leave an empty file under the name.
int sync(std::FILE* file) {
#if defined(__unix__) || defined(__APPLE__)
  return ::fsync(::fileno(file));
#else
  (void)file;
  return 0;
#endif
}

// The same for the name, where the folder may be read and its file system can.
int sync_names(const std::string& folder) {
#if defined(__unix__) || defined(__APPLE__)
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int failed = ::fsync(descriptor);
  const int code = errno;
  ::close(descriptor);
  errno = code;
  return failed != 0 && code != EINVAL && code != ENOTSUP ? failed : 0;
#else
  (void)folder;
  return 0;
#endif
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (is_special(path_)) throw IoError(path_, EINVAL);
  // Other processes and other threads of this one may be writing the same file.
  static std::atomic<uint64_t> next_number{0};
  temporary_ = path_ + ".tmp" + std::to_string(process_id()) + "-" + std::to_string(next_number++);
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (!file_) throw IoError(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  // Through a buffer, because the system does not read what a pager has closed.
  std::vector<std::byte> buffer(std::min(bytes.size(), buffer_bytes));
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), buffer.size());
    std::copy_n(bytes.begin(), size, buffer.begin());
    if (std::fwrite(buffer.data(), 1, size, file_) != size) throw IoError(path_, errno);
    bytes = bytes.subspan(size);
  }
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0 || sync(file_) != 0) throw IoError(path_, errno);
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  if (!closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    std::remove(temporary_.c_str());
    throw IoError(path_, code);
  }
  if (sync_names(std::filesystem::path(path_).parent_path().string()) != 0) throw IoError(path_, errno);
}

}  // namespace dragoman
