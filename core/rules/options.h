// What bounds patterns, matches and rules. Names and defaults are those of ExtractOptions in config.py.
#pragma once

#include <compare>
#include <cstdint>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::rules {

// How gapped patterns are matched. All but `bounded` find the same matches.
enum class Matching {
  exact,    // every pattern at the occurrences of its rarest phrase, until the sample is full
  bounded,  // in the sampled matches of its prefix only
  extend,   // thesis 3.3: extends the list of the prefix or of the suffix, whichever is shorter
  merge,    // Lopez 2007: merges the sorted lists of prefix and suffix, or searches one in the other
};

struct ExtractOptions {
  uint32_t max_rule_span = 15;
  uint32_t max_rule_symbols = 5;
  uint32_t max_nonterminals = 2;
  uint32_t min_gap_size = 1;
  uint32_t max_samples = 300;
  bool tight = true;
  // Contiguous phrases may have unlinked words at their edges even where gapped ones may not.
  bool loose_phrases = false;
  // Contiguous phrases of any length, as decoders want them; the limits above then bind gapped patterns alone.
  bool long_phrases = false;
  // A word that no phrase has by itself becomes what it is linked to (lone_word.h).
  bool lone_words = false;
  // Counts how contiguous phrases stood to their neighbours, which decoders may ask for.
  bool orientations = false;
  Matching matching = Matching::exact;
  // Most memory for the rules of frequent patterns, kept from sentence to sentence; 0 keeps none. Of a small index it
  // is a third or 1 MB, whichever is more.
  uint32_t rule_cache_bytes = 8 << 20;

  friend auto operator<=>(const ExtractOptions&, const ExtractOptions&) = default;

  // The widest target side of a source span: with long phrases a long span may have a longer one.
  uint32_t max_target_span(uint32_t source_span) const {
    return long_phrases && 2 * source_span > max_rule_span ? 2 * source_span : max_rule_span;
  }
};

// Throws ConfigError.
void validate(const ExtractOptions& options);
Matching matching_of(std::string_view name);

}  // namespace dragoman::rules
