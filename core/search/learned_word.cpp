#include "search/learned_word.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace dragoman::search {
namespace {

constexpr uint64_t most_sentences = 50;
constexpr uint64_t most_for_expensive = 10;
constexpr uint64_t most_words = 60;  // of a sentence
// Of the words in running text, those that count as rarer: about what lies beyond the commonest tenth of a vocabulary.
constexpr size_t rarer_share = 10;

// A word of the text as the model sees it: where nothing is known of what stands before it, and in its place.
struct Seen {
  double alone, in_place;
};

}  // namespace

double learned_bonus(const LanguageModel& model, const Index& index) {
  const IndexedBitext& bitext = index.bitext;
  std::vector<std::byte> now(model.context_bytes()), next(model.context_bytes()), nothing(model.context_bytes());
  std::vector<LmItem> items;
  const uint64_t enough = model.expensive() ? most_for_expensive : most_sentences;
  std::vector<Seen> words;
  double unknown = 0;
  uint64_t sentences = 0;
  // Corrections lie before the text the model was trained from; those of a memory may lie among it.
  for (uint64_t at = bitext.corrections(); at < bitext.sentences() && sentences < enough; ++at) {
    const TextSpan source = bitext.source_range(at), target = bitext.target_range(at);
    if (source.size() == 0 || target.size() == 0 || bitext.memory(at) != unnamed_memory) continue;
    std::vector<std::string_view> source_words;
    for (uint64_t word = source.begin; word < std::min(source.end, source.begin + most_words); ++word)
      source_words.push_back(index.source_words.word(bitext.source(word)));
    const auto last = static_cast<uint32_t>(source_words.size() - 1);
    items.clear();
    for (uint64_t word = target.begin; word < std::min(target.end, target.begin + most_words); ++word)
      items.push_back({static_cast<int32_t>(model.find(index.target_words.word(bitext.target(word)))),
                       std::min(static_cast<uint32_t>(word - target.begin), last)});
    const auto session = model.begin(source_words);
    const size_t half = items.size() / 2;
    session->begin_context(now.data());
    for (size_t i = 0; i < items.size(); ++i) {
      const LmItem stranger{static_cast<int32_t>(model.unknown()), items[i].source};
      if (i == half) unknown += session->score_words(now.data(), std::span(&stranger, 1), next.data());
      const double score = session->score_words(now.data(), std::span(items).subspan(i, 1), next.data());
      if (items[i].word != stranger.word) {
        session->score_words(now.data(), std::span(&stranger, 1), nothing.data());
        words.push_back({session->score_words(nothing.data(), std::span(items).subspan(i, 1), now.data()), score});
      }
      std::swap(now, next);
    }
    ++sentences;
  }
  const size_t rarer = (words.size() + rarer_share - 1) / rarer_share;
  if (rarer == 0) return 0;
  std::ranges::nth_element(words, words.begin() + static_cast<ptrdiff_t>(rarer - 1), {}, &Seen::alone);
  double known = 0;
  for (size_t i = 0; i < rarer; ++i) known += words[i].in_place;
  return std::max(0.0, known / static_cast<double>(rarer) - unknown / static_cast<double>(sentences));
}

}  // namespace dragoman::search
