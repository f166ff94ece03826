// An n-gram model as a plain trie in memory: what estimation and ARPA files produce, what pruning works on, and what
// the compact lm.bin is made from.
//
// N-grams are reversed: the root's children are last words, and each further level adds one word on the left, so the
// path of a look-up follows the history from the newest word back. Level k holds the (k+1)-grams, sorted, the children
// of a node side by side. A node is not labelled with its leftmost word but with its context, the index in the level
// above of the n-gram without its last word. Among siblings both have the same order, and the context is what
// smoothing, pruning and the compact form ask for. This needs a model that is closed: with an n-gram, its prefix and
// its suffix are there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/array.h"
#include "text/vocabulary.h"

namespace dragoman::lm {

inline constexpr uint32_t max_order = 10;

// The three words every model has, beside Vocabulary::separator (id 0), which is no word here.
inline constexpr WordId unknown_word = Vocabulary::unknown;
inline constexpr WordId sentence_begin = Vocabulary::first_word;
inline constexpr WordId sentence_end = Vocabulary::first_word + 1;
inline constexpr WordId first_real_word = Vocabulary::first_word + 2;

// The back-off of an n-gram that is nobody's context and weighs nothing: minus zero, so that a reader sees from the
// weight alone that longer contexts through it cannot matter.
inline constexpr float no_extension = -0.0f;
bool extends(float log10_backoff);

struct NgramLevel {
  Array<uint32_t> context;      // empty for unigrams
  Array<uint32_t> first_child;  // size() + 1 of them, empty for the highest order
  Array<float> log10_prob;
  Array<float> log10_backoff;  // empty for the highest order
  Array<uint32_t> count;       // occurrences in the text; empty where they are not known

  explicit NgramLevel(ArrayMemory* memory = std::pmr::get_default_resource())
      : context(memory), first_child(memory), log10_prob(memory), log10_backoff(memory), count(memory) {}

  size_t size() const { return log10_prob.size(); }
};

// Maps words to the classes an n-gram model was built over; absent for models over words.
struct WordClasses {
  Vocabulary words = Vocabulary::from_words({});
  std::vector<WordId> class_of;       // by word id
  std::vector<float> log10_emission;  // log10 p(word | class), by word id
};

struct NgramTrie {
  Vocabulary words = Vocabulary::from_words({});
  std::vector<NgramLevel> levels;
  std::optional<WordClasses> classes;

  uint32_t order() const { return static_cast<uint32_t>(levels.size()); }
  // Where its arrays lie.
  ArrayMemory* memory() const;
  uint64_t ngrams() const;
  // The index of the parent (the n-gram without its first word) of every node of a level above the unigrams.
  Array<uint32_t> parents(size_t level) const;
  // The leftmost word of every node of a level, given that of the level before.
  Array<WordId> first_words(size_t level, const Array<WordId>& of_shorter) const;
};

// Which nodes stay, one flag per node and level; closed under prefix and suffix.
using Kept = std::vector<std::vector<bool>>;

// The trie of the nodes that stay, in the same memory; all unigrams must.
NgramTrie select(const NgramTrie& trie, const Kept& kept);

}  // namespace dragoman::lm
