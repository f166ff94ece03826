#include "lm/taught_model.h"

#include <algorithm>
#include <cmath>

namespace dragoman::lm {
namespace {

// By the number of words of context; chosen by perplexity (benchmarks/taught.py).
constexpr double spread[index::NgramCounts::order] = {100, 10, 10, 5};
constexpr double share = 0.4;

double mixed(double shorter, double count, double context_count, double spread) {
  const double reserved = spread * std::sqrt(context_count);
  return (count + reserved * shorter) / (context_count + reserved);
}

}  // namespace

TaughtModel::TaughtModel(const LanguageModel& model, const index::TaughtText& text)
    : model_(model),
      text_(text),
      words_(static_cast<double>(text.words())),
      order_(std::max(model.order(), index::NgramCounts::order)) {
  begin_.length = 1;
  begin_.steps[0] = {boundary, static_cast<uint32_t>(text.count(index::NgramKey().after(boundary)))};
  begin_.own = model.begin_state();
}

TaughtModel::Score TaughtModel::score(const TaughtState& in, const TaughtWord& word, TaughtState& out) const {
  out = {};
  const WordScore own = model_.score(in.own, word.own, out.own);
  const double alone = std::pow(10.0, double{own.log10_prob} + word.log10_bonus);
  index::NgramKey ngram = index::NgramKey().after(word.target);
  uint64_t count = text_.count(ngram);
  double taught = mixed(alone, static_cast<double>(count), words_, spread[0]);
  for (uint32_t k = 0; k < index::NgramCounts::order - 1; ++k) {
    // The n-gram of k + 1 words is the longest context to come, if it is there.
    if (count > 0) {
      out.steps[k] = {k == 0 ? word.target : in.steps[k - 1].word, static_cast<uint32_t>(count)};
      out.length = k + 1;
    }
    if (k >= in.length) break;
    if (count > 0) {
      ngram = ngram.after(in.steps[k].word);
      count = text_.count(ngram);
    }
    taught = mixed(taught, static_cast<double>(count), in.steps[k].count, spread[k + 1]);
  }
  return {static_cast<float>(std::log10((1 - share) * alone + share * taught)), own};
}

}  // namespace dragoman::lm
