// Words that differ by accents alone: many people type `eleve` where the text has `élève`. Letters of alphabets with
// accents are taken for their base letters; letters of other scripts, whose marks are vowels, stay.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::text {

void append_without_accents(std::string& out, std::string_view word);

// Finds words of a vocabulary by what they are without accents. Shared by threads; nothing is built before the first
// question, then eight bytes for each word with an accent.
class AccentVariants {
 public:
  explicit AccentVariants(Vocabulary words) : words_(std::move(words)) {}

  // The most frequent word that differs from this one by accents alone, of this vocabulary or of one that extends it;
  // "" if there is none.
  std::string_view find(const Vocabulary& words, std::string_view word) const;

 private:
  void build() const;

  Vocabulary words_;
  mutable std::once_flag built_;
  mutable std::vector<std::pair<uint32_t, WordId>> variants_;  // by hash, then the most frequent first
};

}  // namespace dragoman::text
