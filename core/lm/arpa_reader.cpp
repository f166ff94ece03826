#include "lm/arpa_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/errors.h"
#include "base/number.h"
#include "base/utf8.h"
#include "lm/closed_ngrams.h"
#include "text/lines.h"

namespace dragoman::lm {
namespace {

// What KenLM gives a missing <unk>, and what stands for the impossible <s>.
constexpr float missing_unknown = -100;

// No estimate is near these, and sums of many of them are still exact enough to compare. Minus infinity is how some
// programs write what never happens, which must not become a value that swallows all others.
constexpr double least_log10 = -1e6;
constexpr double most_log10 = 1e6;

bool parse_float(std::string_view text, float& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double parsed = 0;
  if (!parse_number(text, parsed) || std::isnan(parsed) || parsed > most_log10) return false;
  value = static_cast<float>(std::max(parsed, least_log10));
  return true;
}

}  // namespace

void ArpaReader::refuse(const std::string& why) const { throw InputError(line_, why); }

void ArpaReader::add(std::string_view piece) {
  while (!piece.empty()) {
    const size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      rest_ += piece;
      return;
    }
    ++line_;
    if (rest_.empty()) {
      read_line(piece.substr(0, end));
    } else {
      rest_ += piece.substr(0, end);
      const std::string whole = std::move(rest_);
      rest_.clear();
      read_line(whole);
    }
    piece.remove_prefix(end + 1);
  }
}

void ArpaReader::read_line(std::string_view line) {
  std::vector<std::string_view>& fields = fields_;
  fields.clear();
  for_each_word(line, [&](std::string_view field) { fields.push_back(field); });
  if (part_ == Part::before && line.starts_with(escapes_line)) escapes_ = true;
  if (fields.empty() || part_ == Part::after) return;
  const bool command = fields[0].front() == '\\' && fields.size() == 1 && fields[0].size() > 1 &&
                       (fields[0] == "\\data\\" || fields[0] == "\\end\\" || fields[0].ends_with("-grams:"));
  switch (part_) {
    case Part::before:
      if (command && fields[0] == "\\data\\") part_ = Part::counts;
      return;
    case Part::counts:
      if (command) return begin_section(fields[0]);
      return read_count();
    case Part::ngrams:
      if (command) {
        end_section();
        if (fields[0] == "\\end\\") {
          if (length_ != levels_.size()) refuse("the file ends before the " + std::to_string(length_ + 1) + "-grams");
          part_ = Part::after;
          return;
        }
        return begin_section(fields[0]);
      }
      return read_ngram();
    case Part::after:
      return;
  }
}

void ArpaReader::read_count() {
  // "ngram 2=47", with spaces anywhere.
  std::string text;
  for (std::string_view field : fields_) text += field;
  const size_t equals = text.find('=');
  uint64_t length = 0;
  uint64_t count = 0;
  if (!text.starts_with("ngram") || equals == std::string::npos ||
      !parse_whole(std::string_view(text).substr(5, equals - 5), length) ||
      !parse_whole(std::string_view(text).substr(equals + 1), count))
    refuse("should announce a number of n-grams, as in: ngram 2=1000");
  if (length != levels_.size() + 1) refuse("the numbers of n-grams must be announced in order, from 1 up");
  if (length > max_order) refuse("the order is above " + std::to_string(max_order) + ", the most this program reads");
  if (count >= UINT32_MAX) refuse("announces more n-grams than this program can hold");
  levels_.emplace_back();
  levels_.back().announced = count;
}

void ArpaReader::begin_section(std::string_view line) {
  uint64_t length = 0;
  if (line == "\\data\\" || line == "\\end\\" || !parse_whole(line.substr(1, line.size() - 8), length))
    refuse("should begin a section of n-grams, as in: \\1-grams:");
  if (length != length_ + 1) refuse("the sections of n-grams must come in order, from 1 up");
  if (length > levels_.size()) refuse("begins n-grams of a length that was not announced");
  length_ = length;
  part_ = Part::ngrams;
}

void ArpaReader::end_section() {
  const Listed& level = levels_[length_ - 1];
  if (level.log10_prob.size() != level.announced)
    refuse("there are " + std::to_string(level.log10_prob.size()) + " " + std::to_string(length_) +
           "-grams above, but " + std::to_string(level.announced) + " were announced");
  if (length_ == 1) finish_words();
}

void ArpaReader::read_ngram() {
  const std::vector<std::string_view>& fields = fields_;
  const bool highest = length_ == levels_.size();
  const bool has_backoff = fields.size() == length_ + 2;
  if (fields.size() != length_ + 1 && !has_backoff)
    refuse("should hold a probability, " + std::to_string(length_) + " words and perhaps a back-off");
  Listed& level = levels_[length_ - 1];
  if (level.log10_prob.size() == level.announced)
    refuse("there are more " + std::to_string(length_) + "-grams than were announced");
  float prob = 0;
  float backoff = 0;
  if (!parse_float(fields[0], prob)) refuse("begins with something that is no log10 probability");
  if (has_backoff && !parse_float(fields.back(), backoff)) refuse("ends with something that is no back-off weight");
  if (highest && has_backoff && backoff != 0) refuse("has a back-off, which n-grams of the highest order cannot have");
  // Rounding may leave a probability of one slightly above it.
  if (prob > 1e-4f) refuse("has a log10 probability above zero");
  if (length_ == 1) {
    if (find_invalid_utf8(fields[1]) != std::string_view::npos) refuse("holds a word that is not UTF-8");
    strings_.emplace_back(fields[1]);
    level.words.push_back(0);
  } else {
    for (size_t i = 1; i <= length_; ++i) {
      const WordId word = find(fields[i]);
      if (word == unknown_word && !is_unknown_name(fields[i])) {
        if (find_invalid_utf8(fields[i]) != std::string_view::npos) refuse("holds a word that is not UTF-8");
        refuse("has the word " + std::string(fields[i]) + ", which is not among the 1-grams");
      }
      level.words.push_back(word);
    }
  }
  level.log10_prob.push_back(std::min(prob, 0.0f));
  level.log10_backoff.push_back(backoff);
  level.line.push_back(line_);
}

WordId ArpaReader::find(std::string_view written) const {
  if (written == begin_name) return sentence_begin;
  if (written == end_name) return sentence_end;
  if (is_unknown_name(written)) return unknown_word;
  return words_.find(plain(written));
}

// Ids in the order listed, after the three that are always there. Whoever wrote the file, frequent words mostly come
// first or in no order; the ids only have to differ.
void ArpaReader::finish_words() {
  Listed listed = std::move(levels_[0]);
  Listed& level = levels_[0];
  level = {};
  level.announced = listed.announced;
  std::vector<size_t> order;
  size_t special[3] = {SIZE_MAX, SIZE_MAX, SIZE_MAX};  // <unk>, <s>, </s>
  for (size_t i = 0; i < strings_.size(); ++i) {
    const std::string& word = strings_[i];
    const size_t which = is_unknown_name(word) ? 0 : word == begin_name ? 1 : word == end_name ? 2 : 3;
    if (which == 3) {
      order.push_back(i);
      continue;
    }
    if (special[which] != SIZE_MAX) throw InputError(listed.line[i], "lists the word " + word + " a second time");
    special[which] = i;
  }
  if (special[1] == SIZE_MAX || special[2] == SIZE_MAX)
    refuse("the 1-grams above lack <s> or </s>, without which sentences cannot be scored");
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return listed.log10_prob[a] != listed.log10_prob[b] ? listed.log10_prob[a] > listed.log10_prob[b]
                                                        : strings_[a] < strings_[b];
  });
  constexpr size_t marks = std::size(hidden_marks);
  std::vector<std::string_view> words(std::begin(hidden_marks), std::end(hidden_marks));
  for (size_t i : order) {
    if (words.size() > marks && plain(strings_[i]) == words.back())
      throw InputError(listed.line[i], "lists the word " + strings_[i] + " a second time");
    words.push_back(plain(strings_[i]));
  }
  words_ = Vocabulary::from_words(words, marks);
  auto put = [&](size_t i) {
    level.log10_prob.push_back(i == SIZE_MAX ? missing_unknown : listed.log10_prob[i]);
    level.log10_backoff.push_back(i == SIZE_MAX ? 0 : listed.log10_backoff[i]);
  };
  level.log10_prob.push_back(0);  // id 0 is no word
  level.log10_backoff.push_back(0);
  for (size_t i : special) put(i);
  for (size_t i : order) put(i);
  // Equal words with different probabilities are not neighbours above.
  for (size_t i = marks; i < words.size(); ++i)
    if (words_.find(words[i]) != i + Vocabulary::first_word)
      throw InputError(0, "the 1-grams list the word " + std::string(words[i]) + " twice");
  strings_.clear();
}

NgramTrie ArpaReader::finish(Monitor& monitor) {
  if (!rest_.empty()) {
    ++line_;
    const std::string whole = std::move(rest_);
    rest_.clear();
    read_line(whole);
  }
  if (part_ == Part::before) throw InputError(0, "this is no ARPA file: there is no line \\data\\ in it");
  if (part_ != Part::after) refuse("the file is cut off: there is no line \\end\\ in it");
  std::vector<NgramList> lists;
  for (size_t k = 0; k < levels_.size(); ++k) {
    Listed& level = levels_[k];
    lists.push_back({k + 1, std::move(level.words), std::move(level.log10_prob), std::move(level.log10_backoff),
                     std::move(level.line)});
  }
  return close_ngrams(std::move(words_), std::move(lists), monitor);
}

}  // namespace dragoman::lm
