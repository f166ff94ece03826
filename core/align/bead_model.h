// What makes beads of two documents probable besides their words: how often each kind occurs, how the lengths of the
// two sides go together (after Gale and Church 1993), and whether paragraphs begin together.
//
// Every score here is a logarithm of how much more probable something is in a bead than if the two documents had
// nothing to do with each other. A sentence that is left over therefore scores its kind's share alone, and scores of
// different beads, lengths and words simply add up.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "align/bead.h"
#include "align/document_pair.h"

namespace dragoman::align {

class BeadModel {
 public:
  // Learns shares and the meaning of paragraphs from beads found before; without any it takes what most documents have.
  // So it does with the ratio of lengths unless that is given, as more than 0. The pair must outlive it.
  BeadModel(const DocumentPair& pair, std::span<const Bead> earlier, double length_ratio);

  // The score of a kind by itself.
  double log_share(size_t kind) const { return log_shares_[kind]; }
  // The score of a bead but for its words; its first sentences are `source` and `target`.
  double score(size_t kind, uint32_t source, uint32_t target) const {
    const BeadKind& shape = bead_kinds[kind];
    if (shape.source == 0 || shape.target == 0) return log_shares_[kind];
    const SourceGroup& ours = sources_[shape.source - 1][source];
    const TargetGroup& theirs = targets_[shape.target - 1][target];
    const double apart = theirs.log_length - ours.log_length;
    return log_shares_[kind] + theirs.background - ours.log_deviation - apart * apart * ours.precision + ours.inside +
           theirs.inside + together_[ours.opens][theirs.opens];
  }

 private:
  // Sentences in a row, by the first of them.
  struct SourceGroup {
    double log_length;  // of the translation that is to be expected
    double log_deviation;
    double precision;  // 1 / (2 * variance)
    double inside;     // paragraphs that begin after its first sentence
    uint8_t opens;
  };
  struct TargetGroup {
    double log_length;
    double background;  // - log of the density of that length among all groups of so many sentences
    double inside;
    uint8_t opens;
  };

  void learn_paragraphs(const DocumentPair& pair, std::span<const Bead> earlier);
  void learn_shares(std::span<const Bead> earlier);

  std::array<double, bead_kinds.size()> log_shares_;
  std::array<std::vector<SourceGroup>, bead_sentences> sources_;
  std::array<std::vector<TargetGroup>, bead_sentences> targets_;
  std::array<std::array<double, 2>, 2> together_{};
  // Of a sentence inside a bead that begins no paragraph, and of one that does.
  std::array<double, 2> inside_source_{}, inside_target_{};
};

}  // namespace dragoman::align
