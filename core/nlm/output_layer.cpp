#include "nlm/output_layer.h"

namespace dragoman::nlm {
namespace {

// How many times as long a candidate takes that a row looks at by itself.
constexpr uint32_t cost_of_single = 4;

std::vector<Factor> in_blocks(std::span<const Factor> factors) {
  std::vector<Factor> blocks;
  for (const Factor& factor : factors) add_in_blocks(blocks, factor);
  return blocks;
}

}  // namespace

void LeftOver::add(LeftOver more) {
  if (!more.units) return;
  if (!units) {
    *this = std::move(more);
    return;
  }
  const size_t first = more.units;
  units += first;
  work = [first, mine = std::move(work), its = std::move(more.work)](size_t unit, size_t thread) {
    if (unit < first)
      its(unit, thread);
    else
      mine(unit - first, thread);
  };
}

void LeftOver::finish(Team& team) {
  if (units) share(team, units, work);
  units = 0;
}

OutputLayer::OutputLayer(ParameterTable& weights, ParameterTable& bias, bool first_writer, const NoiseOptions& noise,
                         std::span<const double> counts, std::span<const uint32_t> factor_begin)
    : options_(noise), whole_(weights, bias, first_writer) {
  if (!noise.samples) return;
  noise_.emplace(counts, factor_begin, noise.samples);
  sampled_.emplace(weights, bias, *noise_, first_writer);
  times_.resize(counts.size());
}

bool OutputLayer::is_sampled(const Factor& factor) const {
  return noise_ && (!options_.shared || factor.count / cost_of_single > options_.samples);
}

FactorTarget OutputLayer::target(const LayerRows& rows, const Objective& objective) {
  return {rows.observed, objective, rows.log_probs, rows.log_normalisers, direct_ ? &*direct_ : nullptr};
}

void OutputLayer::train(Team& team, HiddenRows& hidden, const LayerRows& rows, const LayerStep& step, LeftOver& left) {
  std::vector<Factor> whole;
  std::vector<SampledRow> sampled;
  for (const Factor& factor : rows.factors) {
    if (!is_sampled(factor)) {
      add_in_blocks(whole, factor);
      if (noise_)
        noise_->share(factor.first, factor.count, Random(step.seed, factor.first),
                      std::span(times_).subspan(factor.first, factor.count));
      continue;
    }
    for (uint32_t row = factor.begin; row < factor.end; ++row)
      sampled.push_back({row, factor.first, factor.count, rows.observed[row]});
  }
  FactorTarget wanted = target(rows, step.objective);
  if (noise_) {
    wanted.log_noise = noise_->logs().data();
    wanted.times = times_.data();
  }
  if (whole.empty()) left.finish(team);
  train_whole(team, hidden, whole, wanted, step.rates, left);
  if (!sampled.empty())
    sampled_->train(team, hidden, sampled, {step.rates, step.objective.scale, step.seed, options_.shared},
                    rows.log_probs, direct_ ? &*direct_ : nullptr);
  if (direct_) direct_->change(team, step.rates);
}

void OutputLayer::train_whole(Team& team, HiddenRows& hidden, std::span<const Factor> factors,
                              const FactorTarget& target, const AdaGradStep& rates, LeftOver& left) {
  while (!factors.empty()) {
    factors = factors.subspan(whole_.plan(factors, team.size()));
    share(team, left.units + whole_.parts(), [&](size_t unit, size_t thread) {
      if (unit < left.units)
        left.work(unit, thread);
      else
        whole_.do_part(unit - left.units, thread, hidden, target);
    });
    if (direct_) direct_->collect(team, whole_);
    left = {whole_.tiles(),
            [this, &hidden, rates](size_t tile, size_t thread) { whole_.do_tile(tile, thread, hidden, rates); }};
    if (!factors.empty()) left.finish(team);
  }
}

void OutputLayer::score(Team& team, HiddenRows& hidden, const LayerRows& rows) {
  const std::vector<Factor> blocks = in_blocks(rows.factors);
  const FactorTarget wanted = target(rows, {0, 0});
  for (std::span<const Factor> left(blocks); !left.empty();) {
    left = left.subspan(whole_.plan(left, team.size()));
    share(team, whole_.parts(), [&](size_t part, size_t thread) { whole_.do_part(part, thread, hidden, wanted); });
  }
}

std::vector<uint32_t> OutputLayer::drawn(const Factor& factor, uint32_t row, uint64_t seed) const {
  std::vector<uint32_t> rows(options_.samples);
  noise_->draw(factor.first, factor.count, Random(seed, options_.shared ? factor.first : row), rows);
  return rows;
}

}  // namespace dragoman::nlm
