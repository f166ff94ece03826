// Memory of one sentence: pieces are handed out from large blocks and go all at once. Nothing is ever freed alone, so
// only trivially destructible things live here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace dragoman::decode {

class Arena {
 public:
  explicit Arena(size_t block_bytes = size_t{1} << 18) : block_bytes_(block_bytes) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Bytes handed out.
  size_t used() const { return used_; }

  std::byte* bytes(size_t size, size_t alignment = alignof(std::max_align_t)) {
    size_t at = (next_ + alignment - 1) & ~(alignment - 1);
    if (blocks_.empty() || at + size > size_) {
      size_ = size > block_bytes_ ? size : block_bytes_;
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size_));
      at = 0;
    }
    next_ = at + size;
    used_ += size;
    return blocks_.back().get() + at;
  }
  // Not initialised.
  template <class T>
  std::span<T> array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<T*>(bytes(count * sizeof(T), alignof(T))), count};
  }
  template <class T>
  std::span<T> copy(std::span<const T> values) {
    auto made = array<T>(values.size());
    if (!values.empty()) std::memcpy(made.data(), values.data(), values.size_bytes());
    return made;
  }
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (bytes(sizeof(T), alignof(T))) T{std::forward<Arguments>(arguments)...};
  }
  // Forgets everything and keeps one block.
  void clear() {
    if (blocks_.size() > 1) {
      blocks_.erase(blocks_.begin(), blocks_.end() - 1);
    }
    next_ = 0;
    used_ = 0;
  }

 private:
  size_t block_bytes_;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t size_ = 0;  // of the last block
  size_t next_ = 0;
  size_t used_ = 0;
};

}  // namespace dragoman::decode
