#include "align/sweep.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/expected_memory.h"
#include "base/parallel.h"

namespace dragoman::align {
namespace {

constexpr size_t usual_shards = 128;
constexpr size_t least_shard_cells = size_t{3} << 19;
constexpr size_t most_shard_cells = size_t{1} << 23;

}  // namespace

// Scratch space of one thread, kept from shard to shard.
struct Sweep::Worker {
  struct Token {
    const WordId* targets;
    size_t target_words;
    size_t cell;  // of its first target word
  };

  Worker(size_t source_vocabulary, size_t target_vocabulary)
      : next(source_vocabulary + 1),
        probability(target_vocabulary, {absent_probability, absent_probability}),
        sum(target_vocabulary) {}

  // About what one takes for the largest shard.
  static size_t bytes(const Sweep& sweep, const PairTable& table);

  // The shard's source tokens, grouped by word.
  void group(const Bitext& bitext, std::span<const uint32_t> pairs) {
    words.clear();
    size_t cell = 0;
    cells.clear();
    for (uint32_t pair : pairs) {
      cells.push_back(cell);
      for (WordId word : bitext.source.sentence(pair)) {
        if (next[word]++ == 0) words.push_back(word);
      }
      cell += bitext.source.length(pair) * bitext.target.length(pair);
    }
    cells.push_back(cell);
    std::sort(words.begin(), words.end());
    ends.clear();
    size_t total = 0;
    for (WordId word : words) {
      total += next[word];
      ends.push_back(total);
      next[word] = total - next[word];
    }
    tokens.resize(total);
    for (size_t n = 0; n < pairs.size(); ++n) {
      auto target = bitext.target.sentence(pairs[n]);
      size_t at = cells[n];
      for (WordId word : bitext.source.sentence(pairs[n])) {
        tokens[next[word]++] = {target.data(), target.size(), at};
        at += target.size();
      }
    }
    for (WordId word : words) next[word] = 0;
    forward.resize(cell);
    backward.resize(cell);
  }

  template <class Visit>
  void for_each_word(Visit&& visit) {
    size_t begin = 0;
    for (size_t n = 0; n < words.size(); ++n) {
      visit(words[n], std::span<const Token>(tokens).subspan(begin, ends[n] - begin));
      begin = ends[n];
    }
  }

  void fill(const PairTable& table) {
    for_each_word([&](WordId word, std::span<const Token> of_word) {
      auto row = table.row(word);
      const Probability* forward_row = table.forward.data() + table.begins[word];
      const Probability* backward_row = table.backward.data() + table.begins[word];
      for (size_t k = 0; k < row.size(); ++k) probability[row[k]] = {forward_row[k], backward_row[k]};
      for (const Token& token : of_word) {
        float* to_forward = forward.data() + token.cell;
        float* to_backward = backward.data() + token.cell;
        for (size_t j = 0; j < token.target_words; ++j) {
          const Both both = probability[token.targets[j]];
          to_forward[j] = both.forward;
          to_backward[j] = both.backward;
        }
      }
      for (WordId target : row) probability[target] = {absent_probability, absent_probability};
    });
  }

  void count(const PairTable& table, PairCounts& counts) {
    for_each_word([&](WordId word, std::span<const Token> of_word) {
      for (const Token& token : of_word) {
        const float* from_forward = forward.data() + token.cell;
        const float* from_backward = backward.data() + token.cell;
        for (size_t j = 0; j < token.target_words; ++j) {
          Both& both = sum[token.targets[j]];
          both.forward += from_forward[j];
          both.backward += from_backward[j];
        }
      }
      auto row = table.row(word);
      const uint64_t first = table.begins[word];
      for (size_t k = 0; k < row.size(); ++k) {
        const Both both = sum[row[k]];
        if (both.forward > 0) counts.add_forward(first + k, row[k], both.forward);
        if (both.backward > 0) counts.add_backward(first + k, word, both.backward);
      }
      for (const Token& token : of_word)
        for (size_t j = 0; j < token.target_words; ++j) sum[token.targets[j]] = {};
    });
  }

  std::vector<size_t> next;  // by source word: zero between shards
  std::vector<WordId> words;
  std::vector<size_t> ends;
  std::vector<Token> tokens;
  std::vector<size_t> cells;
  std::vector<Both> probability;
  std::vector<Both> sum;
  std::vector<float> forward;
  std::vector<float> backward;
  std::vector<float> null_forward;
  std::vector<float> null_backward;
};

Sweep::Sweep(const Bitext& bitext, const std::function<bool(size_t)>& wanted, size_t shard_cells) : bitext_(bitext) {
  if (shard_cells == 0) {
    size_t total = 0;
    for (size_t pair = 0; pair < bitext.size(); ++pair)
      if (wanted(pair)) total += bitext.source.length(pair) * bitext.target.length(pair);
    shard_cells = std::clamp(total / usual_shards, least_shard_cells, most_shard_cells);
  }
  begins_.push_back(0);
  size_t cells = 0;
  for (size_t pair = 0; pair < bitext.size(); ++pair) {
    if (!wanted(pair)) continue;
    const size_t size = bitext.source.length(pair) * bitext.target.length(pair);
    if (cells > 0 && cells + size > shard_cells) {
      begins_.push_back(pairs_.size());
      cells = 0;
    }
    cells += size;
    pairs_.push_back(static_cast<uint32_t>(pair));
  }
  if (begins_.back() != pairs_.size()) begins_.push_back(pairs_.size());
}

Sweep::Sweep(const Bitext& bitext, std::vector<size_t> begins)
    : bitext_(bitext), pairs_(bitext.size()), begins_(std::move(begins)) {
  std::iota(pairs_.begin(), pairs_.end(), 0);
}

Sweep::~Sweep() = default;

size_t Sweep::Worker::bytes(const Sweep& sweep, const PairTable& table) {
  const Bitext& bitext = sweep.bitext_;
  size_t most = 0;
  for (size_t shard = 0; shard < sweep.shards(); ++shard) {
    size_t of_shard = 0;
    for (uint32_t pair : sweep.pairs(shard)) {
      const size_t words = bitext.source.length(pair);
      of_shard += words * (sizeof(Token) + 2 * sizeof(float) * bitext.target.length(pair));
    }
    most = std::max(most, of_shard);
  }
  return most + sizeof(size_t) * table.null_source.size() + 2 * sizeof(Both) * table.null_target.size();
}

void Sweep::run(const PairTable& table, PairCounts* counts, size_t threads, Monitor& monitor, const MakeVisitor& make) {
  const size_t workers = std::min(threads ? threads : default_threads(), shards());
  const ExpectedMemory further(workers > idle_.size() ? (workers - idle_.size()) * Worker::bytes(*this, table) : 0);
  std::mutex mutex;
  auto take = [&]() -> std::unique_ptr<Worker> {
    std::lock_guard lock(mutex);
    if (idle_.empty()) return std::make_unique<Worker>(table.null_source.size(), table.null_target.size());
    auto worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
  };
  for_each_shard(shards(), threads, monitor, [&](size_t shard) {
    if (monitor.cancelled()) return;
    auto worker = take();
    auto visitor = make(shard);
    const auto of_shard = pairs(shard);
    worker->group(bitext_, of_shard);
    worker->fill(table);
    for (size_t n = 0; n < of_shard.size(); ++n) {
      if (n % 64 == 0 && monitor.cancelled()) return;
      auto source = bitext_.source.sentence(of_shard[n]), target = bitext_.target.sentence(of_shard[n]);
      worker->null_forward.resize(target.size());
      worker->null_backward.resize(source.size());
      for (size_t j = 0; j < target.size(); ++j) worker->null_forward[j] = table.null_target[target[j]];
      for (size_t i = 0; i < source.size(); ++i) worker->null_backward[i] = table.null_source[source[i]];
      PairMatrix matrix{source.size(),
                        target.size(),
                        worker->forward.data() + worker->cells[n],
                        worker->backward.data() + worker->cells[n],
                        worker->null_forward.data(),
                        worker->null_backward.data()};
      visitor->visit(of_shard[n], matrix);
      if (counts) {
        for (size_t j = 0; j < target.size(); ++j) counts->add_null_target(target[j], worker->null_forward[j]);
        for (size_t i = 0; i < source.size(); ++i) counts->add_null_source(source[i], worker->null_backward[i]);
      }
      monitor.add(1);
    }
    visitor->finish();
    if (counts) worker->count(table, *counts);
    std::lock_guard lock(mutex);
    idle_.push_back(std::move(worker));
  });
}

}  // namespace dragoman::align
