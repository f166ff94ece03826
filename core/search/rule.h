// A translation rule as the decoders see it (thesis 2.3): symbols of the target side, weighted score, and where to
// look for everything else. Rules of a sentence live in its arena.
#pragma once

#include <cstdint>
#include <span>

#include "base/link.h"
#include "base/namespaces.h"
#include "search/features.h"
#include "search/language_model.h"
#include "text/vocabulary.h"

namespace dragoman::search {

// A word id, or a gap: -1 for the first on the source side, -2 for the second.
using Symbol = int32_t;

inline constexpr uint32_t max_gaps = 2;
inline constexpr bool is_gap(Symbol symbol) { return symbol < 0; }
inline constexpr uint32_t gap_of(Symbol symbol) { return static_cast<uint32_t>(-1 - symbol); }
inline constexpr Symbol gap_symbol(uint32_t gap) { return -1 - static_cast<Symbol>(gap); }
inline constexpr Symbol word_symbol(WordId word) { return static_cast<Symbol>(word); }
inline constexpr WordId word_of(Symbol symbol) { return static_cast<WordId>(symbol); }

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
  std::span<const Symbol> source;
  std::span<const Symbol> target;
  std::span<const Link> links;             // between words; positions count gap symbols
  std::span<const FeatureValue> features;  // own features; reordering ones apply only in the phrase-based decoder
  // By language model: the target side in its ids.
  const std::span<const LmItem>* lm_items;
  double score;     // weighted features
  double estimate;  // score and what the language models expect of the target side: the order in which rules are tried
  double hint;      // the part of it that stands for expensive models until they have been asked
  uint64_t reference;  // what the rule's source calls it
  RuleKind kind;
  uint8_t gaps;
};

// What a rule's own features may look at.
struct RuleView {
  std::span<const Symbol> source;
  std::span<const Symbol> target;
  RuleKind kind;
};

// For each symbol of the target side the source symbol its word is affiliated with (nlm/affiliation.h); where nothing
// is linked, the first word of the source side.
void affiliate(const Rule& rule, std::span<uint32_t> affiliations);

inline bool has_reordering(const Rule& rule) {
  for (const FeatureValue& each : rule.features)
    if (is_reordering(each.id)) return true;
  return false;
}

}  // namespace dragoman::search
