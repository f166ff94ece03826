// What the decoders ask of a language model, whatever it is made of: back-off n-grams, classes, neural networks.
//
// A model is immutable and shared; a session belongs to one sentence on one thread and may cache. States are opaque
// bytes of a fixed size, equal bytes mean equal futures, and the decoders compare, hash and copy them.
//
// Two kinds of state. A context is what lies to the left of the next word; the phrase-based decoder goes from one to
// the next. A fragment is a stretch of target words whose left context is not known yet, as in the hierarchical
// decoder: its first words are scored provisionally, in as much context as they have, and keep what is needed to put
// that right (with their source positions) until the context arrives. All scores are log10.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "base/namespaces.h"
#include "index/taught_text.h"

namespace dragoman::search {

// What may not be at all. Only a model whose purpose it is to forbid says so (reference_model.h); the searches drop
// hypotheses that come to it. Everything else is bounded, so that no sum of scores, however bad, can be mistaken for
// it: weights where they are read (features.h), and what rules and language models add to a score by this function,
// which also makes a number of what a damaged file or an overflowing network gives that is none.
inline constexpr double impossible = -std::numeric_limits<double>::infinity();
inline constexpr bool is_possible(double score) { return score != impossible; }
inline constexpr double most_extreme_score = 1e12;
inline constexpr double bounded(double score) {
  return score > -most_extreme_score ? std::min(score, most_extreme_score) : -most_extreme_score;
}

// A word, by the model's own id, with the source position it is affiliated with; or the fragment of gap -1 - word.
struct LmItem {
  int32_t word;
  uint32_t source;
};

struct FragmentRequest {
  std::span<const LmItem> items;
  const std::byte* const* children;  // states of the fragments that gaps stand for
  bool sentence_begin;               // the fragment begins the sentence, so its left context is known
  std::byte* state;                  // out: of the new fragment
  double log10_prob;  // out, bounded: what the new words add, and what the children's first words change by
};

struct PhraseRequest {
  const std::byte* state;  // the context
  std::span<const LmItem> items;
  std::byte* next;    // out: the context afterwards; may not be state
  double log10_prob;  // out, bounded
};

// How often a model that keeps count was asked, and how much of it its caches knew.
struct ModelQueries {
  uint64_t words = 0, known_words = 0;
  uint64_t contexts = 0, known_contexts = 0;  // of the words that were not known

  void add(const ModelQueries& other) {
    words += other.words;
    known_words += other.known_words;
    contexts += other.contexts;
    known_contexts += other.known_contexts;
  }
};

class LanguageModelSession {
 public:
  virtual ~LanguageModelSession() = default;

  // Lets the model write the items of a rule's target side in a way of its own, before any use of them: returns how
  // many there are then. Gaps must stay.
  virtual size_t prepare(std::span<LmItem> items) { return items.size(); }

  virtual void begin_context(std::byte* state) = 0;
  // Scores words one after the other; next may not be state.
  virtual double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) = 0;
  virtual double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                                std::byte* state) = 0;
  // Many at once, for models that gain from it.
  virtual void score_phrases(std::span<PhraseRequest> requests) {
    for (PhraseRequest& request : requests)
      request.log10_prob = score_words(request.state, request.items, request.next);
  }
  virtual void score_fragments(std::span<FragmentRequest> requests) {
    for (FragmentRequest& request : requests)
      request.log10_prob = score_fragment(request.items, request.children, request.sentence_begin, request.state);
  }
  virtual ModelQueries queries() const { return {}; }

  // What items are for a word of the target side that has this id in the model, and for the sentence's end: the ids,
  // unless the session knows more words than the model. What makes an unknown word's score that of a rarer word
  // (learned_word.h) is given with words that were learned; whether the session itself makes use of it.
  virtual uint32_t word_item(uint32_t /*target*/, uint32_t id, double /*log10_bonus*/) { return id; }
  virtual uint32_t end_item(uint32_t id) const { return id; }
  virtual bool scores_learned_words() const { return false; }
  // Memory it holds for this sentence, if it grows with the search.
  virtual size_t bytes() const { return 0; }
};

class LanguageModel {
 public:
  virtual ~LanguageModel() = default;

  virtual uint32_t find(std::string_view word) const = 0;
  virtual uint32_t unknown() const = 0;
  virtual uint32_t sentence_end() const = 0;
  virtual size_t context_bytes() const = 0;
  virtual size_t fragment_bytes() const = 0;
  // Whether scores depend on the affiliated source positions.
  virtual bool reads_source() const { return false; }
  // A model that costs so much that, where a search has two stages, only hypotheses which the others chose are scored
  // by it, in batches.
  virtual bool expensive() const { return false; }
  // Whether many words cost less when they are asked for at once.
  virtual bool gains_from_batches() const { return false; }
  virtual std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view> source) const = 0;
  // The same with what people have taught since the model was built, which must stay, where the model can learn of it.
  virtual std::unique_ptr<LanguageModelSession> begin_taught(std::span<const std::string_view> source,
                                                             const TaughtText& /*taught*/) const {
    return begin(source);
  }
};

}  // namespace dragoman::search
