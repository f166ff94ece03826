#include "lm/estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <mutex>
#include <string>

#include "base/errors.h"
#include "base/parallel.h"
#include "lm/ngram_order.h"

namespace dragoman::lm {
namespace {

// Shards end where the last word of the n-grams changes, so that a context and all its continuations belong to one.
constexpr size_t shard_count = 32;
constexpr uint32_t cut_off = uint32_t{1} << 31;

// Counts of nodes per level at every so many ranks, to enter the middle of the order.
constexpr size_t sample_ranks = 256;

// Below this, pieces of text that are sorted one by one cost more than they save.
constexpr size_t least_piece_size = size_t{1} << 16;

// Statistics of adjusted counts of one order: how many n-grams have 1, 2, 3, 4.
using CountsOfCounts = std::array<uint64_t, 5>;

class Estimator {
 public:
  Estimator(EncodedText text, const EstimateOptions& options, Monitor& monitor)
      : options_(options),
        monitor_(monitor),
        order_(options.order),
        vocabulary_size_(text.words.size()),
        memory_(text.ids.get_allocator().resource()),
        sorted_(memory_) {
    result_.scratch = std::move(text.scratch);
    result_.trie.words = std::move(text.words);
    result_.trie.classes = std::move(text.classes);
    // Sorting a piece takes about 24 bytes a word.
    const size_t piece_size = result_.scratch ? std::max(result_.scratch->limit_bytes() / 64, least_piece_size) : 0;
    sorted_ = sort_ngrams(std::move(text.ids), {vocabulary_size_, order_, options.threads, piece_size}, monitor);
  }

  Estimate run() {
    cut_shards();
    allocate();
    for_each_shard(shard_count, options_.threads, monitor_, [&](size_t shard) { count_nodes(shard); });
    estimate_discounts();
    unigrams();
    if (order_ > 1) {
      for_each_shard(shard_count, options_.threads, monitor_, [&](size_t shard) { sum_contexts(shard); });
      for_each_shard(shard_count, options_.threads, monitor_, [&](size_t shard) { interpolate(shard); });
    }
    Kept kept;
    if (any_cut_) kept = not_cut_off();
    to_logarithms();
    if (any_cut_) result_.trie = select(result_.trie, kept);
    return std::move(result_);
  }

 private:
  using PerLevel = std::array<uint32_t, max_order + 1>;

  NgramLevel& level(size_t k) { return result_.trie.levels[k]; }

  // Until probabilities are known, their array holds adjusted counts, with a mark on those cut off.
  static float from_count(uint32_t count) { return std::bit_cast<float>(count); }
  static uint32_t to_count(float stored) { return std::bit_cast<uint32_t>(stored); }

  uint64_t min_count(size_t k) const {
    return k == 0 ? 1 : options_.min_counts[std::min(k, options_.min_counts.size() - 1)];
  }

  // Shards of ranks, by whole words, and the number of nodes of every level before each.
  void cut_shards() {
    const size_t size = sorted_.size();
    word_cut_.assign(shard_count + 1, vocabulary_size_);
    word_cut_[0] = 0;
    for (size_t shard = 1; shard < shard_count; ++shard) {
      const auto rank = static_cast<uint32_t>(shard_range(size, shard_count, shard).begin);
      const auto& begins = sorted_.word_begin;
      word_cut_[shard] = static_cast<WordId>(std::lower_bound(begins.begin(), begins.end() - 1, rank) - begins.begin());
    }
    // Per shard: how often each word follows, which places the cursors.
    follow_.assign(shard_count, {});
    samples_.assign(size / sample_ranks + 1, {});
    for_each_shard(shard_count, options_.threads, monitor_, [&](size_t shard) {
      auto& follow = follow_[shard];
      follow.assign(vocabulary_size_, 0);
      for (size_t r = begin_rank(shard); r < begin_rank(shard + 1); ++r) ++follow[sorted_.next_word[r]];
    });
    for (WordId word = 0; word < vocabulary_size_; ++word) {
      uint32_t rank = sorted_.word_begin[word];
      for (auto& follow : follow_) {
        const uint32_t count = follow[word];
        follow[word] = rank;
        rank += count;
      }
    }
    PerLevel nodes{};
    node_begin_.assign(shard_count + 1, {});
    size_t shard = 0;
    for (size_t r = 0; r <= size; ++r) {
      while (shard <= shard_count && r == begin_rank(shard)) node_begin_[shard++] = nodes;
      if (r % sample_ranks == 0) samples_[r / sample_ranks] = nodes;
      if (r == size) break;
      for (size_t k = sorted_.shape[r].shared; k < sorted_.shape[r].depth; ++k) ++nodes[k];
    }
    node_begin_[shard_count] = nodes;
  }

  size_t begin_rank(size_t shard) const { return sorted_.word_begin[word_cut_[shard]]; }

  void allocate() {
    auto& levels = result_.trie.levels;
    levels.reserve(order_);
    for (size_t k = 0; k < order_; ++k) {
      levels.emplace_back(memory_);
      denominator_.emplace_back(memory_);
      const size_t size = k == 0 ? vocabulary_size_ : node_begin_[shard_count][k];
      levels[k].log10_prob.resize(size);
      if (k > 0) levels[k].context.resize(size);
      if (k + 1 == order_) break;
      levels[k].first_child.resize(size + 1);
      levels[k].first_child[size] = node_begin_[shard_count][k + 1];
      levels[k].log10_backoff.assign(size, 1);
      if (options_.keep_counts) levels[k].count.resize(size);
    }
    for (size_t k = 0; k + 1 < order_; ++k) denominator_[k].resize(levels[k].size());
  }

  // Children, adjusted counts and their statistics. Level 0 is indexed by word, the others by appearance.
  void count_nodes(size_t shard) {
    PerLevel next = node_begin_[shard];
    std::array<uint32_t, max_order> current{};
    std::array<uint32_t, max_order> raw{};
    std::array<bool, max_order> opens_sentence{};
    std::array<CountsOfCounts, max_order> statistics{};
    bool any_cut = false;
    size_t open = 0;  // levels with a current node
    auto close = [&](size_t k) {
      const uint32_t node = current[k];
      const bool by_occurrence = k + 1 == order_ || opens_sentence[k];
      uint32_t adjusted = by_occurrence ? raw[k] : next[k + 1] - level(k).first_child[node];
      if (k == 0 && node == sentence_begin) adjusted = 0;
      if (adjusted > 0 && adjusted <= 4) ++statistics[k][adjusted];
      if (options_.keep_counts && k + 1 < order_) level(k).count[node] = raw[k];
      if (raw[k] < min_count(k)) {
        adjusted |= cut_off;
        any_cut = true;
      }
      level(k).log10_prob[node] = from_count(adjusted);
    };
    for (WordId word = word_cut_[shard]; word < word_cut_[shard + 1]; ++word) {
      if (order_ > 1) level(0).first_child[word] = next[1];
      for (size_t r = sorted_.word_begin[word]; r < sorted_.word_begin[word + 1]; ++r) {
        const RankShape shape = sorted_.shape[r];
        while (open > shape.shared) close(--open);
        for (; open < shape.depth; ++open) {
          const uint32_t node = open == 0 ? word : next[open];
          ++next[open];
          current[open] = node;
          raw[open] = 0;
          opens_sentence[open] = open + 1 == shape.depth && shape.depth < order_;
          if (open + 1 < order_) level(open).first_child[node] = next[open + 1];
        }
        for (size_t k = 0; k < shape.depth; ++k) ++raw[k];
      }
      while (open > 0) close(--open);
    }
    std::lock_guard lock(mutex_);
    for (size_t k = 0; k < order_; ++k)
      for (size_t i = 0; i < 5; ++i) statistics_[k][i] += statistics[k][i];
    any_cut_ |= any_cut;
  }

  void estimate_discounts() {
    for (size_t k = 0; k < order_; ++k) {
      const CountsOfCounts& t = statistics_[k];
      Discounts discounts{};
      bool usable = t[1] > 0 && t[2] > 0 && t[3] > 0;
      if (usable) {
        const double y = static_cast<double>(t[1]) / (static_cast<double>(t[1]) + 2.0 * static_cast<double>(t[2]));
        for (size_t i = 1; i <= 3; ++i) {
          const auto count = static_cast<double>(i);
          discounts[i - 1] = count - (count + 1) * y * static_cast<double>(t[i + 1]) / static_cast<double>(t[i]);
          usable = usable && discounts[i - 1] > 0 && discounts[i - 1] <= count;
        }
      }
      if (!usable) {
        if (!options_.discount_fallback)
          throw InputError(0, "the text is too small or too regular to estimate the discounts of order " +
                                  std::to_string(k + 1) + "; use more text or set --discount-fallback");
        discounts = *options_.discount_fallback;
      }
      result_.discounts.push_back(discounts);
      result_.discounts_fallback.push_back(!usable);
    }
  }

  double discount(size_t k, uint32_t adjusted) const {
    return adjusted == 0 ? 0 : result_.discounts[k][std::min<uint32_t>(adjusted, 3) - 1];
  }

  void unigrams() {
    auto& stored = level(0).log10_prob;
    uint64_t sum = 0;
    double freed = 0;
    for (WordId word = unknown_word; word < vocabulary_size_; ++word) {
      const uint32_t adjusted = to_count(stored[word]);
      sum += adjusted;
      freed += discount(0, adjusted);
    }
    const double denominator = sum == 0 ? 1 : static_cast<double>(sum);
    // Without any text all mass is uniform.
    const double gamma = sum == 0 ? 1 : freed / denominator;
    const auto uniform = static_cast<float>(gamma / static_cast<double>(vocabulary_size_ - unknown_word - 1));
    unigram_.resize(vocabulary_size_);
    for (WordId word = unknown_word; word < vocabulary_size_; ++word) {
      const uint32_t adjusted = to_count(stored[word]);
      unigram_[word] = static_cast<float>((adjusted - discount(0, adjusted)) / denominator) + uniform;
    }
    // lmplz writes log10 p(<s>) = 0; nobody asks for it.
    unigram_[Vocabulary::separator] = 1;
    unigram_[sentence_begin] = 1;
    std::copy(unigram_.begin(), unigram_.end(), stored.begin());
  }

  // Where a word's cursor stands: the next rank of its block, the next node of every level, and the probabilities of
  // the nodes above.
  struct Cursor {
    uint32_t rank = UINT32_MAX;
    std::array<uint32_t, max_order> node;
    std::array<float, max_order> prob;
  };

  void place(Cursor& cursor, size_t shard, WordId word) const {
    cursor.rank = follow_[shard][word];
    const PerLevel& sample = samples_[cursor.rank / sample_ranks];
    std::copy_n(sample.begin(), max_order, cursor.node.begin());
    for (size_t r = cursor.rank / sample_ranks * sample_ranks; r < cursor.rank; ++r)
      for (size_t k = sorted_.shape[r].shared; k < sorted_.shape[r].depth; ++k) ++cursor.node[k];
    cursor.prob[0] = unigram_[word];
  }

  // Walks over the contexts of a shard and all their continuations: enter(k, context) when a context of k + 1 words
  // begins, visit(cursor, k, node, context) for each continuation, a node of level k whose context is of level k - 1.
  template <class Enter, class Visit>
  void walk(size_t shard, Enter&& enter, Visit&& visit) {
    std::vector<Cursor> cursors(vocabulary_size_);
    PerLevel next = node_begin_[shard];
    std::array<uint32_t, max_order> context{};
    for (WordId word = word_cut_[shard]; word < word_cut_[shard + 1]; ++word) {
      for (size_t r = sorted_.word_begin[word]; r < sorted_.word_begin[word + 1]; ++r) {
        const RankShape shape = sorted_.shape[r];
        for (size_t k = shape.shared; k < shape.depth; ++k) {
          context[k] = k == 0 ? word : next[k];
          ++next[k];
          if (k + 1 < order_) enter(k, context[k]);
        }
        const WordId following = sorted_.next_word[r];
        if (following == sentence_begin) continue;
        Cursor& cursor = cursors[following];
        if (cursor.rank == UINT32_MAX) place(cursor, shard, following);
        const RankShape longer = sorted_.shape[cursor.rank++];
        for (size_t k = std::max<size_t>(longer.shared, 1); k < longer.depth; ++k)
          visit(cursor, k, cursor.node[k]++, context[k - 1]);
      }
    }
  }

  struct ContextSum {
    uint64_t total = 0;
    uint64_t lost = 0;  // adjusted counts of continuations cut off
    std::array<uint64_t, 3> kinds{};
  };

  void sum_contexts(size_t shard) {
    std::array<ContextSum, max_order> sums{};
    std::array<uint32_t, max_order> open{};
    auto close = [&](size_t k) {
      ContextSum& sum = sums[k];
      if (sum.total > 0) {
        double gamma = static_cast<double>(sum.lost);
        for (size_t i = 0; i < 3; ++i) gamma += static_cast<double>(sum.kinds[i]) * result_.discounts[k + 1][i];
        level(k).log10_backoff[open[k]] = static_cast<float>(gamma / static_cast<double>(sum.total));
        denominator_[k][open[k]] = static_cast<uint32_t>(sum.total);
      }
      sum = {};
    };
    walk(
        shard,
        [&](size_t k, uint32_t context) {
          close(k);
          open[k] = context;
        },
        [&](Cursor&, size_t k, uint32_t node, uint32_t) {
          const uint32_t stored = to_count(level(k).log10_prob[node]);
          const uint32_t adjusted = stored & ~cut_off;
          ContextSum& sum = sums[k - 1];
          sum.total += adjusted;
          if (stored & cut_off) {
            sum.lost += adjusted;
          } else {
            ++sum.kinds[std::min<uint32_t>(adjusted, 3) - 1];
          }
        });
    for (size_t k = 0; k + 1 < order_; ++k) close(k);
  }

  void interpolate(size_t shard) {
    walk(
        shard, [](size_t, uint32_t) {},
        [&](Cursor& cursor, size_t k, uint32_t node, uint32_t context) {
          NgramLevel& nodes = level(k);
          const uint32_t stored = to_count(nodes.log10_prob[node]);
          // In single precision step by step, as lmplz does it, so that the last digit is the same too.
          float prob = level(k - 1).log10_backoff[context] * cursor.prob[k - 1];
          if (!(stored & cut_off))
            prob += static_cast<float>((stored - discount(k, stored)) / denominator_[k - 1][context]);
          cursor.prob[k] = prob;
          // The sign remembers what was cut off.
          nodes.log10_prob[node] = stored & cut_off ? -prob : prob;
          nodes.context[node] = context;
        });
  }

  void to_logarithms() {
    for (NgramLevel& nodes : result_.trie.levels) {
      auto convert = [&](Array<float>& values) {
        constexpr size_t pieces = 64;
        for_each_shard(pieces, options_.threads, monitor_, [&](size_t piece) {
          const Interval<size_t> range = shard_range(values.size(), pieces, piece);
          for (size_t i = range.begin; i < range.end; ++i) values[i] = std::log10(std::fabs(values[i]));
        });
      };
      convert(nodes.log10_prob);
      convert(nodes.log10_backoff);
    }
  }

  Kept not_cut_off() {
    Kept kept;
    for (const NgramLevel& nodes : result_.trie.levels) {
      std::vector<bool> flags(nodes.size());
      for (size_t i = 0; i < nodes.size(); ++i) flags[i] = nodes.log10_prob[i] > 0;
      kept.push_back(std::move(flags));
    }
    return kept;
  }

  const EstimateOptions& options_;
  Monitor& monitor_;
  const uint32_t order_;
  const WordId vocabulary_size_;
  ArrayMemory* const memory_;
  Estimate result_;
  NgramOrder sorted_;
  std::vector<WordId> word_cut_;               // first word of every shard
  std::vector<PerLevel> node_begin_;           // first node of every shard, by level
  std::vector<PerLevel> samples_;              // nodes before every sample_ranks-th rank, by level
  std::vector<std::vector<uint32_t>> follow_;  // by shard and word: rank its cursor starts from
  std::vector<Array<uint32_t>> denominator_;
  std::vector<float> unigram_;
  std::mutex mutex_;
  std::array<CountsOfCounts, max_order> statistics_{};
  bool any_cut_ = false;
};

void check(const EstimateOptions& options) {
  if (options.order < 1 || options.order > max_order)
    throw ConfigError("order", "must be from 1 to " + std::to_string(max_order));
  if (options.min_counts.empty()) throw ConfigError("min_counts", "needs at least one number");
  for (size_t i = 0; i < options.min_counts.size(); ++i) {
    if (options.min_counts[i] < 1) throw ConfigError("min_counts", "must be at least 1 for every order");
    if (i > 0 && options.min_counts[i] < options.min_counts[i - 1])
      throw ConfigError("min_counts", "must not fall from one order to the next");
  }
  if (options.discount_fallback)
    for (size_t i = 0; i < 3; ++i)
      if (!((*options.discount_fallback)[i] > 0) || (*options.discount_fallback)[i] > static_cast<double>(i + 1))
        throw ConfigError("discount_fallback", "must be three numbers above 0, at most 1, 2 and 3");
}

}  // namespace

Estimate estimate(EncodedText text, const EstimateOptions& options, Monitor& monitor) {
  check(options);
  if (text.sentences == 0) throw InputError(0, "there is no sentence to estimate a language model from");
  return Estimator(std::move(text), options, monitor).run();
}

}  // namespace dragoman::lm
