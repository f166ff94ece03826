#include "rules/match_rules.h"

#include <algorithm>

namespace dragoman::rules {

void MatchRules::find(const PatternTrie& trie, uint32_t node, uint32_t number, Match match, const IndexedBitext& bitext,
                      const AlignedSentence& sentence, Yields& yields) {
  node_ = node;
  number_ = number;
  bitext_ = &bitext;
  yields_ = &yields;
  visit(trie, match, sentence);
}

std::optional<RulePlace> MatchRules::place(const PatternTrie& trie, uint32_t node, Match match,
                                           const IndexedBitext& bitext, const AlignedSentence& sentence,
                                           Variant variant, std::span<const Symbol> target) {
  Wanted wanted{variant, target, std::nullopt};
  node_ = node;
  bitext_ = &bitext;
  wanted_ = &wanted;
  visit(trie, match, sentence);
  wanted_ = nullptr;
  return std::move(wanted.place);
}

bool MatchRules::gap_fits(const AlignedSentence& sentence, const Gap& gap) const {
  return !gap.target.empty() && gap.target.size() <= options_.max_rule_span &&
         sentence.consistent(gap.begin, gap.end, gap.target) &&
         (!options_.tight || (sentence.aligned(gap.begin) && sentence.aligned(gap.end - 1)));
}

void MatchRules::visit(const PatternTrie& trie, Match match, const AlignedSentence& sentence) {
  const PatternNode& pattern = trie[node_];
  const uint64_t base = match_position(match) - sentence.source.begin;
  phrase_count_ = pattern.phrase_count;
  bool any_aligned = false;
  for (uint32_t phrase = 0; phrase < phrase_count_; ++phrase) {
    const uint32_t begin = static_cast<uint32_t>(base + match_offset(match, phrase));
    const uint32_t end = begin + pattern.lengths[phrase];
    if (end > sentence.source.size() || (phrase > 0 && begin <= phrase_ends_[phrase - 1]))
      bitext_->fail("suffixes", "and the texts do not fit together");
    phrase_begins_[phrase] = begin;
    phrase_ends_[phrase] = end;
    any_aligned = any_aligned || sentence.source_links[begin] != sentence.source_links[end];
  }
  if (!any_aligned) return;
  begin_ = phrase_begins_[0];
  end_ = phrase_ends_[phrase_count_ - 1];
  // Most matches fail at their gaps, and half of those at the outer words.
  for (uint32_t phrase = 1; phrase < phrase_count_; ++phrase) {
    const uint32_t begin = phrase_ends_[phrase - 1], end = phrase_begins_[phrase];
    if (options_.tight && !(sentence.aligned(begin) && sentence.aligned(end - 1))) return;
    inner_gaps_[phrase - 1] = {begin, end, sentence.project(begin, end)};
    if (!gap_fits(sentence, inner_gaps_[phrase - 1])) return;
  }
  inside_ = sentence.project(begin_, end_);
  if (options_.orientations) orientation_ = orientation_of(sentence, begin_, end_, inside_);

  const auto wants = [&](Variant variant) { return (pattern.variants >> variant & 1) != 0; };
  if (wants(plain)) yield(sentence, plain, nullptr, nullptr);
  if (!wants(gap_left) && !wants(gap_right)) return;
  // A span wider than the limit stays so with a gap added.
  left_gaps_.clear();
  right_gaps_.clear();
  if (wants(gap_left)) find_left_gaps(sentence, begin_, end_);
  if (wants(gap_right)) find_right_gaps(sentence, begin_, end_);
  shapes_.clear();
  for (const Gap& left : left_gaps_) yield(sentence, gap_left, &left, nullptr);
  shapes_.clear();
  for (const Gap& right : right_gaps_) yield(sentence, gap_right, nullptr, &right);
  if (!wants(gap_both)) return;
  shapes_.clear();
  for (const Gap& left : left_gaps_)
    for (const Gap& right : right_gaps_) {
      if (right.end - left.begin > options_.max_rule_span) break;
      yield(sentence, gap_both, &left, &right);
    }
}

void MatchRules::find_left_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end) {
  if (begin == 0 || (options_.tight && !sentence.aligned(begin - 1))) return;
  Gap gap{begin, begin, Span::nothing()};
  while (gap.begin > 0 && end - (gap.begin - 1) <= options_.max_rule_span) {
    gap.target.include(sentence.project(--gap.begin));
    // The target side only grows from here.
    if (!gap.target.empty() && gap.target.size() > options_.max_rule_span) return;
    if (begin - gap.begin >= options_.min_gap_size && gap_fits(sentence, gap)) left_gaps_.push_back(gap);
  }
}

void MatchRules::find_right_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end) {
  if (end == sentence.source.size() || (options_.tight && !sentence.aligned(end))) return;
  Gap gap{end, end, Span::nothing()};
  while (gap.end < sentence.source.size() && gap.end + 1 - begin <= options_.max_rule_span) {
    gap.target.include(sentence.project(gap.end++));
    if (!gap.target.empty() && gap.target.size() > options_.max_rule_span) return;
    if (gap.end - end >= options_.min_gap_size && gap_fits(sentence, gap)) right_gaps_.push_back(gap);
  }
}

void MatchRules::yield(const AlignedSentence& sentence, Variant variant, const Gap* left, const Gap* right) {
  const uint32_t begin = left ? left->begin : begin_, end = right ? right->end : end_;
  Span whole = inside_;
  if (left) whole.include(left->target);
  if (right) whole.include(right->target);
  const uint32_t width = options_.max_target_span(end - begin);
  if (whole.size() > width || !sentence.consistent(begin, end, whole)) return;
  const bool contiguous = phrase_count_ == 1 && !left && !right;
  const bool tight = options_.tight && !(options_.loose_phrases && contiguous);
  // A gap at the edge has linked outer words of its own.
  if (tight && !((left || sentence.aligned(begin)) && (right || sentence.aligned(end - 1)))) return;
  gap_count_ = 0;
  if (left) gaps_[gap_count_++] = *left;
  for (uint32_t gap = 0; gap + 1 < phrase_count_; ++gap) gaps_[gap_count_++] = inner_gaps_[gap];
  if (right) gaps_[gap_count_++] = *right;
  if (!tight) {
    emit_loose(sentence, variant, whole, width, 0);
    return;
  }
  const Pieces pieces = pieces_of(whole);
  if (left || right) {
    // Most extents of a gap at the edge leave the same words outside it: then it is the same rule with the same links.
    const Shape shape = shape_of(pieces);
    if (std::find(shapes_.begin(), shapes_.end(), shape) != shapes_.end()) return;
    shapes_.push_back(shape);
  }
  emit(sentence, variant, pieces);
}

MatchRules::Pieces MatchRules::pieces_of(const Span& whole) const {
  Pieces pieces;
  pieces.second_first = gap_count_ == 2 && gaps_[1].target.begin < gaps_[0].target.begin;
  uint32_t from = whole.begin;
  for (uint32_t i = 0; i < gap_count_; ++i) {
    const Span& gap = gaps_[pieces.gap_at(i)].target;
    pieces.begins[i] = from;
    pieces.ends[i] = gap.begin;
    from = gap.end;
  }
  pieces.begins[gap_count_] = from;
  pieces.ends[gap_count_] = whole.end;
  return pieces;
}

MatchRules::Shape MatchRules::shape_of(const Pieces& pieces) const {
  uint64_t packed[max_gaps + 1] = {};
  for (uint32_t i = 0; i <= gap_count_; ++i)
    if (pieces.begins[i] != pieces.ends[i]) packed[i] = uint64_t{pieces.begins[i]} << 16 | pieces.ends[i];
  return {packed[0] << 32 | packed[1], packed[2] << 1 | pieces.second_first};
}

// Loose: the target side of every gap, then of the whole, may take in unlinked words at its edges.
void MatchRules::emit_loose(const AlignedSentence& sentence, Variant variant, const Span& whole, uint32_t width,
                            size_t gap) {
  // gap_count_ is no more than max_gaps, which a compiler cannot know.
  const bool last = gap >= gap_count_ || gap >= max_gaps;
  const Span least = last ? whole : gaps_[gap].target;
  const uint32_t most = last ? width : options_.max_rule_span;
  const auto length = static_cast<uint32_t>(sentence.target.size());
  for (uint32_t begin = least.begin;; --begin) {
    for (uint32_t end = least.end; end - begin <= most; ++end) {
      const Span wider{begin, end};
      if (last) {
        const bool covers = std::all_of(gaps_, gaps_ + gap_count_, [&](const Gap& other) {
          return other.target.begin >= begin && other.target.end <= end;
        });
        if (covers) emit(sentence, variant, pieces_of(wider));
      } else {
        const bool disjoint = std::all_of(gaps_, gaps_ + gap,
                                          [&](const Gap& g) { return g.target.end <= begin || g.target.begin >= end; });
        if (disjoint) {
          gaps_[gap].target = wider;
          emit_loose(sentence, variant, whole, width, gap + 1);
          gaps_[gap].target = least;
        }
      }
      if (end == length || sentence.target_aligned(end)) break;
    }
    if (begin == 0 || sentence.target_aligned(begin - 1) || least.end - (begin - 1) > most) break;
  }
}

void MatchRules::emit(const AlignedSentence& sentence, Variant variant, const Pieces& pieces) {
  uint32_t words = gap_count_;
  for (uint32_t i = 0; i <= gap_count_; ++i) words += pieces.ends[i] - pieces.begins[i];
  if (target_.size() < words) target_.resize(words);
  // Of each piece, what to add to a target position to get its symbol.
  uint32_t shifts[max_gaps + 1];
  Symbol* to = target_.data();
  for (uint32_t i = 0; i <= gap_count_; ++i) {
    shifts[i] = static_cast<uint32_t>(to - target_.data()) - pieces.begins[i];
    for (uint32_t at = pieces.begins[i]; at < pieces.ends[i]; ++at)
      *to++ = word_symbol(bitext_->target(sentence.target.begin + at));
    if (i < gap_count_) *to++ = gap_symbol(pieces.gap_at(i));
  }
  if (wanted_) {
    if (!wanted_->place && wanted_->variant == variant &&
        std::ranges::equal(wanted_->target, std::span(target_).first(words)))
      wanted_->place = {variant & gap_left ? gaps_[0].begin : begin_,
                        variant & gap_right ? gaps_[gap_count_ - 1].end : end_,
                        {pieces.begins[0], pieces.ends[gap_count_]},
                        {gaps_, gaps_ + gap_count_}};
    return;
  }
  links_.clear();
  uint32_t symbol = variant & gap_left ? 1 : 0;
  for (uint32_t phrase = 0; phrase < phrase_count_; ++phrase, ++symbol)
    for (uint32_t word = phrase_begins_[phrase]; word < phrase_ends_[phrase]; ++word, ++symbol)
      for (uint32_t link = sentence.source_links[word]; link < sentence.source_links[word + 1]; ++link) {
        const uint32_t position = sentence.targets[link];
        uint32_t piece = 0;
        while (piece < gap_count_ && position >= pieces.ends[piece]) ++piece;
        links_.push_back({symbol, position + shifts[piece]});
      }
  yields_->add(node_, {number_, variant, std::span(target_).first(words), links_, orientation_});
}

}  // namespace dragoman::rules
