// Which words of one document may stand for which of the other, with both probabilities: what an alignment model says
// about their words, and words that are spelled alike and rare enough to tell something, which numbers and names are.
#pragma once

#include <span>
#include <vector>

#include "align/alignment_model.h"
#include "align/document_pair.h"

namespace dragoman::align {

class DocumentLexicon {
 public:
  struct Partner {
    WordId target;
    float forward;   // p(target | source)
    float backward;  // p(source | target)
  };

  // Without a model, spelling alone. The pair need not outlive it.
  DocumentLexicon(const DocumentPair& pair, const AlignmentModel* model);

  std::span<const Partner> partners(WordId source) const {
    return {partners_.data() + begins_[source], begins_[source + 1] - begins_[source]};
  }
  // Relative frequency of a word in its document.
  float source_share(WordId word) const { return source_shares_[word]; }
  float target_share(WordId word) const { return target_shares_[word]; }
  // Whether the lexicon knows a word well enough to wonder when nothing in a sentence stands for it.
  bool expects_target(WordId source) const { return source_expected_[source] != 0; }
  bool expects_source(WordId target) const { return target_expected_[target] != 0; }

 private:
  void add_partners(const AlignmentModel& model, WordId known, WordId word, const std::vector<WordId>& targets);
  void expect(const AlignmentModel& model, const std::vector<WordId>& sources, const std::vector<WordId>& targets);

  std::vector<uint64_t> begins_;
  std::vector<Partner> partners_;
  std::vector<float> source_shares_, target_shares_;
  std::vector<uint8_t> source_expected_, target_expected_;
};

}  // namespace dragoman::align
