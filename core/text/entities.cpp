#include "text/entities.h"

#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

// From U+00C0 on, as HTML names them.
constexpr std::string_view latin_1[] = {"Agrave", "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig", "Ccedil",
                                        "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave", "Iacute", "Icirc", "Iuml",
                                        "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",  "",
                                        "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN", ""};
constexpr std::pair<std::string_view, char32_t> others[] = {
    {"agrave", 0xe0}, {"aacute", 0xe1},  {"acirc", 0xe2},  {"atilde", 0xe3},  {"auml", 0xe4},    {"aring", 0xe5},
    {"aelig", 0xe6},  {"ccedil", 0xe7},  {"egrave", 0xe8}, {"eacute", 0xe9},  {"ecirc", 0xea},   {"euml", 0xeb},
    {"igrave", 0xec}, {"iacute", 0xed},  {"icirc", 0xee},  {"iuml", 0xef},    {"eth", 0xf0},     {"ntilde", 0xf1},
    {"ograve", 0xf2}, {"oacute", 0xf3},  {"ocirc", 0xf4},  {"otilde", 0xf5},  {"ouml", 0xf6},    {"oslash", 0xf8},
    {"ugrave", 0xf9}, {"uacute", 0xfa},  {"ucirc", 0xfb},  {"uuml", 0xfc},    {"yacute", 0xfd},  {"thorn", 0xfe},
    {"yuml", 0xff},   {"szlig", 0xdf},   {"OElig", 0x152}, {"oelig", 0x153},  {"Scaron", 0x160}, {"scaron", 0x161},
    {"apos", U'\''},  {"rsquo", 0x2019}, {"nbsp", 0xa0},   {"thinsp", 0x2009}};
constexpr size_t longest_entity = 10, longest_tag = 2048;

// 0 for what is no entity of a letter, an apostrophe or a space.
char32_t meaning_of(std::string_view name) {
  if (name.starts_with('#')) {
    const bool hex = name.size() > 1 && (name[1] | 32) == 'x';
    name.remove_prefix(hex ? 2 : 1);
    uint32_t value = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), value, hex ? 16 : 10);
    if (name.empty() || read.ec != std::errc() || read.ptr != name.data() + name.size() || value >= 0x110000) return 0;
    const bool apostrophe = value == U'\'' || value == 0x2019;
    return apostrophe || is_letter(category(value)) || (value >= 0xa0 && is_space(value)) ? value : 0;
  }
  if (name.empty()) return 0;
  if (const auto* upper = std::ranges::find(latin_1, name); upper != std::end(latin_1))
    return 0xc0 + static_cast<char32_t>(upper - latin_1);
  const auto* other = std::ranges::find(others, name, &std::pair<std::string_view, char32_t>::first);
  return other == std::end(others) ? 0 : other->second;
}

// What an entity at a place means, and where it ends.
std::optional<std::pair<char32_t, size_t>> read_entity(std::string_view line, size_t at) {
  const std::string_view rest = line.substr(at, longest_entity);
  const size_t end = rest.find(';');
  if (!rest.starts_with('&') || end == std::string_view::npos) return std::nullopt;
  const char32_t meaning = meaning_of(rest.substr(1, end - 1));
  if (meaning == 0) return std::nullopt;
  return std::pair(meaning, at + end + 1);
}

bool letter_before(std::string_view line, size_t at) {
  if (at == 0) return false;
  if (line[at - 1] == ';') {
    const size_t from = at - std::min(at, longest_entity);
    const size_t sign = line.substr(from, at - from).rfind('&');
    if (sign == std::string_view::npos) return false;
    const size_t begin = from + sign;
    const auto entity = read_entity(line, begin);
    return entity && entity->second == at && is_letter(category(entity->first));
  }
  size_t begin = at - 1;
  while (begin > 0 && !begins_character(line[begin])) --begin;
  return is_letter(category(decode_utf8(line, begin).value));
}

bool letter_after(std::string_view line, size_t at) {
  if (at >= line.size()) return false;
  if (const auto entity = read_entity(line, at)) return is_letter(category(entity->first));
  return is_letter(category(decode_utf8(line, at).value));
}

// Whether nothing but text stands there: no space, and no other entity.
bool joins_text(std::string_view line, size_t at, size_t end) {
  auto is_text = [](char c) {
    return static_cast<unsigned char>(c) > ' ' && c != '&' && c != ';' && c != '<' && c != '>';
  };
  return at > 0 && end < line.size() && is_text(line[at - 1]) && is_text(line[end]);
}

bool in_tag(std::string_view line, size_t at) {
  const std::string_view before = line.substr(0, at).substr(at - std::min(at, longest_tag));
  const size_t sign = before.find_last_of("<>");
  return sign != std::string_view::npos && before[sign] == '<' &&
         line.substr(at, longest_tag).find('>') != std::string_view::npos;
}

}  // namespace

std::optional<WordEntity> word_entity_at(std::string_view line, size_t at) {
  const auto entity = read_entity(line, at);
  if (!entity) return std::nullopt;
  const auto [meaning, end] = *entity;
  const bool before = letter_before(line, at), after = letter_after(line, end);
  const bool belongs = is_space(meaning)              ? joins_text(line, at, end)
                       : is_letter(category(meaning)) ? before || after
                                                      : before && after;
  if (!belongs || in_tag(line, at)) return std::nullopt;
  WordEntity word{{}, end};
  append_utf8(word.text, meaning);
  return word;
}

}  // namespace dragoman::text
