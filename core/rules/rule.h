// A translation rule (thesis 2.3), the same from extraction, grammar files and memories of rules to the search. It
// points to symbols, links and features that somebody keeps: a RuleBatch, or the arena of a sentence.
#pragma once

#include <cstdint>
#include <span>

#include "base/link.h"
#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::rules {

// A word id, or a gap: -1 for the first on the source side, -2 for the second.
using Symbol = int32_t;

inline constexpr uint32_t max_gaps = 2;
inline constexpr bool is_gap(Symbol symbol) { return symbol < 0; }
inline constexpr uint32_t gap_of(Symbol symbol) { return static_cast<uint32_t>(-1 - symbol); }
inline constexpr Symbol gap_symbol(uint32_t gap) { return -1 - static_cast<Symbol>(gap); }
inline constexpr Symbol word_symbol(WordId word) { return static_cast<Symbol>(word); }
inline constexpr WordId word_of(Symbol symbol) { return static_cast<WordId>(symbol); }
// Gaps before words, each in their order: what extracted rules are sorted by, and how packed ones are written.
inline constexpr uint32_t symbol_code(Symbol symbol) {
  return is_gap(symbol) ? gap_of(symbol) : word_of(symbol) + max_gaps;
}
inline constexpr Symbol symbol_of(uint32_t code) {
  return code < max_gaps ? gap_symbol(code) : word_symbol(code - max_gaps);
}

using FeatureId = uint32_t;

struct FeatureValue {
  FeatureId id;
  float value;
};

enum class RuleKind : uint8_t {
  grammar,       // from a grammar or the bitext
  pass_through,  // a word nobody translates, as it is
  constraint,    // what the user asked for
  glue_first,    // S -> X
  glue,          // S -> S X
  goal,          // the whole sentence, and its end
  start,         // phrase-based: nothing yet
};

struct Rule {
  std::span<const Symbol> source = {};
  std::span<const Symbol> target = {};
  std::span<const Link> links = {};             // between words; positions count gap symbols
  std::span<const FeatureValue> features = {};  // own features
  uint64_t reference = 0;                       // what the rule's source calls it
  RuleKind kind = RuleKind::grammar;
  uint8_t gaps = 0;
};

}  // namespace dragoman::rules
