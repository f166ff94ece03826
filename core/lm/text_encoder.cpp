#include "lm/text_encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

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

// Ids must fit 32 bits with room for marks, and positions are 32-bit too.
constexpr uint64_t max_tokens = UINT32_MAX - 64;

}  // namespace

TextEncoder::TextEncoder(SentenceSample sample, std::shared_ptr<ScratchSpace> scratch)
    : scratch_(std::move(scratch)),
      sample_(sample),
      slots_(1 << 12),
      ids_(scratch_ ? scratch_.get() : std::pmr::get_default_resource()) {
  if (!(sample.ratio > 0) || sample.ratio > 1)
    throw ConfigError("sample", "must be a share of the sentences above 0 and at most 1");
  string_begin_.resize(provisional_words + 1);
  counts_.resize(provisional_words);
}

void TextEncoder::limit_to(std::string_view words) {
  require_text(words);
  for_each_word(words, [&](std::string_view word) { intern(word, true); });
  closed_ = true;
}

void TextEncoder::use_classes(std::string_view text) {
  require_text(text);
  std::unordered_map<std::string_view, uint32_t> known;
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
    auto [found, added] = known.try_emplace(fields[1], static_cast<uint32_t>(class_names_.size()));
    if (added) class_names_.emplace_back(fields[1]);
    class_of_.push_back(found->second);
  }
  closed_ = true;
}

void TextEncoder::add(std::string_view lines) {
  require_text(lines, line_ + 1);
  const uint64_t threshold = sample_.ratio >= 1 ? UINT64_MAX : static_cast<uint64_t>(std::ldexp(sample_.ratio, 64));
  for (std::string_view line : split_lines(lines)) {
    const uint64_t number = line_++;
    if (sample_.ratio < 1 && mix(mix(sample_.seed) ^ number) >= threshold) continue;
    ++sentences_;
    ids_.push_back(provisional_begin);
    for_each_word(line, [&](std::string_view word) {
      uint32_t id = intern(word, !closed_);
      if (id == absent) id = provisional_unknown;
      ++counts_[id];
      ids_.push_back(id);
    });
    ids_.push_back(provisional_end);
    if (ids_.size() > max_tokens)
      throw InputError(number + 1, "the text is longer than 4 billion words; use less of it (see --sample)");
  }
}

EncodedText TextEncoder::finish() {
  EncodedText text;
  text.sentences = sentences_;
  text.tokens = ids_.size() - sentences_;
  const size_t entries = counts_.size();
  std::vector<WordId> final_id;
  if (class_of_.empty()) {
    std::vector<std::string_view> strings(entries);
    for (uint32_t i = 0; i < entries; ++i) strings[i] = string(i);
    final_id = rank(counts_, strings, text.words);
  } else {
    std::vector<uint64_t> class_counts(provisional_words + class_names_.size());
    class_counts[provisional_unknown] = counts_[provisional_unknown];
    std::vector<std::string_view> strings(provisional_words);
    for (const std::string& name : class_names_) strings.push_back(name);
    for (size_t i = provisional_words; i < entries; ++i) class_counts[provisional_words + class_of_[i]] += counts_[i];
    const std::vector<WordId> class_id = rank(class_counts, strings, text.words);

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
      words.push_back(string(i));
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

std::vector<WordId> TextEncoder::rank(const std::vector<uint64_t>& counts, const std::vector<std::string_view>& strings,
                                      Vocabulary& words) const {
  std::vector<uint32_t> order;
  for (uint32_t i = provisional_words; i < counts.size(); ++i)
    if (counts[i] > 0) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return counts[a] != counts[b] ? counts[a] > counts[b] : strings[a] < strings[b];
  });
  std::vector<WordId> final_id(counts.size(), unknown_word);
  std::vector<std::string_view> ordered(std::begin(hidden_marks), std::end(hidden_marks));
  final_id[provisional_begin] = sentence_begin;
  final_id[provisional_end] = sentence_end;
  for (uint32_t i : order) {
    final_id[i] = static_cast<WordId>(ordered.size()) + Vocabulary::first_word;
    ordered.push_back(strings[i]);
  }
  words = Vocabulary::from_words(ordered, std::size(hidden_marks));
  return final_id;
}

uint32_t TextEncoder::intern(std::string_view word, bool may_add) {
  const uint64_t hash = hash_bytes(word);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const uint64_t mask = slots_.size() - 1;
  uint64_t slot = hash & mask;
  for (; slots_[slot].entry != 0; slot = (slot + 1) & mask)
    if (slots_[slot].tag == tag && string(slots_[slot].entry - 1) == word) return slots_[slot].entry - 1;
  if (!may_add) return absent;
  const auto id = static_cast<uint32_t>(counts_.size());
  slots_[slot] = {tag, id + 1};
  strings_ += word;
  string_begin_.push_back(strings_.size());
  counts_.push_back(0);
  if (counts_.size() * 2 > slots_.size()) grow();
  return id;
}

std::string_view TextEncoder::string(uint32_t provisional) const {
  const uint64_t begin = string_begin_[provisional];
  return std::string_view(strings_).substr(begin, string_begin_[provisional + 1] - begin);
}

void TextEncoder::grow() {
  std::vector<Slot> larger(slots_.size() * 4);
  const uint64_t mask = larger.size() - 1;
  for (uint32_t id = provisional_words; id < counts_.size(); ++id) {
    const uint64_t hash = hash_bytes(string(id));
    uint64_t slot = hash & mask;
    while (larger[slot].entry != 0) slot = (slot + 1) & mask;
    larger[slot] = {static_cast<uint32_t>(hash >> 32), id + 1};
  }
  slots_ = std::move(larger);
}

}  // namespace dragoman::lm
