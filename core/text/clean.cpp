#include "text/clean.h"

#include <algorithm>
#include <bit>

#include "base/errors.h"
#include "base/hash.h"
#include "text/lines.h"
#include "text/signs.h"

namespace dragoman::text {
namespace {

// Short texts differ in length by chance: "Oui" and "Yes, I do". This much is added to both widths.
constexpr double ratio_slack = 10;
// Fewer letters than this say little about a script; names and codes are written in Latin everywhere.
constexpr uint64_t min_script_letters = 10;
// A text is judged by its function words when another language has at least this many different ones in it, making
// up at least this share of its words, and this many times as many as the text's own language; one less will do where
// the text has none of its own language. The corpus benchmark counts what the rule drops of text known to be right, and
// of text known to be wrong.
constexpr uint32_t min_foreign_hits = 4;
constexpr double min_foreign_share = 0.3;
constexpr uint32_t min_foreign_factor = 3;

uint64_t width_of(Script s) {
  if (s == Script::han) return 3;
  return is_ideographic(s) || s == Script::hangul ? 2 : 1;
}

uint64_t script_bits(std::span<const std::string> names) {
  uint64_t bits = 0;
  for (const std::string& name : names) {
    size_t at = 0;
    while (at < script_count && script_name(static_cast<Script>(at)) != name) ++at;
    if (at == script_count) throw ConfigError("scripts", "there is no script named " + name);
    bits |= uint64_t{1} << at;
  }
  return bits;
}

}  // namespace

std::string_view clean_rule_name(CleanRule rule) {
  static constexpr std::string_view names[] = {"kept",         "control",        "empty",        "too long",
                                               "length ratio", "identical",      "wrong script", "wrong language",
                                               "duplicate",    "near duplicate", "one side"};
  static_assert(std::size(names) == clean_rule_count);
  return names[static_cast<size_t>(rule)];
}

FunctionWords::FunctionWords(const std::vector<std::pair<std::string, std::string>>& languages) {
  if (languages.size() > max_languages) throw ConfigError("languages", "at most 64 languages fit");
  for (const auto& [code, words] : languages) {
    const uint64_t bit = uint64_t{1} << codes_.size();
    codes_.push_back(code);
    for_each_word(words, [&](std::string_view word) { masks_[hash_bytes(word)] |= bit; });
  }
}

int FunctionWords::find(std::string_view code) const {
  auto found = std::find(codes_.begin(), codes_.end(), code);
  return found == codes_.end() ? -1 : static_cast<int>(found - codes_.begin());
}

uint64_t FunctionWords::languages_of(std::string_view lower_word) const {
  auto found = masks_.find(hash_bytes(lower_word));
  return found == masks_.end() ? 0 : found->second;
}

void gather_facts(std::string_view text, const FunctionWords* words, SideFacts& facts) {
  // Buffers keep their memory from text to text.
  std::string folded = std::move(facts.folded);
  std::vector<uint64_t> known = std::move(facts.known);
  folded.clear();
  known.clear();
  facts = SideFacts{};
  enum class State { between, word, digits, symbol } state = State::between;
  size_t word_begin = 0;
  bool word_has_letter = false;
  uint64_t trailing_space = 0;

  auto begin_piece = [&](State next) {
    if (state == next) return;
    if (!folded.empty() && folded.back() != ' ') folded += ' ';
    state = next;
  };
  auto end_word = [&] {
    if (state != State::word) return;
    ++facts.tokens;
    facts.letter_words += word_has_letter;
    if (words && word_has_letter) {
      ++facts.words_checked;
      const std::string_view word = std::string_view(folded).substr(word_begin);
      const bool one_letter = word.size() == decode_utf8(word, 0).bytes;
      if (const uint64_t found = words->languages_of(word)) {
        const uint64_t hash = hash_bytes(word);
        const bool again = std::find(known.begin(), known.end(), hash) != known.end();
        if (!again) known.push_back(hash);
        for (uint64_t mask = found; mask; mask &= mask - 1) {
          const auto language = static_cast<size_t>(std::countr_zero(mask));
          facts.hits[language] += !one_letter;
          facts.distinct_hits[language] += !again && !one_letter;
          facts.letter_hits[language] += !again && one_letter;
        }
      }
    }
  };

  for (size_t at = 0; at < text.size();) {
    const auto [c, bytes] = decode_utf8(text, at);
    at += bytes;
    const Category kind = category(c);
    if (is_space(c)) {
      end_word();
      state = State::between;
      if (facts.characters) ++trailing_space;
      facts.control |= kind == Category::control;
      continue;
    }
    facts.characters += 1 + trailing_space;
    facts.width += trailing_space;
    trailing_space = 0;
    const Script in = script(c);
    facts.width += width_of(in);
    if (is_letter(kind) || is_mark(kind) || kind == Category::letter_number) {
      const bool letter = is_letter(kind);
      ++facts.visible;
      if (letter) {
        ++facts.letters;
        ++facts.scripts[static_cast<size_t>(in)];
      }
      if (letter && is_ideographic(in)) {
        end_word();
        if (!folded.empty() && folded.back() != ' ') folded += ' ';
        append_utf8(folded, c);
        ++facts.tokens;
        ++facts.letter_words;
        state = State::between;
        continue;
      }
      if (state != State::word) {
        begin_piece(State::word);
        word_begin = folded.size();
        word_has_letter = false;
      }
      word_has_letter |= letter;
      append_utf8(folded, to_lower(c));
    } else if (kind == Category::digit || kind == Category::other_number) {
      ++facts.visible;
      end_word();
      if (state != State::digits) {
        ++facts.tokens;
        begin_piece(State::digits);
        folded += '0';
      }
    } else {
      end_word();
      if (is_symbol(kind)) {
        ++facts.visible;
        begin_piece(State::symbol);
        append_utf8(folded, c);
      } else {
        facts.control |= kind == Category::control || kind == Category::surrogate || (c & 0xfffe) == 0xfffe ||
                         (c >= 0xfdd0 && c <= 0xfdef);
        state = State::between;
      }
      // The mark of text that was damaged on its way here; as a symbol it would pass for content.
      facts.control |= c == 0xfffd;
    }
  }
  end_word();
  if (!folded.empty() && folded.back() == ' ') folded.pop_back();
  facts.folded = std::move(folded);
  facts.known = std::move(known);
}

bool HashSet::insert(uint64_t value) {
  if (value == 0) {  // marks a free slot
    const bool is_new = !has_zero_;
    has_zero_ = true;
    size_ += is_new;
    return is_new;
  }
  if (size_ * 4 >= slots_.size() * 3) grow();
  const size_t mask = slots_.size() - 1;
  size_t at = mix(value) & mask;
  while (slots_[at] != 0) {
    if (slots_[at] == value) return false;
    at = (at + 1) & mask;
  }
  slots_[at] = value;
  ++size_;
  return true;
}

void HashSet::grow() {
  std::vector<uint64_t> old(slots_.empty() ? 1024 : slots_.size() * 2);
  old.swap(slots_);
  const size_t mask = slots_.size() - 1;
  for (uint64_t value : old) {
    if (value == 0) continue;
    size_t at = mix(value) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = value;
  }
}

uint64_t folded_key(std::string_view folded, std::string_view text, uint64_t seed) {
  return hash_bytes(folded.empty() ? text : folded, seed);
}

PairCleaner::PairCleaner(const CleanOptions& options, FunctionWords words, std::span<const std::string> source_scripts,
                         std::span<const std::string> target_scripts, std::string_view source_lang,
                         std::string_view target_lang, uint64_t key_seed)
    : options_(options),
      words_(std::move(words)),
      key_seed_(key_seed),
      source_side_{script_bits(source_scripts), words_.find(source_lang)},
      target_side_{script_bits(target_scripts), words_.find(target_lang)} {}

bool PairCleaner::wrong_script(const SideFacts& facts, const Side& side) const {
  if (side.scripts == 0 || facts.letters < min_script_letters) return false;
  uint64_t own = 0;
  for (size_t s = 0; s < script_count; ++s)
    if (side.scripts >> s & 1) own += facts.scripts[s];
  return own * 2 < facts.letters;
}

bool PairCleaner::wrong_language(const SideFacts& facts, const Side& side) const {
  if (side.language < 0) return false;
  // Single letters are words of many languages and the stuff of formulas: they speak for a text, never against it.
  const auto language = static_cast<size_t>(side.language);
  const uint32_t own = facts.distinct_hits[language] + facts.letter_hits[language];
  const auto most = std::max_element(facts.distinct_hits.begin(), facts.distinct_hits.end());
  const uint32_t foreign = *most;
  const uint32_t all_foreign = facts.hits[static_cast<size_t>(most - facts.distinct_hits.begin())];
  return foreign + (own == 0) >= min_foreign_hits && foreign >= min_foreign_factor * own &&
         all_foreign >= min_foreign_share * static_cast<double>(facts.words_checked);
}

CleanRule PairCleaner::judge_text(const SideFacts& source, const SideFacts& target) const {
  if (options_.drop_control && (source.control || target.control)) return CleanRule::control;
  if (options_.drop_empty && (source.visible == 0 || target.visible == 0)) return CleanRule::empty;
  if (options_.max_tokens && std::max(source.tokens, target.tokens) > options_.max_tokens) return CleanRule::too_long;
  if (options_.max_characters && std::max(source.characters, target.characters) > options_.max_characters)
    return CleanRule::too_long;
  const auto [shorter, longer] = std::minmax(source.width, target.width);
  if (options_.max_ratio > 0 &&
      static_cast<double>(longer) + ratio_slack > options_.max_ratio * (static_cast<double>(shorter) + ratio_slack))
    return CleanRule::length_ratio;
  // Names, titles and codes are rightly the same in both languages, whatever their script and language look like.
  if (source.folded == target.folded && source.letters) {
    const bool many = options_.identical_words && source.letter_words >= options_.identical_words;
    return many ? CleanRule::identical : CleanRule::kept;
  }
  if (options_.drop_wrong_script && (wrong_script(source, source_side_) || wrong_script(target, target_side_)))
    return CleanRule::wrong_script;
  if (options_.drop_wrong_language && (wrong_language(source, source_side_) || wrong_language(target, target_side_)))
    return CleanRule::wrong_language;
  return CleanRule::kept;
}

PairCleaner::Verdict PairCleaner::judge(std::string_view source, std::string_view target) {
  const FunctionWords* words = options_.drop_wrong_language ? &words_ : nullptr;
  gather_facts(source, words, source_);
  gather_facts(target, words, target_);
  const uint64_t source_key = folded_key(source_.folded, source, key_seed_);
  if (CleanRule rule = judge_text(source_, target_); rule != CleanRule::kept) return {rule, source_key};

  if (options_.drop_duplicates || options_.drop_near_duplicates) {
    const bool seen = !pairs_.insert(hash_bytes(target, hash_bytes(source)));
    if (seen && options_.drop_duplicates) return {CleanRule::duplicate, source_key};
    if (!seen && options_.drop_near_duplicates &&
        !folded_pairs_.insert(folded_key(target_.folded, target, folded_key(source_.folded, source, 0))))
      return {CleanRule::near_duplicate, source_key};
  }
  if (options_.one_side_source || options_.one_side_target) {
    const bool source_seen = options_.one_side_source && !sources_.insert(hash_bytes(source));
    const bool target_seen = options_.one_side_target && !targets_.insert(hash_bytes(target));
    if (source_seen || target_seen) return {CleanRule::one_side, source_key};
  }
  return {CleanRule::kept, source_key};
}

}  // namespace dragoman::text
