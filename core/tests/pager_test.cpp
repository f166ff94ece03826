// Windows of mapped memory that threads take from each other: nothing that was written is lost, whatever was open.
#include "base/pager.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/atomic_file.h"
#include "base/buffer.h"
#include "base/expected_memory.h"
#include "base/scratch.h"
#include "tests/check.h"

#if defined(__unix__)
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace dragoman {
namespace {

std::string temporary_folder() { return std::filesystem::temp_directory_path().string(); }

TEST(threads_that_take_windows_from_each_other_lose_nothing) {
  ScratchSpace space(temporary_folder(), 1);
  std::pmr::vector<uint64_t> numbers(size_t{1} << 21, &space);  // four times what may be open
  constexpr size_t threads = 4, rounds = 20'000;
  {
    std::vector<std::jthread> pool;
    for (size_t thread = 0; thread < threads; ++thread)
      pool.emplace_back([&, thread] {
        std::mt19937_64 random(thread);
        for (size_t round = 0; round < rounds; ++round)
          std::atomic_ref(numbers[random() % numbers.size()]).fetch_add(1, std::memory_order_relaxed);
      });
  }
  uint64_t sum = 0;
  for (uint64_t number : numbers) sum += number;
  CHECK(sum == threads * rounds);
}

TEST(closed_windows_can_be_written_to_files_and_mapped_again) {
  const std::string path = temporary_folder() + "/dragoman-pager-" + std::to_string(::getpid());
  ScratchSpace space(temporary_folder(), 1);
  std::pmr::vector<uint32_t> numbers(size_t{1} << 22, &space);
  for (uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  {
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(numbers)));
    file.commit();
  }
  const auto buffer = Buffer::map(path);
  bool same = true;
  auto compare = [&] {
    const auto* mapped = reinterpret_cast<const uint32_t*>(buffer->bytes().data());
    for (uint32_t i = 0; i < numbers.size(); ++i) same = same && mapped[i] == i;
  };
  {
    // The buffer outlives who watched it.
    ScratchSpace other(temporary_folder(), 1);
    other.watch(buffer);
    compare();
  }
  compare();
  CHECK(same && buffer->bytes().size() == numbers.size() * sizeof(uint32_t));
  std::filesystem::remove(path);
}

#if defined(__unix__)
// How a child ends that does something beside paged memory.
template <class Deed>
int status_after(Deed deed) {
  ScratchSpace space(temporary_folder(), 1);
  std::pmr::vector<char> paged(ScratchSpace::least_block_bytes, &space);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDERR_FILENO);
    deed(paged.data());
    ::_exit(0);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  return status;
}

TEST(a_fault_elsewhere_still_ends_the_process) {
  CHECK(status_after([](const char* paged) {
          volatile auto* nowhere = reinterpret_cast<volatile char*>(uintptr_t{4096});
          *nowhere = *paged;
        }) != 0);
}

TEST(a_signal_that_is_sent_still_ends_the_process) {
  CHECK(status_after([](const char*) { ::kill(::getpid(), SIGSEGV); }) != 0);
}

// A page that nobody may read, for whoever handled faults before any pager and opens it.
std::byte* closed_page = nullptr;
extern "C" void open_page(int, siginfo_t*, void*) { ::mprotect(closed_page, 4096, PROT_READ); }

TEST(who_handled_faults_before_goes_on_to) {
  const pid_t child = ::fork();
  if (child == 0) {
    struct sigaction earlier{};
    earlier.sa_sigaction = &open_page;
    earlier.sa_flags = SA_SIGINFO;
    ::sigaction(SIGSEGV, &earlier, nullptr);
    ScratchSpace space(temporary_folder(), 1);
    std::pmr::vector<char> paged(ScratchSpace::least_block_bytes, &space);
    closed_page = static_cast<std::byte*>(::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    int sum = 0;
    for (int round = 0; round < 3; ++round) {
      ::mprotect(closed_page, 4096, PROT_NONE);
      sum += static_cast<int>(*static_cast<volatile std::byte*>(closed_page)) + paged[static_cast<size_t>(round) << 18];
    }
    ::_exit(sum);
  }
  int status = -1;
  CHECK(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST(a_forked_child_has_windows_while_other_threads_open_some) {
  ScratchSpace space(temporary_folder(), 1);
  std::pmr::vector<uint64_t> numbers(size_t{1} << 21, &space);
  std::atomic<bool> done{false};
  std::jthread other([&] {
    std::mt19937_64 random(1);
    while (!done) std::atomic_ref(numbers[random() % numbers.size()]).fetch_add(1, std::memory_order_relaxed);
  });
  CHECK(status_after([&](const char*) {
          uint64_t sum = 0;
          for (const uint64_t number : numbers) sum += number;
          ::_exit(sum == UINT64_MAX);
        }) == 0);
  done = true;
}
#endif

// ThreadSanitizer takes several times as much memory as is written.
#if defined(__linux__) && !defined(__SANITIZE_THREAD__)
struct Resident {
  size_t all = 0, of_files = 0;
};

Resident resident() {
  std::ifstream file("/proc/self/statm");
  size_t address_space = 0;
  Resident pages;
  file >> address_space >> pages.all >> pages.of_files;
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return {pages.all * page, pages.of_files * page};
}

TEST(room_is_made_before_memory_is_taken) {
  const Resident before = resident();
  constexpr size_t more = size_t{32} << 20;
  // More than the quarter that files may take in any case, and less than what this process leaves them.
  const size_t quarter = before.all + more, bytes = quarter + more;
  ScratchSpace space(temporary_folder(), 4 * quarter);
  std::pmr::vector<uint64_t> numbers(bytes / sizeof(uint64_t), 7, &space);
  auto in_files = [&] { return resident().of_files - before.of_files; };
  CHECK(in_files() > bytes - more / 4);
  {
    const ExpectedMemory expected(4 * quarter);
    CHECK(in_files() < quarter + more / 4);
  }
  // The limit is looked at now and then, so room that came back may be seen on the second way through.
  for (int way = 0; way < 2; ++way) {
    uint64_t sum = 0;
    for (uint64_t number : numbers) sum += number;
    CHECK(sum == 7 * numbers.size());
  }
  CHECK(in_files() > bytes - more / 4);
}
#endif

}  // namespace
}  // namespace dragoman
