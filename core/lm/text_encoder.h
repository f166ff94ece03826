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
  uint64_t lines() const { return line_; }
  EncodedText finish();

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t entry = 0;  // provisional id + 1; 0 for an empty slot
  };
  // The provisional id of a word, or `absent` where it is not known and may not be added.
  uint32_t intern(std::string_view word, bool may_add);
  std::string_view string(uint32_t provisional) const;
  void grow();
  // Maps provisional ids to final ones by falling count.
  std::vector<WordId> rank(const std::vector<uint64_t>& counts, const std::vector<std::string_view>& strings,
                           Vocabulary& words) const;

  static constexpr uint32_t absent = UINT32_MAX;

  std::shared_ptr<ScratchSpace> scratch_;
  SentenceSample sample_;
  bool closed_ = false;  // no further words are added
  std::vector<Slot> slots_;
  std::string strings_;
  std::vector<uint64_t> string_begin_{0};
  std::vector<uint64_t> counts_;
  std::vector<std::string> class_names_;
  std::vector<uint32_t> class_of_;  // by provisional id; empty without classes
  Array<uint32_t> ids_;
  uint64_t line_ = 0;
  uint64_t sentences_ = 0;
};

}  // namespace dragoman::lm
