// Memory of one sentence: pieces are handed out from large blocks and go all at once. Nothing is ever freed alone, so
// only trivially destructible things live here.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::search {

class Arena {
 public:
  explicit Arena(size_t block_bytes = size_t{1} << 18) : block_bytes_(block_bytes) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Bytes handed out.
  size_t used() const { return used_; }

  std::byte* bytes(size_t size, size_t alignment = alignof(std::max_align_t)) {
    size_t at = (next_ + alignment - 1) & ~(alignment - 1);
    if (current_ == blocks_.size() || at + size > blocks_[current_].size) {
      next_block(size);
      at = 0;
    }
    next_ = at + size;
    used_ += size;
    return blocks_[current_].bytes.get() + at;
  }
  // Not initialised.
  template <class T>
  std::span<T> array(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    return {reinterpret_cast<T*>(bytes(count * sizeof(T), alignof(T))), count};
  }
  template <class T>
  std::span<T> copy(std::span<const T> values) {
    auto copies = array<T>(values.size());
    if (!values.empty()) std::memcpy(copies.data(), values.data(), values.size_bytes());
    return copies;
  }
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (bytes(sizeof(T), alignof(T))) T{std::forward<Arguments>(arguments)...};
  }
  // Forgets everything and keeps so much memory, and at least one block, for what comes next.
  void clear(size_t keep_bytes = 0) {
    std::erase_if(blocks_, [&](const Block& block) { return block.size > block_bytes_; });
    if (const size_t most = std::max<size_t>(1, keep_bytes / block_bytes_); blocks_.size() > most) blocks_.resize(most);
    current_ = next_ = used_ = 0;
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size;
  };

  // Makes the current block one of at least this size: the next one that was kept, or a new one.
  void next_block(size_t size) {
    if (!blocks_.empty() && current_ < blocks_.size()) ++current_;
    if (current_ < blocks_.size() && size <= blocks_[current_].size) return;
    const size_t bytes = std::max(size, block_bytes_);
    blocks_.insert(blocks_.begin() + static_cast<ptrdiff_t>(current_),
                   Block{std::make_unique_for_overwrite<std::byte[]>(bytes), bytes});
  }

  size_t block_bytes_;
  std::vector<Block> blocks_;
  size_t current_ = 0;  // block
  size_t next_ = 0;     // in it
  size_t used_ = 0;
};

}  // namespace dragoman::search
