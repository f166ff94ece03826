// One look-up per level: find the children of a node (a zero in the unary bits, then the run of ones after it), find
// the label among them, read the record. Nothing here trusts the file beyond the sizes that were checked on opening:
// every index is clamped and so is every value, so damaged bytes give wrong scores and nothing worse.
#include "lm/kernels.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/finite.h"

namespace dragoman::lm::DRAGOMAN_KERNELS {
namespace {

#include "lm/parents_kernels.inc"

// The last of `size` > 0 rising labels that is not above this one, or the first.
template <class LabelAt>
inline uint32_t last_not_above(uint32_t low, uint32_t size, uint32_t label, LabelAt&& label_at) {
  while (size > 1) {
    const uint32_t half = size / 2;
    low += label_at(low + half) <= label ? half : 0;
    size -= half;
  }
  return low;
}

inline uint32_t label_at(const PartView& part, uint32_t index) {
  return static_cast<uint32_t>(read_bits(part.records, uint64_t{index} * part.record_bits, part.label_bits));
}

// The few records among those of a range that is not empty where this label must be, if it is there. Labels rise and
// differ, so the place of a label is at most its value.
inline Range narrow(const PartView& part, Range range, uint32_t label) {
  if (label < range.end - range.begin) range.end = range.begin + label + 1;
  const uint32_t first_top = (range.begin + (1u << PartView::top_shift) - 1) >> PartView::top_shift;
  const uint32_t tops_end = ((range.end - 1) >> PartView::top_shift) + 1;
  if (first_top >= tops_end) return range;
  auto top_at = [&](uint32_t i) {
    return static_cast<uint32_t>(read_bits(part.tops, uint64_t{i} * part.label_bits, part.label_bits));
  };
  const uint32_t top = last_not_above(first_top, tops_end - first_top, label, top_at);
  if (top_at(top) > label) return {range.begin, first_top << PartView::top_shift};
  const uint32_t begin = top << PartView::top_shift;
  return {begin, std::min(range.end, begin + (1u << PartView::top_shift))};
}

// The record with this label, or false.
inline bool search(const PartView& part, Range range, uint32_t label, uint32_t& index) {
  if (range.empty()) return false;
  index = last_not_above(range.begin, range.end - range.begin, label, [&](uint32_t i) { return label_at(part, i); });
  return label_at(part, index) == label;
}

struct Values {
  float log10_prob;
  float log10_backoff;
};

inline float value(const float* table, const uint8_t* records, uint64_t bit, uint32_t width) {
  const auto code = static_cast<uint32_t>(read_bits(records, bit, width));
  return finite(width == float_bits ? std::bit_cast<float>(code) : table[code]);
}

inline Values values(const UnigramRecord& unigram) {
  return {finite(unigram.log10_prob), finite(unigram.log10_backoff)};
}

Values values(const LevelView& level, const PartView& part, uint32_t index) {
  const uint64_t bit = uint64_t{index} * part.record_bits + part.label_bits;
  Values record{value(level.probs, part.records, bit, level.prob_bits), no_extension};
  if (level.backoff_bits > 0)
    record.log10_backoff = value(level.backoffs, part.records, bit + level.prob_bits, level.backoff_bits);
  return record;
}

// Children that the parent's record points to.
inline Range pointed_children(const LevelView& above, uint32_t parent, uint32_t count) {
  const PartView& part = above.parts[0];
  if (parent >= part.count) return {0, 0};
  const uint64_t bit = uint64_t{parent + 1} * part.record_bits - above.child_bits;
  return {std::min(static_cast<uint32_t>(read_bits(part.records, bit, above.child_bits)), count),
          std::min(static_cast<uint32_t>(read_bits(part.records, bit + part.record_bits, above.child_bits)), count)};
}

// The part of a level where a label belongs; none if no label is that long.
inline const PartView* part_for(const LevelView& level, uint32_t label) {
  const auto bits = static_cast<uint32_t>(std::bit_width(label));
  for (uint32_t number = 0; number < level.part_count; ++number)
    if (level.parts[number].label_bits >= bits) return &level.parts[number];
  return nullptr;
}

// The children of a node at level k - 1 that are in this part of level k.
inline Range children_in(const ModelView& model, uint32_t k, const PartView& part, uint32_t parent) {
  if (k == 1)
    return {std::min(model.unigrams[parent].first_child, part.count),
            std::min(model.unigrams[parent + 1].first_child, part.count)};
  const LevelView& above = model.levels[k - 1];
  return above.child_bits > 0 ? pointed_children(above, parent, part.count) : children(part, parent);
}

struct Child {
  uint32_t node;
  uint32_t place;  // among its siblings
  Values values;
};

inline Child child_at(const ModelView& model, uint32_t k, const PartView& part, uint32_t parent, Range siblings,
                      uint32_t index) {
  const LevelView& level = model.levels[k];
  Child child{part.first_node + index, index - siblings.begin, values(level, part, index)};
  // Siblings with shorter labels come first. Nobody asks at the highest order.
  if (level.backoff_bits > 0)
    for (const PartView* earlier = level.parts.data(); earlier != &part; ++earlier) {
      const Range shorter = children(*earlier, parent);
      child.place += shorter.end - shorter.begin;
    }
  return child;
}

// The child of a node of level k - 1 with this label.
inline bool descend(const ModelView& model, uint32_t k, uint32_t parent, uint32_t label, Child& child) {
  const PartView* part = part_for(model.levels[k], label);
  if (part == nullptr) return false;
  const Range siblings = children_in(model, k, *part, parent);
  uint32_t index;
  if (siblings.empty() || !search(*part, narrow(*part, siblings, label), label, index)) return false;
  child = child_at(model, k, *part, parent, siblings, index);
  return true;
}

// Drops the contexts that nothing continues, and clears what is beyond.
inline void finish_state(const ModelView& model, State& out, uint32_t length) {
  while (length > 0 &&
         std::bit_cast<uint32_t>(out.steps[length - 1].log10_backoff) == std::bit_cast<uint32_t>(no_extension))
    --length;
  out.length = length;
  for (uint32_t i = length; i + 1 < model.order; ++i) out.steps[i] = {0, 0};
}

WordScore score(const ModelView& model, const State& in, WordId word, State& out) {
  if (word >= model.vocabulary_size) word = unknown_word;
  const Values unigram = values(model.unigrams[word]);
  WordScore result{unigram.log10_prob, 1, word};
  uint32_t length = 0;  // of the context that follows
  if (model.order > 1) out.steps[length++] = {word, unigram.log10_backoff};
  const uint32_t known = std::min(in.length, model.order - 1);
  for (uint32_t k = 1; k <= known; ++k) {
    Child child;
    if (!descend(model, k, result.node, in.steps[k - 1].label, child)) break;
    result = {child.values.log10_prob, k + 1, child.node};
    if (k + 1 < model.order) out.steps[length++] = {child.place, child.values.log10_backoff};
  }
  for (uint32_t k = result.ngram_length; k <= known; ++k) result.log10_prob += in.steps[k - 1].log10_backoff;
  finish_state(model, out, length);
  return result;
}

// Probability of a node at the level of this many words.
float prob_of(const ModelView& model, uint32_t node, uint32_t length) {
  if (length == 1) return values(model.unigrams[std::min(node, model.vocabulary_size - 1)]).log10_prob;
  const LevelView& level = model.levels[length - 1];
  uint32_t number = 0;
  while (number + 1 < level.part_count && node >= level.parts[number + 1].first_node) ++number;
  const PartView& part = level.parts[number];
  const uint32_t index = node - part.first_node;
  return index < part.count ? values(level, part, index).log10_prob : 0;
}

float extend_left(const ModelView& model, uint32_t node, uint32_t length, const State& context, State& out,
                  WordScore& word_score) {
  if (length == 1) node = std::min(node, model.vocabulary_size - 1);
  const float before = prob_of(model, node, length);
  word_score = {before, length, node};
  uint32_t steps = length;
  const uint32_t known = std::min(context.length, model.order - 1);
  for (uint32_t k = length; k <= known; ++k) {
    Child child;
    if (!descend(model, k, word_score.node, context.steps[k - 1].label, child)) break;
    word_score = {child.values.log10_prob, k + 1, child.node};
    if (k + 1 < model.order) out.steps[steps++] = {child.place, child.values.log10_backoff};
  }
  for (uint32_t k = word_score.ngram_length; k <= known; ++k)
    word_score.log10_prob += context.steps[k - 1].log10_backoff;
  while (steps > length &&
         std::bit_cast<uint32_t>(out.steps[steps - 1].log10_backoff) == std::bit_cast<uint32_t>(no_extension))
    --steps;
  out.length = steps;
  for (uint32_t i = steps; i + 1 < model.order; ++i) out.steps[i] = {0, 0};
  return word_score.log10_prob - before;
}

bool extends_left(const ModelView& model, uint32_t node, uint32_t length) {
  if (length >= model.order) return false;
  if (length == 1) node = std::min(node, model.vocabulary_size - 1);
  const LevelView& level = model.levels[length];
  for (uint32_t number = 0; number < level.part_count; ++number)
    if (!children_in(model, length, level.parts[number], node).empty()) return true;
  return false;
}

}  // namespace

extern const lm::LmKernels lm_table;
const lm::LmKernels lm_table{score, extend_left, extends_left};

}  // namespace dragoman::lm::DRAGOMAN_KERNELS
