// The text a network learns from, as ids: what is trained on, and what perplexity is measured on.
//
// Sentences stand one after another, each between its marks, as core/lm encodes them. The context of a word is what
// stands before it; where the sentence begins, its mark is repeated. A model that also reads the source knows for each
// target position the place of its affiliated source word (affiliation.h), and reads a window around that place, beyond
// the ends of the source sentence again their marks (thesis 4.9). Four bytes a word on each side, and four more a
// target word for its place, in memory or in a scratch space.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nlm/corpus_ids.h"

namespace dragoman::nlm {

struct IdStream {
  Array<WordId> ids;
  Array<WordId> source_ids;
  Array<uint32_t> centres;  // by position in ids: the place in source_ids; empty without a source

  // Words and ends of sentences.
  uint64_t tokens() const;
  bool is_predicted(uint64_t position) const { return ids[position] != sentence_begin; }
  // The words before a position, the nearest first.
  void read_context(uint64_t position, std::span<WordId> context) const;
  // The source words around that of a position, from left to right.
  void read_window(uint64_t position, std::span<WordId> window) const;
};

// Source sentences and what links them to the target's.
struct SourceText {
  CorpusIds corpus;
  const StoredLinks& links;
  const IdText& source;
  const IdText& target;
};

struct HeldOut {
  double share = 0.02;  // of the sentences
  uint64_t most = 3000;
  uint64_t seed = 1;
};

class TrainingText {
 public:
  // Throws InputError for a text without sentences, and for sides that are not those of the same pairs.
  TrainingText(CorpusIds target, std::optional<SourceText> source, const HeldOut& heldout);

  const std::vector<std::string>& words() const { return words_; }
  const std::vector<std::string>& source_words() const { return source_words_; }
  bool reads_source() const { return reads_source_; }
  // Ids, reserved ones included.
  uint32_t size() const { return static_cast<uint32_t>(counts_.size()); }
  uint32_t source_size() const {
    return reads_source_ ? static_cast<uint32_t>(source_words_.size()) + first_real_word : 0;
  }
  const std::vector<uint64_t>& counts() const { return counts_; }

  const IdStream& train() const { return train_; }
  const IdStream& heldout() const { return heldout_; }
  // All sentences, those held out last, as clustering takes them.
  std::vector<std::span<const WordId>> texts() const;
  // Where what grows with the text lies; nullptr for memory.
  ScratchSpace* scratch() const { return scratch_.get(); }
  // Of all that is learned from.
  uint64_t hash() const;

 private:
  void divide(const SourceText* source, const std::vector<bool>& held);

  std::shared_ptr<ScratchSpace> scratch_, source_scratch_;
  std::vector<std::string> words_, source_words_;
  std::vector<uint64_t> counts_;  // by id
  bool reads_source_ = false;
  IdStream train_, heldout_;
};

}  // namespace dragoman::nlm
