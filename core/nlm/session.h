// Scores of words in contexts, for one sentence on one thread. Queries come in batches: those that are known are
// answered, the others are grouped, first by context (context_table.h), then by class (one pass over a class' rows for
// all contexts that ask for it). A score does not depend on the batch it is asked in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/context_table.h"
#include "nlm/neural_model.h"
#include "nlm/query_cache.h"

namespace dragoman::nlm {

struct Query {
  const WordId* context;  // order - 1 words, the nearest first; no_word where nothing is known
  WordId word;
  uint32_t source;  // the source position it is affiliated with, for models that read the source
};

struct QueryCounts {
  uint64_t queries = 0;
  uint64_t word_hits = 0;     // (context, word) was known
  uint64_t contexts = 0;      // of what was not
  uint64_t context_hits = 0;  // whose hidden layer and class normaliser were known
  uint64_t normalisers = 0;   // of a class in a context
  uint64_t normaliser_hits = 0;
};

class Session {
 public:
  // The model must outlive the session. cache_bytes bounds what is remembered of a sentence.
  static constexpr size_t default_cache_bytes = size_t{2} << 20;
  explicit Session(const NeuralModel& model, size_t cache_bytes = default_cache_bytes);

  // A new sentence: counts begin again and nothing is remembered. Words of the source are ids of the model's.
  void begin(std::span<const WordId> source = {});

  // Natural logarithms, each finite.
  void score(std::span<const Query> queries, float* scores);

  const QueryCounts& counts() const { return counts_; }
  const NeuralModel& model() const { return model_; }

 private:
  // A score that must be computed.
  struct Pending {
    WordId word;
    uint32_t context;
    uint32_t class_;
    uint32_t next;  // of the same new context
    float class_logit;
    float score;
    uint64_t key;  // of (context, word)
  };
  struct Waiting {
    float* score;
    uint32_t pending;
  };
  uint32_t add_pending(const Query& query, uint64_t sum, uint64_t key);
  void settle();
  void score_words(uint32_t first_new);
  void group_by_class(uint32_t first_new);
  void score_classes(uint32_t first_new);
  void score_groups();
  size_t expect_groups(size_t begin, size_t end, size_t most_bytes = SIZE_MAX);
  void score_group(std::span<const uint64_t> group);
  float tree_score(const Pending& pending) const;

  const NeuralModel& model_;
  const Header& header_;
  uint32_t context_words_;
  QueryCounts counts_;
  ContextTable contexts_;
  KeyTable<float> normalisers_, words_;

  // The batch in hand.
  std::vector<uint64_t> sums_, keys_;  // of each query's context, and with its word
  std::vector<Pending> pending_;
  std::vector<Waiting> waiting_;
  std::vector<uint32_t> first_pending_;  // by new context
  std::vector<uint64_t> order_;          // of what needs a normaliser within a class: by class, then by context
  std::vector<std::span<const uint64_t>> groups_;  // of that: one class in a few contexts
  size_t scored_groups_ = 0;
  ReadAhead ahead_;
  std::vector<float> logits_;
};

}  // namespace dragoman::nlm
