// What became of words earlier in a document, so that a word that comes again becomes the same again. A choice is what
// a source word is linked to. It is known by the beginnings of those words: languages inflect at the end, and case and
// number are for the sentence to say. The commonest words of either language are left out; they become many things, and
// rightly. Immutable once filled, and shared by threads.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/rule_source.h"

namespace dragoman::search {

class DocumentMemory {
 public:
  // So many of the commonest words of a language do not count, and so many characters are the beginning of a word.
  static constexpr uint32_t common_words = 100;
  static constexpr uint32_t beginning = 5;

  // Of words that have ids there; others are passed over. The vocabularies must stay.
  DocumentMemory(const Vocabulary& source, const Vocabulary& target) : source_(source), target_(target) {}

  void add(const TrainingPair& pair);
  bool empty() const { return choices_.empty(); }
  // For how many of a rule's source words it makes the choice that was made before; where several were made, each
  // counts by how often it was.
  float agreement(const Rule& rule) const;

 private:
  struct Choice {
    uint64_t words;  // a hash
    uint32_t times;
  };
  static bool is_common(WordId word) { return word < Vocabulary::first_word + common_words; }
  // A word's hash in a choice, 0 for one that does not count.
  uint64_t part(WordId word) const;
  // Of the words that a source position is linked to; 0 for none.
  template <class WordAt>
  uint64_t choice(std::span<const Link> links, uint32_t source, WordAt&& word_at) const;

  const Vocabulary& source_;
  const Vocabulary& target_;
  std::unordered_map<WordId, std::vector<Choice>> choices_;
};

}  // namespace dragoman::search
