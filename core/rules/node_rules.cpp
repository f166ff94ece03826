#include "rules/node_rules.h"

#include <cmath>

namespace dragoman::rules {
namespace {

float log10_of(double value) { return static_cast<float>(std::log10(value)); }

}  // namespace

void NodeRules::begin(uint32_t node, std::span<const WordId> pattern) {
  node_ = node;
  for (uint32_t first_gap : {0u, 1u}) {
    std::vector<Symbol>& source = sources_[first_gap];
    uint32_t gap = first_gap;
    source.assign(first_gap, gap_symbol(0));
    for (WordId word : pattern) source.push_back(word == 0 ? gap_symbol(gap++) : word_symbol(word));
    source.push_back(gap_symbol(gap));
  }
}

std::span<const Symbol> NodeRules::source(Variant variant) const {
  const std::vector<Symbol>& with_gap = sources_[variant & gap_left ? 1 : 0];
  return std::span(with_gap).first(with_gap.size() - (variant & gap_right ? 0 : 1));
}

void NodeRules::set_counts(uint32_t samples, std::span<const uint32_t, variant_count> mass) {
  samples_ = samples;
  std::copy(mass.begin(), mass.end(), mass_);
  std::fill(std::begin(begins_), std::end(begins_), 0);
  batch_.clear();
  evidence_.clear();
  matches_.clear();
  orientations_.clear();
  for (size_t i = 0; i < extracted_feature_count; ++i) features_[i] = {ids_[i], 0};
  features_[sample_count].value = log10_of(1.0 + samples_);
}

void NodeRules::add(Variant variant, std::span<const Symbol> target, std::span<const Link> links,
                    const RuleEvidence& evidence, float source_given_target, float target_given_source) {
  const size_t index = batch_.rules().size() - begins_[variant];
  if (index == 0) batch_.begin_side(source(variant));
  if (evidence_.empty() || evidence_.back().count != evidence.count) {
    features_[target_given_source_coherent].value = log10_of(static_cast<double>(samples_) / evidence.count);
    features_[pair_count].value = log10_of(1.0 + evidence.count);
    features_[pair_singleton].value = evidence.count == 1 ? 1 : 0;
  }
  features_[lexical_source_given_target].value = source_given_target;
  features_[lexical_target_given_source].value = target_given_source;
  features_[source_singleton].value = mass_[variant] == 1 ? 1 : 0;
  batch_.add(target, links, features_, NodeReference{node_, variant, static_cast<uint32_t>(index)}.packed());
  evidence_.push_back({evidence.count, static_cast<uint32_t>(evidence.matches.size()), matches_.size()});
  matches_.insert(matches_.end(), evidence.matches.begin(), evidence.matches.end());
  orientations_.insert(orientations_.end(), evidence.orientations.begin(), evidence.orientations.end());
  std::fill(std::begin(begins_) + variant + 1, std::end(begins_), batch_.rules().size());
}

}  // namespace dragoman::rules
