#include "index/near_pairs.h"

#include <random>

#include "base/namespaces.h"
#include "index/edit_distance.h"
#include "tests/check.h"
#include "tests/live_pairs.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::tests;

namespace {

std::vector<WordId> random_words(std::mt19937_64& random, size_t most) {
  std::vector<WordId> words(random() % (most + 1));
  for (WordId& word : words) word = static_cast<WordId>(Vocabulary::first_word + random() % 3);
  return words;
}

uint64_t plain_distance(std::span<const WordId> left, std::span<const WordId> right) {
  if (left.empty() || right.empty()) return left.size() + right.size();
  const auto shorter = left.subspan(1), other = right.subspan(1);
  if (left[0] == right[0]) return plain_distance(shorter, other);
  return 1 + std::min({plain_distance(shorter, other), plain_distance(shorter, right), plain_distance(left, other)});
}

}  // namespace

TEST(edit_distances_are_what_the_definition_says) {
  std::mt19937_64 random(4);
  EditDistance edits;
  for (int round = 0; round < 500; ++round) {
    const auto left = random_words(random, 6), right = random_words(random, 6);
    const uint64_t wanted = plain_distance(left, right);
    for (uint64_t most = 0; most < 8; ++most) {
      const uint64_t distance = edits.distance(left, right, most);
      CHECK(wanted <= most ? distance == wanted : distance > most);
    }
    const Links kept = edits.kept(left, right);
    for (size_t i = 0; i < kept.size(); ++i) {
      CHECK(left[kept[i].source] == right[kept[i].target]);
      CHECK(i == 0 || (kept[i - 1].source < kept[i].source && kept[i - 1].target < kept[i].target));
    }
    CHECK(std::max(left.size(), right.size()) - kept.size() <= wanted);
  }
}

TEST(near_pairs_are_those_of_all_segments_and_none_that_was_removed) {
  std::mt19937_64 random(6);
  LiveIndex live(index_of(100), {3, 4, false});
  for (uint64_t id = 1000; id < 1040; ++id) live.apply(std::vector<LiveChange>{random_addition(random, id)});
  const auto text = live.snapshot()->source_words().ids("a b d e a h");
  auto ids = [&] {
    std::vector<uint64_t> stable_ids;
    for (const NearPair& pair : nearest_pairs(*live.snapshot(), text, {200, 1, UINT64_MAX / 4}).pairs)
      stable_ids.push_back(pair.stable_id);
    return stable_ids;
  };
  const auto before = ids();
  CHECK(before.size() > 50);
  for (uint64_t id : before) {
    live.apply(std::vector<LiveChange>{removal(id)});
    CHECK(!live.snapshot()->find(id));
  }
  for (uint64_t id : ids()) CHECK(std::ranges::find(before, id) == before.end());
}
