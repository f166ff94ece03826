// What happens when the system refuses memory or threads, and when several write one file.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory_resource>
#include <new>
#include <numeric>
#include <thread>

#include "base/atomic_file.h"
#include "base/namespaces.h"
#include "base/parallel.h"
#include "base/scratch.h"
#include "nlm/team.h"
#include "rules/grammar_pool.h"
#include "tests/failing_system.h"
#include "tests/live_pairs.h"

namespace {

void* block_of(size_t size) noexcept {
  using dragoman::tests::requests_left;
  if (requests_left == 0) return nullptr;
  if (requests_left > 0) --requests_left;
  return std::malloc(size ? size : 1);
}

void* block_or_throw(size_t size) {
  if (void* block = block_of(size)) return block;
  throw std::bad_alloc();
}

}  // namespace

// All memory of the tests goes through these; a sanitizer wants none of them left out.
void* operator new(size_t size) { return block_or_throw(size); }
void* operator new[](size_t size) { return block_or_throw(size); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return block_of(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return block_of(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, size_t) noexcept { std::free(block); }
void operator delete[](void* block, size_t) noexcept { std::free(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { std::free(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { std::free(block); }

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::tests;

namespace {

std::string forms(const Snapshot& snapshot) {
  std::string text;
  const Vocabulary& words = snapshot.target_words();
  for (WordId word = Vocabulary::first_word; word < words.size(); ++word)
    text += std::string(words.word(word)) + "=" + std::string(words.written_form(word)) + " ";
  return text;
}

LiveChange learned(uint64_t id, const std::string& word, const std::string& form) {
  return LiveIndex::addition(id, "a " + word + " b", "b " + word + " a", "b " + form + " a", "0-2 1-1 2-0");
}

}  // namespace

TEST(a_change_that_fails_changes_nothing) {
  std::mt19937_64 random(9);
  // Both fill up a segment every third time; one merges them.
  for (uint32_t newest_pairs : {3u, 1000u}) {
    LiveIndex live(index_of(30), {3, newest_pairs, false}), wanted(index_of(30), {3, newest_pairs, false});
    for (uint64_t id = 0; id < 6; ++id) {
      const std::string word(1, static_cast<char>('m' + id / 2));
      const std::vector<LiveChange> changes{random_addition(random, 100 + id), removal(2 * id),
                                            random_addition(random, 100 + id / 2),
                                            learned(200 + id, word, id % 2 ? word : "X" + word)};
      const std::string rules = grammar(live.snapshot()), written = forms(*live.snapshot());
      const auto before = live.snapshot();
      for (int64_t requests = 0;; ++requests) {
        bool failed = false;
        try {
          const FailingMemory refuse(requests);
          live.apply(changes);
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        if (!failed) break;
        CHECK(live.snapshot() == before);
        if (requests % 50 == 0) CHECK(grammar(live.snapshot()) == rules && forms(*live.snapshot()) == written);
      }
      wanted.apply(changes);
      CHECK(grammar(live.snapshot()) == grammar(wanted.snapshot()));
      CHECK(forms(*live.snapshot()) == forms(*wanted.snapshot()));
      CHECK(live.snapshot()->pairs() == wanted.snapshot()->pairs());
    }
    live.settle();
    CHECK(live.snapshot()->segments() == wanted.snapshot()->segments());
  }
}

#if defined(__GLIBC__)

TEST(without_threads_the_caller_does_the_work) {
  const NoThreads none;
  bool refused = false;
  try {
    std::thread([] {}).join();
  } catch (const std::system_error&) {
    refused = true;
  }
  CHECK(refused);

  nlm::Team team(4);
  CHECK(team.size() == 1);
  size_t steps = 0;
  for (int i = 0; i < 3; ++i) team.run([&](size_t thread) { steps += thread + 1; });
  CHECK(steps == 3);

  Monitor monitor;
  std::vector<int> done(10);
  for_each_shard(done.size(), 4, monitor, [&](size_t shard) { ++done[shard]; });
  CHECK(std::accumulate(done.begin(), done.end(), 0) == 10);

  std::mt19937_64 random(2);
  LiveIndex live(index_of(20), {1, 2, true});
  for (uint64_t id = 100; id < 140; ++id) live.apply(std::vector<LiveChange>{random_addition(random, id)});
  CHECK(live.snapshot()->pairs() == 60);
  live.settle();
  CHECK(live.snapshot()->segments() < 10);

  GrammarPool pool(live.snapshot(), ExtractOptions(), 4);
  pool.add("a b c", std::nullopt);
  CHECK(!pool.take(monitor).empty());

  ScratchSpace scratch(std::filesystem::temp_directory_path().string(), size_t{1} << 30);
  std::pmr::vector<char> large(ScratchSpace::least_block_bytes * 2, 'x', &scratch);
  CHECK(large.back() == 'x' && scratch.peak_bytes() > 0);
}

#endif

TEST(a_team_works_with_as_many_as_it_has) {
  for (size_t threads : {1u, 2u, 5u}) {
    nlm::Team team(threads);
    std::vector<size_t> seen(team.size());
    for (int i = 0; i < 20; ++i) team.run([&](size_t thread) { seen[thread] += thread; });
    for (size_t thread = 0; thread < team.size(); ++thread) CHECK(seen[thread] == 20 * thread);
  }
}

TEST(threads_that_write_one_file_leave_one_of_theirs) {
  const auto folder = std::filesystem::temp_directory_path() / ("dragoman-atomic-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "file").string();
  std::vector<std::thread> writers;
  for (char letter : {'a', 'b', 'c', 'd'})
    writers.emplace_back([&, letter] {
      for (int round = 0; round < 10; ++round) {
        AtomicFile file(path);
        for (int piece = 0; piece < 20; ++piece) {
          const std::string text(1000, letter);
          file.write(std::as_bytes(std::span(text)));
        }
        file.commit();
        std::ifstream stream(path, std::ios::binary);
        const std::string content(std::istreambuf_iterator<char>(stream), {});
        CHECK(content.size() == 20000 && content.find_first_not_of(content[0]) == std::string::npos);
      }
    });
  for (std::thread& writer : writers) writer.join();
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++files;
  CHECK(files == 1);
  std::filesystem::remove_all(folder);
}

TEST(what_is_no_plain_file_is_refused_at_once) {
  const auto folder = std::filesystem::temp_directory_path() / ("dragoman-plain-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string pipe = (folder / "pipe").string();
  CHECK(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK_THROWS(Buffer::map(pipe), FormatError);
  CHECK_THROWS(Buffer::map("/dev/zero"), FormatError);
  CHECK_THROWS(Buffer::map(folder.string()), IoError);
  std::filesystem::remove_all(folder);
}
