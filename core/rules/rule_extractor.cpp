#include "rules/rule_extractor.h"

#include <algorithm>

#include "base/radix_sort.h"

namespace dragoman::rules {
namespace {

constexpr size_t ahead = 8;
// Less than a microsecond each.
constexpr size_t matches_between_checks = 1024;

// How many matches are looked at together: one for so many words of the text, so that several share a sentence, and not
// so many that long inputs take much memory.
constexpr uint64_t words_a_match = 32, least_matches = 1 << 14, most_matches = 1 << 17;

// Where the position is in a match.
constexpr uint32_t position_shift = 16;

}  // namespace

RuleExtractor::RuleExtractor(std::shared_ptr<Workspace> workspace, const ExtractOptions& options)
    : workspace_(std::move(workspace)),
      snapshot_(workspace_->snapshot()),
      options_(options),
      matcher_(*workspace_, options),
      match_rules_(options),
      lone_word_(options),
      scores_(snapshot_),
      collector_(options.orientations),
      cache_(workspace_->cache(options)),
      base_(workspace_->base_cache(options)),
      packed_yields_(options.orientations) {}

void RuleExtractor::start(std::span<const WordId> input, std::optional<uint64_t> leave_out, Interrupt* interrupt) {
  interrupt_ = interrupt;
  const auto place = leave_out ? snapshot_.find(*leave_out) : std::nullopt;
  if (place) {
    const AlignedSentence left_out = reader_.read(snapshot_.bitext_of(*place), Snapshot::number_of(*place));
    scores_.leave_out(snapshot_.bitext_of(*place), &left_out, snapshot_.weight_of(*place));
  } else {
    scores_.leave_out(snapshot_.bitext(0), nullptr, 1);
  }
  caching_ = cache_->enabled() && !place;
  PatternMatcher::Caches caches;
  if (caching_) caches = {cache_.get(), base_.get()};
  matcher_.match(input, place, trie_, caches, interrupt);
  scanned_.assign(trie_.size(), 0);
  next_ = 0;
}

MatchOrigin RuleExtractor::origin(uint32_t node, uint32_t number) const {
  const Match match = trie_.sample(node)[number];
  const SentencePlace place = snapshot_.place(match);
  const uint64_t begin =
      match_position(match) - snapshot_.bitext_of(place).source_range(Snapshot::number_of(place)).begin;
  MatchOrigin origin{snapshot_.stable_id(place), snapshot_.weight_of(place), {}};
  for (uint32_t phrase = 0; phrase < trie_[node].phrase_count; ++phrase)
    origin.begins[phrase] = static_cast<uint32_t>(begin + match_offset(match, phrase));
  return origin;
}

bool RuleExtractor::kept(uint32_t node) {
  return caching_ && matcher_.worth_keeping(node) && cache_->has_rules(trie_.symbols(node), trie_[node].variants);
}

// Into the order of the text, those of one place in that of their nodes and samples.
void RuleExtractor::sort_matches() {
  radix_sort(looked_, sorted_, [](const Looked& looked) { return looked.match; }, position_shift);
}

// Looks at the matches of nodes from `first` on, until `end` or until they are many. The first is looked at in any
// case: its rules were not in the cache, and if another thread keeps them just now, they are not ours yet.
void RuleExtractor::scan(uint32_t first, uint32_t end) {
  std::fill(scanned_.begin(), scanned_.end(), 0);
  const size_t most = std::clamp(snapshot_.bitext(0).source_size() / words_a_match, least_matches, most_matches);
  looked_.clear();
  unknown_bases_.clear();
  yields_.start(first, end);
  uint32_t node = first;
  for (; node < end && (node == first || looked_.size() + trie_.sample(node).size() <= most); ++node) {
    if (trie_[node].dead || trie_.sample(node).empty() || (node != first && kept(node))) continue;
    scanned_[node] = 1;
    look_at(node);
  }
  sort_matches();
  const IndexedBitext* bitext = nullptr;
  AlignedSentence sentence{};
  for (size_t i = 0; i < looked_.size(); ++i) {
    if (i % matches_between_checks == 0) check(interrupt_);
    const Looked& looked = looked_[i];
    trie_.fetch(looked_[std::min(i + ahead, looked_.size() - 1)].node);
    const uint64_t position = match_position(looked.match);
    const IndexedBitext* of = &snapshot_.bitext(match_segment(looked.match));
    if (of != bitext || !sentence.source.contains(position)) {
      bitext = of;
      sentence = reader_.read(*bitext, bitext->sentence_of(position));
    }
    match_rules_.find(trie_, looked.node, looked.number, looked.match, *bitext, sentence, yields_);
  }
  // The sample of one segment is in the order of the text.
  yields_.finish(snapshot_.segments() > 1);
  keep_base();
}

// Of matches in the first segment, what they give may be known.
void RuleExtractor::look_at(uint32_t node) {
  const auto sample = trie_.sample(node);
  bool base_is_known = false;
  if (caching_ && base_ && !matcher_.base_sample(node).empty() && matcher_.worth_keeping(node)) {
    find_base_numbers(node);
    base_is_known =
        base_->yields(trie_.symbols(node), trie_[node].variants, base_numbers_, node, yields_, packed_yields_);
    if (!base_is_known) unknown_bases_.push_back(node);
  }
  for (uint32_t number = 0; number < sample.size(); ++number)
    if (!base_is_known || match_segment(sample[number]) > 0) looked_.push_back({sample[number], node, number});
}

void RuleExtractor::find_base_numbers(uint32_t node) {
  base_numbers_.clear();
  const auto sample = trie_.sample(node);
  for (uint32_t number = 0; number < sample.size(); ++number)
    if (match_segment(sample[number]) == 0) base_numbers_.push_back(number);
}

void RuleExtractor::keep_base() {
  for (uint32_t node : unknown_bases_) {
    find_base_numbers(node);
    base_->keep(trie_.symbols(node), matcher_.base_sample(node), trie_[node].variants, base_numbers_, node, yields_,
                packed_yields_);
  }
}

void RuleExtractor::extract(uint32_t node, NodeRules& out) {
  const bool keep = caching_ && matcher_.worth_keeping(node);
  const std::vector<WordId> words = trie_.symbols(node);
  out.begin(node, words);
  if (keep && cache_->rules(words, trie_[node].variants, out, packed_)) return;
  // Nodes are asked for in order, as a rule; for one that is not, the others would be a waste.
  if (!scanned_[node]) scan(node, node >= next_ ? trie_.size() : node + 1);
  next_ = node + 1;
  const auto sample = trie_.sample(node);
  uint32_t samples = 0;
  for (Match match : sample) samples += weight_of(match);
  collector_.start();
  for (size_t i = 0; i < yields_.count(node); ++i) {
    yields_.fetch(node, i, ahead);
    const Yield yield = yields_.get(node, i);
    collector_.add(yield, weight_of(sample[yield.match]));
  }
  if (found_no_phrase(node)) collect_lone(node);
  terminals_.clear();
  for (WordId word : words)
    if (word != 0) terminals_.push_back(word);
  collector_.finish(samples, terminals_, scores_, out);
  if (keep) cache_->keep(words, sample, trie_[node].variants, out, packed_);
}

std::optional<RulePlace> RuleExtractor::place(uint32_t node, uint32_t number, Variant variant,
                                              std::span<const Symbol> target) {
  const Match match = trie_.sample(node)[number];
  const SentencePlace place = snapshot_.place(match);
  const IndexedBitext& bitext = snapshot_.bitext_of(place);
  const AlignedSentence sentence = reader_.read(bitext, Snapshot::number_of(place));
  const auto phrase = match_rules_.place(trie_, node, match, bitext, sentence, variant, target);
  if (phrase || !options_.lone_words || variant != plain || trie_[node].symbols != 1) return phrase;
  return lone_word_.place(bitext, sentence, static_cast<uint32_t>(match_position(match) - sentence.source.begin),
                          target);
}

bool RuleExtractor::is_lone(uint32_t node, uint32_t number, std::span<const Symbol> target) {
  if (!options_.lone_words || trie_[node].symbols != 1) return false;
  const Match match = trie_.sample(node)[number];
  const SentencePlace place = snapshot_.place(match);
  const IndexedBitext& bitext = snapshot_.bitext_of(place);
  const AlignedSentence sentence = reader_.read(bitext, Snapshot::number_of(place));
  return !match_rules_.place(trie_, node, match, bitext, sentence, plain, target);
}

bool RuleExtractor::found_no_phrase(uint32_t node) const {
  if (!options_.lone_words || trie_[node].symbols != 1) return false;
  for (size_t i = 0; i < yields_.count(node); ++i)
    if (yields_.get(node, i).variant == plain) return false;
  return true;
}

void RuleExtractor::collect_lone(uint32_t node) {
  const auto sample = trie_.sample(node);
  for (uint32_t number = 0; number < sample.size(); ++number) {
    const SentencePlace place = snapshot_.place(sample[number]);
    const IndexedBitext& bitext = snapshot_.bitext_of(place);
    const AlignedSentence sentence = reader_.read(bitext, Snapshot::number_of(place));
    const auto word = static_cast<uint32_t>(match_position(sample[number]) - sentence.source.begin);
    const auto yield = lone_word_.find(bitext, sentence, word, number);
    if (yield) collector_.add(*yield, weight_of(sample[number]));
  }
}

}  // namespace dragoman::rules
