// The names of what is no word of any text: the sentence's beginning and end, and the unknown word.
//
// Text may hold any string, these names among them. Inside a model nothing can be confused: marks have ids that no text
// is looked up to (Vocabulary::from_words leaves them out of its table), and `<s>` as a word of the text is a word like
// any other. Files that people exchange, which are ARPA and lists of classes, have names alone. There a word of the
// text that is the name of a mark, perhaps with backslashes before it, gets one more backslash: `\<s>`, `\\<s>`.
#pragma once

#include <string>
#include <string_view>

namespace dragoman::lm {

inline constexpr std::string_view begin_name = "<s>";
inline constexpr std::string_view end_name = "</s>";
inline constexpr std::string_view unknown_name = "<unk>";

// The first words of a vocabulary with marks; how many there are is what Vocabulary::from_words is to hide.
inline constexpr std::string_view hidden_marks[] = {begin_name, end_name};

// Some programs write the unknown word in capitals.
inline bool is_unknown_name(std::string_view name) { return name == unknown_name || name == "<UNK>"; }
inline bool is_mark_name(std::string_view name) {
  return name == begin_name || name == end_name || is_unknown_name(name);
}

// The name of a mark with any number of backslashes before it.
inline bool reads_as_mark(std::string_view word) {
  const size_t bare = word.find_first_not_of('\\');
  return bare != std::string_view::npos && is_mark_name(word.substr(bare));
}

// A word of the text as such files have it, and back.
inline void append_word(std::string& text, std::string_view word) {
  if (reads_as_mark(word)) text += '\\';
  text += word;
}
inline std::string_view read_word(std::string_view written) {
  return written.starts_with('\\') && reads_as_mark(written) ? written.substr(1) : written;
}

// Before \data\, where readers skip lines that begin so: in this file words are written as above. Without it, as in the
// files of other programs, every word stands for itself.
inline constexpr std::string_view escapes_line =
    R"(# A backslash before <s>, </s> or <unk> makes it a word of the text.)";

}  // namespace dragoman::lm
