#include "base/atomic_file.h"

#include <cerrno>

#include "base/errors.h"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace dragoman {
namespace {

int process_id() {
#if defined(__unix__) || defined(__APPLE__)
  return static_cast<int>(::getpid());
#else
  return 0;
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

}  // namespace

AtomicFile::AtomicFile(std::string path)
    : path_(std::move(path)), temporary_(path_ + ".tmp" + std::to_string(process_id())) {
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (!file_) throw IoError(path_, errno);
}

AtomicFile::~AtomicFile() {
  if (!file_) return;
  close();
  std::remove(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) throw IoError(path_, errno);
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0 || sync(file_) != 0) throw IoError(path_, errno);
  close();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const int code = errno;
    std::remove(temporary_.c_str());
    throw IoError(path_, code);
  }
}

void AtomicFile::close() {
  std::fclose(file_);
  file_ = nullptr;
}

}  // namespace dragoman
