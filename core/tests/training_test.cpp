// Training of networks: kernels of every instruction set against sums written out, the order of shuffled text, and a
// run under sanitizers with threads.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <set>

#include "base/namespaces.h"
#include "nlm/noise.h"
#include "nlm/text_order.h"
#include "nlm/trainer.h"
#include "nlm/training_kernels.h"
#include "tests/check.h"

namespace {

using namespace dragoman;
using namespace dragoman::nlm;

std::vector<float> random_floats(size_t count, uint32_t seed) {
  std::mt19937 source(seed);
  std::normal_distribution<float> normal(0, 1);
  std::vector<float> values(count);
  for (float& value : values) value = normal(source);
  return values;
}

constexpr KernelLevel all_levels[] = {KernelLevel::baseline, KernelLevel::avx2, KernelLevel::avx512};

template <class Check>
void at_every_level(Check&& check) {
  for (KernelLevel level : all_levels)
    if (level <= best_kernel_level()) check(training_kernels(level));
}

TEST(training_products_are_sums) {
  for (uint32_t rows : {1u, 5u, 12u, 31u})
    for (uint32_t columns : {16u, 32u, 80u})
      for (uint32_t depth : {1u, 7u, 40u}) {
        const std::vector<float> left = random_floats(size_t{rows} * depth, rows), start = random_floats(rows * 96, 9);
        const std::vector<float> right = random_floats(size_t{depth} * 96, depth);
        for (bool turned : {false, true}) {
          const LeftMatrix matrix{left.data(), turned ? 1 : depth, turned ? rows : 1};
          for (bool add : {false, true})
            at_every_level([&](const TrainingKernels& kernels) {
              std::vector<float> product = start;
              kernels.multiply(matrix, {right.data(), 96}, product.data(), 96, rows, columns, depth, add);
              double worst = 0;
              for (uint32_t i = 0; i < rows; ++i)
                for (uint32_t c = 0; c < 96; ++c) {
                  double sum = add || c >= columns ? start[i * 96 + c] : 0;
                  for (uint32_t k = 0; k < depth && c < columns; ++k)
                    sum += double{left[i * matrix.row + k * matrix.step]} * right[k * 96 + c];
                  worst = std::max(worst, std::fabs(sum - product[i * 96 + c]));
                }
              CHECK(worst < 1e-4);
            });
        }
      }
}

TEST(training_likelihood_is_that_of_a_softmax) {
  for (uint32_t candidates : {2u, 3u, 40u})
    for (uint32_t contexts : {1u, 16u, 17u, 50u}) {
      const uint32_t stride = padded(contexts);
      const std::vector<float> logits = random_floats(size_t{candidates} * stride, contexts);
      const std::vector<float> bias = random_floats(candidates, 3);
      std::vector<uint32_t> observed(contexts);
      for (uint32_t c = 0; c < contexts; ++c) observed[c] = c * 7 % candidates;
      at_every_level([&](const TrainingKernels& kernels) {
        std::vector<float> slopes = logits, log_prob(contexts), log_normaliser(contexts);
        kernels.likelihood({slopes.data(), stride, candidates, contexts, bias.data(), observed.data()}, {0.3f, 0.5f},
                           {log_prob.data(), log_normaliser.data()});
        double worst = 0;
        for (uint32_t c = 0; c < stride; ++c) {
          double total = 0;
          for (uint32_t i = 0; i < candidates; ++i) total += std::exp(double{logits[i * stride + c]} + bias[i]);
          const double log_total = std::log(total);
          for (uint32_t i = 0; i < candidates; ++i) {
            const double share = std::exp(double{logits[i * stride + c]} + bias[i] - log_total);
            double slope = 0.5 * share * (1 + 0.6 * log_total);
            if (c < contexts && i == observed[c]) slope -= 0.5;
            worst = std::max(worst, std::fabs(slopes[i * stride + c] - (c < contexts ? slope : 0)));
          }
          if (c >= contexts) continue;
          const double logit = double{logits[observed[c] * stride + c]} + bias[observed[c]];
          worst =
              std::max({worst, std::fabs(log_normaliser[c] - log_total), std::fabs(log_prob[c] - (logit - log_total))});
        }
        CHECK(worst < 1e-5);
      });
    }
}

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::fabs(x))); }
double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST(training_tells_data_from_noise) {
  for (uint32_t candidates : {2u, 3u, 40u})
    for (uint32_t contexts : {1u, 16u, 17u, 50u}) {
      const uint32_t stride = padded(contexts);
      std::vector<float> logits = random_floats(size_t{candidates} * stride, contexts), times = random_floats(40, 4);
      for (float& logit : logits) logit *= 5;
      for (float& weight : times) weight = std::max(weight, 0.f);
      const std::vector<float> bias = random_floats(candidates, 3);
      std::vector<uint32_t> observed(contexts);
      for (uint32_t c = 0; c < contexts; ++c) observed[c] = c * 7 % candidates;
      at_every_level([&](const TrainingKernels& kernels) {
        std::vector<float> slopes = logits, log_prob(contexts);
        kernels.contrast({slopes.data(), stride, candidates, contexts, bias.data(), observed.data()}, times.data(),
                         0.5f, log_prob.data());
        double worst = 0;
        for (uint32_t c = 0; c < stride; ++c) {
          double loss = 0;
          for (uint32_t i = 0; i < candidates; ++i) {
            const double margin = double{logits[i * stride + c]} + bias[i];
            const bool is_observed = c < contexts && i == observed[c];
            loss += times[i] * softplus(margin) + (is_observed ? softplus(-margin) : 0);
            const double slope = 0.5 * (times[i] * sigmoid(margin) - (is_observed ? sigmoid(-margin) : 0));
            worst = std::max(worst, std::fabs(slopes[i * stride + c] - (c < contexts ? slope : 0)));
          }
          if (c < contexts) worst = std::max(worst, std::fabs(log_prob[c] + loss) / std::max(1.0, loss));
        }
        CHECK(worst < 2e-6);
      });
    }
}

TEST(training_knows_the_logistic_function) {
  std::vector<float> values;
  for (float x = -90; x <= 90; x += 0.37f) values.push_back(x);
  values.resize(padded(static_cast<uint32_t>(values.size())));
  at_every_level([&](const TrainingKernels& kernels) {
    std::vector<float> slopes = values, losses(values.size());
    kernels.logistic(slopes.data(), losses.data(), static_cast<uint32_t>(values.size()));
    for (size_t i = 0; i < values.size(); ++i) {
      CHECK(std::fabs(slopes[i] - sigmoid(values[i])) < 1e-6);
      CHECK(std::fabs(losses[i] - softplus(values[i])) < 1e-6 * std::max(1.0, softplus(values[i])));
    }
  });
}

TEST(training_picks_rows) {
  constexpr uint32_t rows = 9, size = 48;
  const std::vector<float> table = random_floats(rows * size, 1), vector = random_floats(size, 2);
  for (uint32_t count : {1u, 3u, 4u, 11u}) {
    std::vector<uint32_t> chosen(count);
    for (uint32_t i = 0; i < count; ++i) chosen[i] = i * 5 % rows;
    const std::vector<float> factors = random_floats(count, 3);
    at_every_level([&](const TrainingKernels& kernels) {
      std::vector<float> products(count);
      kernels.dots({table.data(), size}, chosen.data(), count, vector.data(), products.data(), size);
      for (uint32_t i = 0; i < count; ++i) {
        double sum = 0;
        for (uint32_t k = 0; k < size; ++k) sum += double{table[chosen[i] * size + k]} * vector[k];
        CHECK(std::fabs(sum - products[i]) < 1e-5);
      }
      for (bool add : {false, true}) {
        std::vector<float> sums = vector;
        kernels.add_scaled_rows({{table.data(), size}, chosen.data(), factors.data(), count}, sums.data(), size, add);
        for (uint32_t k = 0; k < size; ++k) {
          double sum = add ? vector[k] : 0;
          for (uint32_t i = 0; i < count; ++i) sum += double{factors[i]} * table[chosen[i] * size + k];
          CHECK(std::fabs(sum - sums[k]) < 1e-5);
        }
      }
    });
  }
}

TEST(noise_comes_as_often_as_words_do) {
  const std::vector<double> counts{1, 5, 2, 40, 0.5, 10, 3};
  const std::vector<uint32_t> begin{0, 3, 7};
  const Noise noise(counts, begin, 4);
  for (uint32_t factor = 0; factor < 2; ++factor) {
    const uint32_t first = begin[factor], count = begin[factor + 1] - first;
    double total = 0;
    for (uint32_t row = first; row < first + count; ++row) total += counts[row];
    std::vector<uint32_t> rows(100'000);
    noise.draw(first, count, Random(factor), rows);
    std::vector<double> seen(counts.size());
    for (uint32_t row : rows) ++seen[row];
    for (uint32_t row = 0; row < counts.size(); ++row) {
      const bool inside = row >= first && row < first + count;
      const double chance = inside ? counts[row] / total : 0;
      CHECK(std::fabs(seen[row] / 100'000 - chance) < 0.006);
      if (inside) CHECK(std::fabs(noise.logs()[row] - std::log(4 * chance)) < 1e-6);
    }
    std::vector<float> times(count);
    noise.share(first, count, Random(1), times);
    double drawn = 0;
    for (float weight : times) drawn += weight;
    CHECK(std::fabs(drawn - 4) < 1e-6);
    CHECK((std::fabs(times[0] - 4 * counts[first] / total) < 1e-6) == (count <= 4));
  }
}

TEST(text_comes_in_an_order_of_few_pages_at_a_time) {
  // Two groups and a part of a page; within the memory of one group nothing is far away.
  const uint64_t size = TextOrder::group_size + 3 * TextOrder::page_size + 17;
  const TextOrder order(size, 5);
  std::vector<bool> seen(size);
  std::set<uint64_t> pages;
  uint64_t repeated = 0, inside = 0;
  for (uint64_t place = 0; place < size; ++place) {
    const uint64_t position = order[place];
    inside += position < size;
    if (position < size) repeated += seen[position];
    seen[position] = true;
    if (place < TextOrder::group_size) pages.insert(position / TextOrder::page_size);
  }
  CHECK(inside == size && repeated == 0);
  CHECK(pages.size() == TextOrder::group_size / TextOrder::page_size);
  // The pages of the first group are not the first pages, and a short text is shuffled as a whole.
  CHECK(*pages.rbegin() >= pages.size());
  const TextOrder small(1000, 5);
  const ShuffledRange whole(1000, 5);
  for (uint64_t place = 0; place < 1000; ++place) CHECK(small[place] == whole[place]);
}

TEST(shuffled_text_has_every_place_once) {
  for (uint64_t size : {1u, 2u, 3u, 17u, 64u, 1000u}) {
    const ShuffledRange order(size, 5), other(size, 6);
    std::set<uint64_t> seen;
    uint64_t same = 0;
    for (uint64_t place = 0; place < size; ++place) {
      seen.insert(order[place]);
      same += order[place] == other[place];
    }
    CHECK(seen.size() == size && *seen.rbegin() == size - 1);
    CHECK(size < 1000 || same < 20);
  }
}

CorpusIds random_corpus(uint32_t words, uint32_t sentences) {
  CorpusIds corpus{{}, {}, Array<WordId>(), nullptr};
  std::mt19937 source(1);
  for (uint32_t i = 0; i < words; ++i) corpus.words.push_back("w" + std::to_string(i));
  corpus.counts.assign(first_real_word + words, 0);
  const auto add = [&](WordId id) {
    corpus.ids.push_back(id);
    ++corpus.counts[id];
  };
  for (uint32_t i = 0; i < sentences; ++i) {
    add(sentence_begin);
    for (uint32_t k = source() % 12; k > 0; --k) {
      const uint32_t among = 1 + source() % words;
      add(first_real_word + source() % among);
    }
    add(sentence_end);
  }
  return corpus;
}

// The same layer, with all rows of a factor at once and in blocks.
TEST(factors_of_many_candidates_come_in_blocks) {
  std::vector<Factor> blocks;
  add_in_blocks(blocks, {5, 1 << 20, 3, 3 + 100});
  CHECK(blocks.size() == 7 && blocks.front().is_first && blocks.back().is_last && blocks.back().end == 103);
  constexpr uint32_t candidates = 70, rows = 100, width = 20;
  const std::vector<float> start = random_floats(candidates * 32, 1), outputs = random_floats(rows * 32, 2);
  std::vector<uint32_t> observed(rows);
  for (uint32_t i = 0; i < rows; ++i) observed[i] = i * 11 % candidates;
  LineVector<float> changed[2], gradients[2], biases[2];
  for (bool in_blocks : {false, true}) {
    ParameterTable weights(candidates, width), bias(1, candidates);
    for (uint32_t i = 0; i < candidates; ++i) std::copy_n(start.data() + i * 32, width, weights.row(i));
    HiddenRows hidden;
    hidden.resize(rows, width);
    for (uint32_t i = 0; i < rows; ++i) std::copy_n(outputs.data() + i * 32, width, hidden.output.data() + i * 32);
    FactorLayer layer(weights, bias, true);
    std::vector<float> log_probs(rows), log_normalisers(rows);
    const FactorTarget target{observed, {0.1f, 0.01f}, log_probs, log_normalisers};
    std::vector<Factor> factors{{0, candidates, 0, rows}};
    if (in_blocks)
      factors = {{0, candidates, 0, 32, true, false},
                 {0, candidates, 32, 64, false, false},
                 {0, candidates, 64, rows, false, true}};
    for (std::span<const Factor> left(factors); !left.empty();) {
      left = left.subspan(layer.plan(left, 1));
      for (size_t part = 0; part < layer.parts(); ++part) layer.do_part(part, 0, hidden, target);
      for (size_t tile = 0; tile < layer.tiles(); ++tile) layer.do_tile(tile, 0, hidden, {0.1f, 0.02f});
    }
    changed[in_blocks] = weights.weights;
    gradients[in_blocks] = hidden.gradient;
    biases[in_blocks] = bias.weights;
  }
  const auto distance = [](const LineVector<float>& one, const LineVector<float>& other) {
    double worst = 0;
    for (size_t i = 0; i < one.size(); ++i) worst = std::max(worst, std::fabs(double{one[i]} - other[i]));
    return worst;
  };
  CHECK(distance(gradients[0], gradients[1]) < 1e-6);
  CHECK(distance(biases[0], biases[1]) < 1e-4 && distance(changed[0], changed[1]) < 1e-3);
}

TEST(training_has_the_same_bits_for_any_number_of_threads) {
  const std::string folder = std::filesystem::temp_directory_path() / "dragoman_training_test";
  std::filesystem::create_directories(folder);
  const TrainingText text(random_corpus(300, 400), std::nullopt, {});
  std::vector<int32_t> classes(text.size(), 0);
  for (uint32_t i = 0; i < text.size(); ++i) classes[i] = i == no_word || i == sentence_begin ? -1 : int32_t(i % 9);
  struct Kind {
    bool full;
    uint32_t noise;
    bool shared;
    uint32_t direct;
  };
  for (const Kind& kind : {Kind{false, 0, true, 0},
                           {true, 0, true, 0},
                           {false, 3, false, 500},
                           {false, 3, true, 500},
                           {false, 40, true, 0},
                           {true, 0, true, 500}}) {
    NetworkTrainingOptions options;
    options.dimension = 20;
    options.full = kind.full;
    options.noise_samples = kind.noise;
    options.shared_noise = kind.shared;
    options.direct_ngrams = kind.direct;
    options.hidden_bias = kind.direct == 0;
    options.epochs = 2;
    options.minibatch = 600;
    options.dropout = 0.2;
    options.l2 = 0.05;
    options.self_normalisation = 0.1;
    NamedTensors first;
    for (uint32_t threads : {1u, 2u, 4u}) {
      options.threads = threads;
      const Checkpoint checkpoint(folder + "/checkpoint", "test");
      checkpoint.remove();
      Trainer trainer(text, classes, options, checkpoint);
      Monitor monitor;
      double before = 0, after = 0;
      while (!trainer.run().finished()) {
        after = trainer.run_epoch(monitor).training_loss;
        if (before == 0) before = after;
      }
      // Where a whole minibatch shares three noise words, the loss is mostly that of the draw.
      CHECK(after < before || (kind.noise == 3 && kind.shared));
      NamedTensors weights = trainer.network().tensors(trainer.words());
      if (threads == 1)
        first = std::move(weights);
      else
        CHECK(weights == first);
      trainer.write({}, folder + "/nlm.bin");
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
