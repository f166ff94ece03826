// Sentence splitting on byte spans: text of any script is cut after its full stops, question marks and their like,
// where what stands around them says that a sentence ends there. Rules decide (initials, abbreviations, ordinals, list
// markers, what follows); tables per language sharpen them. Spans are in order, lie apart, begin and end with
// something that is not white space, and nothing but white space is left out. One pass, linear time.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "text/language.h"
#include "text/sentence_marks.h"
#include "text/sentence_tables.h"

namespace dragoman::text {

enum class Newlines : uint8_t {
  end_sentences,    // every line stands for itself
  blank_lines_end,  // lines are wrapped; an empty line ends a paragraph
  are_spaces,       // line ends mean nothing
};

class SentenceSplitter {
 public:
  explicit SentenceSplitter(std::string_view language, Newlines newlines = Newlines::end_sentences);

  // No boundary falls inside one of the protected spans, which must be in order and apart. The bytes need not be
  // well-formed UTF-8.
  std::vector<TextSpan> split(std::string_view text, std::span<const TextSpan> protected_spans = {}) const;

 private:
  enum Use : uint8_t { before_word = 1, before_number = 2, anywhere = 4, closing = 8, starter = 16 };
  struct Ending;
  struct Following;

  void learn(std::string_view words, Use use);
  // Which uses a word has, looked up as written and in lower case.
  uint8_t uses(std::string_view word) const;
  Terminator kind_of(char32_t c) const;
  // The token is a compound that ends in an abbreviation.
  bool ends_compound(std::string_view token) const;

  Ending read_ending(std::string_view text, size_t sentence_begin, size_t at) const;
  Following read_following(std::string_view text, size_t at) const;
  bool ends_sentence(std::string_view text, size_t sentence_begin, const Ending& ending) const;
  bool small_starts(std::string_view text, size_t sentence_begin, const Ending& ending) const;
  bool full_stop_ends(std::string_view text, size_t sentence_begin, const Ending& ending, const Following& next) const;

  const SentenceTable& table_;
  Language language_;
  Newlines newlines_;
  std::unordered_map<std::string_view, uint8_t> uses_;
};

}  // namespace dragoman::text
