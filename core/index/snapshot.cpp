#include "index/snapshot.h"

#include <algorithm>

#include "index/suffix_search.h"

namespace dragoman::index {

Snapshot::Snapshot(std::shared_ptr<const Index> index)
    : index_(std::move(index)), source_words_(index_->source_words), target_words_(index_->target_words) {
  parts_.push_back({&index_->bitext, nullptr, nullptr});
  const uint64_t corrections = index_->bitext.corrections();
  if (corrections > 0) ordinary_from_ = index_->bitext.source_range(corrections - 1).end;
}

uint64_t Snapshot::pairs() const {
  uint64_t count = 0;
  for (const Part& part : parts_) count += part.bitext->sentences();
  return count - removed();
}

uint64_t Snapshot::removed() const {
  uint64_t count = 0;
  for (const Part& part : parts_)
    if (part.tombstones) count += part.tombstones->sentences().size();
  return count;
}

uint64_t Snapshot::bytes() const {
  uint64_t total = compacted_ ? compacted_->bytes() : 0;
  if (heavier_) total += heavier_->bytes();
  for (const Part& part : parts_) {
    if (part.segment)
      total += part.bitext->container().file_size() + part.segment->links.bytes() + part.segment->ngrams.bytes();
    if (part.tombstones) total += part.tombstones->links().bytes() + part.tombstones->ngrams().bytes();
  }
  return total;
}

uint64_t Snapshot::corrections() const {
  uint64_t count = index_->bitext.corrections();
  if (const Tombstones* removed = parts_[0].tombstones.get())
    for (uint64_t sentence : removed->sentences()) count -= sentence < index_->bitext.corrections();
  for (const Part& part : std::span(parts_).subspan(1))
    count += part.bitext->sentences() - (part.tombstones ? part.tombstones->sentences().size() : 0);
  return count;
}

bool Snapshot::has_source_phrase(std::span<const WordId> words) const {
  std::vector<Match> sample;
  for (uint32_t segment = 0; segment < segments(); ++segment) {
    TextSpan ranks{0, bitext(segment).source_tokens()};
    for (uint32_t depth = 0; depth < words.size() && !ranks.empty(); ++depth)
      ranks = narrow(bitext(segment), ranks, depth, words[depth]);
    sample_ranks(bitext(segment), ranks, excluded(segment), 1, sample);
    if (!sample.empty()) return true;
  }
  return false;
}

std::optional<SentencePlace> Snapshot::find(uint64_t stable_id) const {
  for (uint32_t segment = segments(); segment-- > 0;)
    if (const auto number = bitext(segment).find_sentence(stable_id))
      if (!parts_[segment].removed(*number)) return place_of(segment, *number);
  return std::nullopt;
}

bool Snapshot::is_learned(WordId target) const { return target_words_.learned(target) && is_linked(target); }

uint32_t Snapshot::memory_weight(SentencePlace place) const {
  const MemoryId own = memory(place);
  // Text that nobody taught belongs to no memory.
  if (own == unnamed_memory && !is_correction(place)) return 1;
  return own < memory_weights_.size() ? memory_weights_[own] : 0;
}

Snapshot::Order Snapshot::order(Match match) const {
  return {comes_later(match), sample_order(index_->bitext.seed(), stable_id(place(match)))};
}

// Most matches of a sample are ordinary text, for which their place is enough where corrections weigh more.
bool Snapshot::is_before(Match match, const Order& other) const {
  const bool later = comes_later(match);
  return later != other.later ? other.later : order(match) < other;
}

void Snapshot::merge_samples(std::span<const Match> sample, std::span<const Match> more, size_t most,
                             std::vector<Match>& merged) const {
  merged.clear();
  merged.reserve(std::min(most, sample.size() + more.size()));
  size_t at = 0;
  for (Match match : more) {
    if (merged.size() >= most) break;
    // The segments' sentences differ, so no two orders are equal.
    const Order wanted = order(match);
    const auto after = std::partition_point(sample.begin() + static_cast<ptrdiff_t>(at), sample.end(),
                                            [&](Match other) { return is_before(other, wanted); });
    const size_t until = std::min(static_cast<size_t>(after - sample.begin()), at + (most - merged.size()));
    merged.insert(merged.end(), sample.begin() + static_cast<ptrdiff_t>(at),
                  sample.begin() + static_cast<ptrdiff_t>(until));
    at = until;
    if (merged.size() < most) merged.push_back(match);
  }
  const size_t rest = std::min(sample.size() - at, most - merged.size());
  merged.insert(merged.end(), sample.begin() + static_cast<ptrdiff_t>(at),
                sample.begin() + static_cast<ptrdiff_t>(at + rest));
}

void Snapshot::count_trained() {
  if (heavier_) counted_.push_back({heavier_, int64_t{weight_} - 1});
  if (const auto& removed = parts_[0].tombstones) counted_.push_back({{removed, &removed->links()}, -1});
}

void Snapshot::count_added() {
  for (const Part& part : std::span(parts_).subspan(1)) {
    counted_.push_back({{part.segment, &part.segment->links}, int64_t{weight_}});
    if (part.tombstones) counted_.push_back({{part.tombstones, &part.tombstones->links()}, -1});
  }
}

template <class Base, class Counts>
uint64_t Snapshot::total(Base&& base, Counts&& counts) const {
  auto sum = static_cast<int64_t>(base(index_->lexicon));
  for (const Counted& counted : counted_) sum += counted.times * int64_t{counts(*counted.links)};
  return sum > 0 ? static_cast<uint64_t>(sum) : 0;
}

uint64_t Snapshot::links(WordId source, WordId target) const {
  return total([&](const Lexicon& lexicon) { return lexicon.links(source, target); },
               [&](const LinkCounts& counts) { return counts.links(source, target); });
}

uint64_t Snapshot::source_links(WordId source) const {
  return total([&](const Lexicon& lexicon) { return lexicon.source_links(source); },
               [&](const LinkCounts& counts) { return counts.source_links(source); });
}

uint64_t Snapshot::target_links(WordId target) const {
  return total([&](const Lexicon& lexicon) { return lexicon.target_links(target); },
               [&](const LinkCounts& counts) { return counts.target_links(target); });
}

}  // namespace dragoman::index
