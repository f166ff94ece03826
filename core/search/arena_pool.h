// Arenas that sentences use one after the other, as many as threads have decoded at once: fresh memory has to be
// cleared by the system page by page, which takes longer than filling it. Each keeps a little between sentences.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/namespaces.h"
#include "search/arena.h"

namespace dragoman::search {

class ArenaPool {
 public:
  struct GiveBack {
    ArenaPool* pool;
    void operator()(Arena* arena) const {
      arena->clear(kept_bytes);
      const std::lock_guard lock(pool->mutex_);
      pool->idle_.emplace_back(arena);
    }
  };
  using Lent = std::unique_ptr<Arena, GiveBack>;

  Lent take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return Lent(new Arena(), {this});
    Arena* arena = idle_.back().release();
    idle_.pop_back();
    return Lent(arena, {this});
  }

 private:
  static constexpr size_t kept_bytes = size_t{4} << 20;

  std::mutex mutex_;
  std::vector<std::unique_ptr<Arena>> idle_;
};

}  // namespace dragoman::search
