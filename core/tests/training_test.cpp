// Training of networks: kernels of every instruction set against sums written out, the order of shuffled text, and a
// run under sanitizers with threads.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <set>

#include "base/namespaces.h"
#include "nlm/shuffled_range.h"
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
  CorpusIds corpus;
  std::mt19937 source(1);
  for (uint32_t i = 0; i < words; ++i) corpus.words.push_back("w" + std::to_string(i));
  corpus.counts.assign(first_real_word + words, 0);
  const auto add = [&](WordId id) {
    corpus.ids.push_back(static_cast<int32_t>(id));
    ++corpus.counts[id];
  };
  for (uint32_t i = 0; i < sentences; ++i) {
    add(sentence_begin);
    for (uint32_t k = source() % 12; k > 0; --k) add(first_real_word + source() % (1 + source() % words));
    add(sentence_end);
  }
  return corpus;
}

TEST(training_has_the_same_bits_for_any_number_of_threads) {
  const std::string folder = std::filesystem::temp_directory_path() / "dragoman_training_test";
  std::filesystem::create_directories(folder);
  const TrainingText text(random_corpus(300, 400), std::nullopt, {});
  std::vector<int32_t> classes(text.size(), 0);
  for (uint32_t i = 0; i < text.size(); ++i) classes[i] = i == no_word || i == sentence_begin ? -1 : int32_t(i % 9);
  for (bool full : {false, true}) {
    NetworkTrainingOptions options;
    options.dimension = 20;
    options.full = full;
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
      while (!trainer.finished()) {
        after = trainer.run_epoch(monitor).training_loss;
        if (before == 0) before = after;
      }
      CHECK(after < before);
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
