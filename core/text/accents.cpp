#include "text/accents.h"

#include <algorithm>

#include "base/hash.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

bool has_accents(Script script) {
  return script == Script::latin || script == Script::greek || script == Script::cyrillic;
}

// Letters that have no decomposition, and are typed as these where a keyboard lacks them.
char32_t plain_letter(char32_t c) {
  switch (c) {
    case U'ł':
      return 'l';
    case U'ø':
      return 'o';
    case U'đ':
      return 'd';
    case U'ħ':
      return 'h';
    case U'ı':
      return 'i';
    default:
      return base_letter(c);
  }
}

bool is_plain(std::string_view word) {
  return std::ranges::none_of(word, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

uint32_t hash_of(std::string_view word) { return static_cast<uint32_t>(hash_bytes(word)); }

}  // namespace

void append_without_accents(std::string& out, std::string_view word) {
  bool after_letter = false;  // of an alphabet with accents
  for (size_t at = 0; at < word.size();) {
    const CodePoint c = decode_utf8(word, at);
    at += c.bytes;
    if (after_letter && is_mark(c.value)) continue;
    after_letter = is_letter(c.value) && has_accents(script(c.value));
    append_utf8(out, after_letter ? plain_letter(c.value) : c.value);
  }
}

void AccentVariants::build(const Vocabulary& words) const {
  std::string key;
  for (; built_ < words.size(); ++built_) {
    const std::string_view word = words.word(built_);
    if (is_plain(word)) continue;
    key.clear();
    append_without_accents(key, word);
    if (key == word) continue;
    if (built_ < words_.own_size())
      variants_.emplace_back(hash_of(key), built_);
    else
      learned_.emplace(hash_of(key), built_);
  }
  if (!std::ranges::is_sorted(variants_)) std::ranges::sort(variants_);
}

std::string_view AccentVariants::find(const Vocabulary& words, std::string_view word,
                                      const std::function<bool(WordId)>& is_known) const {
  std::string key, other;
  append_without_accents(key, word);
  auto fits = [&](WordId id) {
    if (id >= words.size()) return false;
    other.clear();
    append_without_accents(other, words.word(id));
    return other == key && (!is_known || is_known(id));
  };
  const uint32_t hash = hash_of(key);
  const std::lock_guard lock(building_);
  if (built_ < words.size()) build(words);
  for (auto at = std::ranges::lower_bound(variants_, hash, {}, &std::pair<uint32_t, WordId>::first);
       at != variants_.end() && at->first == hash; ++at)
    if (fits(at->second)) return words.word(at->second);
  // Typed with accents that are wrong, where the word has none.
  if (const WordId plain = words.find(key); plain != Vocabulary::unknown && (!is_known || is_known(plain)))
    return words.word(plain);
  WordId first = words.size();
  for (auto [at, end] = learned_.equal_range(hash); at != end; ++at)
    if (fits(at->second)) first = std::min(first, at->second);
  return first < words.size() ? words.word(first) : std::string_view();
}

}  // namespace dragoman::text
