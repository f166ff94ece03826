// A trained aligner as one immutable container (align.bin), for aligning further pairs: rows of source words with
// packed target ids and both directions' probabilities in 16 bits, about six bytes a pair, mapped as they lie. A
// look-up is a binary search in one row, so a pair of 25 words each costs some 60 microseconds.
//
// Words the model does not know are linked by spelling where the same string stands on the other side, else to a word
// there that it does not know either, else by the positions of their neighbours.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>

#include "align/bitext.h"
#include "align/inference.h"
#include "align/symmetrize.h"
#include "align/trained_model.h"
#include "base/container.h"
#include "base/monitor.h"
#include "base/packed_array.h"
#include "text/vocabulary.h"

namespace dragoman::align {

struct PairPosteriors {
  size_t source_words;
  size_t target_words;
  std::vector<float> forward, backward, null_forward, null_backward;
};

class AlignmentModel {
 public:
  static AlignmentModel pack(const Bitext& bitext, const TrainedModel& model);
  static AlignmentModel open(const std::string& path, Trust trust);
  static AlignmentModel parse(std::shared_ptr<const Buffer> buffer, Trust trust);
  void save(const std::string& path) const;
  // The same without these words of either side, as if they had never been seen.
  AlignmentModel without(const std::set<std::string, std::less<>>& source_words,
                         const std::set<std::string, std::less<>>& target_words) const;

  const ModelParameters& parameters() const { return parameters_; }
  const Vocabulary& source() const { return source_; }
  const Vocabulary& target() const { return target_; }
  size_t pairs() const { return targets_.size(); }
  size_t bytes() const { return buffer_->bytes().size(); }

  // p(target | source) and p(source | target); NULL is Vocabulary::separator on either side.
  std::pair<float, float> probabilities(WordId source, WordId target) const;
  // visit(target, p(target | source), p(source | target)) for each stored partner of a source word of this vocabulary.
  // Whether the target is in the vocabulary, and whether these are probabilities, is for the visitor to check.
  template <class Visit>
  void for_each_partner(WordId source, Visit&& visit) const {
    for (uint64_t pair = begins_[source]; pair < begins_[source + 1]; ++pair)
      visit(targets_[pair], static_cast<float>(forward_[pair]), static_cast<float>(backward_[pair]));
  }

  // Lines of space-separated words. Throws InputError where a text is not UTF-8, holds NUL, or the numbers of lines
  // differ.
  LinkTable align(std::string_view source, std::string_view target, Decoding decoding, Symmetrization how,
                  size_t threads, Monitor& monitor) const;
  PairPosteriors posteriors(std::string_view source, std::string_view target) const;

 private:
  AlignmentModel() = default;
  struct Scratch;
  PairMatrix fill(std::string_view source, std::string_view target, Scratch& scratch) const;

  std::shared_ptr<const Buffer> buffer_;
  ModelParameters parameters_;
  Vocabulary source_ = Vocabulary::from_words({});
  Vocabulary target_ = Vocabulary::from_words({});
  PackedArray begins_;
  PackedArray targets_;
  std::span<const Probability> forward_, backward_, null_target_, null_source_;
};

}  // namespace dragoman::align
