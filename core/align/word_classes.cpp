#include "align/word_classes.h"

#include <string_view>
#include <unordered_map>

#include "base/utf8.h"

namespace dragoman::align {

WordClasses prefix_classes(const Vocabulary& vocabulary, std::span<const uint32_t> frequencies, size_t prefix) {
  WordClasses classes;
  classes.of_word.resize(vocabulary.size());
  std::unordered_map<std::string_view, uint32_t> numbers;
  std::vector<uint64_t> totals;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    const std::string_view text = vocabulary.word(word);
    size_t bytes = 0;
    for (size_t characters = 0; bytes < text.size(); ++bytes) {
      // A byte that starts a character.
      if (begins_character(text[bytes]) && characters++ == prefix) break;
    }
    auto [entry, added] = numbers.try_emplace(text.substr(0, bytes), static_cast<uint32_t>(totals.size()));
    if (added) totals.push_back(0);
    classes.of_word[word] = entry->second;
    totals[entry->second] += frequencies[word];
  }
  classes.begins.assign(totals.size() + 1, 0);
  for (uint32_t number : classes.of_word) ++classes.begins[number + 1];
  for (size_t c = 1; c < classes.begins.size(); ++c) classes.begins[c] += classes.begins[c - 1];
  classes.members.resize(vocabulary.size());
  std::vector<uint32_t> next(classes.begins.begin(), classes.begins.end() - 1);
  for (WordId word = 0; word < vocabulary.size(); ++word) classes.members[next[classes.of_word[word]]++] = word;
  classes.share_of_class.resize(vocabulary.size());
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    const uint64_t total = totals[classes.of_word[word]];
    classes.share_of_class[word] = total ? static_cast<float>(frequencies[word]) / static_cast<float>(total) : 0;
  }
  return classes;
}

}  // namespace dragoman::align
