// A back-off language model, mapped from lm.bin: immutable, shared by threads without locks, ready as soon as it is
// open. Scores are log10. Word ids are this model's own (find), so that any decoder can map its vocabulary once.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/container.h"
#include "lm/kernels.h"

namespace dragoman::lm {

class LanguageModel {
 public:
  // Throws FormatError unless the file is a whole model of this format.
  static LanguageModel open(const std::string& path, Trust trust = Trust::verify_hashes);
  static LanguageModel parse(const Container& container);

  uint32_t order() const { return view_.order; }
  uint64_t bytes() const { return file_size_; }
  // Number of n-grams of every length.
  std::vector<uint64_t> counts() const;
  bool over_classes() const { return classes_ != nullptr; }

  // The words that can be scored: of the classes' members where the model is over classes.
  const Vocabulary& vocabulary() const { return classes_ ? classes_->words : words_; }
  // The id of a word of a text: unknown_word for one that is not known, and for sentence marks, which are no words.
  WordId find(std::string_view word) const;

  // Nothing is known of what came before.
  State null_state() const { return {}; }
  // At the beginning of a sentence.
  const State& begin_state() const { return begin_; }

  // Scores a word after a state. Take sentence_end to end the sentence.
  WordScore score(const State& in, WordId word, State& out) const {
    if (!classes_) return kernels_->score(view_, in, word, out);
    const ClassOf of = class_of(word);
    WordScore result = kernels_->score(view_, in, of.id, out);
    result.log10_prob += of.log10_emission;
    return result;
  }

  const ModelView& view() const { return view_; }
  const LmKernels& kernels() const { return *kernels_; }
  // The same model computed with another instruction set.
  LanguageModel with_kernels(KernelLevel level) const;

 private:
  struct Classes {
    Vocabulary words = Vocabulary::from_words({});
    std::span<const WordId> class_of;
    std::span<const float> log10_emission;
  };
  struct ClassOf {
    WordId id;
    float log10_emission;
  };
  ClassOf class_of(WordId word) const;
  friend class FragmentScorer;

  std::shared_ptr<const Buffer> buffer_;
  uint64_t file_size_ = 0;
  Vocabulary words_ = Vocabulary::from_words({});
  std::shared_ptr<const Classes> classes_;
  ModelView view_;
  const LmKernels* kernels_ = &lm_kernels();
  State begin_;
};

// Scores words and fragments from left to right, after a fragment if there is one, with the left context open unless
// the sentence begins here.
class FragmentScorer {
 public:
  explicit FragmentScorer(const LanguageModel& model, const Fragment& first = {}) : model_(model), all_(first) {}

  void begin_sentence();
  void add_word(WordId word);
  void add_fragment(const Fragment& next);
  const Fragment& fragment() const { return all_; }

 private:
  // Words of ours whose n-grams still reach the left edge, or no more once full.
  void note_left(bool reaches_edge, const WordScore& score);

  const LanguageModel& model_;
  Fragment all_;
};

}  // namespace dragoman::lm
