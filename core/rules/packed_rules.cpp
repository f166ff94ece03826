#include "rules/packed_rules.h"

#include <algorithm>
#include <cstring>

namespace dragoman::rules {
namespace {

uint32_t take_count(const uint8_t*& at) { return static_cast<uint32_t>(take_varint(at)); }

void put_float(std::vector<uint8_t>& bytes, float value) {
  uint8_t raw[sizeof value];
  std::memcpy(raw, &value, sizeof value);
  bytes.insert(bytes.end(), raw, raw + sizeof value);
}

float take_float(const uint8_t*& at) {
  float value;
  std::memcpy(&value, at, sizeof value);
  at += sizeof value;
  return value;
}

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
  for (Match each : sample) {
    append_varint(bytes_, (each - last) >> shift);
    last = each;
  }
  append_varint(bytes_, rules.samples_);
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    append_varint(bytes_, rules.mass_[variant]);
    append_varint(bytes_, rules.begins_[variant + 1] - rules.begins_[variant]);
  }
  size_t symbol_total = 0, link_total = 0, match_total = 0;
  for (const ExtractedRule& rule : rules.rules_) {
    symbol_total += rule.target.size();
    link_total += rule.links.size();
    match_total += rule.matches.size();
  }
  append_varint(bytes_, symbol_total);
  append_varint(bytes_, link_total);
  append_varint(bytes_, match_total);
  for (const ExtractedRule& rule : rules.rules_) {
    append_varint(bytes_, rule.target.size());
    append_varint(bytes_, rule.links.size());
    append_varint(bytes_, rule.matches.size());
    append_varint(bytes_, rule.count);
    put_float(bytes_, rule.lexical_source_given_target);
    put_float(bytes_, rule.lexical_target_given_source);
    for (TargetSymbol symbol : rule.target) append_varint(bytes_, symbol);
    for (Link each : rule.links) {
      append_varint(bytes_, each.source);
      append_varint(bytes_, each.target);
    }
    uint32_t before = 0;
    for (uint32_t each : rule.matches) {
      append_varint(bytes_, each - before);
      before = each;
    }
  }
}

void PackedRules::unpack_sample(std::span<const WordId> symbols, std::vector<Match>& out) const {
  const uint8_t* at = bytes_.data() + 1;  // after the variants
  const uint32_t shift = match_shift(symbols);
  out.resize(take_count(at));
  Match last = 0;
  for (Match& each : out) each = last += take_varint(at) << shift;
}

void PackedRules::unpack_rules(uint8_t variants, NodeRules& out) const {
  const uint8_t* at = bytes_.data() + 1;
  for (uint32_t count = take_count(at); count > 0; --count) take_varint(at);  // the sample
  out.samples_ = take_count(at);
  uint32_t counts[variant_count];
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    out.mass_[variant] = take_count(at);
    counts[variant] = take_count(at);
  }
  // Sizes of everything, so that spans into it stay valid.
  out.symbols_.resize(take_count(at));
  out.links_.resize(take_count(at));
  out.matches_.resize(take_count(at));
  out.rules_.clear();
  size_t symbol = 0, link = 0, match = 0;
  for (uint32_t variant = 0; variant < variant_count; ++variant) {
    const bool wanted = (variants >> variant & 1) != 0;
    out.begins_[variant] = out.rules_.size();
    if (!wanted) out.mass_[variant] = 0;
    for (uint32_t i = 0; i < counts[variant]; ++i) {
      ExtractedRule rule{};
      const uint32_t rule_symbols = take_count(at), rule_links = take_count(at), rule_matches = take_count(at);
      rule.count = take_count(at);
      rule.lexical_source_given_target = take_float(at);
      rule.lexical_target_given_source = take_float(at);
      for (uint32_t k = 0; k < rule_symbols; ++k) out.symbols_[symbol + k] = take_count(at);
      for (uint32_t k = 0; k < rule_links; ++k) {
        const uint32_t source = take_count(at), target = take_count(at);
        out.links_[link + k] = {source, target};
      }
      uint32_t last = 0;
      for (uint32_t k = 0; k < rule_matches; ++k) out.matches_[match + k] = last += take_count(at);
      rule.target = std::span<const TargetSymbol>(out.symbols_).subspan(symbol, rule_symbols);
      rule.links = std::span<const Link>(out.links_).subspan(link, rule_links);
      rule.matches = std::span<const uint32_t>(out.matches_).subspan(match, rule_matches);
      symbol += rule_symbols;
      link += rule_links;
      match += rule_matches;
      if (wanted) out.rules_.push_back(rule);
    }
  }
  out.begins_[variant_count] = out.rules_.size();
}

}  // namespace dragoman::rules
