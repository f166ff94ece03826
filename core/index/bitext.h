// The word-aligned sentence pairs of bitext.bin: source ids in one text with a separator after every sentence, its
// suffix array, target ids, links. About 9 bytes per source token, mapped, nothing is built on opening.
//
// Sentences lie in sample order: by hash(seed, stable id). The sample of a pattern, its matches with the smallest
// (hash of sentence, positions), is then simply its first matches in the text, for every pattern alike: sampling needs
// no hashing, searching may stop as soon as enough was found, and the sentences that samples come from lie together.
// Corrections that were compacted into the bitext lie before all others, so that they are always sampled.
//
// Opening looks at sizes alone. What the arrays say is looked at where somebody would trust it: a target word when it
// is read, because words of rules come from there; a source word is only ever compared, and looked at when its sentence
// is read whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/container.h"
#include "base/hash.h"
#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "base/prefetch.h"
#include "index/memories.h"
#include "text/vocabulary.h"

namespace dragoman::index {

// The place of a sentence in sample order.
inline uint64_t sample_order(uint64_t seed, uint64_t stable_id) { return mix(mix(seed) ^ stable_id); }

class IndexedBitext {
 public:
  static constexpr std::string_view kind = "bitext";
  // Longest sentence, in words, on either side.
  static constexpr uint32_t max_sentence_length = 65534;
  // Most links of a pair.
  static constexpr uint32_t max_links = 65535;

  // Words are below the sizes of these vocabularies.
  IndexedBitext(const Container& container, WordId source_vocabulary, WordId target_vocabulary);

  uint64_t sentences() const { return sentences_; }
  // Symbols of the source text, separators included.
  uint64_t source_size() const { return source_.size(); }
  uint64_t source_tokens() const { return suffixes_.size(); }
  uint64_t target_tokens() const { return target_.size(); }
  uint64_t seed() const { return seed_; }

  WordId source(uint64_t position) const { return static_cast<WordId>(source_[position]); }
  // The same for any position: the text goes on with separators.
  WordId source_or_separator(uint64_t position) const {
    return position < source_.size() ? source(position) : Vocabulary::separator;
  }
  // Asks for the words around a position before they are needed.
  void fetch_source(uint64_t position) const { prefetch(source_.bytes().data() + position * source_.width() / 8); }
  WordId target(uint64_t position) const { return word(target_[position], target_vocabulary_, "target"); }
  // A source word that is more than compared.
  WordId known_source(uint64_t position) const { return word(source_[position], source_vocabulary_, "source"); }
  // The position where the suffix of this rank begins; only suffixes that begin with a word have ranks.
  uint64_t suffix(uint64_t rank) const {
    const uint64_t position = suffixes_[rank];
    if (position >= source_.size()) fail("suffixes", "points outside the text");
    return position;
  }

  // Sentences are numbered in sample order.
  uint64_t sentence_of(uint64_t position) const;
  // Without the separator.
  TextSpan source_range(uint64_t sentence) const;
  TextSpan target_range(uint64_t sentence) const;
  std::span<const uint8_t> links(uint64_t sentence) const;
  uint64_t stable_id(uint64_t sentence) const { return stable_ids_[sentence]; }
  std::optional<uint64_t> find_sentence(uint64_t stable_id) const;
  // So many sentences at the front are corrections.
  uint64_t corrections() const { return corrections_; }
  // Sentences of memories that have names, rising, and the number of each one's memory; what the numbers mean is said
  // by whoever made the bitext, and in a file by these names, from 1 on.
  std::span<const uint64_t> named_sentences() const { return named_sentences_; }
  std::span<const MemoryId> named_memories() const { return named_memories_; }
  std::vector<std::string> memory_names() const;
  MemoryId memory(uint64_t sentence) const { return named_sentences_.empty() ? unnamed_memory : find_memory(sentence); }

  const Container& container() const { return container_; }
  [[noreturn]] void fail(std::string_view section, const std::string& what) const { container_.fail(section, what); }

 private:
  // A word of a sentence, where neither separators nor unknown words have a place.
  WordId word(uint64_t stored, WordId vocabulary, std::string_view section) const {
    if (stored - Vocabulary::first_word >= vocabulary - Vocabulary::first_word)
      fail(section, "holds words that the vocabulary does not have");
    return static_cast<WordId>(stored);
  }
  TextSpan range(const PackedArray& starts, uint64_t sentence, uint64_t size, std::string_view section) const;
  void open_memories();
  MemoryId find_memory(uint64_t sentence) const;

  Container container_;
  WordId source_vocabulary_, target_vocabulary_;
  uint64_t sentences_ = 0;
  uint64_t seed_ = 0;
  uint64_t corrections_ = 0;
  PackedArray source_, target_, suffixes_;
  PackedArray source_starts_, target_starts_, link_starts_, stable_ids_;
  PackedArray blocks_;  // the sentence that every 64th symbol of the source text belongs to
  std::span<const uint8_t> links_;
  std::span<const uint64_t> named_sentences_;
  std::span<const MemoryId> named_memories_;
};

}  // namespace dragoman::index
