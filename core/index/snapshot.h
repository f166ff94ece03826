// The bitext as it is at one moment: immutable segments, what has been removed from each, and the words they use.
// Segment 0 is the trained bitext, the others hold pairs added since. A snapshot never changes, so whoever translates
// with one is not disturbed by additions; the next translation takes the next snapshot.
//
// A pattern's sample over all segments is what it would be in an index of all their sentences: the matches with the
// smallest hash of the sentence. Corrections, the pairs added since training, may weigh more than the text the model
// was trained from: then each counts `weight` times, in samples and in the lexicon, and they are sampled before all
// others. At weight 1 the snapshot is exactly the model that would be built from its sentences.
//
// A snapshot may be a view, in which some memories apply and others do not; see memory_view.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/index.h"
#include "index/link_counts.h"
#include "index/match.h"
#include "index/memories.h"
#include "index/segment.h"
#include "index/taught_text.h"
#include "index/tombstones.h"

namespace dragoman::index {

// A sentence of a segment: segment << segment_shift | number.
using SentencePlace = uint64_t;

// What some lessons add to the lexicon and say of the target language.
struct LessonCounts {
  LinkCounts links;
  NgramCounts ngrams;
};

class Snapshot {
 public:
  struct Part {
    const IndexedBitext* bitext;
    std::shared_ptr<const Segment> segment;        // none for segment 0
    std::shared_ptr<const Tombstones> tombstones;  // none if nothing was removed

    bool removed(uint64_t sentence) const { return tombstones && tombstones->has(sentence); }
  };

  // Nothing but the index.
  explicit Snapshot(std::shared_ptr<const Index> index);

  const Index& index() const { return *index_; }
  const Vocabulary& source_words() const { return source_words_; }
  const Vocabulary& target_words() const { return target_words_; }
  uint64_t version() const { return version_; }
  uint32_t weight() const { return weight_; }

  uint32_t segments() const { return static_cast<uint32_t>(parts_.size()); }
  const Part& part(uint32_t segment) const { return parts_[segment]; }
  const IndexedBitext& bitext(uint32_t segment) const { return *parts_[segment].bitext; }
  const IndexedBitext& bitext_of(SentencePlace place) const { return bitext(segment_of(place)); }
  Exclusion excluded(uint32_t segment) const { return {{0, 0}, parts_[segment].tombstones.get()}; }
  // Pairs that count, and how many of them are corrections.
  uint64_t pairs() const;
  uint64_t corrections() const;
  uint64_t removed() const;
  // Memory that what was added takes: text, suffix arrays and counts.
  uint64_t bytes() const;

  static uint32_t segment_of(SentencePlace place) { return static_cast<uint32_t>(place >> segment_shift); }
  static uint64_t number_of(SentencePlace place) { return place & place_mask; }
  static SentencePlace place_of(uint32_t segment, uint64_t number) {
    return uint64_t{segment} << segment_shift | number;
  }
  // The sentence of a match.
  SentencePlace place(Match match) const {
    const uint32_t segment = match_segment(match);
    return place_of(segment, bitext(segment).sentence_of(match_position(match)));
  }
  // Where the pair of this id is, unless it was removed.
  std::optional<SentencePlace> find(uint64_t stable_id) const;
  // Whether these words stand side by side in the source text of a pair.
  bool has_source_phrase(std::span<const WordId> words) const;
  uint64_t stable_id(SentencePlace place) const { return bitext_of(place).stable_id(number_of(place)); }
  bool is_correction(SentencePlace place) const {
    return segment_of(place) > 0 || number_of(place) < index_->bitext.corrections();
  }
  // Whether some sentences count more than others.
  bool is_weighted() const { return weight_ != 1 || !memory_weights_.empty(); }
  uint32_t weight_of(SentencePlace place) const {
    const uint32_t weight = weight_ != 1 && is_correction(place) ? weight_ : 1;
    return memory_weights_.empty() ? weight : weight * memory_weight(place);
  }
  uint32_t weight_of_match(Match match) const {
    if (!memory_weights_.empty()) return weight_of(place(match));
    return comes_later(match) ? 1 : weight_;
  }

  // All that there are, by their numbers.
  std::span<const Memory> memories() const {
    return memories_ ? std::span<const Memory>(*memories_) : std::span<const Memory>();
  }
  MemoryId memory(SentencePlace place) const { return bitext_of(place).memory(number_of(place)); }
  // Of a view, the snapshot in which all memories apply.
  const std::shared_ptr<const Snapshot>& whole() const { return whole_; }

  // Adds the matches of another segment to a sample, both in sampling order, and keeps the `most` first of all.
  void merge_samples(std::span<const Match> sample, std::span<const Match> more, size_t most,
                     std::vector<Match>& merged) const;

  // What the corrections say of the target language.
  const TaughtText& taught() const { return taught_; }
  // Whether some sentence has the target word: words of pairs that were removed, or that do not apply, keep their ids.
  bool is_linked(WordId target) const { return target_links(target) > 0; }
  // Whether the word came with a pair that people have added and that is there yet.
  bool is_learned(WordId target) const;

  // Counts of the lexicon, with what was added and removed.
  uint64_t links(WordId source, WordId target) const;
  uint64_t source_links(WordId source) const;
  uint64_t target_links(WordId target) const;

 private:
  friend class LiveIndex;
  friend class MemoryViewBuilder;

  // Links that are counted besides those of lexicon.bin, and how often.
  struct Counted {
    std::shared_ptr<const LinkCounts> links;
    int64_t times;
  };
  // Lessons of one memory, or of all, in one segment, as it is without what was removed from it.
  struct Share {
    const IndexedBitext* bitext;
    std::shared_ptr<const Segment> segment;
    std::shared_ptr<const Tombstones> tombstones;
    std::optional<MemoryId> memory;
    std::shared_ptr<const LessonCounts> counts;  // none where there are no lessons
  };

  // Matches sort by this.
  struct Order {
    bool later;  // ordinary text after corrections that weigh more
    uint64_t hash;
    friend auto operator<=>(const Order&, const Order&) = default;
  };
  Order order(Match match) const;
  bool comes_later(Match match) const {
    return weight_ != 1 && match_segment(match) == 0 && match_position(match) >= ordinary_from_;
  }
  bool is_before(Match match, const Order& other) const;
  template <class Base, class Counts>
  uint64_t total(Base&& base, Counts&& counts) const;
  // Sets what is counted for the trained segment, and for those of added pairs.
  void count_trained();
  void count_added();
  uint32_t memory_weight(SentencePlace place) const;

  std::shared_ptr<const Index> index_;
  Vocabulary source_words_, target_words_;
  std::vector<Part> parts_;
  std::shared_ptr<const LinkCounts> heavier_;     // of segment 0's corrections, once; counted weight_ - 1 times more
  std::shared_ptr<const NgramCounts> compacted_;  // of segment 0's corrections
  std::vector<Counted> counted_;
  TaughtText taught_;           // of all that
  uint64_t ordinary_from_ = 0;  // where segment 0's corrections end, in its source text
  uint32_t weight_ = 1;
  uint64_t version_ = 0;
  std::shared_ptr<const std::vector<Memory>> memories_;

  // Of a view.
  std::shared_ptr<const Snapshot> whole_;
  MemoryChoice choice_;
  std::vector<uint32_t> memory_weights_;  // by the memories' numbers; 0 for those that do not apply
  std::vector<Share> shares_;
};

}  // namespace dragoman::index
