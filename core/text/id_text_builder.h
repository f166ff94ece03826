// Makes an IdText in one pass over lines of tokens, without keeping the text: tokens get numbers as they appear, kept
// in about a byte and a half each, and ids by falling count when all is read.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "text/id_text.h"
#include "text/word_numbering.h"

namespace dragoman::text {

class IdTextBuilder {
 public:
  // Large arrays lie in the scratch space where there is one.
  explicit IdTextBuilder(std::shared_ptr<ScratchSpace> scratch = nullptr)
      : scratch_(std::move(scratch)), numbers_(array_memory(scratch_.get())) {}

  // Whole lines of words, one sentence each. Throws InputError for bytes that are no text.
  void add(std::string_view lines);
  // The same where every word is followed by the form it was written in, as Form::both has it.
  void add_written(std::string_view lines);
  uint64_t sentences() const { return sentences_; }
  // Tests alone change it.
  void set_most_sentences(uint64_t most) { most_sentences_ = most; }
  // Leaves the builder empty.
  IdText finish();

 private:
  void add_token(std::string_view word, std::string_view written);
  void end_sentence();
  // A form is numbered as its word, a space and its spelling; as its word alone where it is spelled so.
  static std::string_view word_of(std::string_view key) { return key.substr(0, key.find(' ')); }
  static std::string_view spelling_of(std::string_view key) { return key.substr(key.find(' ') + 1); }
  // Both return the final number of every key.
  std::vector<uint32_t> rank_words(IdText& text) const;
  std::vector<uint32_t> rank_forms(IdText::Owned& owned, const std::vector<uint32_t>& words, WordId size) const;
  void pack_numbers(IdText::Owned& owned, const std::vector<uint32_t>& final_numbers, uint64_t kinds) const;

  std::shared_ptr<ScratchSpace> scratch_;
  WordNumbering keys_;
  std::vector<uint64_t> counts_;  // by key
  std::string key_;
  bool has_forms_ = false;
  uint64_t most_sentences_ = IdText::most_sentences;
  uint64_t sentences_ = 0, tokens_ = 0;
  std::vector<uint32_t> sentence_;
  Array<uint8_t> numbers_;  // of each sentence its length and its keys, as varints
};

// A text that is there as a whole.
IdText encode_text(std::string_view lines);

}  // namespace dragoman::text
