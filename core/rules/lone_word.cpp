#include "rules/lone_word.h"

#include <algorithm>

#include "rules/orientation.h"

namespace dragoman::rules {

std::optional<Span> lone_span(const AlignedSentence& sentence, uint32_t word, const ExtractOptions& options) {
  std::optional<Span> longest;
  Span stretch = Span::nothing();
  for (uint32_t link = sentence.source_links[word]; link < sentence.source_links[word + 1]; ++link) {
    const uint32_t at = sentence.targets[link];
    if (!stretch.empty() && at == stretch.end)
      ++stretch.end;
    else
      stretch = {at, at + 1};
    if (!longest || stretch.size() > longest->size()) longest = stretch;
  }
  return longest && longest->size() <= options.max_target_span(1) ? longest : std::nullopt;
}

std::optional<Yield> LoneWord::find(const IndexedBitext& bitext, const AlignedSentence& sentence, uint32_t word,
                                    uint32_t number) {
  const auto span = lone_span(sentence, word, options_);
  if (!span) return std::nullopt;
  target_.clear();
  links_.clear();
  for (uint32_t at = span->begin; at < span->end; ++at) {
    links_.push_back({0, static_cast<uint32_t>(target_.size())});
    target_.push_back(word_symbol(bitext.target(sentence.target.begin + at)));
  }
  Orientation orientation;
  if (options_.orientations) orientation = orientation_of(sentence, word, word + 1, *span);
  return Yield{number, plain, target_, links_, orientation};
}

std::optional<RulePlace> LoneWord::place(const IndexedBitext& bitext, const AlignedSentence& sentence, uint32_t word,
                                         std::span<const Symbol> target) {
  const auto yield = find(bitext, sentence, word, 0);
  if (!yield || !std::ranges::equal(yield->target, target)) return std::nullopt;
  return RulePlace{word, word + 1, *lone_span(sentence, word, options_), {}};
}

}  // namespace dragoman::rules
