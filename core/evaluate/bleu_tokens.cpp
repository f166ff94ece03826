#include "evaluate/bleu_tokens.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/errors.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "text/unicode.h"

namespace dragoman::evaluate {
namespace {

bool is_digit_byte(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

// ASCII signs that stand alone whatever is beside them: all but ' - . ,
bool stands_alone(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// Python's lower, which sacreBLEU uses, differs from the core's in one letter: it keeps the dot of İ.
std::string lowered(std::string_view line) {
  constexpr std::string_view dotted = "\xc4\xb0";
  std::string text;
  size_t from = 0;
  for (size_t at = line.find(dotted); at != std::string_view::npos; at = line.find(dotted, from)) {
    append_lower(text, line.substr(from, at - from));
    text += "i\xcc\x87";
    from = at + dotted.size();
  }
  append_lower(text, line.substr(from));
  return text;
}

// What 13a does before anything else.
std::string without_entities(std::string text) {
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  return " " + text + " ";
}

// Blocks that sacreBLEU calls Chinese. It means ideographs beyond the first plane too, but compares strings whose
// first character is U+2000, U+2A6D, U+2F80 or U+2FA1, so that general punctuation and symbols are Chinese and those
// ideographs are not; scores are to be the same as its.
bool is_chinese(char32_t c) {
  constexpr std::pair<char32_t, char32_t> blocks[] = {
      {0x2001, 0x2a6d}, {0x2e80, 0x2fdf}, {0x2ff0, 0x303f}, {0x3100, 0x312f}, {0x31a0, 0x31bf},
      {0x31c0, 0x31ef}, {0x3200, 0x33ff}, {0x3400, 0x4db5}, {0x4e00, 0x9fbb}, {0xf900, 0xfa2d},
      {0xfa30, 0xfa6a}, {0xfa70, 0xfad9}, {0xfe10, 0xfe1f}, {0xfe30, 0xfe4f}, {0xff00, 0xffef}};
  return std::ranges::any_of(blocks, [c](const auto& block) { return c >= block.first && c <= block.second; });
}

std::string_view stripped(std::string_view text) {
  size_t begin = 0, end = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    at += point.bytes;
    if (!is_space(point.value)) end = at;
    if (end == 0) begin = at;
  }
  return text.substr(begin, end > begin ? end - begin : 0);
}

std::string with_chinese_apart(std::string_view text) {
  text = stripped(text);
  std::string spaced;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const bool apart = is_chinese(point.value);
    if (apart) spaced += ' ';
    spaced += text.substr(at, point.bytes);
    if (apart) spaced += ' ';
    at += point.bytes;
  }
  return spaced;
}

// The substitutions are passes over the whole line, one after another: what the first puts in, the next one sees. Only
// ASCII signs are taken apart, so it works on bytes of UTF-8.
std::string with_signs_apart(std::string_view text) {
  std::string signs;
  for (char c : text) {
    if (stands_alone(c)) {
      signs += ' ';
      signs += c;
      signs += ' ';
    } else {
      signs += c;
    }
  }
  // A stop after anything but a digit.
  std::string after;
  for (size_t i = 0; i < signs.size(); ++i) {
    after += signs[i];
    if (!is_digit_byte(signs[i]) && i + 1 < signs.size() && is_stop(signs[i + 1])) {
      after += ' ';
      after += signs[++i];
      after += ' ';
    }
  }
  // A stop before anything but a digit.
  std::string before;
  for (size_t i = 0; i < after.size(); ++i) {
    if (is_stop(after[i]) && i + 1 < after.size() && !is_digit_byte(after[i + 1])) {
      before += ' ';
      before += after[i];
      before += ' ';
      before += after[++i];
    } else {
      before += after[i];
    }
  }
  // A dash after a digit.
  std::string dashes;
  for (size_t i = 0; i < before.size(); ++i) {
    dashes += before[i];
    if (is_digit_byte(before[i]) && i + 1 < before.size() && before[i + 1] == '-') {
      dashes += " - ";
      ++i;
    }
  }
  return dashes;
}

std::string taken_apart(std::string text, BleuTokens tokens) {
  switch (tokens) {
    case BleuTokens::nist_13a:
      return with_signs_apart(without_entities(std::move(text)));
    case BleuTokens::zh:
      return with_signs_apart(with_chinese_apart(text));
    default:
      return text;
  }
}

template <class Use>
void for_each_bleu_word(std::string_view line, BleuTokens tokens, bool lowercase, Use use) {
  const std::string text = taken_apart(lowercase ? lowered(line) : std::string(line), tokens);
  const bool characters = tokens == BleuTokens::characters;
  size_t begin = 0;
  auto end_word = [&](size_t end) {
    if (end > begin) use(std::string_view(text).substr(begin, end - begin));
  };
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    const bool space = is_space(point.value);
    if (space || characters) {
      end_word(at);
      begin = space ? at + point.bytes : at;
    }
    at += point.bytes;
  }
  end_word(text.size());
}

constexpr std::pair<std::string_view, BleuTokens> names[] = {{"none", BleuTokens::none},
                                                             {"13a", BleuTokens::nist_13a},
                                                             {"zh", BleuTokens::zh},
                                                             {"char", BleuTokens::characters}};

}  // namespace

BleuTokens bleu_tokens_named(std::string_view name) {
  for (const auto& [known, tokens] : names)
    if (known == name) return tokens;
  throw ConfigError("tokenize", "'" + std::string(name) + "' is none of none, 13a, zh and char");
}

std::string_view name_of(BleuTokens tokens) {
  return std::ranges::find(names, tokens, &std::pair<std::string_view, BleuTokens>::second)->first;
}

BleuTokens bleu_tokens_of(const Language& language) {
  if (language.writing() == Writing::chinese) return BleuTokens::zh;
  return language.spaces_words() ? BleuTokens::nist_13a : BleuTokens::characters;
}

std::vector<uint64_t> bleu_words(std::string_view line, BleuTokens tokens, bool lowercase) {
  std::vector<uint64_t> words;
  for_each_bleu_word(line, tokens, lowercase, [&](std::string_view word) { words.push_back(hash_bytes(word)); });
  return words;
}

std::string bleu_text(std::string_view line, BleuTokens tokens, bool lowercase) {
  std::string text;
  for_each_bleu_word(line, tokens, lowercase, [&](std::string_view word) {
    if (!text.empty()) text += ' ';
    text += word;
  });
  return text;
}

}  // namespace dragoman::evaluate
