#include "text/compounds.h"

#include <algorithm>
#include <limits>
#include <string>

#include "base/utf8.h"
#include "text/case_shape.h"
#include "text/lines.h"

namespace dragoman::text {
namespace {

constexpr double impossible = std::numeric_limits<double>::infinity();

// Where letters begin, and the end.
std::vector<size_t> letter_places(std::string_view word) {
  std::vector<size_t> places;
  for (size_t at = 0; at < word.size(); at += decode_utf8(word, at).bytes) places.push_back(at);
  places.push_back(word.size());
  return places;
}

// The cheapest way to a place by so many parts: the product of their ids, which puts them in order of the mean of
// their logarithms and rounds alike everywhere.
struct Way {
  double cost = impossible;
  size_t before = 0;
  WordId word = Vocabulary::unknown;
};

}  // namespace

// A piece that is no word itself may be one with a linking element, or without its ending.
WordId CompoundSplitter::part(std::string_view piece, bool is_last, const FindPart& find) const {
  WordId best = find(piece, is_last);
  if (is_last || best != Vocabulary::unknown) return best;
  auto take = [&](WordId word) {
    if (word != Vocabulary::unknown && (best == Vocabulary::unknown || word < best)) best = word;
  };
  for_each_word(habits_.links, [&](std::string_view link) {
    if (!piece.ends_with(link)) return;
    const std::string_view rest = piece.substr(0, piece.size() - link.size());
    if (characters_of(rest) >= least_letters) take(find(rest, false));
  });
  for_each_word(habits_.drops,
                [&](std::string_view drop) { take(find(std::string(piece) + std::string(drop), false)); });
  return best;
}

bool CompoundSplitter::vocabulary_has_compounds() const {
  const WordId end = std::min<WordId>(words_.own_size(), words_counted);
  auto is_frequent = [&](std::string_view piece) {
    const WordId id = words_.find(piece);
    return id != Vocabulary::unknown && id < end;
  };
  size_t long_words = 0, compounds = 0;
  for (WordId id = Vocabulary::first_word; id < end; ++id) {
    const std::string_view word = words_.word(id);
    if (!is_cased_word(word)) continue;
    const std::vector<size_t> places = letter_places(word);
    const size_t letters = places.size() - 1;
    if (letters < long_word) continue;
    ++long_words;
    for (size_t half = half_of_long; half + half_of_long <= letters; ++half)
      if (is_frequent(word.substr(0, places[half])) && is_frequent(word.substr(places[half]))) {
        ++compounds;
        break;
      }
  }
  return compounds >= enough_compounds && compounds * one_in >= long_words;
}

std::vector<CompoundPart> CompoundSplitter::split(std::string_view word, const FindPart& find) const {
  const std::vector<size_t> places = letter_places(word);
  const size_t letters = places.size() - 1;
  if (letters < 2 * least_letters || letters > most_letters) return {};
  std::call_once(counted_, [&] { are_written_ = !habits_.links.empty() || vocabulary_has_compounds(); });
  if (!are_written_) return {};
  std::vector<std::vector<Way>> ways(most_parts + 1, std::vector<Way>(letters + 1));
  ways[0][0].cost = 1;
  for (size_t begin = 0; begin + least_letters <= letters; ++begin) {
    const bool reached = std::ranges::any_of(ways, [&](const auto& row) { return row[begin].cost < impossible; });
    if (!reached) continue;
    for (size_t end = begin + least_letters; end <= letters; ++end) {
      const bool is_last = end == letters;
      if ((begin == 0 && is_last) || (!is_last && letters - end < least_letters)) continue;
      const WordId id = part(word.substr(places[begin], places[end] - places[begin]), is_last, find);
      if (id == Vocabulary::unknown) continue;
      for (size_t parts = 0; parts < most_parts; ++parts) {
        const double cost = ways[parts][begin].cost * id;
        if (Way& way = ways[parts + 1][end]; cost < way.cost) way = {cost, begin, id};
      }
    }
  }
  for (size_t parts = 2; parts <= most_parts; ++parts) {
    if (ways[parts][letters].cost == impossible) continue;
    std::vector<CompoundPart> split(parts);
    for (size_t end = letters, at = parts; at > 0; end = ways[at--][end].before) {
      const Way& way = ways[at][end];
      split[at - 1] = {{places[way.before], places[end]}, way.word};
    }
    return split;
  }
  return {};
}

}  // namespace dragoman::text
