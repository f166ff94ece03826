#include "base/buffer.h"

#include <cerrno>
#include <cstdint>
#include <fstream>

#include "base/errors.h"

#if defined(__unix__) || defined(__APPLE__)
#define DRAGOMAN_HAS_MMAP
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace dragoman {

std::shared_ptr<const Buffer> Buffer::own(std::vector<std::byte> bytes, std::string name) {
  std::shared_ptr<Buffer> buffer(new Buffer);
  buffer->owned_ = std::move(bytes);
  buffer->data_ = buffer->owned_.data();
  buffer->size_ = buffer->owned_.size();
  buffer->name_ = std::move(name);
  return buffer;
}

#ifdef DRAGOMAN_HAS_MMAP

std::shared_ptr<const Buffer> Buffer::map(const std::string& path) {
  struct Descriptor {
    int fd;
    ~Descriptor() {
      if (fd >= 0) ::close(fd);
    }
  } file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // a pipe would wait for a writer
  if (file.fd < 0) throw IoError(path, errno);
  struct stat status{};
  if (::fstat(file.fd, &status) != 0) throw IoError(path, errno);
  if (S_ISDIR(status.st_mode)) throw IoError(path, EISDIR);
  if (!S_ISREG(status.st_mode)) throw FormatError(path, 0, "is not a file but a pipe, a socket or a device");
  if (static_cast<uint64_t>(status.st_size) > SIZE_MAX)
    throw FormatError(path, 0, "is too large for the addresses of this program; use a 64-bit one");
  std::shared_ptr<Buffer> buffer(new Buffer);
  buffer->name_ = path;
  buffer->size_ = static_cast<size_t>(status.st_size);
  if (buffer->size_ == 0) return buffer;
  void* address = ::mmap(nullptr, buffer->size_, PROT_READ, MAP_SHARED, file.fd, 0);
  if (address == MAP_FAILED) throw IoError(path, errno);
  buffer->data_ = static_cast<const std::byte*>(address);
  buffer->mapped_ = true;
  return buffer;
}

void Buffer::page(Pager& pager) const {
  if (mapped_) pager.add(const_cast<std::byte*>(data_), size_, false);
}

Buffer::~Buffer() {
  if (!mapped_) return;
  Pager::remove(data_);
  ::munmap(const_cast<std::byte*>(data_), size_);
}

#else

std::shared_ptr<const Buffer> Buffer::map(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) throw IoError(path, errno);
  std::vector<std::byte> bytes(static_cast<size_t>(file.tellg()));
  file.seekg(0);
  if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size())))
    throw IoError(path, errno);
  return own(std::move(bytes), path);
}

void Buffer::page(Pager&) const {}

Buffer::~Buffer() = default;

#endif

}  // namespace dragoman
