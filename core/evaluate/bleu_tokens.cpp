#include "evaluate/bleu_tokens.h"

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
  std::string made;
  size_t from = 0;
  for (size_t at = line.find(dotted); at != std::string_view::npos; at = line.find(dotted, from)) {
    append_lower(made, line.substr(from, at - from));
    made += "i\xcc\x87";
    from = at + dotted.size();
  }
  append_lower(made, line.substr(from));
  return made;
}

// The substitutions are passes over the whole line, one after another: what the first puts in, the next one sees.
std::string spaced(std::string text) {
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  replace_all(text, "\n", " ");
  if (text.find('&') != std::string::npos) {
    replace_all(text, "&quot;", "\"");
    replace_all(text, "&amp;", "&");
    replace_all(text, "&lt;", "<");
    replace_all(text, "&gt;", ">");
  }
  std::string signs = " ";
  for (char c : text) {
    if (stands_alone(c)) {
      signs += ' ';
      signs += c;
      signs += ' ';
    } else {
      signs += c;
    }
  }
  signs += ' ';
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
  std::string made;
  for (size_t i = 0; i < before.size(); ++i) {
    made += before[i];
    if (is_digit_byte(before[i]) && i + 1 < before.size() && before[i + 1] == '-') {
      made += " - ";
      ++i;
    }
  }
  return made;
}

template <class Use>
void for_each_bleu_word(std::string_view line, bool lowercase, Use use) {
  const std::string text = spaced(lowercase ? lowered(line) : std::string(line));
  size_t begin = 0;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (is_space(point.value)) {
      if (at > begin) use(std::string_view(text).substr(begin, at - begin));
      begin = at + point.bytes;
    }
    at += point.bytes;
  }
  if (begin < text.size()) use(std::string_view(text).substr(begin));
}

}  // namespace

std::vector<uint64_t> bleu_words(std::string_view line, bool lowercase) {
  std::vector<uint64_t> words;
  for_each_bleu_word(line, lowercase, [&](std::string_view word) { words.push_back(hash_bytes(word)); });
  return words;
}

std::string bleu_text(std::string_view line, bool lowercase) {
  std::string made;
  for_each_bleu_word(line, lowercase, [&](std::string_view word) {
    if (!made.empty()) made += ' ';
    made += word;
  });
  return made;
}

}  // namespace dragoman::evaluate
