#include "align/cooccurrence.h"

#include <limits>
#include <utility>

#include "base/errors.h"
#include "base/parallel.h"

namespace dragoman::align {
namespace {

constexpr size_t word_shards = 64;

// Where every word occurs, in text order.
struct Postings {
  std::vector<uint64_t> begins;
  std::vector<uint32_t> tokens;     // positions in the flat text
  std::vector<uint32_t> sentences;  // of every position

  Postings(const Bitext& bitext, const Side& side, size_t max_words) : begins(side.vocabulary.size() + 1) {
    if (side.words.size() > std::numeric_limits<uint32_t>::max())
      throw InputError(0, "the text has more than 2^32 words; align it in parts");
    sentences.resize(side.words.size());
    uint64_t kept = 0;
    for (size_t n = 0; n < side.size(); ++n) {
      const bool used = trainable(bitext, n, max_words);
      for (uint64_t at = side.begins[n]; at < side.begins[n + 1]; ++at) {
        sentences[at] = static_cast<uint32_t>(n);
        if (used) ++begins[side.words[at] + 1], ++kept;
      }
    }
    for (size_t word = 1; word < begins.size(); ++word) begins[word] += begins[word - 1];
    tokens.resize(kept);
    std::vector<uint64_t> next(begins.begin(), begins.end() - 1);
    for (size_t n = 0; n < side.size(); ++n) {
      if (!trainable(bitext, n, max_words)) continue;
      for (uint64_t at = side.begins[n]; at < side.begins[n + 1]; ++at)
        tokens[next[side.words[at]]++] = static_cast<uint32_t>(at);
    }
  }

  // Words [first, last) with about 1/shards of the text.
  std::pair<WordId, WordId> words_of(size_t shard) const {
    auto cut = [&](size_t s) {
      const uint64_t token = tokens.size() * s / word_shards;
      if (s == word_shards) return static_cast<WordId>(begins.size() - 1);
      return static_cast<WordId>(std::lower_bound(begins.begin(), begins.end(), token) - begins.begin());
    };
    return {std::min<WordId>(cut(shard), static_cast<WordId>(begins.size() - 1)), cut(shard + 1)};
  }
};

struct Both {
  float forward = 0;
  float backward = 0;
};

// Every word's expected count as a generator after the first, uniform E-step, and NULL's distribution.
struct FirstTotals {
  std::vector<double> words;      // by word of the generating side
  std::vector<float> null_share;  // p(word | NULL) by word of the generated side

  FirstTotals(const Bitext& bitext, const Side& from, const Side& to, size_t max_words)
      : words(from.vocabulary.size()), null_share(to.vocabulary.size()) {
    std::vector<double> null_count(to.vocabulary.size());
    double null_total = 0;
    for (size_t n = 0; n < bitext.size(); ++n) {
      if (!trainable(bitext, n, max_words)) continue;
      const double share = 1.0 / static_cast<double>(from.length(n) + 1);
      const double mass = share * static_cast<double>(to.length(n));
      for (WordId word : from.sentence(n)) words[word] += mass;
      for (WordId word : to.sentence(n)) null_count[word] += share;
      null_total += mass;
    }
    for (size_t word = 0; word < null_count.size() && null_total > 0; ++word)
      null_share[word] = static_cast<float>(null_count[word] / null_total);
  }
};

class Builder {
 public:
  Builder(const Bitext& bitext, const CooccurrenceOptions& options, Monitor& monitor)
      : bitext_(bitext),
        options_(options),
        monitor_(monitor),
        forward_(bitext, bitext.source, bitext.target, options.max_words),
        backward_(bitext, bitext.target, bitext.source, options.max_words),
        counts_(0, bitext.source.frequencies(), bitext.target.frequencies()) {}

  Cooccurrences build() {
    target_normalizers();
    return rows();
  }

 private:
  // Sum over the source sentence and NULL of p(t | s), for every target token; and NULL's expected counts.
  void target_normalizers() {
    const Postings postings(bitext_, bitext_.target, options_.max_words);
    normalizers_.resize(bitext_.target.words.size());
    for_each_shard(word_shards, options_.threads, monitor_, [&](size_t shard) {
      std::vector<float> row(bitext_.source.vocabulary.size());
      std::vector<WordId> touched;
      auto [first, last] = postings.words_of(shard);
      for (WordId target = first; target < last; ++target) {
        if (monitor_.cancelled()) return;
        auto tokens = std::span(postings.tokens)
                          .subspan(postings.begins[target], postings.begins[target + 1] - postings.begins[target]);
        touched.clear();
        for (uint32_t token : tokens) {
          auto sentence = bitext_.source.sentence(postings.sentences[token]);
          const float share = 1.0f / static_cast<float>(sentence.size() + 1);
          for (WordId source : sentence) {
            if (row[source] == 0) touched.push_back(source);
            row[source] += share;
          }
        }
        for (WordId source : touched) row[source] = static_cast<float>(row[source] / forward_.words[source]);
        float null_count = 0;
        for (uint32_t token : tokens) {
          float sum = forward_.null_share[target];
          for (WordId source : bitext_.source.sentence(postings.sentences[token])) sum += row[source];
          normalizers_[token] = 1.0f / sum;
          null_count += forward_.null_share[target] / sum;
        }
        counts_.add_null_target(target, null_count);
        for (WordId source : touched) row[source] = 0;
      }
    });
  }

  struct Rows {
    std::vector<uint32_t> sizes;  // by source word of the shard
    std::vector<WordId> targets;
    std::vector<Both> counts;
  };

  // One source word: its first probabilities, then its expected counts under them.
  void row(WordId source, const Postings& postings, std::vector<Both>& first, std::vector<Both>& second,
           std::vector<WordId>& touched, Rows& out) {
    auto tokens = std::span(postings.tokens)
                      .subspan(postings.begins[source], postings.begins[source + 1] - postings.begins[source]);
    touched.clear();
    for (uint32_t token : tokens) {
      const size_t n = postings.sentences[token];
      const float forward = 1.0f / static_cast<float>(bitext_.source.length(n) + 1);
      const float backward = 1.0f / static_cast<float>(bitext_.target.length(n) + 1);
      for (WordId target : bitext_.target.sentence(n)) {
        Both& cell = first[target];
        if (cell.forward == 0) touched.push_back(target);
        cell.forward += forward;
        cell.backward += backward;
      }
    }
    const auto total = static_cast<float>(forward_.words[source]);
    for (WordId target : touched) {
      first[target].forward /= total;
      first[target].backward = static_cast<float>(first[target].backward / backward_.words[target]);
    }
    const float null_share = backward_.null_share[source];
    float null_count = 0;
    for (uint32_t token : tokens) {
      const size_t n = postings.sentences[token];
      auto targets = bitext_.target.sentence(n);
      const float* normalizers = normalizers_.data() + bitext_.target.begins[n];
      float sum = null_share;
      for (WordId target : targets) sum += first[target].backward;
      const float scale = 1.0f / sum;
      null_count += null_share * scale;
      for (size_t j = 0; j < targets.size(); ++j) {
        Both& cell = second[targets[j]];
        cell.forward += first[targets[j]].forward * normalizers[j];
        cell.backward += first[targets[j]].backward * scale;
      }
    }
    counts_.add_null_source(source, null_count);
    std::sort(touched.begin(), touched.end());
    size_t kept = 0;
    for (WordId target : touched) {
      const Both count = second[target];
      first[target] = second[target] = {};
      if (count.forward < options_.min_count && count.backward < options_.min_count) continue;
      out.targets.push_back(target);
      out.counts.push_back(count);
      ++kept;
    }
    out.sizes.push_back(static_cast<uint32_t>(kept));
  }

  Cooccurrences rows() {
    std::vector<Rows> shards(word_shards);
    const size_t sources = bitext_.source.vocabulary.size();
    {
      const Postings postings(bitext_, bitext_.source, options_.max_words);
      for_each_shard(word_shards, options_.threads, monitor_, [&](size_t shard) {
        std::vector<Both> first(bitext_.target.vocabulary.size()), second(first.size());
        std::vector<WordId> touched;
        auto [begin, end] = postings.words_of(shard);
        for (WordId source = begin; source < end && !monitor_.cancelled(); ++source)
          row(source, postings, first, second, touched, shards[shard]);
        shards[shard].targets.shrink_to_fit();
        shards[shard].counts.shrink_to_fit();
      });
    }
    std::vector<float>().swap(normalizers_);

    size_t pairs = 0;
    for (const Rows& shard : shards) pairs += shard.targets.size();
    Cooccurrences found{{}, PairCounts(pairs, bitext_.source.frequencies(), bitext_.target.frequencies())};
    found.counts.take_null(counts_);
    PairTable& table = found.table;
    table.begins.reserve(sources + 1);
    table.targets.reserve(pairs);
    table.begins.push_back(0);
    for (Rows& shard : shards) {
      size_t at = 0;
      for (uint32_t size : shard.sizes) {
        const auto source = static_cast<WordId>(table.begins.size() - 1);
        for (size_t end = at + size; at < end; ++at) {
          found.counts.add_forward(table.targets.size(), shard.targets[at], shard.counts[at].forward);
          found.counts.add_backward(table.targets.size(), source, shard.counts[at].backward);
          table.targets.push_back(shard.targets[at]);
        }
        table.begins.push_back(table.targets.size());
      }
      shard = {};
    }
    return found;
  }

  const Bitext& bitext_;
  const CooccurrenceOptions& options_;
  Monitor& monitor_;
  FirstTotals forward_;
  FirstTotals backward_;
  PairCounts counts_;  // NULL's alone until the pairs are known
  std::vector<float> normalizers_;
};

}  // namespace

Cooccurrences find_cooccurrences(const Bitext& bitext, const CooccurrenceOptions& options, Monitor& monitor) {
  return Builder(bitext, options, monitor).build();
}

}  // namespace dragoman::align
