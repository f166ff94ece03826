#include "align/cooccurrence.h"

#include <algorithm>
#include <string>

#include "align/word_classes.h"
#include "base/errors.h"
#include "base/parallel.h"

namespace dragoman::align {
namespace {

constexpr size_t word_shards = 64;
// Words are looked up in the text in rounds of about so many tokens.
constexpr uint64_t round_tokens = uint64_t{1} << 23;

struct Occurrence {
  uint32_t token;  // position in the flat text
  uint32_t sentence;
};

// Where words occur, in text order; of all words of a side how often, and of those of one round where.
class Postings {
 public:
  Postings(const Bitext& bitext, const Side& side, size_t max_words)
      : bitext_(bitext), side_(side), max_words_(max_words), counts_(side.vocabulary.size()) {
    for_each_token([&](Occurrence, WordId word) { ++counts_[word], ++tokens_; });
  }

  size_t rounds() const { return tokens_ / round_tokens + 1; }
  bool has(WordId word) const { return counts_[word] > 0; }

  // A number for each word such that each of 0 to `parts` - 1 has about as many tokens, and neighbours mostly the same.
  std::vector<uint32_t> evenly(size_t parts) const {
    std::vector<uint32_t> part(counts_.size());
    uint64_t before = 0;
    for (size_t word = 0; word < counts_.size(); ++word) {
      part[word] = static_cast<uint32_t>(before * parts / std::max<uint64_t>(1, tokens_));
      before += counts_[word];
    }
    return part;
  }

  // Finds the places of the words for which `wanted` holds, and forgets those found before.
  template <class Wanted>
  void find(Wanted&& wanted) {
    begins_.assign(counts_.size() + 1, 0);
    for (WordId word = 0; word < counts_.size(); ++word)
      begins_[word + 1] = begins_[word] + (wanted(word) ? counts_[word] : 0);
    places_.resize(begins_.back());
    std::vector<uint64_t> next(begins_.begin(), begins_.end() - 1);
    for_each_token([&](Occurrence at, WordId word) {
      if (next[word] < begins_[word + 1]) places_[next[word]++] = at;
    });
  }
  std::span<const Occurrence> of(WordId word) const {
    return std::span(places_).subspan(begins_[word], begins_[word + 1] - begins_[word]);
  }

 private:
  template <class Visit>
  void for_each_token(Visit&& visit) const {
    for (size_t n = 0; n < side_.size(); ++n) {
      if (!trainable(bitext_, n, max_words_)) continue;
      for (uint64_t at = side_.begins[n]; at < side_.begins[n + 1]; ++at)
        visit(Occurrence{static_cast<uint32_t>(at), static_cast<uint32_t>(n)}, side_.words[at]);
    }
  }

  const Bitext& bitext_;
  const Side& side_;
  const size_t max_words_;
  std::vector<uint32_t> counts_;
  uint64_t tokens_ = 0;
  std::vector<uint64_t> begins_;
  std::vector<Occurrence> places_;
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
        source_frequencies_(bitext.source.frequencies()),
        target_frequencies_(bitext.target.frequencies()),
        source_classes_(prefix_classes(bitext.source.vocabulary, source_frequencies_, class_prefix)),
        target_classes_(prefix_classes(bitext.target.vocabulary, target_frequencies_, class_prefix)),
        target_class_frequencies_(target_classes_.size()),
        counts_(0, source_frequencies_, target_frequencies_),
        normalizers_(bitext.memory()) {
    for (size_t word = 0; word < target_frequencies_.size(); ++word)
      target_class_frequencies_[target_classes_.of_word[word]] += static_cast<float>(target_frequencies_[word]);
  }

  Cooccurrences build() {
    target_normalizers();
    return rows();
  }

 private:
  // Sum over the source sentence and NULL of p(t | s), for every target token; and NULL's expected counts.
  void target_normalizers() {
    Postings postings(bitext_, bitext_.target, options_.max_words);
    normalizers_.resize(bitext_.target.words.size());
    const std::vector<uint32_t> part = postings.evenly(postings.rounds() * word_shards);
    for (size_t round = 0; round < postings.rounds(); ++round) {
      postings.find([&](WordId word) { return part[word] / word_shards == round; });
      normalizers_of(postings, part, round);
    }
  }

  void normalizers_of(const Postings& postings, const std::vector<uint32_t>& part, size_t round) {
    for_each_shard(word_shards, options_.threads, monitor_, [&](size_t shard) {
      std::vector<float> row(bitext_.source.vocabulary.size());
      std::vector<WordId> touched;
      const auto [first, last] = std::ranges::equal_range(part, round * word_shards + shard);
      for (auto target = static_cast<WordId>(first - part.begin()); target < last - part.begin(); ++target) {
        if (monitor_.cancelled()) return;
        const auto places = postings.of(target);
        touched.clear();
        for (const Occurrence& place : places) {
          auto sentence = bitext_.source.sentence(place.sentence);
          const float share = 1.0f / static_cast<float>(sentence.size() + 1);
          for (WordId source : sentence) {
            if (row[source] == 0) touched.push_back(source);
            row[source] += share;
          }
        }
        for (WordId source : touched) row[source] = static_cast<float>(row[source] / forward_.words[source]);
        float null_count = 0;
        for (const Occurrence& place : places) {
          float sum = forward_.null_share[target];
          for (WordId source : bitext_.source.sentence(place.sentence)) sum += row[source];
          normalizers_[place.token] = 1.0f / sum;
          null_count += forward_.null_share[target] / sum;
        }
        counts_.add_null_target(target, null_count);
        for (WordId source : touched) row[source] = 0;
      }
    });
  }

  struct Rows {
    std::vector<WordId> sources;
    std::vector<uint32_t> sizes;  // by source
    Array<WordId> targets;
    Array<Both> counts;

    explicit Rows(ArrayMemory* memory = array_memory()) : targets(memory), counts(memory) {}

    void clear() {
      sources.clear();
      sizes.clear();
      targets.clear();
      counts.clear();
    }
  };

  // Dense rows by target word, zero between source words, and by target class, zero between source classes.
  struct Scratch {
    std::vector<Both> first, second, of_class;
    std::vector<WordId> touched;
    Rows all;  // of one class of source words
  };

  // One source word: its first probabilities, then its expected counts under them.
  void row(WordId source, const Postings& postings, Scratch& scratch) {
    auto& [first, second, of_class, touched, out] = scratch;
    const auto places = postings.of(source);
    touched.clear();
    for (const Occurrence& place : places) {
      const size_t n = place.sentence;
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
    for (const Occurrence& place : places) {
      const size_t n = place.sentence;
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
    for (WordId target : touched) {
      out.targets.push_back(target);
      out.counts.push_back(second[target]);
      first[target] = second[target] = {};
    }
    out.sources.push_back(source);
    out.sizes.push_back(static_cast<uint32_t>(touched.size()));
  }

  // The rows of all words of one class, less the pairs that neither their own counts nor their classes speak for.
  void rows_of_class(size_t number, const Postings& postings, Scratch& scratch, Rows& out) {
    Rows& all = scratch.all;
    all.clear();
    for (size_t n = source_classes_.begins[number]; n < source_classes_.begins[number + 1]; ++n)
      if (WordId source = source_classes_.members[n]; postings.has(source)) row(source, postings, scratch);
    auto& of_class = scratch.of_class;
    float sum = 0;
    for (size_t at = 0; at < all.targets.size(); ++at) {
      Both& both = of_class[target_classes_.of_word[all.targets[at]]];
      both.forward += all.counts[at].forward;
      both.backward += all.counts[at].backward;
      sum += all.counts[at].forward;
    }
    const float forward_scale = prior_strength / (sum + prior_strength);
    size_t at = 0;
    for (size_t n = 0; n < all.sources.size(); ++n) {
      const WordId source = all.sources[n];
      const float backward_scale = prior_strength * source_classes_.share_of_class[source];
      const size_t before = out.targets.size();
      for (size_t end = at + all.sizes[n]; at < end; ++at) {
        const WordId target = all.targets[at];
        const uint32_t target_class = target_classes_.of_word[target];
        const float forward = of_class[target_class].forward * forward_scale * target_classes_.share_of_class[target];
        const float backward = of_class[target_class].backward * backward_scale /
                               (target_class_frequencies_[target_class] + prior_strength);
        const Both count = all.counts[at];
        if (count.forward + forward < options_.min_count && count.backward + backward < options_.min_count) continue;
        out.targets.push_back(target);
        out.counts.push_back(count);
      }
      out.sources.push_back(source);
      out.sizes.push_back(static_cast<uint32_t>(out.targets.size() - before));
    }
    for (WordId target : all.targets) of_class[target_classes_.of_word[target]] = {};
  }

  Cooccurrences rows() {
    std::vector<Rows> shards;
    for (size_t shard = 0; shard < word_shards; ++shard) shards.emplace_back(bitext_.memory());
    const size_t sources = bitext_.source.vocabulary.size();
    {
      Postings postings(bitext_, bitext_.source, options_.max_words);
      // Frequent words, and so their classes, come first; every round and every shard takes its share of them.
      const size_t rounds = postings.rounds();
      for (size_t round = 0; round < rounds; ++round) {
        postings.find([&](WordId word) { return source_classes_.of_word[word] % rounds == round; });
        for_each_shard(word_shards, options_.threads, monitor_, [&](size_t shard) {
          const size_t targets = bitext_.target.vocabulary.size(), step = rounds * word_shards;
          Scratch scratch{std::vector<Both>(targets),
                          std::vector<Both>(targets),
                          std::vector<Both>(target_classes_.size()),
                          {},
                          Rows()};
          for (size_t number = shard * rounds + round; number < source_classes_.size(); number += step)
            if (!monitor_.cancelled()) rows_of_class(number, postings, scratch, shards[shard]);
        });
      }
    }
    Array<float>(bitext_.memory()).swap(normalizers_);
    for (Rows& shard : shards) {
      shard.targets.shrink_to_fit();
      shard.counts.shrink_to_fit();
    }

    PairTable table(bitext_.memory());
    table.begins.resize(sources + 1);
    for (const Rows& shard : shards)
      for (size_t n = 0; n < shard.sources.size(); ++n) table.begins[shard.sources[n] + 1] = shard.sizes[n];
    for (size_t source = 0; source < sources; ++source) table.begins[source + 1] += table.begins[source];
    table.targets.resize(table.begins[sources]);
    PairCounts counts(table.size(), source_frequencies_, target_frequencies_, bitext_.memory());
    counts.take_null(counts_);
    for (Rows& shard : shards) {
      size_t from = 0;
      for (size_t n = 0; n < shard.sources.size(); ++n) {
        const WordId source = shard.sources[n];
        uint64_t to = table.begins[source];
        for (size_t end = from + shard.sizes[n]; from < end; ++from, ++to) {
          table.targets[to] = shard.targets[from];
          counts.add_forward(to, shard.targets[from], shard.counts[from].forward);
          counts.add_backward(to, source, shard.counts[from].backward);
        }
      }
      shard = Rows(bitext_.memory());
    }
    return {std::move(table), std::move(counts)};
  }

  const Bitext& bitext_;
  const CooccurrenceOptions& options_;
  Monitor& monitor_;
  FirstTotals forward_;
  FirstTotals backward_;
  std::vector<uint32_t> source_frequencies_;
  std::vector<uint32_t> target_frequencies_;
  WordClasses source_classes_;
  WordClasses target_classes_;
  std::vector<float> target_class_frequencies_;
  PairCounts counts_;  // NULL's alone until the pairs are known
  Array<float> normalizers_;
};

}  // namespace

Cooccurrences find_cooccurrences(const Bitext& bitext, const CooccurrenceOptions& options, Monitor& monitor) {
  for (const Side* side : {&bitext.source, &bitext.target})
    if (side->words.size() > options.most_tokens)
      throw InputError(0, "the text has more than " + std::to_string(options.most_tokens) +
                              " words on one side, the most that can be aligned at once; train on a part of it");
  return Builder(bitext, options, monitor).build();
}

}  // namespace dragoman::align
