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

}  // namespace

DocumentLexicon::DocumentLexicon(const DocumentPair& pair, const AlignmentModel* model)
    : source_shares_(word_shares(pair.source.text)), target_shares_(word_shares(pair.target.text)) {
  const Vocabulary& source = pair.source.text.vocabulary;
  const Vocabulary& target = pair.target.text.vocabulary;
  std::vector<WordId> in_document;
  if (model) {
    in_document.assign(model->target().size(), Vocabulary::unknown);
    for (WordId word = Vocabulary::first_word; word < target.size(); ++word)
      in_document[model->target().find(target.word(word))] = word;
    in_document[Vocabulary::unknown] = Vocabulary::unknown;
  }
  begins_.assign(1, 0);
  for (WordId word = 0; word < source.size(); ++word) {
    if (word >= Vocabulary::first_word) {
      const std::string_view spelling = source.word(word);
      WordId alike = target.find(spelling);
      if (source_shares_[word] > rare_share || target_shares_[alike] > rare_share) alike = Vocabulary::unknown;
      if (model)
        if (const WordId known = model->source().find(spelling); known >= Vocabulary::first_word)
          model->for_each_partner(known, [&](uint64_t partner, float forward, float backward) {
            const WordId other = partner < in_document.size() ? in_document[partner] : Vocabulary::unknown;
            if (other < Vocabulary::first_word) return;
            forward = telling(forward, target_shares_[other]);
            backward = telling(backward, source_shares_[word]);
            if (other == alike) {
              forward = std::max(forward, same_spelling_probability);
              backward = std::max(backward, same_spelling_probability);
              alike = Vocabulary::unknown;
            }
            if (forward + backward > 0) partners_.push_back({other, forward, backward});
          });
      if (alike >= Vocabulary::first_word)
        partners_.push_back({alike, same_spelling_probability, same_spelling_probability});
    }
    begins_.push_back(partners_.size());
  }
  source_expected_.assign(source.size(), 0);
  target_expected_.assign(target.size(), 0);
  for (WordId word = 0; word < source.size(); ++word)
    for (const Partner& partner : partners(word)) {
      if (partner.backward >= expected_probability) source_expected_[word] = 1;
      if (partner.forward >= expected_probability) target_expected_[partner.target] = 1;
    }
}

}  // namespace dragoman::align
