#include "index/lexicon.h"

#include <algorithm>

namespace dragoman::index {
namespace {

struct LexiconMeta {
  uint64_t sources;
  uint64_t targets;
  uint64_t pairs;
  uint64_t large;
  uint32_t count_width;
  uint32_t large_width;
  uint32_t total_width;
  uint32_t reserved;
};

// The width that makes counts and the list of large ones smallest together.
uint32_t best_width(const std::vector<uint64_t>& of_width, uint64_t pairs, uint32_t large_bits) {
  uint64_t best_bits = UINT64_MAX;
  uint32_t best = 1;
  uint64_t larger = pairs;
  for (uint32_t width = 1; width < of_width.size(); ++width) {
    larger -= of_width[width];
    const uint64_t bits = pairs * width + larger * large_bits;
    if (bits < best_bits) {
      best_bits = bits;
      best = width;
    }
  }
  return best;
}

}  // namespace

Lexicon::Lexicon(const Container& container) : container_(container) {
  const auto meta = container.record<LexiconMeta>("meta");
  if (meta.sources > UINT32_MAX || meta.targets > UINT32_MAX || meta.pairs >> 40 || meta.large > meta.pairs)
    container.fail("meta", "has sizes that cannot be");
  rows_ = PackedArray(container, "rows", meta.sources + 1, bits_for(meta.pairs));
  targets_ = PackedArray(container, "targets", meta.pairs, bits_for(meta.targets));
  counts_ = PackedArray(container, "counts", meta.pairs, meta.count_width);
  large_pairs_ = PackedArray(container, "large.pairs", meta.large, bits_for(meta.pairs));
  large_counts_ = PackedArray(container, "large.counts", meta.large, meta.large_width);
  source_totals_ = PackedArray(container, "source.totals", meta.sources, meta.total_width);
  target_totals_ = PackedArray(container, "target.totals", meta.targets, meta.total_width);
}

uint64_t Lexicon::links(WordId source, WordId target) const {
  if (uint64_t{source} + 1 >= rows_.size()) return 0;
  uint64_t begin = rows_[source], end = rows_[source + 1];
  if (begin > end || end > targets_.size()) container_.fail("rows", "is not in order");
  const uint64_t row_end = end;
  while (begin < end) {
    const uint64_t middle = begin + (end - begin) / 2;
    if (targets_[middle] < target)
      begin = middle + 1;
    else
      end = middle;
  }
  if (begin == row_end || targets_[begin] != target) return 0;
  const uint64_t count = counts_[begin];
  if (count < (uint64_t{1} << counts_.width()) - 1) return count;
  uint64_t low = 0, high = large_pairs_.size();
  while (low < high) {
    const uint64_t middle = low + (high - low) / 2;
    if (large_pairs_[middle] < begin)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == large_pairs_.size() || large_pairs_[low] != begin) container_.fail("large.pairs", "misses a pair");
  return large_counts_[low];
}

void LexiconBuilder::add(std::span<const WordId> source, std::span<const WordId> target, std::span<const Link> links) {
  source_linked_.assign(source.size(), false);
  target_linked_.assign(target.size(), false);
  auto pair = [&](WordId s, WordId t) { links_.push_back(uint64_t{s} << 32 | t); };
  for (const Link& link : links) {
    pair(source[link.source], target[link.target]);
    source_linked_[link.source] = target_linked_[link.target] = true;
  }
  for (size_t i = 0; i < source.size(); ++i)
    if (!source_linked_[i]) pair(source[i], Lexicon::null_word);
  for (size_t i = 0; i < target.size(); ++i)
    if (!target_linked_[i]) pair(Lexicon::null_word, target[i]);
  if (links_.size() >= most_links) count_links();
}

void LexiconBuilder::add(const LexiconBuilder& other) {
  count_links();
  merge(other.pairs_, other.counts_);
  links_.insert(links_.end(), other.links_.begin(), other.links_.end());
}

void LexiconBuilder::count_links() {
  std::sort(links_.begin(), links_.end());
  std::vector<uint64_t> pairs;
  std::vector<uint32_t> counts;
  for (uint64_t link : links_) {
    if (pairs.empty() || pairs.back() != link) {
      pairs.push_back(link);
      counts.push_back(0);
    }
    ++counts.back();
  }
  links_.clear();
  merge(pairs, counts);
}

void LexiconBuilder::merge(std::span<const uint64_t> pairs, std::span<const uint32_t> counts) {
  // Room for new pairs behind the old ones, then from the back, so that nothing is held twice.
  size_t fresh = 0;
  for (size_t i = 0, j = 0; j < pairs.size(); ++j) {
    while (i < pairs_.size() && pairs_[i] < pairs[j]) ++i;
    fresh += i == pairs_.size() || pairs_[i] != pairs[j];
  }
  size_t i = pairs_.size(), to = i + fresh;
  pairs_.resize(to);
  counts_.resize(to);
  for (size_t j = pairs.size(); j-- > 0;) {
    for (; i > 0 && pairs_[i - 1] > pairs[j]; --i) {
      --to;
      pairs_[to] = pairs_[i - 1];
      counts_[to] = counts_[i - 1];
    }
    const uint32_t known = i > 0 && pairs_[i - 1] == pairs[j] ? counts_[--i] : 0;
    --to;
    pairs_[to] = pairs[j];
    counts_[to] = known + counts[j];
  }
}

void LexiconBuilder::add_to(ContainerWriter& writer) {
  count_links();
  std::vector<uint64_t>().swap(links_);
  std::vector<uint64_t> rows{0}, source_totals(source_vocabulary_), target_totals(target_vocabulary_);
  ArrayMemory* const memory = memory_of(pairs_);
  Array<WordId> targets(pairs_.size(), memory);
  Array<uint32_t> counts(std::move(counts_));
  std::vector<uint64_t> of_width(34, 0);
  uint64_t largest_total = 0;
  for (size_t i = 0; i < pairs_.size(); ++i) {
    const auto source = static_cast<WordId>(pairs_[i] >> 32);
    targets[i] = static_cast<WordId>(pairs_[i]);
    while (rows.size() <= source) rows.push_back(i);
    source_totals[source] += counts[i];
    target_totals[targets[i]] += counts[i];
    largest_total += counts[i];
    ++of_width[bits_for(uint64_t{counts[i]} + 1)];
  }
  while (rows.size() <= source_vocabulary_) rows.push_back(pairs_.size());
  Array<uint64_t>(memory).swap(pairs_);

  const uint32_t large_width = bits_for(counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()));
  const uint32_t width = best_width(of_width, counts.size(), bits_for(counts.size()) + large_width);
  const uint64_t escape = (uint64_t{1} << width) - 1;
  std::vector<uint64_t> large_pairs, large_counts;
  for (uint64_t i = 0; i < counts.size(); ++i)
    if (counts[i] >= escape) {
      large_pairs.push_back(i);
      large_counts.push_back(counts[i]);
      counts[i] = static_cast<uint32_t>(escape);
    }
  writer.add_record("meta", LexiconMeta{source_vocabulary_, target_vocabulary_, targets.size(), large_pairs.size(),
                                        width, large_width, bits_for(largest_total), 0});
  packed_.clear();
  packed_.reserve(7);
  auto add = [&](std::string_view name, const auto& values, uint32_t bits) {
    PackedWriter packed(values.size(), bits, memory);
    for (uint64_t i = 0; i < values.size(); ++i) packed.set(i, values[i]);
    packed_.push_back(std::move(packed));
    writer.add(name, packed_.back().bytes());
  };
  add("rows", rows, bits_for(targets.size()));
  add("targets", targets, bits_for(target_vocabulary_));
  add("counts", counts, width);
  add("large.pairs", large_pairs, bits_for(targets.size()));
  add("large.counts", large_counts, large_width);
  add("source.totals", source_totals, bits_for(largest_total));
  add("target.totals", target_totals, bits_for(largest_total));
}

}  // namespace dragoman::index
