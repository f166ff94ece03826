#include "text/id_text_builder.h"

#include <string>
#include <utility>

#include "base/errors.h"
#include "base/utf8.h"
#include "base/varint.h"
#include "text/lines.h"

namespace dragoman::text {

void IdTextBuilder::add(std::string_view lines) {
  require_text(lines, sentences_ + 1);
  for (std::string_view line : split_lines(lines)) {
    for_each_word(line, [&](std::string_view word) { add_token(word, word); });
    end_sentence();
  }
}

void IdTextBuilder::add_written(std::string_view lines) {
  require_text(lines, sentences_ + 1);
  has_forms_ = true;
  for (std::string_view line : split_lines(lines)) {
    std::string_view word;
    for_each_word(line, [&](std::string_view next) {
      if (word.empty()) {
        word = next;
      } else {
        add_token(std::exchange(word, {}), next);
      }
    });
    if (!word.empty()) throw InputError(sentences_ + 1, "every word must be followed by the form it was written in");
    end_sentence();
  }
}

void IdTextBuilder::add_token(std::string_view word, std::string_view written) {
  if (word != written) {
    key_.assign(word).append(1, ' ').append(written);
    word = key_;
  }
  const uint32_t key = keys_.number(word);
  if (key == counts_.size()) counts_.push_back(0);
  ++counts_[key];
  sentence_.push_back(key);
}

void IdTextBuilder::end_sentence() {
  append_varint(numbers_, sentence_.size());
  for (uint32_t key : sentence_) append_varint(numbers_, key);
  tokens_ += sentence_.size();
  if (++sentences_ > most_sentences_)
    throw InputError(
        sentences_, "a text may have at most " + std::to_string(most_sentences_) + " sentences; train on a part of it");
  sentence_.clear();
}

std::vector<uint32_t> IdTextBuilder::rank_words(IdText& text) const {
  WordNumbering words;
  std::vector<uint64_t> counts;
  std::vector<uint32_t> word_of_key(keys_.size());
  for (uint32_t key = 0; key < keys_.size(); ++key) {
    const uint32_t word = word_of_key[key] = words.number(word_of(keys_.word(key)));
    if (word == counts.size()) counts.push_back(0);
    counts[word] += counts_[key];
  }
  std::vector<std::string_view> ordered;
  std::vector<uint32_t> rank(words.size());
  for (uint32_t word : by_falling_count(words, counts)) {
    rank[word] = static_cast<uint32_t>(ordered.size());
    ordered.push_back(words.word(word));
  }
  text.words_ = Vocabulary::from_words(ordered);
  for (uint32_t& word : word_of_key) word = rank[word];
  return word_of_key;
}

std::vector<uint32_t> IdTextBuilder::rank_forms(IdText::Owned& owned, const std::vector<uint32_t>& words,
                                                WordId size) const {
  std::vector<uint32_t> rank(keys_.size());
  const std::vector<uint32_t> order = by_falling_count(keys_, counts_);
  owned.form_words = PackedWriter(order.size(), bits_for(size - 1));
  uint64_t bytes = 0;
  for (uint32_t key : order) bytes += spelling_of(keys_.word(key)).size();
  owned.form_offsets = PackedWriter(order.size() + 1, bits_for(bytes));
  owned.form_strings.reserve(bytes);
  for (uint32_t number = 0; number < order.size(); ++number) {
    rank[order[number]] = number;
    owned.form_words.set(number, words[order[number]] + Vocabulary::first_word);
    owned.form_offsets.set(number, owned.form_strings.size());
    owned.form_strings += spelling_of(keys_.word(order[number]));
  }
  owned.form_offsets.set(order.size(), bytes);
  return rank;
}

void IdTextBuilder::pack_numbers(IdText::Owned& owned, const std::vector<uint32_t>& final_numbers,
                                 uint64_t kinds) const {
  ArrayMemory* const memory = memory_of(numbers_);
  owned.ids.emplace(tokens_, bits_for(kinds > 0 ? kinds - 1 : 0), memory);
  owned.starts.emplace(sentences_ + 1, bits_for(tokens_), memory);
  const uint8_t* at = numbers_.data();
  uint64_t token = 0;
  for (uint64_t sentence = 0; sentence < sentences_; ++sentence) {
    owned.starts->set(sentence, token);
    for (const uint64_t end = token + take_varint(at); token < end; ++token)
      owned.ids->set(token, final_numbers[take_varint(at)]);
  }
  owned.starts->set(sentences_, tokens_);
}

IdText IdTextBuilder::finish() {
  IdText text;
  auto owned = std::make_shared<IdText::Owned>();
  owned->scratch = scratch_;
  std::vector<uint32_t> final_numbers = rank_words(text);
  uint64_t kinds = text.words_.size() - Vocabulary::first_word;
  if (has_forms_ && keys_.size() > 0) {
    final_numbers = rank_forms(*owned, final_numbers, text.words_.size());
    kinds = keys_.size();
  }
  pack_numbers(*owned, final_numbers, kinds);
  text.ids_ = owned->ids->view();
  text.starts_ = owned->starts->view();
  text.form_offsets_ = owned->form_offsets.view();
  text.form_words_ = owned->form_words.view();
  text.form_strings_ = owned->form_strings;
  text.owned_ = std::move(owned);
  *this = IdTextBuilder(scratch_);
  return text;
}

IdText encode_text(std::string_view lines) {
  IdTextBuilder builder;
  builder.add(lines);
  return builder.finish();
}

}  // namespace dragoman::text
