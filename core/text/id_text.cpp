#include "text/id_text.h"

#include "text/stored_words.h"

namespace dragoman::text {
namespace {

struct TextMeta {
  uint64_t sentences;
  uint64_t tokens;
  uint64_t forms;
};

}  // namespace

IdText IdText::open(const Container& container) {
  IdText text;
  text.buffer_ = container.buffer();
  const auto meta = container.record<TextMeta>("meta");
  if (meta.sentences > IdText::most_sentences || meta.forms > UINT32_MAX)
    container.fail("meta", "counts more than a text can have");
  text.words_ = Vocabulary::open(container, "words");
  if (meta.forms > 0) text.open_forms(container, meta.forms);
  const uint64_t kinds = meta.forms > 0 ? meta.forms : text.words_.size() - Vocabulary::first_word;
  text.ids_ = PackedArray(container, "ids", meta.tokens, bits_for(kinds > 0 ? kinds - 1 : 0));
  text.starts_ = PackedArray(container, "starts", meta.sentences + 1, bits_for(meta.tokens));
  for (uint64_t i = 0; i < meta.tokens; ++i)
    if (text.ids_[i] >= kinds) container.fail("ids", "holds a number that stands for no word");
  for (uint64_t i = 0, last = 0; i <= meta.sentences; last = text.starts_[i++])
    if (text.starts_[i] < last || (i == 0 && text.starts_[i] != 0)) container.fail("starts", "is not in order");
  if (text.starts_[meta.sentences] != meta.tokens) container.fail("starts", "does not end where the text does");
  return text;
}

void IdText::open_forms(const Container& container, uint64_t forms) {
  const auto strings = container.bytes("forms.strings");
  form_strings_ = {reinterpret_cast<const char*>(strings.data()), strings.size()};
  form_offsets_ = PackedArray(container, "forms.offsets", forms + 1, bits_for(strings.size()));
  require_words(container, "forms", form_strings_, form_offsets_);
  form_words_ = PackedArray(container, "forms.words", forms, bits_for(words_.size() - 1));
  for (uint64_t i = 0; i < forms; ++i)
    if (form_words_[i] < Vocabulary::first_word || form_words_[i] >= words_.size())
      container.fail("forms.words", "holds a number that stands for no word");
}

void IdText::add_to(ContainerWriter& writer) const {
  writer.add_record("meta", TextMeta{sentences(), tokens(), form_words_.size()});
  words_.add_to(writer, "words");
  if (has_forms()) {
    writer.add("forms.strings", std::as_bytes(std::span(form_strings_)));
    writer.add("forms.offsets", form_offsets_.bytes());
    writer.add("forms.words", form_words_.bytes());
  }
  writer.add("ids", ids_.bytes());
  writer.add("starts", starts_.bytes());
}

void IdText::write(const std::string& path) const {
  ContainerWriter writer(kind);
  add_to(writer);
  writer.write(path);
}

void IdText::read(uint64_t sentence, std::vector<WordId>& ids) const {
  const uint64_t begin = starts_[sentence], end = starts_[sentence + 1];
  ids.resize(end - begin);
  for (uint64_t at = begin; at < end; ++at) ids[at - begin] = word_of(ids_[at]);
}

template <class Spell>
void IdText::append(std::string& line, uint64_t sentence, Spell&& spell) const {
  const uint64_t begin = starts_[sentence], end = starts_[sentence + 1];
  for (uint64_t at = begin; at < end; ++at) {
    if (at > begin) line += ' ';
    line += spell(ids_[at]);
  }
}

void IdText::append_words(std::string& line, uint64_t sentence) const {
  append(line, sentence, [&](uint64_t number) { return words_.word(word_of(number)); });
}

void IdText::append_written(std::string& line, uint64_t sentence) const {
  if (!has_forms()) return append_words(line, sentence);
  append(line, sentence, [&](uint64_t number) { return form(number); });
}

std::vector<uint64_t> IdText::counts() const {
  std::vector<uint64_t> counts(words_.size());
  for (uint64_t i = 0; i < tokens(); ++i) ++counts[word_of(ids_[i])];
  return counts;
}

}  // namespace dragoman::text
