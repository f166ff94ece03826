// Scores of beads with their words: for each word, how much more probable it is given the words of the other side
// (IBM 1, a uniform link) than by its share of the document; the mean of both directions (Moore 2002 has one).
//
// Words are looked up through the other document's positions of their partners, so a row costs as much as there are
// partners in its band, whatever its width. Three rows are kept: a bead reaches no further.
#pragma once

#include <array>
#include <vector>

#include "align/bead_model.h"
#include "align/document_lexicon.h"
#include "align/sentence_band.h"

namespace dragoman::align {

class BeadScores {
 public:
  // All must outlive it.
  BeadScores(const DocumentPair& pair, const DocumentLexicon& lexicon, const BeadModel& model);

  void set_band(const SentenceBand& band);
  // Beads that begin at this source sentence can be scored from now on; steps of one, either way, are cheap.
  void move_to(uint32_t source);
  // The bead must lie inside both documents, and its beginning in the band.
  double score(size_t kind, uint32_t source, uint32_t target) const {
    const BeadKind& shape = bead_kinds[kind];
    double sum = model_.score(kind, source, target);
    if (shape.source == 0 || shape.target == 0) return sum;
    const Row& first = rows_[source % bead_sentences];
    for (uint32_t k = 0; k < shape.target; ++k) sum += first.forward[shape.source - 1][target + k - first.begin];
    for (uint32_t k = 0; k < shape.source; ++k) {
      const Row& row = rows_[(source + k) % bead_sentences];
      sum += row.backward[shape.target - 1][target - row.begin];
    }
    return sum;
  }
  // What lengths and words say about a bead, whatever its kind: more than 0 if they speak for it.
  double evidence(size_t kind, uint32_t source, uint32_t target) const {
    return score(kind, source, target) - model_.log_share(kind);
  }

 private:
  struct Place {
    uint32_t sentence;
    uint32_t count;
  };
  // One source sentence. Scores are halved already.
  struct Row {
    uint32_t source = UINT32_MAX;
    uint32_t begin = 0;
    // Of each target sentence given 1, 2, 3 source sentences from this one on.
    std::array<std::vector<float>, bead_sentences> forward;
    // Of this sentence given 1, 2, 3 target sentences from each one on.
    std::array<std::vector<float>, bead_sentences> backward;
  };

  std::span<const Place> places(WordId target, uint32_t begin, uint32_t end) const;
  void fill(Row& row);
  void fill_forward(Row& row, uint32_t end);
  void fill_backward(Row& row, uint32_t end);

  const DocumentPair& pair_;
  const DocumentLexicon& lexicon_;
  const BeadModel& model_;
  const SentenceBand* band_ = nullptr;
  std::array<Row, bead_sentences> rows_;
  // Where each target word stands.
  std::vector<uint64_t> place_begins_;
  std::vector<Place> places_;
  // What sentences score of which no word is explained.
  std::vector<float> source_unexplained_, target_unexplained_;
  // Scratch: probability of each target word given a group, those with any, and of a word given each target sentence.
  std::vector<float> given_;
  std::vector<WordId> touched_;
  std::vector<float> explained_;
};

}  // namespace dragoman::align
