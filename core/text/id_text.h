// A tokenized text as numbers: what the stages of training hand to each other, so that words are split, spelled and
// counted once. A container of kind `text`:
//
//   meta            sentences, tokens, forms
//   words.*         the vocabulary (vocabulary.h): what models see, ids by falling count
//   ids             packed: for every token the number of its form, or of its word where the text has no forms
//   starts          packed: where each sentence begins, and the end
//   forms.strings, forms.offsets, forms.words
//                   each way in which a word was written, by falling count, and the id of that word
//
// A form is a pair of a word and its spelling, so a token costs one number of about two bytes, and both the text that
// models see and the text as it was written come from it. A text without forms was given as what models see.
//
// Immutable and shared by threads. In memory when it was just built (id_text_builder.h), mapped when it was opened.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/container.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "base/scratch.h"
#include "text/vocabulary.h"

namespace dragoman::text {

class IdText {
 public:
  static constexpr std::string_view kind = "text";
  // They are told apart by numbers of 32 bits.
  static constexpr uint64_t most_sentences = UINT32_MAX - 1;

  // Throws FormatError unless every number stands for something. Two passes over the file, one without hashes.
  static IdText open(const Container& container);
  static IdText open(const std::string& path, Trust trust = Trust::verify_hashes) {
    return open(Container::open(path, kind, trust));
  }
  // The text must outlive writer.write().
  void add_to(ContainerWriter& writer) const;
  void write(const std::string& path) const;

  // What keeps a mapped text; nullptr for one in memory.
  const std::shared_ptr<const Buffer>& buffer() const { return buffer_; }

  const Vocabulary& words() const { return words_; }
  uint64_t sentences() const { return starts_.size() - 1; }
  uint64_t tokens() const { return ids_.size(); }
  uint64_t length(uint64_t sentence) const { return starts_[sentence + 1] - starts_[sentence]; }
  bool has_forms() const { return form_words_.size() > 0; }

  // The words of a sentence, replacing what `ids` holds.
  void read(uint64_t sentence, std::vector<WordId>& ids) const;
  // The same as text, with single spaces; appends.
  void append_words(std::string& line, uint64_t sentence) const;
  // The sentence as it was written; appends.
  void append_written(std::string& line, uint64_t sentence) const;
  // Occurrences of each word id.
  std::vector<uint64_t> counts() const;

 private:
  friend class IdTextBuilder;
  IdText() = default;
  // What lies in memory when the text was built here.
  struct Owned {
    std::shared_ptr<ScratchSpace> scratch;  // where the text lies, if not in memory
    std::optional<PackedWriter> ids, starts;
    PackedWriter form_offsets{0, 1}, form_words{0, 1};
    std::string form_strings;
  };

  WordId word_of(uint64_t number) const {
    return static_cast<WordId>(has_forms() ? form_words_[number] : number + Vocabulary::first_word);
  }
  std::string_view form(uint64_t number) const {
    return form_strings_.substr(form_offsets_[number], form_offsets_[number + 1] - form_offsets_[number]);
  }
  void open_forms(const Container& container, uint64_t forms);
  template <class Spell>
  void append(std::string& line, uint64_t sentence, Spell&& spell) const;

  std::shared_ptr<const Owned> owned_;
  std::shared_ptr<const Buffer> buffer_;
  Vocabulary words_ = Vocabulary::from_words({});
  PackedArray ids_, starts_, form_offsets_, form_words_;
  std::string_view form_strings_;
};

}  // namespace dragoman::text
