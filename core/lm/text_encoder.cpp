#include "lm/text_encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/errors.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "lm/marks.h"
#include "text/lines.h"

namespace dragoman::lm {
namespace {

// Provisional ids of the marks, which have no string here and so are found by no word; real words follow.
constexpr uint32_t provisional_unknown = 0;
constexpr uint32_t provisional_begin = 1;
constexpr uint32_t provisional_end = 2;
constexpr uint32_t provisional_words = 3;

}  // namespace

TextEncoder::TextEncoder(SentenceSample sample, std::shared_ptr<ScratchSpace> scratch)
    : scratch_(std::move(scratch)),
      sample_(sample),
      ids_(scratch_ ? scratch_.get() : std::pmr::get_default_resource()) {
  if (!(sample.ratio > 0) || sample.ratio > 1)
    throw ConfigError("sample", "must be a share of the sentences above 0 and at most 1");
  counts_.resize(provisional_words);
}

void TextEncoder::limit_to(std::string_view words) {
  require_text(words);
  for_each_word(words, [&](std::string_view word) { intern(word, true); });
  closed_ = true;
}

void TextEncoder::use_classes(std::string_view text) {
  require_text(text);
  class_of_.assign(provisional_words, 0);
  uint64_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    std::vector<std::string_view> fields;
    for_each_word(line, [&](std::string_view field) { fields.push_back(field); });
    if (fields.empty()) continue;
    if (fields.size() != 2) throw InputError(number, "must hold a word and its class, separated by a space");
    if (is_mark_name(fields[0])) continue;
    const uint32_t word = intern(read_word(fields[0]), true);
    if (word < class_of_.size())
      throw InputError(number, "gives the word " + std::string(fields[0]) + " a second class");
    class_of_.push_back(class_names_.number(fields[1]));
  }
  closed_ = true;
}

void TextEncoder::add(std::string_view lines) {
  require_text(lines, line_ + 1);
  for (std::string_view line : split_lines(lines)) {
    if (!begin_sentence()) continue;
    for_each_word(line, [&](std::string_view word) {
      const uint32_t id = intern(word, !closed_);
      ++counts_[id];
      ids_.push_back(id);
    });
    end_sentence();
  }
}

void TextEncoder::add(const IdText& text) {
  std::vector<uint32_t> provisional(text.words().size());
  for (WordId id = Vocabulary::first_word; id < provisional.size(); ++id)
    provisional[id] = intern(text.words().word(id), !closed_);
  std::vector<WordId> words;
  for (uint64_t sentence = 0; sentence < text.sentences(); ++sentence) {
    if (!begin_sentence()) continue;
    text.read(sentence, words);
    for (WordId word : words) {
      ++counts_[provisional[word]];
      ids_.push_back(provisional[word]);
    }
    end_sentence();
  }
}

bool TextEncoder::begin_sentence() {
  const uint64_t number = line_++;
  if (sample_.ratio < 1 && mix(mix(sample_.seed) ^ number) >= static_cast<uint64_t>(std::ldexp(sample_.ratio, 64)))
    return false;
  ++sentences_;
  ids_.push_back(provisional_begin);
  return true;
}

void TextEncoder::end_sentence() {
  ids_.push_back(provisional_end);
  if (ids_.size() > most_tokens_)
    throw InputError(line_, "a language model learns from at most " + std::to_string(most_tokens_) +
                                " words; use less of the text (see --sample)");
}

EncodedText TextEncoder::finish() {
  EncodedText text;
  text.sentences = sentences_;
  text.tokens = ids_.size() - sentences_;
  const size_t entries = counts_.size();
  std::vector<WordId> final_id;
  if (class_of_.empty()) {
    final_id = rank(counts_, words_, text.words);
  } else {
    std::vector<uint64_t> class_counts(provisional_words + class_names_.size());
    class_counts[provisional_unknown] = counts_[provisional_unknown];
    for (size_t i = provisional_words; i < entries; ++i) class_counts[provisional_words + class_of_[i]] += counts_[i];
    const std::vector<WordId> class_id = rank(class_counts, class_names_, text.words);

    WordClasses classes;
    // The marks have the same ids in both vocabularies.
    std::vector<std::string_view> words(std::begin(hidden_marks), std::end(hidden_marks));
    classes.class_of = {0, unknown_word, sentence_begin, sentence_end};
    classes.log10_emission = {0, 0, 0, 0};
    final_id.assign(class_id.begin(), class_id.begin() + provisional_words);
    for (uint32_t i = provisional_words; i < entries; ++i) {
      const uint32_t provisional_class = provisional_words + class_of_[i];
      final_id.push_back(class_id[provisional_class]);
      // A word that never occurred has no emission; it stays unknown.
      if (counts_[i] == 0) continue;
      words.push_back(words_.word(i - provisional_words));
      classes.class_of.push_back(class_id[provisional_class]);
      classes.log10_emission.push_back(static_cast<float>(
          std::log10(static_cast<double>(counts_[i]) / static_cast<double>(class_counts[provisional_class]))));
    }
    classes.words = Vocabulary::from_words(words, std::size(hidden_marks));
    text.classes = std::move(classes);
  }
  for (uint32_t& id : ids_) id = final_id[id];
  EncodedText encoded{scratch_,       std::move(ids_), std::move(text.words), std::move(text.classes),
                      text.sentences, text.tokens};
  ids_.clear();
  sentences_ = 0;
  return encoded;
}

std::vector<WordId> TextEncoder::rank(const std::vector<uint64_t>& counts, const WordNumbering& strings,
                                      Vocabulary& words) {
  std::vector<WordId> final_id(counts.size(), unknown_word);
  std::vector<std::string_view> ordered(std::begin(hidden_marks), std::end(hidden_marks));
  final_id[provisional_begin] = sentence_begin;
  final_id[provisional_end] = sentence_end;
  for (uint32_t number : by_falling_count(strings, std::span(counts).subspan(provisional_words))) {
    final_id[number + provisional_words] = static_cast<WordId>(ordered.size()) + Vocabulary::first_word;
    ordered.push_back(strings.word(number));
  }
  words = Vocabulary::from_words(ordered, std::size(hidden_marks));
  return final_id;
}

uint32_t TextEncoder::intern(std::string_view word, bool may_add) {
  const uint32_t number = may_add ? words_.number(word) : words_.find(word);
  if (number == WordNumbering::absent) return provisional_unknown;
  if (number + provisional_words == counts_.size()) counts_.push_back(0);
  return number + provisional_words;
}

}  // namespace dragoman::lm
