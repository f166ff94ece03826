#include "align/document_lexicon.h"

#include <algorithm>

namespace dragoman::align {
namespace {

// A probability tells something if it is no accident and well above the word's share of the document; frequent words
// have thousands of partners otherwise.
constexpr float least_telling_probability = 0.01f;
constexpr float least_telling_lift = 2;
// Of two words of one spelling, if they are rarer than the share.
constexpr float same_spelling_probability = 0.5f;
constexpr float rare_share = 1.0f / 500;

// A few sentences do not tell how rare their words are, so every document counts as part of a text that is longer.
constexpr size_t unseen_words = 2000;

std::vector<float> word_shares(const Side& side) {
  const std::vector<uint32_t> counts = side.frequencies();
  const auto total = static_cast<float>(side.words.size() + side.vocabulary.size() + unseen_words);
  std::vector<float> shares(counts.size());
  for (size_t word = 0; word < counts.size(); ++word) shares[word] = static_cast<float>(counts[word] + 1) / total;
  return shares;
}

// A partner as probable as this is expected to be there.
constexpr float expected_probability = 0.1f;

// A probability as far as it tells something, else 0; out of a file it may be any number or none.
float telling(float probability, float share) {
  const bool tells = probability >= std::max(least_telling_probability, least_telling_lift * share);
  return tells ? std::min(probability, 1.0f) : 0;
}

// The numbers that the words of a document have there, by their numbers in another vocabulary.
std::vector<WordId> numbers_in(const Vocabulary& document, const Vocabulary& other) {
  std::vector<WordId> numbers(other.size(), Vocabulary::unknown);
  for (WordId word = Vocabulary::first_word; word < document.size(); ++word)
    numbers[other.find(document.word(word))] = word;
  numbers[Vocabulary::unknown] = Vocabulary::unknown;
  return numbers;
}

}  // namespace

DocumentLexicon::DocumentLexicon(const DocumentPair& pair, const AlignmentModel* model)
    : source_shares_(word_shares(pair.source.text)),
      target_shares_(word_shares(pair.target.text)),
      source_expected_(source_shares_.size(), 0),
      target_expected_(target_shares_.size(), 0) {
  const Vocabulary& source = pair.source.text.vocabulary;
  const Vocabulary& target = pair.target.text.vocabulary;
  std::vector<WordId> targets;
  if (model) {
    targets = numbers_in(target, model->target());
    expect(*model, numbers_in(source, model->source()), targets);
  }
  begins_.assign(1 + Vocabulary::first_word, 0);
  for (WordId word = Vocabulary::first_word; word < source.size(); ++word) {
    WordId alike = target.find(source.word(word));
    if (source_shares_[word] > rare_share || target_shares_[alike] > rare_share) alike = Vocabulary::unknown;
    if (alike >= Vocabulary::first_word) {
      partners_.push_back({alike, same_spelling_probability, same_spelling_probability});
      source_expected_[word] = target_expected_[alike] = 1;
    }
    const WordId known = model ? model->source().find(source.word(word)) : Vocabulary::unknown;
    if (known >= Vocabulary::first_word) add_partners(*model, known, word, targets);
    begins_.push_back(partners_.size());
  }
}

void DocumentLexicon::add_partners(const AlignmentModel& model, WordId known, WordId word,
                                   const std::vector<WordId>& targets) {
  const size_t first = begins_.back();
  const bool has_alike = partners_.size() > first;
  model.for_each_partner(known, [&](uint64_t partner, float forward, float backward) {
    const WordId other = partner < targets.size() ? targets[partner] : Vocabulary::unknown;
    if (other < Vocabulary::first_word) return;
    forward = telling(forward, target_shares_[other]);
    backward = telling(backward, source_shares_[word]);
    if (has_alike && partners_[first].target == other)
      partners_[first] = {other, std::max(forward, same_spelling_probability),
                          std::max(backward, same_spelling_probability)};
    else if (forward + backward > 0)
      partners_.push_back({other, forward, backward});
  });
}

// One walk over the whole model: what stands for a word of one document need not be in the other.
void DocumentLexicon::expect(const AlignmentModel& model, const std::vector<WordId>& sources,
                             const std::vector<WordId>& targets) {
  for (WordId known = Vocabulary::first_word; known < sources.size(); ++known)
    model.for_each_partner(known, [&](uint64_t partner, float forward, float backward) {
      const WordId word = sources[known], other = partner < targets.size() ? targets[partner] : Vocabulary::unknown;
      if (telling(backward, source_shares_[word]) >= expected_probability) source_expected_[word] = 1;
      if (telling(forward, target_shares_[other]) >= expected_probability) target_expected_[other] = 1;
    });
}

}  // namespace dragoman::align
