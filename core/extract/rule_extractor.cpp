#include "extract/rule_extractor.h"

#include <algorithm>

namespace dragoman {
namespace {

constexpr size_t ahead = 8;

}  // namespace

RuleExtractor::RuleExtractor(std::shared_ptr<const Snapshot> snapshot, const ExtractOptions& options)
    : snapshot_(std::move(snapshot)),
      options_(options),
      matcher_(*snapshot_, options),
      sentences_(*snapshot_),
      scores_(*snapshot_) {}

void RuleExtractor::start(std::span<const WordId> input, std::optional<uint64_t> leave_out) {
  const auto place = leave_out ? snapshot_->find(*leave_out) : std::nullopt;
  if (place) {
    const AlignedSentence left_out = sentences_.get(*place);
    scores_.leave_out(snapshot_->bitext_of(*place), &left_out, snapshot_->weight_of(*place));
  } else {
    scores_.leave_out(snapshot_->bitext(0), nullptr, 1);
  }
  matcher_.match(input, place, trie_);
}

MatchOrigin RuleExtractor::origin(uint32_t node, uint32_t match) const {
  const Match found = trie_.sample(node)[match];
  const SentencePlace place = snapshot_->place(found);
  const uint64_t begin =
      match_position(found) - snapshot_->bitext_of(place).source_range(Snapshot::number_of(place)).begin;
  MatchOrigin origin{snapshot_->stable_id(place), snapshot_->weight_of(place), {}};
  for (uint32_t phrase = 0; phrase < trie_[node].phrase_count; ++phrase)
    origin.begins[phrase] = static_cast<uint32_t>(begin + match_offset(found, phrase));
  return origin;
}

void RuleExtractor::extract(uint32_t node, NodeRules& out) {
  collector_.start();
  const auto sample = trie_.sample(node);
  // The sentences of a sample lie anywhere, and waiting for them would be most of the work.
  places_.resize(sample.size());
  for (size_t i = 0; i < sample.size(); ++i) places_[i] = snapshot_->place(sample[i]);
  uint32_t samples = 0;
  for (uint32_t number = 0; number < sample.size(); ++number) {
    if (number + ahead < sample.size()) sentences_.fetch(places_[number + ahead]);
    weight_ = snapshot_->weight_of(places_[number]);
    samples += weight_;
    extract_match(node, number, sample[number], places_[number]);
  }
  std::vector<WordId> words = trie_.symbols(node);
  std::erase(words, WordId{0});
  collector_.finish(samples, words, scores_, out);
}

std::optional<RulePlace> RuleExtractor::place(uint32_t node, uint32_t match, Variant variant,
                                              std::span<const TargetSymbol> target) {
  Wanted wanted{variant, target, std::nullopt};
  wanted_ = &wanted;
  const Match found = trie_.sample(node)[match];
  extract_match(node, match, found, snapshot_->place(found));
  wanted_ = nullptr;
  return std::move(wanted.place);
}

bool RuleExtractor::gap_fits(const AlignedSentence& sentence, const Gap& gap) const {
  return !gap.target.empty() && gap.target.size() <= options_.max_rule_span &&
         sentence.consistent(gap.begin, gap.end, gap.target) &&
         (!options_.tight || (sentence.aligned(gap.begin) && sentence.aligned(gap.end - 1)));
}

void RuleExtractor::extract_match(uint32_t node, uint32_t number, Match match, SentencePlace place) {
  const PatternNode& pattern = trie_[node];
  bitext_ = &snapshot_->bitext_of(place);
  const AlignedSentence sentence = sentences_.get(place);
  const uint64_t base = match_position(match) - sentence.source.begin;
  phrase_count_ = pattern.phrase_count;
  bool any_aligned = false;
  inside_ = {};
  for (uint32_t phrase = 0; phrase < phrase_count_; ++phrase) {
    phrase_begins_[phrase] = static_cast<uint32_t>(base + match_offset(match, phrase));
    phrase_ends_[phrase] = phrase_begins_[phrase] + trie_.phrase_length(node, phrase);
    if (phrase_ends_[phrase] > sentence.source.size() ||
        (phrase > 0 && phrase_begins_[phrase] <= phrase_ends_[phrase - 1]))
      bitext_->fail("suffixes", "and the texts do not fit together");
    const Projection projection = sentence.project(phrase_begins_[phrase], phrase_ends_[phrase]);
    any_aligned = any_aligned || !projection.empty();
    inside_.include(projection);
  }
  if (!any_aligned) return;
  begin_ = phrase_begins_[0];
  end_ = phrase_ends_[phrase_count_ - 1];
  inner_gaps_.clear();
  for (uint32_t phrase = 1; phrase < phrase_count_; ++phrase) {
    Gap gap{phrase_ends_[phrase - 1], phrase_begins_[phrase], {}};
    gap.target = sentence.project(gap.begin, gap.end);
    if (!gap_fits(sentence, gap)) return;
    inside_.include(gap.target);
    inner_gaps_.push_back(gap);
  }

  const auto wants = [&](Variant variant) { return (pattern.variants >> variant & 1) != 0; };
  if (wants(plain)) yield(sentence, number, plain, nullptr, nullptr);
  if (!wants(gap_left) && !wants(gap_right)) return;
  // A span wider than the limit stays so with a gap added.
  left_gaps_.clear();
  right_gaps_.clear();
  if (wants(gap_left)) find_left_gaps(sentence, begin_, end_);
  if (wants(gap_right)) find_right_gaps(sentence, begin_, end_);
  for (const Gap& left : left_gaps_) yield(sentence, number, gap_left, &left, nullptr);
  for (const Gap& right : right_gaps_) yield(sentence, number, gap_right, nullptr, &right);
  if (!wants(gap_both)) return;
  for (const Gap& left : left_gaps_)
    for (const Gap& right : right_gaps_) {
      if (right.end - left.begin > options_.max_rule_span) break;
      yield(sentence, number, gap_both, &left, &right);
    }
}

void RuleExtractor::find_left_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end) {
  if (begin == 0 || (options_.tight && !sentence.aligned(begin - 1))) return;
  Gap gap{begin, begin, {}};
  while (gap.begin > 0 && end - (gap.begin - 1) <= options_.max_rule_span) {
    gap.target.include(sentence.project(--gap.begin));
    // The target side only grows from here.
    if (!gap.target.empty() && gap.target.size() > options_.max_rule_span) return;
    if (begin - gap.begin >= options_.min_gap_size && gap_fits(sentence, gap)) left_gaps_.push_back(gap);
  }
}

void RuleExtractor::find_right_gaps(const AlignedSentence& sentence, uint32_t begin, uint32_t end) {
  if (end == sentence.source.size() || (options_.tight && !sentence.aligned(end))) return;
  Gap gap{end, end, {}};
  while (gap.end < sentence.source.size() && gap.end + 1 - begin <= options_.max_rule_span) {
    gap.target.include(sentence.project(gap.end++));
    if (!gap.target.empty() && gap.target.size() > options_.max_rule_span) return;
    if (gap.end - end >= options_.min_gap_size && gap_fits(sentence, gap)) right_gaps_.push_back(gap);
  }
}

void RuleExtractor::yield(const AlignedSentence& sentence, uint32_t number, Variant variant, const Gap* left,
                          const Gap* right) {
  const uint32_t begin = left ? left->begin : begin_, end = right ? right->end : end_;
  Projection whole = inside_;
  if (left) whole.include(left->target);
  if (right) whole.include(right->target);
  const uint32_t width = options_.max_target_span(end - begin);
  if (whole.size() > width || !sentence.consistent(begin, end, whole)) return;
  const bool contiguous = phrase_count_ == 1 && !left && !right;
  const bool tight = options_.tight && !(options_.loose_phrases && contiguous);
  if (tight && !(sentence.aligned(begin) && sentence.aligned(end - 1))) return;
  gaps_.clear();
  if (left) gaps_.push_back(*left);
  gaps_.insert(gaps_.end(), inner_gaps_.begin(), inner_gaps_.end());
  if (right) gaps_.push_back(*right);
  if (tight)
    emit(sentence, number, variant, whole);
  else
    emit_loose(sentence, number, variant, whole, width, 0);
}

// Loose: the target side of every gap, then of the whole, may take in unlinked words at its edges.
void RuleExtractor::emit_loose(const AlignedSentence& sentence, uint32_t number, Variant variant,
                               const Projection& whole, uint32_t width, size_t gap) {
  const bool last = gap == gaps_.size();
  const Projection least = last ? whole : gaps_[gap].target;
  const uint32_t most = last ? width : options_.max_rule_span;
  const auto length = static_cast<uint32_t>(sentence.target.size());
  for (uint32_t begin = least.begin;; --begin) {
    for (uint32_t end = least.end; end - begin <= most; ++end) {
      const Projection wider{begin, end};
      if (last) {
        const bool covers = std::all_of(gaps_.begin(), gaps_.end(), [&](const Gap& other) {
          return other.target.begin >= begin && other.target.end <= end;
        });
        if (covers) emit(sentence, number, variant, wider);
      } else {
        const bool disjoint = std::all_of(gaps_.begin(), gaps_.begin() + static_cast<ptrdiff_t>(gap),
                                          [&](const Gap& g) { return g.target.end <= begin || g.target.begin >= end; });
        if (disjoint) {
          gaps_[gap].target = wider;
          emit_loose(sentence, number, variant, whole, width, gap + 1);
          gaps_[gap].target = least;
        }
      }
      if (end == length || sentence.target_aligned(end)) break;
    }
    if (begin == 0 || sentence.target_aligned(begin - 1) || least.end - (begin - 1) > most) break;
  }
}

void RuleExtractor::emit(const AlignedSentence& sentence, uint32_t number, Variant variant, const Projection& whole) {
  target_.clear();
  symbol_at_.resize(whole.size());
  for (uint32_t at = whole.begin; at < whole.end;) {
    uint32_t gap = 0;
    while (gap < gaps_.size() && gaps_[gap].target.begin != at) ++gap;
    if (gap < gaps_.size()) {
      target_.push_back(gap);
      at = gaps_[gap].target.end;
    } else {
      symbol_at_[at - whole.begin] = static_cast<uint32_t>(target_.size());
      target_.push_back(bitext_->target(sentence.target.begin + at));
      ++at;
    }
  }
  if (wanted_) {
    if (!wanted_->place && wanted_->variant == variant && std::ranges::equal(wanted_->target, target_))
      wanted_->place = {variant & gap_left ? gaps_.front().begin : begin_,
                        variant & gap_right ? gaps_.back().end : end_, whole, gaps_};
    return;
  }
  links_.clear();
  uint32_t symbol = variant & gap_left ? 1 : 0;
  for (uint32_t phrase = 0; phrase < phrase_count_; ++phrase, ++symbol)
    for (uint32_t word = phrase_begins_[phrase]; word < phrase_ends_[phrase]; ++word, ++symbol)
      for (uint32_t link = sentence.source_links[word]; link < sentence.source_links[word + 1]; ++link)
        links_.push_back(symbol_link(symbol, symbol_at_[sentence.targets[link] - whole.begin]));
  collector_.add(number, weight_, variant, target_, links_);
}

}  // namespace dragoman
