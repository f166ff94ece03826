#include "base/parallel.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace dragoman {

size_t default_threads() { return std::max<size_t>(1, std::thread::hardware_concurrency()); }

void for_each_shard(size_t shards, size_t threads, Monitor& monitor, const std::function<void(size_t)>& work) {
  if (threads == 0) threads = default_threads();
  threads = std::min(threads, shards);
  if (threads <= 1) {
    for (size_t shard = 0; shard < shards; ++shard) {
      monitor.poll();
      work(shard);
    }
    monitor.poll();
    return;
  }

  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex mutex;
  std::condition_variable finished;
  std::exception_ptr failure;
  size_t running = 0;
  auto run = [&] {
    try {
      for (size_t shard; !stop && (shard = next++) < shards;) work(shard);
    } catch (...) {
      std::lock_guard lock(mutex);
      if (!failure) failure = std::current_exception();
      stop = true;
    }
    std::lock_guard lock(mutex);
    if (--running == 0) finished.notify_all();
  };

  std::vector<std::jthread> pool;
  pool.reserve(threads);
  std::unique_lock lock(mutex);
  try {
    for (; running < threads; ++running) pool.emplace_back(run);
  } catch (const std::system_error&) {
    // The system grants no more threads; those there are do all the work.
    if (running == 0) {
      lock.unlock();
      return for_each_shard(shards, 1, monitor, work);
    }
  }
  while (!finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; })) {
    lock.unlock();
    try {
      monitor.poll();
    } catch (...) {
      stop = true;
      throw;  // jthread's destructor joins the workers, which look at `stop` and at the monitor
    }
    lock.lock();
  }
  lock.unlock();
  if (failure) std::rethrow_exception(failure);
  monitor.poll();
}

}  // namespace dragoman
