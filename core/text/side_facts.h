// What one pass over a text finds: all that the rules of cleaning ask about one side of a pair.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "text/unicode.h"

namespace dragoman::text {

// Function words of some languages. A text is in another language when that language's words are many in it and its
// own are few; texts with few words are never judged.
class FunctionWords {
 public:
  static constexpr size_t max_languages = 64;

  // Pairs of a code and the words in lower case, separated by spaces.
  explicit FunctionWords(const std::vector<std::pair<std::string, std::string>>& languages);
  // Index of a language, or -1.
  int find(std::string_view code) const;
  // Bit i is set when the word belongs to language i.
  uint64_t languages_of(uint64_t hash_of_lower_word) const;

 private:
  std::vector<std::string> codes_;
  std::unordered_map<uint64_t, uint64_t> masks_;  // hash of the word -> languages
};

struct SideFacts {
  uint64_t characters = 0;    // code points, outer white space aside
  uint64_t tokens = 0;        // runs of letters and digits; each ideograph or kana counts
  uint64_t width = 0;         // characters weighted by what they say: 1, Hangul and kana 2, Han 3
  uint64_t letter_words = 0;  // tokens that hold a letter
  uint64_t letters = 0;
  uint64_t visible = 0;  // letters, digits and symbols
  bool control = false;
  std::array<uint32_t, script_count> scripts{};
  uint64_t words_checked = 0;  // words that were looked up as function words
  // Function words of each language: all of two letters or more, the different ones among them, and the different
  // ones of a single letter.
  std::array<uint32_t, FunctionWords::max_languages> hits{};
  std::array<uint32_t, FunctionWords::max_languages> distinct_hits{};
  std::array<uint32_t, FunctionWords::max_languages> letter_hits{};
  std::vector<uint64_t> known;  // hashes of the function words found
  std::string folded;           // lower case, digit runs as 0, letters and symbols only, single spaces
};

// `words` may be null, where the language does not matter. Text is well-formed UTF-8.
void gather_facts(std::string_view text, const FunctionWords* words, SideFacts& facts);

// A key that texts share when they are alike but for case, digits, punctuation and white space.
uint64_t folded_key(const SideFacts& facts, std::string_view text, uint64_t seed);

}  // namespace dragoman::text
