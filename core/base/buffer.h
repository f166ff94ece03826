// The bytes of a file, mapped into memory where the system can and read into it where it cannot, or a caller's own
// bytes. Immutable and shared by threads; whoever keeps a view into it keeps the shared pointer.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/pager.h"

namespace dragoman {

class Buffer {
 public:
  static std::shared_ptr<const Buffer> map(const std::string& path);
  static std::shared_ptr<const Buffer> own(std::vector<std::byte> bytes, std::string name = "memory");

  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  // Lets a pager have what a mapped file takes of memory.
  void page(Pager& pager) const;
  // The path, or what to call these bytes in an error.
  const std::string& name() const { return name_; }

 private:
  Buffer() = default;

  const std::byte* data_ = nullptr;
  size_t size_ = 0;
  std::string name_;
  std::vector<std::byte> owned_;
  bool mapped_ = false;
};

}  // namespace dragoman
