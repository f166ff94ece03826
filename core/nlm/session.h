// Scores of words in contexts, for one sentence on one thread. Queries come in batches: those that the caches know are
// answered, the others are grouped, first by context (one hidden layer, one class normaliser), then by class (one pass
// over a class' rows for all contexts that ask for it). A score does not depend on the batch it is asked in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/neural_model.h"
#include "nlm/projection.h"
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
  uint64_t contexts = 0;      // distinct contexts of what was not, by batch
  uint64_t context_hits = 0;  // whose hidden layer and class normaliser were known
  uint64_t normalisers = 0;   // of a class in a context
  uint64_t normaliser_hits = 0;
};

class Session {
 public:
  // The model must outlive the session. cache_bytes bounds the caches, which are made here and cleared by begin().
  static constexpr size_t default_cache_bytes = size_t{8} << 20;
  explicit Session(const NeuralModel& model, size_t cache_bytes = default_cache_bytes);

  // A new sentence: counts begin again and nothing is remembered. Words of the source are ids of the model's.
  void begin(std::span<const WordId> source = {});

  // Natural logarithms, each finite.
  void score(std::span<const Query> queries, float* scores);
  // All words of the model's vocabulary after one context, for tests: by id, 0 for what cannot be predicted.
  void score_all(const WordId* context, uint32_t source, float* scores);

  const QueryCounts& counts() const { return counts_; }
  const NeuralModel& model() const { return model_; }

 private:
  // A context of the batch in hand.
  struct Context {
    uint64_t key;
    const Query* query;
    float activation_scale;
    float class_normaliser;
    uint32_t first_pending;  // its queries, linked
    bool known;
  };
  struct Pending {
    const Query* query;
    float* score;
    uint64_t key;  // of (context, word)
    uint32_t context;
    uint32_t next;  // of the same context
    uint32_t class_;
    float class_logit;
  };
  void score_chunk(std::span<const Query> queries, float* scores);
  uint32_t context_of(const Query& query, uint64_t key);
  void load_contexts();
  void normalise_classes();
  void store_contexts();
  void score_words();
  void score_in_class(std::span<const uint32_t> group);
  void score_in_tree(Pending& pending);
  float class_logit(uint32_t context, uint32_t of);
  float word_logit(uint32_t context, WordId word);
  void add_direct_words(uint32_t context, uint32_t first_row, uint32_t rows, float* logits) const;
  Activation activation(uint32_t context) const;
  uint64_t class_key(const Pending& pending) const;

  const NeuralModel& model_;
  const Header& header_;
  Projection projection_;
  uint32_t context_words_, lists_;  // direct lists of a context: context_words_ or none
  bool codes_;                      // activations are bytes
  uint64_t salt_ = 0;               // keys of different sentences differ
  QueryCounts counts_;

  // Caches.
  KeySets context_keys_;
  struct Factors {
    float activation_scale, class_normaliser;
  };
  std::vector<Factors> context_factors_;
  std::vector<std::byte> context_activations_;
  std::vector<DirectLists> context_lists_;
  ValueCache normalisers_, words_;

  // The batch in hand.
  std::vector<uint64_t> keys_;  // of each query's context, and with its word
  std::vector<Context> contexts_;
  std::vector<Pending> pending_;
  std::vector<uint32_t> table_, order_, fresh_;
  std::vector<float> values_;   // activations
  std::vector<uint8_t> bytes_;  // the same as codes
  std::vector<DirectLists> direct_;
  std::vector<float> logits_;
};

}  // namespace dragoman::nlm
