#include "rules/frequent_lists.h"

#include <algorithm>
#include <string>

#include "base/errors.h"

namespace dragoman::rules {
namespace {

constexpr size_t longest_frequent_phrase = 5;
// There is a list for every pair of phrases and for every triple.
constexpr size_t most_phrases = 2000, most_triple_phrases = 150;

struct CountedPhrase {
  std::vector<WordId> words;
  uint64_t count;
};

// Adds all phrases that go on from `words`, with which the suffixes of these ranks begin, and occur often enough.
void add_phrases(const IndexedBitext& bitext, TextSpan ranks, uint64_t least, std::vector<WordId>& words,
                 std::vector<CountedPhrase>& phrases) {
  const auto next_word = [&](uint64_t rank) { return bitext.source_or_separator(bitext.suffix(rank) + words.size()); };
  for (uint64_t begin = ranks.begin, end; begin < ranks.end; begin = end) {
    const WordId word = next_word(begin);
    for (end = begin + 1; end < ranks.end && next_word(end) == word;) ++end;
    if (word == Vocabulary::separator || end - begin < least) continue;
    words.push_back(word);
    phrases.push_back({words, end - begin});
    if (words.size() < longest_frequent_phrase) add_phrases(bitext, {begin, end}, least, words, phrases);
    words.pop_back();
  }
}

}  // namespace

FrequentLists::FrequentLists(const IndexedBitext& bitext, size_t phrases, size_t triple_phrases,
                             const ExtractOptions& options)
    : bitext_(&bitext), max_rule_span_(options.max_rule_span), min_gap_size_(options.min_gap_size) {
  if (phrases > most_phrases || triple_phrases > most_triple_phrases)
    throw ConfigError("phrases", "must be at most " + std::to_string(most_phrases) + ", and those of triples at most " +
                                     std::to_string(most_triple_phrases));
  choose(phrases);
  triple_phrases_ = std::min(triple_phrases, phrases_);
  lists_.resize(phrases_ + phrases_ * phrases_ + triple_phrases_ * triple_phrases_ * triple_phrases_);
  std::vector<Occurrence> here;
  for (uint64_t at = 0; at < bitext.source_size(); ++at) {
    if (bitext.source(at) == Vocabulary::separator) {
      add_sentence(here);
      here.clear();
    } else {
      add_occurrences(at, here);
    }
  }
  for (auto& list : lists_) list.shrink_to_fit();
}

void FrequentLists::choose(size_t phrases) {
  std::vector<CountedPhrase> counted;
  std::vector<WordId> words;
  // The bound falls until enough phrases are above it: walking all of the suffix array would take far longer.
  for (uint64_t least = bitext_->source_tokens() / 64; counted.size() < phrases && least > 0; least /= 4) {
    counted.clear();
    add_phrases(*bitext_, {0, bitext_->source_tokens()}, least, words, counted);
  }
  std::ranges::stable_sort(counted, std::greater{}, &CountedPhrase::count);
  counted.resize(std::min(counted.size(), phrases));
  for (const CountedPhrase& phrase : counted) {
    uint32_t state = 0;
    for (WordId word : phrase.words) {
      const auto [step, is_new] = steps_.try_emplace(key(state, word), static_cast<uint32_t>(phrase_of_.size()));
      if (is_new) phrase_of_.push_back(none);
      state = step->second;
    }
    phrase_of_[state] = static_cast<uint32_t>(phrases_++);
  }
}

void FrequentLists::add_occurrences(uint64_t at, std::vector<Occurrence>& here) const {
  uint32_t state = 0;
  for (uint64_t end = at;; ++end) {
    const auto step = steps_.find(key(state, bitext_->source_or_separator(end)));
    if (step == steps_.end()) return;
    state = step->second;
    if (phrase_of_[state] != none) here.push_back({phrase_of_[state], at, end + 1});
  }
}

// The occurrences come in the order of their beginnings, and so do the matches of each pattern.
void FrequentLists::add_sentence(const std::vector<Occurrence>& here) {
  for (size_t i = 0; i < here.size(); ++i) {
    const uint64_t begin = here[i].begin;
    lists_[here[i].phrase].push_back(make_match(begin));
    const auto follows = [&](const Occurrence& one, const Occurrence& other) {
      return other.begin >= one.end + min_gap_size_ && other.end <= begin + max_rule_span_;
    };
    for (size_t j = i + 1; j < here.size() && here[j].begin < begin + max_rule_span_; ++j) {
      if (!follows(here[i], here[j])) continue;
      const uint32_t pair[] = {here[i].phrase, here[j].phrase};
      const Match match = make_match(begin, here[j].begin - begin);
      lists_[list(pair)].push_back(match);
      if (pair[0] >= triple_phrases_ || pair[1] >= triple_phrases_) continue;
      for (size_t k = j + 1; k < here.size() && here[k].begin < begin + max_rule_span_; ++k) {
        if (here[k].phrase >= triple_phrases_ || !follows(here[j], here[k])) continue;
        const uint32_t triple[] = {pair[0], pair[1], here[k].phrase};
        lists_[list(triple)].push_back(match | (here[k].begin - begin));
      }
    }
  }
}

uint32_t FrequentLists::phrase(std::span<const WordId> words) const {
  uint32_t state = 0;
  for (WordId word : words) {
    const auto step = steps_.find(key(state, word));
    if (step == steps_.end()) return none;
    state = step->second;
  }
  return phrase_of_[state];
}

bool FrequentLists::knows(std::span<const uint32_t> phrases) const {
  const size_t most = phrases.size() > 2 ? triple_phrases_ : phrases_;
  return std::ranges::all_of(phrases, [&](uint32_t phrase) { return phrase < most; });
}

std::span<const Match> FrequentLists::matches(std::span<const uint32_t> phrases) const { return lists_[list(phrases)]; }

size_t FrequentLists::list(std::span<const uint32_t> phrases) const {
  if (phrases.size() == 1) return phrases[0];
  if (phrases.size() == 2) return phrases_ + phrases[0] * phrases_ + phrases[1];
  return phrases_ + phrases_ * phrases_ + (phrases[0] * triple_phrases_ + phrases[1]) * triple_phrases_ + phrases[2];
}

uint64_t FrequentLists::patterns() const {
  return static_cast<uint64_t>(std::count_if(lists_.begin() + static_cast<ptrdiff_t>(phrases_), lists_.end(),
                                             [](const auto& list) { return !list.empty(); }));
}

uint64_t FrequentLists::bytes() const {
  uint64_t matches = 0;
  for (const auto& list : lists_) matches += list.size();
  return matches * sizeof(Match);
}

}  // namespace dragoman::rules
