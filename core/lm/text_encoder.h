// Turns training text into one array of word ids, in one pass and without keeping the text: words get provisional ids
// as they appear, and ids by falling frequency when all is read. About 40 ns a word.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/scratch.h"
#include "lm/ngram_trie.h"
#include "text/id_text.h"
#include "text/word_numbering.h"

namespace dragoman::lm {

struct SentenceSample {
  double ratio = 1;  // share of the sentences that is used, each chosen by a hash of its number
  uint64_t seed = 1;
};

struct EncodedText {
  std::shared_ptr<ScratchSpace> scratch;  // where large arrays are to lie; nullptr for memory
  // Sentences one after another, each between sentence_begin and sentence_end.
  Array<WordId> ids;
  Vocabulary words = Vocabulary::from_words({});
  std::optional<WordClasses> classes;
  uint64_t sentences = 0;
  uint64_t tokens = 0;  // sentence ends included
};

class TextEncoder {
 public:
  explicit TextEncoder(SentenceSample sample = {}, std::shared_ptr<ScratchSpace> scratch = nullptr);

  // Only these words are known from now on; all others become <unk>. Before the first add().
  void limit_to(std::string_view words);
  // Pairs of word and class, one pair a line: the model is over classes, words without one become <unk>, and marks
  // (marks.h) are classes of their own whatever is said of them. Before the first add().
  void use_classes(std::string_view text);
  // Whole lines, one sentence each. Throws InputError for bytes that are no text.
  void add(std::string_view lines);
  // All sentences of a text whose words are numbers already; their ids here are those the same text as lines would get.
  void add(const IdText& text);
  uint64_t lines() const { return line_; }
  // Words and sentence marks have places of 32 bits; tests alone change how many there may be.
  void set_most_tokens(uint64_t most) { most_tokens_ = most; }
  EncodedText finish();

 private:
  // The provisional id of a word; <unk> where it is not known and may not be added.
  uint32_t intern(std::string_view word, bool may_add);
  // Whether the next sentence is to be used.
  bool begin_sentence();
  void end_sentence();
  // Maps provisional ids to final ones by falling count.
  static std::vector<WordId> rank(const std::vector<uint64_t>& counts, const WordNumbering& strings, Vocabulary& words);

  std::shared_ptr<ScratchSpace> scratch_;
  SentenceSample sample_;
  bool closed_ = false;  // no further words are added
  WordNumbering words_;
  std::vector<uint64_t> counts_;  // by provisional id
  WordNumbering class_names_;
  std::vector<uint32_t> class_of_;  // by provisional id; empty without classes
  Array<uint32_t> ids_;
  uint64_t most_tokens_ = UINT32_MAX - 64;
  uint64_t line_ = 0;
  uint64_t sentences_ = 0;
};

}  // namespace dragoman::lm
