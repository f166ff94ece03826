#include "text/side_facts.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "base/hash.h"
#include "text/lines.h"
#include "text/signs.h"

namespace dragoman::text {
namespace {

uint64_t width_of(Script s) {
  if (s == Script::han) return 3;
  return is_ideographic(s) || s == Script::hangul ? 2 : 1;
}

bool is_damage(char32_t c, Category kind) {
  const bool is_noncharacter = (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
  return kind == Category::control || kind == Category::surrogate || is_noncharacter;
}

class FactsGatherer {
 public:
  FactsGatherer(const FunctionWords* words, SideFacts& facts) : words_(words), facts_(facts), folded_(facts.folded) {}

  void add(char32_t c) {
    const Category kind = category(c);
    if (is_space(c)) return add_space(kind);
    const Script in = script(c);
    // Space counts when something follows it.
    facts_.characters += 1 + space_;
    facts_.width += width_of(in) + space_;
    space_ = 0;
    if (is_letter(kind) || is_mark(kind) || kind == Category::letter_number)
      add_letter(c, in, is_letter(kind));
    else if (kind == Category::digit || kind == Category::other_number)
      add_digit();
    else
      add_other(c, kind);
  }
  void finish() {
    end_word();
    if (!folded_.empty() && folded_.back() == ' ') folded_.pop_back();
  }

 private:
  enum class State { between, word, digits, symbol };

  void add_space(Category kind) {
    end_word();
    state_ = State::between;
    if (facts_.characters) ++space_;
    facts_.control |= kind == Category::control;
  }
  void add_letter(char32_t c, Script in, bool letter) {
    ++facts_.visible;
    if (letter) {
      ++facts_.letters;
      ++facts_.scripts[static_cast<size_t>(in)];
      if (is_ideographic(in)) return add_ideograph(c);
    }
    if (state_ != State::word) {
      begin_piece(State::word);
      word_begin_ = folded_.size();
      word_has_letter_ = false;
    }
    word_has_letter_ |= letter;
    append_utf8(folded_, to_lower(c));
  }
  void add_ideograph(char32_t c) {
    end_word();
    end_piece();
    append_utf8(folded_, c);
    ++facts_.tokens;
    ++facts_.letter_words;
    state_ = State::between;
  }
  void add_digit() {
    ++facts_.visible;
    end_word();
    if (state_ == State::digits) return;
    ++facts_.tokens;
    begin_piece(State::digits);
    folded_ += '0';
  }
  void add_other(char32_t c, Category kind) {
    end_word();
    if (is_symbol(kind)) {
      ++facts_.visible;
      begin_piece(State::symbol);
      append_utf8(folded_, c);
    } else {
      facts_.control |= is_damage(c, kind);
      state_ = State::between;
    }
    // The mark of text that was damaged on its way here; as a symbol it would pass for content.
    facts_.control |= c == 0xfffd;
  }

  void begin_piece(State next) {
    if (state_ == next) return;
    end_piece();
    state_ = next;
  }
  void end_piece() {
    if (!folded_.empty() && folded_.back() != ' ') folded_ += ' ';
  }
  void end_word() {
    if (state_ != State::word) return;
    ++facts_.tokens;
    facts_.letter_words += word_has_letter_;
    if (words_ && word_has_letter_) check_word(std::string_view(folded_).substr(word_begin_));
  }
  void check_word(std::string_view word) {
    ++facts_.words_checked;
    const uint64_t hash = hash_bytes(word);
    const uint64_t languages = words_->languages_of(hash);
    if (languages == 0) return;
    const bool one_letter = word.size() == decode_utf8(word, 0).bytes;
    const bool again = std::find(facts_.known.begin(), facts_.known.end(), hash) != facts_.known.end();
    if (!again) facts_.known.push_back(hash);
    for (uint64_t mask = languages; mask; mask &= mask - 1) {
      const auto language = static_cast<size_t>(std::countr_zero(mask));
      facts_.hits[language] += !one_letter;
      facts_.distinct_hits[language] += !again && !one_letter;
      facts_.letter_hits[language] += !again && one_letter;
    }
  }

  const FunctionWords* words_;
  SideFacts& facts_;
  std::string& folded_;
  State state_ = State::between;
  size_t word_begin_ = 0;
  bool word_has_letter_ = false;
  uint64_t space_ = 0;  // since the last other character
};

}  // namespace

FunctionWords::FunctionWords(const std::vector<std::pair<std::string, std::string>>& languages) {
  if (languages.size() > max_languages) throw ConfigError("languages", "at most 64 languages fit");
  for (const auto& [code, words] : languages) {
    const uint64_t bit = uint64_t{1} << codes_.size();
    codes_.push_back(code);
    for_each_word(words, [&](std::string_view word) { masks_[hash_bytes(word)] |= bit; });
  }
}

int FunctionWords::find(std::string_view code) const {
  const auto known = std::find(codes_.begin(), codes_.end(), code);
  return known == codes_.end() ? -1 : static_cast<int>(known - codes_.begin());
}

uint64_t FunctionWords::languages_of(uint64_t hash_of_lower_word) const {
  const auto word = masks_.find(hash_of_lower_word);
  return word == masks_.end() ? 0 : word->second;
}

void gather_facts(std::string_view text, const FunctionWords* words, SideFacts& facts) {
  // Buffers keep their memory from text to text.
  SideFacts none;
  none.folded.swap(facts.folded);
  none.known.swap(facts.known);
  none.folded.clear();
  none.known.clear();
  facts = std::move(none);
  FactsGatherer gatherer(words, facts);
  for (size_t at = 0; at < text.size();) {
    const auto [c, bytes] = decode_utf8(text, at);
    at += bytes;
    gatherer.add(c);
  }
  gatherer.finish();
}

uint64_t folded_key(const SideFacts& facts, std::string_view text, uint64_t seed) {
  return hash_bytes(facts.folded.empty() ? text : facts.folded, seed);
}

}  // namespace dragoman::text
