#include "rules/lexical_scores.h"

#include <cmath>

namespace dragoman::rules {
namespace {

constexpr size_t max_remembered = 1 << 14;

uint64_t pair_key(WordId source, WordId target) { return uint64_t{source} << 32 | target; }

float cost(uint64_t count, uint64_t total) {
  if (count == 0 || total == 0) return std::numeric_limits<float>::infinity();
  return static_cast<float>(-std::log10(static_cast<double>(count) / static_cast<double>(total)));
}

}  // namespace

PairScore LexicalScores::get(WordId source, WordId target) {
  const uint64_t key = pair_key(source, target);
  if (const uint32_t place = places_.find(key); place != FlatMap::absent) return scores_[place];
  if (scores_.size() >= max_remembered) {
    scores_.clear();
    places_.clear();
  }
  const uint64_t links = without(snapshot_.links(source, target), key);
  const PairScore score{cost(links, without(snapshot_.source_links(source), pair_key(source, all))),
                        cost(links, without(snapshot_.target_links(target), pair_key(all, target)))};
  places_[key] = static_cast<uint32_t>(scores_.size());
  scores_.push_back(score);
  return score;
}

uint64_t LexicalScores::without(uint64_t count, uint64_t key) const {
  if (left_out_.empty()) return count;
  const auto entry = left_out_.find(key);
  if (entry == left_out_.end()) return count;
  return count > entry->second ? count - entry->second : 0;
}

void LexicalScores::leave_out(const IndexedBitext& bitext, const AlignedSentence* sentence, uint32_t weight) {
  if (!sentence && left_out_.empty()) return;
  left_out_.clear();
  scores_.clear();
  places_.clear();
  if (!sentence) return;
  auto count = [&](WordId source, WordId target) {
    left_out_[pair_key(source, target)] += weight;
    left_out_[pair_key(source, all)] += weight;
    left_out_[pair_key(all, target)] += weight;
  };
  for (uint32_t i = 0; i < sentence->source.size(); ++i) {
    const WordId source = bitext.source(sentence->source.begin + i);
    for (uint32_t link = sentence->source_links[i]; link < sentence->source_links[i + 1]; ++link)
      count(source, bitext.target(sentence->target.begin + sentence->targets[link]));
    if (!sentence->aligned(i)) count(source, Lexicon::null_word);
  }
  for (uint32_t i = 0; i < sentence->target.size(); ++i)
    if (!sentence->target_aligned(i)) count(Lexicon::null_word, bitext.target(sentence->target.begin + i));
}

}  // namespace dragoman::rules
