#include "text/case_trainer.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/hash.h"
#include "text/case_features.h"
#include "text/lines.h"

namespace dragoman::text {
namespace {

// A longer text is sampled: the last million words teach little more.
constexpr uint64_t most_words = 4'000'000;
// One bucket for so many words of the text, as a power of two within limits.
constexpr uint64_t words_per_bucket = 8;
constexpr uint64_t least_buckets = 1 << 10;
constexpr uint64_t most_buckets = 1 << 16;
// A short text is read more often.
constexpr uint64_t least_passes = 2;
constexpr uint64_t most_passes = 10;
constexpr uint64_t enough_words = 100'000;

// The same on every platform.
void shuffle(std::vector<uint32_t>& order, uint64_t seed) {
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[mix(i ^ mix(seed)) % i]);
}

class Perceptron {
 public:
  explicit Perceptron(uint64_t buckets) : weights_(buckets), sums_(buckets), mask_(buckets - 1) {}

  void learn(const CaseFeatures& features, WordCase usual, WordCase written) {
    ++time_;
    int64_t capital = 0, upper = 0;
    for (uint64_t feature : features) {
      const auto& weights = weights_[feature & mask_];
      capital += weights[0];
      upper += weights[1];
    }
    const WordCase chosen = best_case(capital, upper, usual, CaseModel::usual_bonus / CaseModel::step);
    if (chosen == written) return;
    move(features, written, 1);
    move(features, chosen, -1);
  }

  // The mean of the weights over time, in steps.
  CaseModel finish() const {
    std::vector<CaseModel::Weights> means(weights_.size());
    for (size_t bucket = 0; bucket < means.size(); ++bucket)
      for (size_t i = 0; i < 2; ++i) {
        const int64_t sum = CaseModel::step * (int64_t{weights_[bucket][i]} * time_ - sums_[bucket][i]);
        const int64_t half = time_ / 2;
        means[bucket][i] =
            static_cast<int8_t>(std::clamp<int64_t>((sum + (sum < 0 ? -half : half)) / time_, INT8_MIN, INT8_MAX));
      }
    return CaseModel(std::move(means));
  }

 private:
  // A small letter has no weights.
  void move(const CaseFeatures& features, WordCase which, int by) {
    if (which == WordCase::small) return;
    const size_t i = which == WordCase::capital ? 0 : 1;
    for (uint64_t feature : features) {
      weights_[feature & mask_][i] += by;
      sums_[feature & mask_][i] += by * time_;
    }
  }

  std::vector<std::array<int32_t, 2>> weights_;
  std::vector<std::array<int64_t, 2>> sums_;  // of each move and the time it was made at
  uint64_t mask_;
  int64_t time_ = 1;
};

// One sentence, each word after the true ones before it.
void learn_line(Perceptron& perceptron, const CaseContext& context, Tokens written) {
  std::optional<WordCase> before;
  for (size_t i = 0; i < written.size(); ++i) {
    const CaseContext::Word& word = context.words()[i];
    const TokenCase shape = case_of(take_marks(written[i]).word);
    if (shape.letters == 0) {
      before.reset();
      continue;
    }
    const WordCase now = word_case(shape);
    if (word.is_open()) perceptron.learn(case_features(context, i, before), word.usual, now);
    before = now;
  }
}

}  // namespace

CaseModel learn_case_model(const Casing& casing, const CaseText& text, Monitor& monitor) {
  std::vector<uint32_t> order(text.target.sentences());
  std::iota(order.begin(), order.end(), 0u);
  shuffle(order, 0);
  uint64_t words = 0;
  size_t lines = 0;
  for (; lines < order.size() && words < most_words; ++lines) words += text.target.length(order[lines]);
  if (words == 0) return {};
  order.resize(lines);
  const uint64_t passes = std::clamp(enough_words / words, least_passes, most_passes);
  Perceptron perceptron(std::bit_ceil(std::clamp(words / words_per_bucket, least_buckets, most_buckets)));
  std::vector<std::string> models;
  std::vector<std::string_view> target, source;
  std::string target_line, source_line;
  Links links;
  monitor.start(passes * lines);
  for (uint64_t pass = 0; pass < passes; ++pass) {
    shuffle(order, pass + 1);
    for (size_t i = 0; i < lines; ++i) {
      if (i % poll_every == 0) monitor.poll();
      const size_t line = order[i];
      target_line.clear();
      text.target.append_written(target_line, line);
      const std::vector<std::string_view> written = words_of(target_line);
      models.resize(written.size());
      for (size_t at = 0; at < written.size(); ++at) {
        const BareToken token = take_marks(written[at]);
        models[at] = token.before;
        append_word_form(models[at], token.word);
        models[at] += token.after;
      }
      target.assign(models.begin(), models.end());
      if (text.source) {
        source_line.clear();
        text.source->append_written(source_line, line);
        source = words_of(source_line);
        text.links->read(line, source.size(), written.size(), links);
      }
      learn_line(perceptron, CaseContext(casing, text.source_casing, target, links, source), written);
      monitor.add(1);
    }
  }
  return perceptron.finish();
}

}  // namespace dragoman::text
