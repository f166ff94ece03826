// Other forms of a word: `kaltes` where the text has `kalte` and `kaltem`. Two words are taken for forms of one where
// they differ by endings alone that many words of the vocabulary have in turn; which endings these are is counted over
// its most frequent words, whatever the language.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::text {

// Shared by threads; nothing is built before the first question, then four bytes for each word and what the endings
// take.
class Inflections {
 public:
  static constexpr size_t most_ending = 3;    // letters that an ending may have
  static constexpr size_t least_stem = 4;     // letters that two forms share at least
  static constexpr size_t least_counted = 3;  // the same of words from which endings are learned
  static constexpr WordId words_counted = 20'000;
  static constexpr uint32_t enough_stems = 20;  // that have both endings

  explicit Inflections(Vocabulary words) : words_(std::move(words)) {}

  // The word of the vocabulary itself, not of those that extend it, whose ending goes best with that of this one: the
  // two that most stems have, then the more frequent word. Unknown if there is none among those that fit.
  WordId find(std::string_view word, const std::function<bool(WordId)>& fits) const;

 private:
  // How many of the counted stems have both endings, where these are enough; else 0.
  uint32_t stems_with(std::string_view ending, std::string_view other) const;
  void build() const;
  void learn_endings() const;

  Vocabulary words_;
  mutable std::once_flag built_;
  mutable std::vector<WordId> sorted_;                                                      // by bytes
  mutable std::unordered_map<std::string, uint32_t, StringHash, std::equal_to<>> endings_;  // with their numbers
  mutable std::unordered_map<uint64_t, uint32_t> stems_with_both_;
};

}  // namespace dragoman::text
