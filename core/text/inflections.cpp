#include "text/inflections.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "text/case_shape.h"

namespace dragoman::text {
namespace {

// The two in either order are one.
std::string pair_of(std::string_view ending, std::string_view other) {
  if (other < ending) std::swap(ending, other);
  std::string pair(ending);
  pair += ' ';
  pair += other;
  return pair;
}

// The byte where the last `count` letters begin.
size_t place_before(std::string_view word, size_t count) {
  size_t at = word.size();
  for (; count > 0 && at > 0; --count) do
      --at;
    while (at > 0 && !begins_character(word[at]));
  return at;
}

}  // namespace

void Inflections::build() const {
  sorted_.resize(words_.own_size() - Vocabulary::first_word);
  std::iota(sorted_.begin(), sorted_.end(), Vocabulary::first_word);
  std::erase_if(sorted_, [&](WordId id) { return !is_cased_word(words_.word(id)); });
  std::ranges::sort(sorted_, {}, [&](WordId id) { return words_.word(id); });
  learn_endings();
}

void Inflections::learn_endings() const {
  std::vector<std::pair<std::string_view, std::string_view>> forms;  // stem and ending
  for (const WordId id : sorted_) {
    if (id >= words_counted) continue;
    const std::string_view word = words_.word(id);
    const size_t letters = characters_of(word);
    for (size_t ending = 0; ending <= most_ending && ending + least_counted <= letters; ++ending) {
      const size_t place = place_before(word, ending);
      forms.emplace_back(word.substr(0, place), word.substr(place));
    }
  }
  std::ranges::sort(forms);
  for (size_t begin = 0, end = 0; begin < forms.size(); begin = end) {
    while (end < forms.size() && forms[end].first == forms[begin].first) ++end;
    for (size_t one = begin; one < end; ++one)
      for (size_t other = one + 1; other < end; ++other)
        ++stems_by_endings_[pair_of(forms[one].second, forms[other].second)];
  }
  std::erase_if(stems_by_endings_, [](const auto& pair) { return pair.second < enough_stems; });
}

uint32_t Inflections::stems_with(std::string_view ending, std::string_view other) const {
  std::call_once(built_, [&] { build(); });
  const auto entry = stems_by_endings_.find(pair_of(ending, other));
  return entry == stems_by_endings_.end() ? 0 : entry->second;
}

WordId Inflections::find(std::string_view word, const std::function<bool(WordId)>& fits) const {
  std::call_once(built_, [&] { build(); });
  WordId best = Vocabulary::unknown;
  uint32_t most_stems = 0;
  const size_t letters = characters_of(word);
  if (letters <= least_stem) return best;
  // From the longest stem to the shortest; words that share more than a stem were seen with that.
  for (size_t ending_letters = 0; ending_letters <= most_ending && letters >= least_stem + ending_letters;
       ++ending_letters) {
    const size_t place = place_before(word, ending_letters);
    const std::string_view stem = word.substr(0, place), ending = word.substr(place);
    const std::string_view longer = word.substr(0, place_before(word, ending_letters - (ending_letters > 0)));
    for (auto at = std::ranges::lower_bound(sorted_, stem, {}, [&](WordId id) { return words_.word(id); });
         at != sorted_.end(); ++at) {
      const std::string_view other = words_.word(*at);
      if (!other.starts_with(stem)) break;
      if (other == word || (ending_letters > 0 && other.starts_with(longer))) continue;
      const std::string_view other_ending = other.substr(place);
      if (characters_of(other_ending) > most_ending) continue;
      const uint32_t stems = stems_with(ending, other_ending);
      if (stems == 0 || stems < most_stems || (stems == most_stems && *at > best) || !fits(*at)) continue;
      most_stems = stems;
      best = *at;
    }
  }
  return best;
}

}  // namespace dragoman::text
