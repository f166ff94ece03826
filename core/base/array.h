// Arrays that grow with a text: they lie in memory, or where a scratch space puts them (scratch.h), without knowing. A
// copy lies in memory unless told otherwise, and so does what is assigned to an array that lies there.
#pragma once

#include <memory_resource>
#include <vector>

namespace dragoman {

using ArrayMemory = std::pmr::memory_resource;
template <class T>
using Array = std::pmr::vector<T>;

// Plain memory, or that of a scratch space where there is one.
inline ArrayMemory* array_memory(ArrayMemory* scratch = nullptr) {
  return scratch ? scratch : std::pmr::get_default_resource();
}

// Where an array lies.
template <class T>
ArrayMemory* memory_of(const Array<T>& array) {
  return array.get_allocator().resource();
}

}  // namespace dragoman
