#include "index/near_pairs.h"

#include <algorithm>
#include <tuple>

#include "base/flat_map.h"
#include "base/hash_set.h"
#include "index/edit_distance.h"
#include "index/suffix_search.h"

namespace dragoman::index {
namespace {

// Words that stay, of so many.
struct Similarity {
  uint64_t kept;
  uint64_t words;

  bool reaches(const Similarity& other) const { return kept * other.words >= other.kept * words; }
  // The fewest of so many words that are as many in proportion.
  uint64_t share_of(uint64_t count) const { return (kept * count + words - 1) / words; }
};

// The suffixes that begin with a phrase of the text, in each segment.
struct Phrase {
  std::vector<TextSpan> ranks;
  uint64_t count = 0;
};

struct Candidate {
  SentencePlace place;
  Similarity similarity;
  bool trained;
  uint64_t stable_id;
};

bool before(const Candidate& left, const Candidate& right) {
  const uint64_t ours = left.similarity.kept * right.similarity.words;
  const uint64_t theirs = right.similarity.kept * left.similarity.words;
  return std::tuple(theirs, left.trained, left.stable_id) < std::tuple(ours, right.trained, right.stable_id);
}

class NearSearch {
 public:
  NearSearch(const Snapshot& snapshot, std::span<const WordId> text, const NearOptions& options)
      : snapshot_(snapshot), text_(text), options_(options), least_{std::max(1u, options.at_least), 100} {
    for (WordId word : text_) {
      uint32_t& number = distinct_[word];
      if (number == FlatMap::absent) {
        number = static_cast<uint32_t>(counts_.size());
        counts_.push_back(0);
      }
      ++counts_[number];
    }
  }

  NearPairs run();

 private:
  Phrase everywhere() const;
  Phrase longer(const Phrase& phrase, uint32_t depth, WordId word) const;
  void look_at(const Phrase& phrase);
  void look_at(SentencePlace place);
  void offer(const Candidate& candidate);
  bool same_words(SentencePlace left, SentencePlace right) const;
  void look_at_whole();
  bool look_at_words();
  void look_at_phrases();
  std::vector<uint64_t> alike(const Candidate& candidate) const;
  bool spent() const { return work_ >= options_.work; }

  const Snapshot& snapshot_;
  std::span<const WordId> text_;
  const NearOptions& options_;
  Similarity least_;  // what a candidate must reach
  FlatMap distinct_;  // words of the text
  std::vector<uint32_t> counts_, left_;
  std::vector<WordId> words_;  // of the sentence that is looked at
  EditDistance edits_;
  HashSet seen_;
  std::vector<Candidate> nearest_;
  std::vector<SentencePlace> exact_;  // sentences that are the text
  uint64_t work_ = 0;
};

Phrase NearSearch::everywhere() const {
  Phrase all;
  for (uint32_t segment = 0; segment < snapshot_.segments(); ++segment)
    all.ranks.push_back({0, snapshot_.bitext(segment).source_tokens()});
  return all;
}

Phrase NearSearch::longer(const Phrase& phrase, uint32_t depth, WordId word) const {
  Phrase extended;
  for (uint32_t segment = 0; segment < snapshot_.segments(); ++segment) {
    extended.ranks.push_back(narrow(snapshot_.bitext(segment), phrase.ranks[segment], depth, word));
    extended.count += extended.ranks.back().size();
  }
  return extended;
}

void NearSearch::look_at(const Phrase& phrase) {
  for (uint32_t segment = 0; segment < snapshot_.segments(); ++segment) {
    const IndexedBitext& bitext = snapshot_.bitext(segment);
    for (uint64_t rank = phrase.ranks[segment].begin; rank < phrase.ranks[segment].end && !spent(); ++rank) {
      ++work_;
      const uint64_t sentence = bitext.sentence_of(bitext.suffix(rank));
      if (!snapshot_.part(segment).removed(sentence)) look_at(Snapshot::place_of(segment, sentence));
    }
  }
}

void NearSearch::look_at(SentencePlace place) {
  const IndexedBitext& bitext = snapshot_.bitext_of(place);
  const TextSpan range = bitext.source_range(Snapshot::number_of(place));
  const uint64_t longest = std::max<uint64_t>(text_.size(), range.size());
  const uint64_t least_kept = least_.share_of(longest);
  if (range.size() > most_near_words) return;
  if (std::min<uint64_t>(text_.size(), range.size()) < least_kept || !seen_.insert(place + 1)) return;
  work_ += range.size();
  words_.clear();
  left_ = counts_;
  uint64_t shared = 0;
  for (uint64_t at = range.begin; at < range.end; ++at) {
    const WordId word = bitext.source(at);
    words_.push_back(word);
    const uint32_t number = distinct_.find(word);
    if (number != FlatMap::absent && left_[number] > 0) --left_[number], ++shared;
  }
  if (shared < least_kept) return;
  work_ += text_.size() * words_.size();
  const uint64_t distance = edits_.distance(text_, words_, longest - least_kept);
  if (distance > longest - least_kept) return;
  offer({place, {longest - distance, longest}, !snapshot_.is_correction(place), snapshot_.stable_id(place)});
}

bool NearSearch::same_words(SentencePlace left, SentencePlace right) const {
  const IndexedBitext &one = snapshot_.bitext_of(left), &other = snapshot_.bitext_of(right);
  auto equal = [&](TextSpan ours, TextSpan theirs, auto word) {
    if (ours.size() != theirs.size()) return false;
    for (uint64_t at = 0; at < ours.size(); ++at)
      if ((one.*word)(ours.begin + at) != (other.*word)(theirs.begin + at)) return false;
    return true;
  };
  const uint64_t first = Snapshot::number_of(left), second = Snapshot::number_of(right);
  return equal(one.source_range(first), other.source_range(second), &IndexedBitext::source) &&
         equal(one.target_range(first), other.target_range(second), &IndexedBitext::target);
}

void NearSearch::offer(const Candidate& candidate) {
  if (candidate.similarity.kept == candidate.similarity.words) exact_.push_back(candidate.place);
  const auto same =
      std::ranges::find_if(nearest_, [&](const Candidate& known) { return same_words(known.place, candidate.place); });
  if (same != nearest_.end()) {
    if (before(*same, candidate)) return;
    nearest_.erase(same);
  }
  nearest_.insert(std::ranges::upper_bound(nearest_, candidate, before), candidate);
  if (nearest_.size() > options_.most) nearest_.pop_back();
  if (nearest_.size() == options_.most) least_ = nearest_.back().similarity;
}

// Sentences that are the text, so that no bound on work keeps them from being found.
void NearSearch::look_at_whole() {
  Phrase phrase = everywhere();
  uint32_t depth = 0;
  for (WordId word : text_) phrase = longer(phrase, depth++, word);
  look_at(longer(phrase, depth, Vocabulary::separator));
}

// Whether all was looked at that can be similar enough.
bool NearSearch::look_at_words() {
  struct Word {
    uint32_t times;  // in the text
    Phrase phrase;
  };
  std::vector<Word> words;
  std::vector<bool> taken(counts_.size());
  const Phrase all = everywhere();
  for (WordId word : text_) {
    const uint32_t number = distinct_.find(word);
    if (!taken[number]) words.push_back({counts_[number], longer(all, 0, word)});
    taken[number] = true;
  }
  std::ranges::stable_sort(words, {}, [](const Word& word) { return word.phrase.count; });
  uint64_t left = text_.size();  // words of the text that an unseen sentence may share with it
  for (const Word& word : words) {
    if (left < least_.share_of(text_.size())) break;
    // Half of the work is left for phrases.
    if (word.phrase.count > options_.work / 2 || work_ > options_.work / 2 - word.phrase.count) return false;
    look_at(word.phrase);
    if (spent()) return false;
    left -= word.times;
  }
  return true;
}

void NearSearch::look_at_phrases() {
  std::vector<Phrase> phrases;
  const Phrase all = everywhere();
  for (size_t begin = 0; begin < text_.size(); ++begin) {
    Phrase phrase = longer(all, 0, text_[begin]);
    uint64_t shorter = 0;
    for (uint32_t depth = 1; begin + depth < text_.size() && phrase.count > 0; ++depth) {
      phrase = longer(phrase, depth, text_[begin + depth]);
      // One that is in the same sentences as a shorter one brings nothing.
      if (phrase.count > 0 && phrase.count != shorter) phrases.push_back(phrase);
      shorter = phrase.count;
    }
  }
  std::ranges::stable_sort(phrases, {}, &Phrase::count);
  for (const Phrase& phrase : phrases) {
    if (spent()) return;
    look_at(phrase);
  }
}

std::vector<uint64_t> NearSearch::alike(const Candidate& candidate) const {
  std::vector<std::pair<bool, uint64_t>> order;
  if (candidate.similarity.kept == candidate.similarity.words)
    for (SentencePlace place : exact_)
      if (place != candidate.place && same_words(place, candidate.place))
        order.emplace_back(!snapshot_.is_correction(place), snapshot_.stable_id(place));
  std::ranges::sort(order);
  std::vector<uint64_t> ids;
  for (const auto& [trained, id] : std::span(order).first(std::min(order.size(), most_alike))) ids.push_back(id);
  return ids;
}

NearPairs NearSearch::run() {
  NearPairs near_pairs;
  if (text_.empty() || text_.size() > most_near_words || options_.most == 0) return near_pairs;
  look_at_whole();
  near_pairs.complete = look_at_words();
  if (!near_pairs.complete) look_at_phrases();
  for (const Candidate& candidate : nearest_) {
    const IndexedBitext& bitext = snapshot_.bitext_of(candidate.place);
    const TextSpan range = bitext.source_range(Snapshot::number_of(candidate.place));
    words_.clear();
    for (uint64_t at = range.begin; at < range.end; ++at) words_.push_back(bitext.source(at));
    const auto [kept, words] = candidate.similarity;
    near_pairs.pairs.push_back({candidate.stable_id, static_cast<uint32_t>(words - kept), static_cast<uint32_t>(words),
                                edits_.kept(text_, words_), alike(candidate)});
  }
  return near_pairs;
}

}  // namespace

NearPairs nearest_pairs(const Snapshot& snapshot, std::span<const WordId> text, const NearOptions& options) {
  return NearSearch(snapshot, text, options).run();
}

}  // namespace dragoman::index
