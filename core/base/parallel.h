// Work cut into a fixed number of shards, whatever the number of threads, so that results merged in shard order are
// the same bits on one core and on sixty-four.
#pragma once

#include <cstddef>
#include <functional>

#include "base/interval.h"
#include "base/monitor.h"

namespace dragoman {

// The items that belong to one shard.
inline Interval<size_t> shard_range(size_t items, size_t shards, size_t shard) {
  auto cut = [&](size_t s) { return items / shards * s + items % shards * s / shards; };
  return {cut(shard), cut(shard + 1)};
}

// The number of threads to use when the caller said 0.
size_t default_threads();

// Calls work(shard) for every shard in [0, shards) on up to `threads` threads and polls the monitor from the calling
// thread about ten times a second. The first exception stops the rest and is thrown here.
void for_each_shard(size_t shards, size_t threads, Monitor& monitor, const std::function<void(size_t shard)>& work);

}  // namespace dragoman
