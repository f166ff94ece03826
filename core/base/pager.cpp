#include "base/pager.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "base/expected_memory.h"

#if defined(__unix__) || defined(__APPLE__)
#define DRAGOMAN_HAS_FAULTS
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace dragoman {

#ifdef DRAGOMAN_HAS_FAULTS

namespace {

// Small windows suit what is read at random, few windows the system, which has a limit for them.
constexpr size_t most_windows = 1024;
constexpr size_t least_window_bytes = size_t{1} << 16;
// Of the limit, for what other memory may grow by until somebody looks again.
constexpr size_t spare_share = 8;
constexpr uint64_t windows_between_looks = 16;
// So often in a row an open window may be opened: by threads that were stopped while another opened it.
constexpr size_t most_repeats = 10'000;

struct Resident {
  size_t own = 0, of_files = 0;
};

// With nothing but system calls, because the thread may have been stopped anywhere.
Resident resident_now() {
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  char text[128] = {};
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  size_t pages[3] = {}, field = 0;
  for (ssize_t i = 0; i < size && field < 3; ++i) {
    if (text[i] == ' ') {
      ++field;
    } else if (text[i] >= '0' && text[i] <= '9') {
      pages[field] = pages[field] * 10 + static_cast<size_t>(text[i] - '0');
    }
  }
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return {(pages[1] - pages[2]) * page, pages[2] * page};
}

size_t window_size(size_t limit_bytes) {
  return std::max(least_window_bytes, std::bit_floor(std::max<size_t>(limit_bytes / most_windows, 1)));
}

// Knows its holder, so that a fault of that thread can be told from one that has to wait.
class FaultMutex {
 public:
  void lock() {
    mutex_.lock();
    holder_ = std::this_thread::get_id();
  }
  void unlock() {
    holder_ = std::thread::id();
    mutex_.unlock();
  }
  bool is_mine() const { return holder_ == std::this_thread::get_id(); }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> holder_;
};

struct sigaction previous_segv{};
#if defined(__APPLE__)
struct sigaction previous_bus{};
#endif

}  // namespace

// All memory that any pager closes; it lives as long as the process, because a fault may come at any time.
class PagedMemory {
 public:
  static PagedMemory& all() {
    static auto* const memory = [] {
      // A process that forks while another thread holds the mutex would have it held for ever.
      ::pthread_atfork([] { all().mutex_.lock(); }, [] { all().mutex_.unlock(); }, [] { all().mutex_.unlock(); });
      return new PagedMemory;
    }();
    return *memory;
  }

  std::unique_lock<FaultMutex> locked() { return std::unique_lock(mutex_); }

  void add(Pager& pager, std::byte* begin, size_t bytes, bool writable) {
    if (bytes == 0 || regions_.contains(begin)) return;
    const size_t windows = (bytes + pager.window_bytes() - 1) / pager.window_bytes();
    const int protection = writable ? PROT_READ | PROT_WRITE : PROT_READ;
    regions_[begin] = {&pager, bytes, protection, std::make_unique<uint8_t[]>(windows)};
    ::mprotect(begin, bytes, PROT_NONE);
    ::madvise(begin, bytes, MADV_DONTNEED);
  }

  void remove(const std::byte* begin) {
    const auto region = regions_.find(begin);
    if (region == regions_.end()) return;
    region->second.pager->close_within(begin, region->second.bytes);
    regions_.erase(region);
  }

  void remove_all(const Pager& pager) {
    std::erase_if(regions_, [&](const auto& region) {
      const auto& [begin, of_region] = region;
      if (of_region.pager != &pager) return false;
      ::mprotect(const_cast<std::byte*>(begin), of_region.bytes, of_region.protection);
      return true;
    });
  }

  void expect(size_t bytes) {
    ++expecting_;
    expected_own_ = std::max(expected_own_, resident_now().own + bytes);
    for (auto& [begin, region] : regions_) {
      Pager& pager = *region.pager;
      pager.opened_ = 0;  // so that it looks
      const size_t most = pager.allowed_bytes() / pager.window_bytes();
      while (pager.open_.size() > most) pager.close(pager.open_.size() - 1);
    }
  }
  void expect_no_more() {
    if (--expecting_ == 0) expected_own_ = 0;
  }
  size_t expected_own() const { return expected_own_; }

  // Whether the byte is in a window of ours, which is open now.
  bool open(const std::byte* address) {
    // Who changes what is kept here does not touch paged memory: such a fault is a mistake, and waiting would hide it.
    if (mutex_.is_mine()) return false;
    const auto lock = locked();
    auto after = regions_.upper_bound(address);
    if (after == regions_.begin()) return false;
    const auto& [begin, region] = *--after;
    const auto at = static_cast<size_t>(address - begin);
    if (at >= region.bytes) return false;
    const size_t size = region.pager->window_bytes(), number = at / size;
    if (region.is_open[number]) {
      // Another thread opened it. But what is open and fails all the same is somebody's mistake, such as writing what
      // may only be read, and nobody is to wait for it for ever.
      if (address != last_) repeats_ = 0;
      last_ = address;
      return ++repeats_ < most_repeats;
    }
    repeats_ = 0;
    auto* const window = const_cast<std::byte*>(begin) + number * size;
    return region.pager->open({window, std::min(size, region.bytes - number * size), &region.is_open[number]},
                              region.protection);
  }

 private:
  struct Region {
    Pager* pager;
    size_t bytes;
    int protection;
    std::unique_ptr<uint8_t[]> is_open;  // by window
  };

  FaultMutex mutex_;
  std::map<const std::byte*, Region> regions_;
  const std::byte* last_ = nullptr;
  size_t repeats_ = 0;
  size_t expecting_ = 0, expected_own_ = 0;
};

namespace {

extern "C" void dragoman_on_fault(int signal, siginfo_t* fault, void* context) {
  const int error = errno;
  const bool is_of_memory = fault->si_code == SEGV_ACCERR || fault->si_code == SEGV_MAPERR;
  if (is_of_memory && PagedMemory::all().open(static_cast<const std::byte*>(fault->si_addr))) {
    errno = error;
    return;
  }
  // Not ours: to whom it went before, or to the system, which ends the process. Who was asked and wants that end too
  // sends the signal again, and is not asked twice.
  static std::atomic<bool> was_passed_on{false};
#if defined(__APPLE__)
  const struct sigaction& previous = signal == SIGBUS ? previous_bus : previous_segv;
#else
  const struct sigaction& previous = previous_segv;
#endif
  const bool is_sent = fault->si_code <= 0, again = was_passed_on.exchange(true) && is_sent;
  if (!again && (previous.sa_flags & SA_SIGINFO)) {
    previous.sa_sigaction(signal, fault, context);
  } else if (!again && previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(signal);
  } else {
    ::signal(signal, SIG_DFL);
    // A fault comes again by itself, a signal that a process sent does not.
    if (is_sent) ::raise(signal);
  }
  errno = error;
}

void handle(int signal, struct sigaction& previous) {
  struct sigaction now{};
  if (::sigaction(signal, nullptr, &now) == 0 && now.sa_sigaction == &dragoman_on_fault) return;
  struct sigaction ours{};
  ours.sa_sigaction = &dragoman_on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(signal, &ours, &previous);
}

// Again for every pager, because others may have put themselves in its place.
void handle_faults() {
  handle(SIGSEGV, previous_segv);
#if defined(__APPLE__)
  handle(SIGBUS, previous_bus);
#endif
}

}  // namespace

ExpectedMemory::ExpectedMemory(size_t bytes) {
  const auto lock = PagedMemory::all().locked();
  PagedMemory::all().expect(bytes);
}

ExpectedMemory::~ExpectedMemory() {
  const auto lock = PagedMemory::all().locked();
  PagedMemory::all().expect_no_more();
}

Pager::Pager(size_t limit_bytes)
    : limit_bytes_(limit_bytes), window_bytes_(window_size(limit_bytes)), files_before_(resident_now().of_files) {
  open_.reserve(std::max(limit_bytes_ / window_bytes_, least_windows) + 1);
  const auto lock = PagedMemory::all().locked();
  handle_faults();
}

Pager::~Pager() {
  const auto lock = PagedMemory::all().locked();
  PagedMemory::all().remove_all(*this);
}

void Pager::add(void* begin, size_t bytes, bool writable) {
  const auto lock = PagedMemory::all().locked();
  PagedMemory::all().add(*this, static_cast<std::byte*>(begin), bytes, writable);
}

void Pager::remove(const void* begin) {
  const auto lock = PagedMemory::all().locked();
  PagedMemory::all().remove(static_cast<const std::byte*>(begin));
}

bool Pager::open(Window window, int protection) {
  const size_t most = std::min(allowed_bytes() / window_bytes_, open_.capacity());
  while (open_.size() >= most) {
    random_ = random_ * 6364136223846793005u + 1442695040888963407u;
    close((random_ >> 32) % open_.size());
  }
  while (::mprotect(window.begin, window.bytes, protection) != 0) {
    // The system has a limit for pieces of memory that differ in this.
    if (open_.empty()) return false;
    close(open_.size() - 1);
  }
  *window.is_open = 1;
  open_.push_back(window);
  return true;
}

void Pager::close(size_t number) {
  const Window window = open_[number];
  // In this order, or a thread could take the pages back in between.
  ::mprotect(window.begin, window.bytes, PROT_NONE);
  ::madvise(window.begin, window.bytes, MADV_DONTNEED);
  *window.is_open = 0;
  open_[number] = open_.back();
  open_.pop_back();
}

void Pager::close_within(const std::byte* begin, size_t bytes) {
  for (size_t number = open_.size(); number-- > 0;)
    if (open_[number].begin >= begin && open_[number].begin < begin + bytes) close(number);
}

size_t Pager::allowed_bytes() {
  if (opened_++ % windows_between_looks == 0) {
    const size_t own = std::max(resident_now().own, PagedMemory::all().expected_own());
    const size_t others = own + files_before_, most = limit_bytes_ - limit_bytes_ / spare_share;
    allowed_bytes_ = std::max({limit_bytes_ / 4, most > others ? most - others : 0, least_windows * window_bytes_});
  }
  return allowed_bytes_;
}

#else

ExpectedMemory::ExpectedMemory(size_t) {}
ExpectedMemory::~ExpectedMemory() = default;
Pager::Pager(size_t limit_bytes) : limit_bytes_(limit_bytes), window_bytes_(0), files_before_(0) {}
Pager::~Pager() = default;
void Pager::add(void*, size_t, bool) {}
void Pager::remove(const void*) {}

#endif

}  // namespace dragoman
