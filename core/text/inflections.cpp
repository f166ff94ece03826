#include "text/inflections.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/utf8.h"
#include "text/case_shape.h"

namespace dragoman::text {
namespace {

// Two endings, by their numbers; in either order they are one pair.
uint64_t pair_of(uint32_t ending, uint32_t other) {
  return uint64_t{std::min(ending, other)} << 32 | std::max(ending, other);
}

// The byte where the last `count` letters begin.
size_t place_before(std::string_view word, size_t count) {
  size_t at = word.size();
  for (; count > 0 && at > 0; --count) do
      --at;
    while (at > 0 && !begins_character(word[at]));
  return at;
}

// A word as a stem and an ending.
struct CutWord {
  const char* word;
  uint32_t stem_bytes;
  uint32_t ending;  // its number

  std::string_view stem() const { return {word, stem_bytes}; }
};

}  // namespace

void Inflections::build() const {
  sorted_.resize(words_.own_size() - Vocabulary::first_word);
  std::iota(sorted_.begin(), sorted_.end(), Vocabulary::first_word);
  std::erase_if(sorted_, [&](WordId id) { return !is_cased_word(words_.word(id)); });
  std::ranges::sort(sorted_, {}, [&](WordId id) { return words_.word(id); });
  learn_endings();
}

void Inflections::learn_endings() const {
  // Visits the words from which endings are learned, cut in all places.
  auto for_each_form = [&](const std::function<void(std::string_view word, size_t place)>& visit) {
    for (const WordId id : sorted_) {
      if (id >= words_counted) continue;
      const std::string_view word = words_.word(id);
      const size_t letters = characters_of(word);
      for (size_t ending = 0; ending <= most_ending && ending + least_counted <= letters; ++ending)
        visit(word, place_before(word, ending));
    }
  };
  // Two endings have no more stems than either of them.
  std::unordered_map<std::string_view, uint32_t> words_with;
  for_each_form([&](std::string_view word, size_t place) { ++words_with[word.substr(place)]; });
  for (const auto& [ending, words] : words_with)
    if (words >= enough_stems) endings_.emplace(ending, static_cast<uint32_t>(endings_.size()));
  std::vector<CutWord> forms;
  for_each_form([&](std::string_view word, size_t place) {
    if (const auto ending = endings_.find(word.substr(place)); ending != endings_.end())
      forms.push_back({word.data(), static_cast<uint32_t>(place), ending->second});
  });
  std::ranges::sort(forms, {}, &CutWord::stem);
  for (size_t begin = 0, end = 0; begin < forms.size(); begin = end) {
    while (end < forms.size() && forms[end].stem() == forms[begin].stem()) ++end;
    for (size_t one = begin; one < end; ++one)
      for (size_t other = one + 1; other < end; ++other)
        ++stems_with_both_[pair_of(forms[one].ending, forms[other].ending)];
  }
  std::erase_if(stems_with_both_, [](const auto& pair) { return pair.second < enough_stems; });
}

uint32_t Inflections::stems_with(std::string_view ending, std::string_view other) const {
  const auto one = endings_.find(ending), two = endings_.find(other);
  if (one == endings_.end() || two == endings_.end()) return 0;
  const auto pair = stems_with_both_.find(pair_of(one->second, two->second));
  return pair == stems_with_both_.end() ? 0 : pair->second;
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
