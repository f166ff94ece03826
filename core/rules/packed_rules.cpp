#include "rules/packed_rules.h"

#include "rules/packed_sample.h"
#include "rules/rule_code.h"

namespace dragoman::rules {

void PackedRules::pack(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                       const NodeRules& rules) {
  bytes_.clear();
  bytes_.push_back(variants);
  append_sample(bytes_, symbols, sample);
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
  take_sample(at, symbols, out);
}

void PackedRules::unpack_rules(uint8_t variants, NodeRules& out) {
  const uint8_t* at = bytes_.data() + 1;
  skip_sample(at);
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
