#include "align/bead_scores.h"

#include <algorithm>
#include <cmath>

namespace dragoman::align {
namespace {

// How much of a word's probability comes from the other side; the rest is its share of the document.
constexpr float explained_share = 0.6f;
constexpr float odds = explained_share / (1 - explained_share);
const float half_unexplained = 0.5f * std::log(1 - explained_share);

float half_gain(float probability, float share) { return 0.5f * std::log1p(odds * probability / share); }

}  // namespace

BeadScores::BeadScores(const DocumentPair& pair, const DocumentLexicon& lexicon, const BeadModel& model)
    : pair_(pair), lexicon_(lexicon), model_(model) {
  const Side& text = pair.target.text;
  std::vector<std::vector<Place>> by_word(text.vocabulary.size());
  for (uint32_t sentence = 0; sentence < text.size(); ++sentence)
    for (WordId word : text.sentence(sentence)) {
      auto& word_places = by_word[word];
      if (!word_places.empty() && word_places.back().sentence == sentence)
        ++word_places.back().count;
      else
        word_places.push_back({sentence, 1});
    }
  for (const auto& word_places : by_word) {
    place_begins_.push_back(places_.size());
    places_.insert(places_.end(), word_places.begin(), word_places.end());
  }
  place_begins_.push_back(places_.size());
  given_.assign(by_word.size(), 0);
  auto unexplained = [](const Side& side, auto&& expected) {
    std::vector<float> scores(side.size());
    for (size_t sentence = 0; sentence < side.size(); ++sentence)
      scores[sentence] =
          half_unexplained * static_cast<float>(std::ranges::count_if(side.sentence(sentence), expected));
    return scores;
  };
  source_unexplained_ = unexplained(pair.source.text, [&](WordId word) { return lexicon.expects_target(word); });
  target_unexplained_ = unexplained(text, [&](WordId word) { return lexicon.expects_source(word); });
}

void BeadScores::set_band(const SentenceBand& band) {
  band_ = &band;
  for (Row& row : rows_) row.source = UINT32_MAX;
}

void BeadScores::move_to(uint32_t source) {
  const uint32_t end = std::min(source + bead_sentences, pair_.source.size());
  for (uint32_t at = source; at < end; ++at) {
    Row& row = rows_[at % bead_sentences];
    if (row.source == at) continue;
    row.source = at;
    fill(row);
  }
}

std::span<const BeadScores::Place> BeadScores::places(WordId target, uint32_t begin, uint32_t end) const {
  auto before = [](const Place& place, uint32_t sentence) { return place.sentence < sentence; };
  const auto* all = places_.data();
  const auto* first = std::lower_bound(all + place_begins_[target], all + place_begins_[target + 1], begin, before);
  return {first, std::lower_bound(first, all + place_begins_[target + 1], end, before)};
}

// A bead that begins in an earlier row asks for this row too, so the row reaches from that one's beginning to where its
// own beads may end.
void BeadScores::fill(Row& row) {
  const uint32_t first = row.source < bead_sentences ? 0 : row.source - bead_sentences + 1;
  row.begin = band_->row(first).begin;
  const uint32_t end = std::min(band_->row(row.source).end + bead_sentences, pair_.target.size());
  const size_t width = end > row.begin ? end - row.begin : 0;
  for (uint32_t count = 1; count <= bead_sentences; ++count) {
    row.backward[count - 1].assign(width, source_unexplained_[row.source]);
    row.forward[count - 1].assign(target_unexplained_.begin() + row.begin,
                                  target_unexplained_.begin() + row.begin + static_cast<ptrdiff_t>(width));
  }
  fill_forward(row, end);
  fill_backward(row, end);
}

void BeadScores::fill_forward(Row& row, uint32_t end) {
  touched_.clear();
  size_t words = 0;
  for (uint32_t count = 1; count <= bead_sentences && row.source + count <= pair_.source.size(); ++count) {
    const auto sentence = pair_.source.text.sentence(row.source + count - 1);
    words += sentence.size();
    for (WordId word : sentence)
      for (const auto& partner : lexicon_.partners(word)) {
        if (partner.forward == 0) continue;
        if (given_[partner.target] == 0) touched_.push_back(partner.target);
        given_[partner.target] += partner.forward;
      }
    for (WordId word : touched_) {
      const auto word_places = places(word, row.begin, end);
      if (word_places.empty()) continue;
      const float gain = half_gain(given_[word] / static_cast<float>(words), lexicon_.target_share(word));
      for (const Place& place : word_places)
        row.forward[count - 1][place.sentence - row.begin] += gain * static_cast<float>(place.count);
    }
  }
  for (WordId word : touched_) given_[word] = 0;
}

void BeadScores::fill_backward(Row& row, uint32_t end) {
  const size_t width = row.backward[0].size();
  explained_.assign(width + bead_sentences, 0);
  const auto& lengths = pair_.target.text;
  for (WordId word : pair_.source.text.sentence(row.source)) {
    size_t first = width, last = 0;
    for (const auto& partner : lexicon_.partners(word)) {
      if (partner.backward == 0) continue;
      for (const Place& place : places(partner.target, row.begin, end)) {
        const size_t at = place.sentence - row.begin;
        explained_[at] += partner.backward * static_cast<float>(place.count);
        first = std::min(first, at);
        last = std::max(last, at + 1);
      }
    }
    const float share = lexicon_.source_share(word);
    for (size_t at = first > bead_sentences ? first - bead_sentences + 1 : 0; at < last; ++at) {
      float probability = 0;
      uint64_t words = 0;
      for (uint32_t count = 1; count <= bead_sentences && at + count <= width; ++count) {
        probability += explained_[at + count - 1];
        words += lengths.length(row.begin + at + count - 1);
        if (probability > 0) row.backward[count - 1][at] += half_gain(probability / static_cast<float>(words), share);
      }
    }
    std::fill(explained_.begin() + static_cast<ptrdiff_t>(std::min(first, last)),
              explained_.begin() + static_cast<ptrdiff_t>(last), 0.0f);
  }
}

}  // namespace dragoman::align
