// Arrays as Python gives them: whatever lets its memory be read.
#pragma once

#include <string>

#include "base/errors.h"
#include "bind/bind.h"

namespace dragoman::bind {

// The bytes of any object with a contiguous buffer: bytes, memoryview, an array of any library.
class BufferArgument {
 public:
  BufferArgument(nb::handle object, const std::string& name) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS) != 0) {
      PyErr_Clear();
      throw ConfigError(name, "is not a contiguous buffer");
    }
  }
  BufferArgument(const BufferArgument&) = delete;
  BufferArgument& operator=(const BufferArgument&) = delete;
  ~BufferArgument() { PyBuffer_Release(&view_); }

  std::span<const std::byte> bytes() const {
    return {static_cast<const std::byte*>(view_.buf), static_cast<size_t>(view_.len)};
  }
  template <class T>
  std::vector<T> values(const std::string& name) const {
    if (bytes().size() % sizeof(T)) throw ConfigError(name, "has a size that is no multiple of its element's");
    std::vector<T> elements(bytes().size() / sizeof(T));
    if (!elements.empty()) std::memcpy(elements.data(), view_.buf, bytes().size());
    return elements;
  }

 private:
  Py_buffer view_;
};

}  // namespace dragoman::bind
