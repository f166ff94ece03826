// Words that differ by accents alone: many people type `eleve` where the text has `élève`. Letters of alphabets with
// accents are taken for their base letters; letters of other scripts, whose marks are vowels, stay.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::text {

void append_without_accents(std::string& out, std::string_view word);

// Finds words of a vocabulary, and of those that extend it, by what they are without accents. Shared by threads;
// nothing is built before the first question, then eight bytes for each word with an accent. Words that are learned
// later are looked at once.
class AccentVariants {
 public:
  explicit AccentVariants(Vocabulary words) : words_(std::move(words)) {}

  // The most frequent word that differs from this one by accents alone, of this vocabulary or of one that extends it;
  // "" if there is none.
  // Words that are not known, where somebody can tell, are none.
  std::string_view find(const Vocabulary& words, std::string_view word,
                        const std::function<bool(WordId)>& is_known = nullptr) const;

 private:
  void build(const Vocabulary& words) const;

  Vocabulary words_;
  mutable std::mutex building_;
  mutable WordId built_ = Vocabulary::first_word;              // words below this id are among the variants
  mutable std::vector<std::pair<uint32_t, WordId>> variants_;  // by hash, then the most frequent first
  mutable std::unordered_multimap<uint32_t, WordId> learned_;  // the same of words learned later
};

}  // namespace dragoman::text
