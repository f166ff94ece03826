// A file that appears under its name only when it is complete: written beside it, synced, renamed. If commit() is not
// reached, the temporary file goes and whatever stood under the name before stays as it was.
#pragma once

#include <cstddef>
#include <cstdio>
#include <span>
#include <string>

namespace dragoman {

class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  std::FILE* file_ = nullptr;
};

}  // namespace dragoman
