// Sorting in pieces and estimating outside memory give what sorting at once in memory gives.
#include "lm/ngram_order.h"

#include <filesystem>

#include "base/namespaces.h"
#include "base/scratch.h"
#include "tests/lm_models.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::lm;
using namespace dragoman::lm::tests;

namespace {

// The words that follow each different ending are a set: pieces may give them in another order.
std::vector<std::pair<std::vector<int>, std::vector<WordId>>> blocks(const NgramOrder& sorted) {
  std::vector<std::pair<std::vector<int>, std::vector<WordId>>> blocks;
  for (size_t r = 0; r < sorted.size(); ++r) {
    const RankShape shape = sorted.shape[r];
    if (blocks.empty() || shape.shared < shape.depth) blocks.push_back({{shape.shared, shape.depth}, {}});
    blocks.back().second.push_back(sorted.next_word[r]);
  }
  for (auto& block : blocks) std::sort(block.second.begin(), block.second.end());
  return blocks;
}

}  // namespace

TEST(ngram_order_of_pieces_is_that_of_the_whole) {
  std::mt19937_64 random(21);
  Monitor monitor;
  for (int round = 0; round < 40; ++round) {
    TextEncoder encoder;
    encoder.add(random_text(random, 1 + random() % 60, 12));
    const EncodedText text = encoder.finish();
    SortOptions options{static_cast<WordId>(text.words.size()), 1 + static_cast<uint32_t>(random() % 5)};
    const NgramOrder whole = sort_ngrams(Array<WordId>(text.ids), options, monitor);
    options.piece_size = 1 + random() % 100;
    options.threads = 1 + random() % 2;
    const NgramOrder merged = sort_ngrams(Array<WordId>(text.ids), options, monitor);
    CHECK(whole.word_begin == merged.word_begin);
    CHECK(blocks(whole) == blocks(merged));
  }
}

TEST(lm_outside_memory_is_the_same_model) {
  std::mt19937_64 random(22);
  // More than one piece, and arrays that are large enough for files.
  const std::string text = random_text(random, 60000, 3000, 20);
  EstimateOptions options;
  options.order = 3;
  options.threads = 2;
  Monitor monitor;
  TextEncoder encoder({}, std::make_shared<ScratchSpace>(std::filesystem::temp_directory_path().string(), 4 << 20));
  encoder.add(text);
  const Estimate outside = estimate(encoder.finish(), options, monitor);
  CHECK(outside.scratch->peak_bytes() > ScratchSpace::least_block_bytes);
  CHECK(compacted(outside.trie, 8) == compacted(estimated(text, options), 8));
}

TEST(scratch_space_keeps_what_it_lets_go) {
  ScratchSpace space(std::filesystem::temp_directory_path().string(), 1);
  std::pmr::vector<uint64_t> numbers(size_t{1} << 19, &space);
  for (int round = 0; round < 20; ++round)
    for (uint64_t i = 0; i < numbers.size(); ++i) numbers[i] += i;
  bool same = true;
  for (uint64_t i = 0; i < numbers.size(); ++i) same = same && numbers[i] == 20 * i;
  CHECK(same);
  CHECK(space.peak_bytes() == numbers.size() * sizeof(uint64_t));
}

TEST(scratch_space_names_the_folder_it_cannot_write) {
  ScratchSpace space("/nowhere/at/all", 1 << 20);
  CHECK_THROWS(std::pmr::vector<std::byte>(ScratchSpace::least_block_bytes, &space), IoError);
}
