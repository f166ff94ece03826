#include "rules/packed_rules.h"

#include <algorithm>

#include "rules/rule_code.h"

namespace dragoman::rules {
namespace {

// A pattern without gaps has matches whose low 16 bits are 0.
uint32_t match_shift(std::span<const WordId> symbols) { return std::ranges::count(symbols, WordId{0}) == 0 ? 16 : 0; }

}  // namespace

const uint8_t* PackedRules::behind_symbols(const uint8_t* entry, std::span<const WordId> symbols) {
  if (take_varint(entry) != symbols.size()) return nullptr;
  for (WordId symbol : symbols)
    if (take_varint(entry) != symbol) return nullptr;
  return entry;
}

void PackedRules::pack(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                       const NodeRules& rules) {
  bytes_.clear();
  append_varint(bytes_, symbols.size());
  for (WordId symbol : symbols) append_varint(bytes_, symbol);
  bytes_.push_back(variants);
  const uint32_t shift = match_shift(symbols);
  append_varint(bytes_, sample.size());
  // A sample of several segments does not rise throughout; differences then wrap around, and back when they are added.
  Match last = 0;
  for (Match match : sample) {
    append_varint(bytes_, (match - last) >> shift);
    last = match;
  }
  append_varint(bytes_, rules.samples());
  for (uint32_t v = 0; v < variant_count; ++v) {
    const auto variant = static_cast<Variant>(v);
    append_varint(bytes_, rules.mass(variant));
    append_varint(bytes_, rules.rules(variant).size());
  }
  for (uint32_t v = 0; v < variant_count; ++v) {
    const auto variant = static_cast<Variant>(v);
    for (size_t i = 0; i < rules.rules(variant).size(); ++i) {
      const Rule& rule = rules.rules(variant)[i];
      const RuleEvidence evidence = rules.evidence(variant, i);
      append_symbols(bytes_, rule.target);
      append_links(bytes_, rule.links);
      append_varint(bytes_, evidence.count);
      append_float(bytes_, rule.features[lexical_source_given_target].value);
      append_float(bytes_, rule.features[lexical_target_given_source].value);
      append_varint(bytes_, evidence.matches.size());
      uint32_t before = 0;
      for (uint32_t match : evidence.matches) {
        append_varint(bytes_, match - before);
        before = match;
      }
      append_varint(bytes_, evidence.orientations.size());
      for (uint32_t count : evidence.orientations) append_varint(bytes_, count);
    }
  }
}

void PackedRules::unpack_sample(std::span<const WordId> symbols, std::vector<Match>& out) const {
  const uint8_t* at = bytes_.data() + 1;  // after the variants
  const uint32_t shift = match_shift(symbols);
  out.resize(take_count(at));
  Match last = 0;
  for (Match& match : out) match = last += take_varint(at) << shift;
}

void PackedRules::unpack_rules(uint8_t variants, NodeRules& out) {
  const uint8_t* at = bytes_.data() + 1;
  for (uint32_t count = take_count(at); count > 0; --count) take_varint(at);  // the sample
  const uint32_t samples = take_count(at);
  uint32_t mass[variant_count], counts[variant_count];
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    mass[variant] = take_count(at);
    counts[variant] = take_count(at);
    if ((variants >> variant & 1) == 0) mass[variant] = 0;
  }
  out.set_counts(samples, mass);
  for (uint32_t variant = 0; variant < variant_count; ++variant)
    for (uint32_t i = 0; i < counts[variant]; ++i) {
      take_symbols(at, target_);
      take_links(at, links_);
      const uint32_t count = take_count(at);
      const float source_given_target = take_float(at), target_given_source = take_float(at);
      matches_.resize(take_count(at));
      uint32_t last = 0;
      for (uint32_t& match : matches_) match = last += take_count(at);
      orientations_.resize(take_count(at));
      for (uint32_t& seen : orientations_) seen = take_count(at);
      if ((variants >> variant & 1) != 0)
        out.add(static_cast<Variant>(variant), target_, links_, {count, matches_, orientations_}, source_given_target,
                target_given_source);
    }
}

}  // namespace dragoman::rules
