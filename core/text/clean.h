// Which sentence pairs are fit to learn from: rules over whole batches, in a fixed order; a pair is dropped by the
// first that objects. One pass over the characters of a side gathers all that the rules need. Duplicates are known by
// 64-bit hashes (XXH64) in open-addressing sets, 8 bytes a slot at a load of 3/8 to 3/4, so memory is 11 to 21
// bytes per distinct pair and kind of duplicate; for ten million pairs the chance that any two collide is 3 in a
// million.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "text/unicode.h"

namespace dragoman::text {

enum class CleanRule : uint8_t {
  kept,
  control,
  empty,
  too_long,
  length_ratio,
  identical,
  wrong_script,
  wrong_language,
  duplicate,
  near_duplicate,
  one_side,
};
inline constexpr size_t clean_rule_count = static_cast<size_t>(CleanRule::one_side) + 1;
std::string_view clean_rule_name(CleanRule rule);

// The names are those of CleanOptions in config.py, where the defaults are; 0 turns a limit off.
struct CleanOptions {
  bool drop_control;
  bool drop_empty;
  uint64_t max_tokens;
  uint64_t max_characters;
  double max_ratio;
  uint64_t identical_words;
  bool drop_wrong_script;
  bool drop_wrong_language;
  bool drop_duplicates;
  bool drop_near_duplicates;
  bool one_side_source;
  bool one_side_target;
};

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
  uint64_t languages_of(std::string_view lower_word) const;

 private:
  std::vector<std::string> codes_;
  std::unordered_map<uint64_t, uint64_t> masks_;  // hash of the word -> languages
};

// What one pass over a side finds.
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

// Distinct 64-bit values; insert says whether the value is new.
class HashSet {
 public:
  bool insert(uint64_t value);
  size_t size() const { return size_; }
  size_t memory_bytes() const { return slots_.capacity() * sizeof(uint64_t); }

 private:
  void grow();
  std::vector<uint64_t> slots_;
  size_t size_ = 0;
  bool has_zero_ = false;
};

// A key that texts share when they are alike but for case, digits, punctuation and white space.
uint64_t folded_key(std::string_view folded, std::string_view text, uint64_t seed);

class PairCleaner {
 public:
  // Scripts by name and codes of the function word table; an empty list or an unknown code leaves that rule out.
  // The seed goes into the source keys, so that another seed orders them anew.
  PairCleaner(const CleanOptions& options, FunctionWords words, std::span<const std::string> source_scripts,
              std::span<const std::string> target_scripts, std::string_view source_lang, std::string_view target_lang,
              uint64_t key_seed);

  struct Verdict {
    CleanRule rule;
    uint64_t source_key;  // folded_key of the source: what a split keeps together
  };
  // Pairs in order; what was seen before counts in later calls.
  Verdict judge(std::string_view source, std::string_view target);

 private:
  struct Side {
    uint64_t scripts = 0;  // bits by Script; 0: any
    int language = -1;
  };
  CleanRule judge_text(const SideFacts& source, const SideFacts& target) const;
  bool wrong_script(const SideFacts& facts, const Side& side) const;
  bool wrong_language(const SideFacts& facts, const Side& side) const;

  CleanOptions options_;
  FunctionWords words_;
  uint64_t key_seed_;
  Side source_side_, target_side_;
  SideFacts source_, target_;
  HashSet pairs_, folded_pairs_, sources_, targets_;
};

}  // namespace dragoman::text
