// Everything at once, for ThreadSanitizer to watch: threads translate in both ways while others add pairs, remove them,
// compact, and make translators with other weights, terms and memories of the one they share. DRAGOMAN_STRESS says how
// many changes are made; a plain run makes a few.
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

#include "index/compaction.h"
#include "tests/check.h"
#include "tests/live_pairs.h"
#include "tests/small_model.h"
#include "translate/open_model.h"
#include "translate/translate.h"

namespace dragoman::translate {
namespace {

using Weights = std::vector<std::pair<std::string, double>>;

uint64_t changes_to_make() {
  const char* given = std::getenv("DRAGOMAN_STRESS");
  return given ? std::strtoull(given, nullptr, 10) : 40;
}

// The translator that all threads take theirs from.
class Shared {
 public:
  explicit Shared(std::shared_ptr<const TextTranslator> first) : now_(std::move(first)) {}
  std::shared_ptr<const TextTranslator> get() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  void set(std::shared_ptr<const TextTranslator> next) {
    const std::lock_guard lock(mutex_);
    now_ = std::move(next);
  }

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const TextTranslator> now_;
};

void translate(const Shared& shared, uint64_t seed, const std::atomic<bool>& done) {
  std::mt19937_64 random(seed);
  Monitor monitor;
  do {
    const auto translator = shared.get();
    TranslateRequest request;
    request.decode.algorithm = random() % 2 ? Algorithm::phrase_based : Algorithm::hierarchical;
    request.decode.explain = random() % 4 == 0;
    request.decode.kbest = 3;
    request.decode.rules = translator->decoder().pin();
    std::vector<std::string> lines;
    for (int i = 0; i < 4; ++i) lines.push_back(tests::random_line(random, 'a', 8));
    const auto first = translate_all(*translator, lines, 1, request, translator->glossary(), 2, monitor);
    const auto again = translate_all(*translator, lines, 1, request, translator->glossary(), 1, monitor);
    for (size_t i = 0; i < lines.size(); ++i) CHECK(first[i].text == again[i].text && !first[i].text.empty());
    if (random() % 8 == 0) force(*translator, lines[0], first[0].text, request);
  } while (!done);
}

// Each change makes a translator of the first, so that they do not grow on each other.
void vary(const std::shared_ptr<const TextTranslator>& first, Shared& shared, const std::atomic<bool>& done) {
  std::mt19937_64 random(99);
  do {
    switch (random() % 5) {
      case 0:
        shared.set(first->with_glossary("a\t" + std::string(1, static_cast<char>('A' + random() % 26)) + "\n"));
        break;
      case 1: {
        const Weights weights{{"LanguageModel", 0.1 * static_cast<double>(random() % 9)}, {"EgivenFCoherent", -1}};
        shared.set(first->with_decoder(first->decoder().with_weights(weights)));
        break;
      }
      case 2:
        shared.set(first->with_decoder(first->decoder().remembering(1 << 20)));
        break;
      case 3:
        shared.set(
            first->with_decoder(first->decoder().with_memories({{"acme", 1 + static_cast<uint32_t>(random() % 3)}})));
        break;
      default:
        shared.set(first);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  } while (!done);
}

void compact(const tests::Folder& folder, LiveIndex& live, const std::atomic<bool>& done) {
  const Container vocabulary = Container::open(folder / "vocab.bin", Index::vocabulary_kind);
  std::filesystem::create_directory(folder / "compacted");
  Monitor monitor;
  do {
    const auto snapshot = live.snapshot();
    const Compacted compacted = compact_index(*snapshot, vocabulary, folder / "compacted", monitor);
    CHECK(compacted.counts.sentences == snapshot->pairs());
    CHECK(Index::open(folder / "compacted", Trust::verify_hashes)->bitext.sentences() == snapshot->pairs());
  } while (!done);
}

TEST(everything_at_once) {
  const tests::Folder folder("stress");
  tests::write_small_model(folder);
  const OpenModel model = open_model(files_in(folder.path.string()), tests::small_model_parts());
  const std::shared_ptr<const TextTranslator> first = model.translator;
  LiveIndex& live = *model.index;
  Shared shared(first);
  std::atomic<bool> done = false;
  std::vector<std::thread> threads;
  for (uint64_t seed = 0; seed < 3; ++seed) threads.emplace_back([&, seed] { translate(shared, seed, done); });
  threads.emplace_back([&] { vary(first, shared, done); });
  threads.emplace_back([&] { compact(folder, live, done); });
  std::mt19937_64 random(1);
  const uint64_t before = live.snapshot()->pairs();
  std::set<uint64_t> added;
  for (uint64_t change = 0; change < changes_to_make(); ++change) {
    const uint64_t id = 1000 + random() % 100;
    LiveChange lesson = tests::random_addition(random, id);
    if (id % 3 == 0) lesson.memory = "acme";
    live.apply({&lesson, 1});
    added.insert(id);
    if (change % 3 == 0) {
      live.apply(std::vector<LiveChange>{tests::removal(*added.begin())});
      added.erase(added.begin());
    }
  }
  done = true;
  for (std::thread& thread : threads) thread.join();
  live.settle();
  CHECK(live.snapshot()->pairs() == before + added.size());
}

}  // namespace
}  // namespace dragoman::translate
