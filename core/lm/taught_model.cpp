#include "lm/taught_model.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace dragoman::lm {
namespace {

// By the number of words of context; chosen by perplexity (benchmarks/taught.py).
constexpr double spread[index::NgramCounts::order] = {100, 10, 10, 5};
constexpr double share = 0.4;

// Beyond this a probability would not be a number any more.
constexpr double most_extreme_log10 = 300;

TaughtContext work_out(uint64_t count, double spread) {
  const double seen = static_cast<double>(count), reserved = spread * std::sqrt(seen);
  return {static_cast<float>(1 / (seen + reserved)), static_cast<float>(reserved / (seen + reserved))};
}

// Contexts that were seen a few times, which are nearly all, are worked out once: a root and two divisions each.
constexpr uint64_t few = 256;
using FewTimes = std::array<TaughtContext, few>;
const std::array<FewTimes, index::NgramCounts::order> few_times = [] {
  std::array<FewTimes, index::NgramCounts::order> contexts{};
  for (size_t words = 0; words < contexts.size(); ++words)
    for (uint64_t count = 1; count < few; ++count) contexts[words][count] = work_out(count, spread[words]);
  return contexts;
}();

// Of a context of so many words that was seen so often, which is at least once.
TaughtContext context_of(uint64_t count, uint32_t words) {
  return count < few ? few_times[words][count] : work_out(count, spread[words]);
}

double mixed(double shorter, uint64_t count, const TaughtContext& context) {
  return static_cast<double>(count) * context.unit + context.kept * shorter;
}

double power_of_10(double log10) { return std::exp2(log10 * std::numbers::ln10 * std::numbers::log2e); }
double log10_of(double prob) { return std::log2(prob) * (std::numbers::ln2 * std::numbers::log10e); }

}  // namespace

TaughtModel::TaughtModel(const LanguageModel& model, const index::TaughtText& text)
    : model_(model),
      text_(text),
      nothing_(context_of(text.words(), 0)),
      order_(std::max(model.order(), index::NgramCounts::order)) {
  begin_.length = 1;
  begin_.steps[0] = {boundary, context_of(text.count(index::NgramKey().after(boundary)), 1)};
  begin_.own = model.begin_state();
}

TaughtWord TaughtModel::word(WordId target, WordId own, float log10_bonus) const {
  return {target, own, log10_bonus, static_cast<uint32_t>(text_.count(index::NgramKey().after(target)))};
}

TaughtModel::Score TaughtModel::score(const TaughtState& in, const TaughtWord& word, TaughtState& out) const {
  out = {};
  const WordScore own = model_.score(in.own, word.own, out.own);
  const double alone =
      power_of_10(std::clamp(double{own.log10_prob} + word.log10_bonus, -most_extreme_log10, most_extreme_log10));
  index::NgramKey ngram = index::NgramKey().after(word.target);
  uint64_t count = word.count;
  double taught = mixed(alone, count, nothing_);
  for (uint32_t k = 0; k < index::NgramCounts::order - 1; ++k) {
    // These k + 1 words are a context of what comes next, if they were taught.
    if (count > 0) {
      out.steps[k] = {k == 0 ? word.target : in.steps[k - 1].word, context_of(count, k + 1)};
      out.length = k + 1;
    }
    if (k >= in.length) break;
    if (count > 0) {
      ngram = ngram.after(in.steps[k].word);
      count = text_.count(ngram);
    }
    taught = mixed(taught, count, in.steps[k].context);
  }
  return {static_cast<float>(log10_of((1 - share) * alone + share * taught)), own};
}

}  // namespace dragoman::lm
