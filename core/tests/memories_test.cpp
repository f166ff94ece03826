// Views of an index by memory: what applies counts as if nothing else had been taught.
#include <random>

#include "base/namespaces.h"
#include "index/memory_view.h"
#include "tests/check.h"
#include "tests/live_pairs.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::tests;

namespace {

const std::string names[] = {"", "acme", "other"};

// All words get their numbers, which are the same then whatever is taught later.
void teach_words(LiveIndex& index) {
  index.apply(std::vector{LiveIndex::addition(999, "a b c d e f g h", "a b c d e f g h", "", "0-0")});
  index.apply(std::vector{removal(999)});
}

uint64_t counted(const Snapshot& snapshot) {
  uint64_t sum = 0;
  for (WordId word = Vocabulary::first_word; word < snapshot.source_words().size(); ++word)
    sum = sum * 31 + snapshot.links(word, word) + 7 * snapshot.source_links(word) + 13 * snapshot.target_links(word);
  return sum * 31 + snapshot.taught().words();
}

void require_same(const std::shared_ptr<const Snapshot>& view, const std::shared_ptr<const Snapshot>& wanted) {
  CHECK(grammar(view) == grammar(wanted));
  CHECK(counted(*view) == counted(*wanted));
  CHECK(view->pairs() == wanted->pairs());
  CHECK(view->corrections() == wanted->corrections());
}

}  // namespace

TEST(a_view_is_the_index_of_the_memories_that_apply) {
  for (const uint32_t weight : {1u, 3u}) {
    std::mt19937_64 random(weight);
    const auto index = index_of(60);
    LiveIndex all(index, {weight, 4, true}), some(index, {weight, 4, false});
    teach_words(all);
    teach_words(some);
    const MemoryChoice choice{{"acme"}, {""}, {"nobody"}};
    std::vector<std::shared_ptr<const Snapshot>> before;
    for (uint64_t step = 0; step < 120; ++step) {
      const uint64_t id = 1000 + random() % 50;
      LiveChange change = random() % 4 ? random_addition(random, id) : removal(id);
      change.memory = names[id % std::size(names)];
      all.apply({&change, 1});
      if (change.memory != "other") some.apply({&change, 1});
      if (step % 7) continue;
      before = {memory_view(all.snapshot(), choice, before)};
      require_same(before[0], some.snapshot());
      require_same(memory_view(before[0], choice, {}), some.snapshot());
    }
    all.settle();
    require_same(memory_view(all.snapshot(), choice, before), some.snapshot());
    uint64_t lessons = 0;
    for (const Memory& memory : all.snapshot()->memories()) lessons += memory.lessons;
    CHECK(lessons == all.snapshot()->corrections());
  }
}

TEST(a_weight_of_the_only_memory_is_that_of_corrections) {
  std::mt19937_64 random(5);
  const auto index = index_of(60);
  LiveIndex all(index, {3, 4, false}), heavy(index, {12, 4, false});
  teach_words(all);
  teach_words(heavy);
  for (uint64_t id = 1000; id < 1060; ++id) {
    LiveChange change = random_addition(random, id);
    change.memory = names[id % std::size(names)];
    all.apply({&change, 1});
    if (change.memory == "acme") heavy.apply({&change, 1});
  }
  require_same(memory_view(all.snapshot(), {{"acme", 4}}, {}), heavy.snapshot());
}
