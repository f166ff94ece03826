#include "lm/prune.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

#include "base/errors.h"

namespace dragoman::lm {
namespace {

double power_of_ten(float log10_value) { return std::exp(static_cast<double>(log10_value) * std::numbers::ln10); }

// What the continuations of every context of level k - 1 take of the whole: of p(.|h), and of p(.|h').
struct ExplicitMass {
  Array<double> higher;
  Array<double> lower;
};

ExplicitMass explicit_mass(const NgramTrie& trie, size_t k) {
  const NgramLevel& above = trie.levels[k - 1];
  const NgramLevel& level = trie.levels[k];
  ExplicitMass mass{Array<double>(above.size(), trie.memory()), Array<double>(above.size(), trie.memory())};
  for (uint32_t parent = 0; parent < above.size(); ++parent) {
    const double lower = power_of_ten(above.log10_prob[parent]);
    for (uint32_t child = above.first_child[parent]; child < above.first_child[parent + 1]; ++child) {
      mass.higher[level.context[child]] += power_of_ten(level.log10_prob[child]);
      mass.lower[level.context[child]] += lower;
    }
  }
  return mass;
}

// How often every node of a level occurs, as a share of all positions.
Array<double> frequency(const NgramTrie& trie, size_t k, const Array<double>& of_shorter) {
  const NgramLevel& level = trie.levels[k];
  Array<double> result(level.size(), trie.memory());
  if (!level.count.empty()) {
    double total = 0;
    // Words and sentence ends; begins are positions of their own only as contexts.
    for (size_t i = 0; i < trie.levels[0].size(); ++i)
      if (i != sentence_begin) total += trie.levels[0].count[i];
    for (size_t i = 0; i < level.size(); ++i) result[i] = level.count[i] / std::max(total, 1.0);
    return result;
  }
  for (size_t i = 0; i < level.size(); ++i) {
    if (k == 0) {
      // A sentence begins as often as one ends.
      result[i] = power_of_ten(level.log10_prob[i == sentence_begin ? sentence_end : i]);
    } else {
      result[i] = of_shorter[level.context[i]] * power_of_ten(level.log10_prob[i]);
    }
  }
  return result;
}

// Below this, what is left for backing off is rounding.
constexpr double least_mass = 1e-9;

}  // namespace

void renormalise(NgramTrie& trie, size_t level, const std::vector<bool>& contexts) {
  const ExplicitMass mass = explicit_mass(trie, level + 1);
  auto& backoffs = trie.levels[level].log10_backoff;
  for (size_t i = 0; i < backoffs.size(); ++i) {
    if (!contexts[i]) continue;
    const double higher = 1 - mass.higher[i];
    const double lower = 1 - mass.lower[i];
    // Some ARPA files do not sum to one; what their author chose is better than a weight made of rounding.
    if (higher < least_mass || lower < least_mass) continue;
    backoffs[i] = static_cast<float>(std::log10(higher / lower));
  }
}

std::vector<Array<float>> entropy_losses(const NgramTrie& trie, Monitor& monitor) {
  std::vector<Array<float>> losses;
  Array<double> often(trie.memory());
  for (size_t k = 0; k < trie.order(); ++k) {
    monitor.poll();
    const NgramLevel& level = trie.levels[k];
    losses.emplace_back(level.size(), 0.0f, trie.memory());
    if (k > 0) {
      const NgramLevel& above = trie.levels[k - 1];
      const ExplicitMass mass = explicit_mass(trie, k);
      for (uint32_t parent = 0; parent < above.size(); ++parent) {
        const double lower = power_of_ten(above.log10_prob[parent]);
        for (uint32_t child = above.first_child[parent]; child < above.first_child[parent + 1]; ++child) {
          const uint32_t h = level.context[child];
          const double prob = power_of_ten(level.log10_prob[child]);
          const double left = std::max(1 - mass.lower[h], least_mass);
          const double alpha = power_of_ten(above.log10_backoff[h]);
          // The weight itself says what is left for backing off, more exactly than a difference from one.
          const double backed_off = alpha * left;
          const double new_alpha = (backed_off + prob) / (left + lower);
          const double change = prob * (std::log(prob) - std::log(new_alpha * lower)) +
                                backed_off * (std::log(alpha) - std::log(new_alpha));
          losses[k][child] = static_cast<float>(std::max(0.0, often[h] * change));
        }
      }
    }
    if (k + 1 < trie.order()) often = frequency(trie, k, often);
  }
  return losses;
}

EntropyPruning::EntropyPruning(const NgramTrie& trie, Monitor& monitor)
    : trie_(trie), loss_(entropy_losses(trie, monitor)) {
  // Pass losses up to prefixes and suffixes.
  for (size_t k = trie.order(); k-- > 1;) {
    monitor.poll();
    const NgramLevel& above = trie.levels[k - 1];
    for (uint32_t parent = 0; parent < above.size(); ++parent)
      for (uint32_t child = above.first_child[parent]; child < above.first_child[parent + 1]; ++child) {
        const float loss = loss_[k][child];
        float& of_parent = loss_[k - 1][parent];
        float& of_context = loss_[k - 1][trie.levels[k].context[child]];
        of_parent = std::max(of_parent, loss);
        of_context = std::max(of_context, loss);
      }
  }
}

NgramTrie EntropyPruning::above(double threshold) const {
  Kept kept(trie_.order());
  for (size_t k = 0; k < trie_.order(); ++k) {
    kept[k].assign(trie_.levels[k].size(), k == 0);
    if (k == 0) continue;
    for (size_t i = 0; i < kept[k].size(); ++i) kept[k][i] = static_cast<double>(loss_[k][i]) >= threshold;
  }
  NgramTrie pruned = select(trie_, kept);
  for (size_t k = 0; k + 1 < trie_.order(); ++k) {
    // Contexts that lost a continuation, by their place in the pruned level.
    std::vector<bool> lost(trie_.levels[k].size());
    for (size_t i = 0; i < trie_.levels[k + 1].size(); ++i)
      if (!kept[k + 1][i]) lost[trie_.levels[k + 1].context[i]] = true;
    std::vector<bool> moved;
    for (size_t i = 0; i < lost.size(); ++i)
      if (kept[k][i]) moved.push_back(lost[i]);
    renormalise(pruned, k, moved);
  }
  return pruned;
}

NgramTrie EntropyPruning::within(uint64_t bytes, const CompactOptions& options, Monitor& monitor) const {
  const uint64_t whole = compact_bytes(trie_, options);
  if (whole <= bytes) return above(0);
  NgramTrie smallest = above(INFINITY);
  const uint64_t least = compact_bytes(smallest, options);
  if (least > bytes)
    throw ConfigError("memory", "the words alone take " + std::to_string((least + 999999) / 1000000) +
                                    " MB; give more memory or limit the vocabulary");
  // Losses sorted would give the number of n-grams of any threshold; a sample of them is enough to aim with. The size
  // per n-gram hardly changes, so a few steps of false position on the number of n-grams find the budget.
  std::vector<float> sample;
  uint64_t candidates = 0;
  for (size_t k = 1; k < trie_.order(); ++k) candidates += loss_[k].size();
  const uint64_t stride = candidates / 1000000 + 1;
  uint64_t at = 0;
  for (size_t k = 1; k < trie_.order(); ++k)
    for (float loss : loss_[k])
      if (at++ % stride == 0) sample.push_back(loss);
  std::sort(sample.begin(), sample.end(), std::greater<>());
  double low_share = 0;  // fits
  double high_share = 1;
  uint64_t low_bytes = least;
  uint64_t high_bytes = whole;
  NgramTrie best = std::move(smallest);
  for (int step = 0; step < 10; ++step) {
    monitor.poll();
    // Aim a little below the budget, so that the first hit is likely good enough.
    const double wanted = static_cast<double>(bytes) * 0.995;
    const double part = (wanted - static_cast<double>(low_bytes)) / static_cast<double>(high_bytes - low_bytes);
    const double share = low_share + (high_share - low_share) * std::clamp(part, 0.02, 0.98);
    const auto index = static_cast<size_t>(share * static_cast<double>(sample.size()));
    if (index >= sample.size()) break;
    NgramTrie trial = above(sample[index]);
    const uint64_t size = compact_bytes(trial, options);
    if (size <= bytes) {
      best = std::move(trial);
      low_share = share;
      low_bytes = size;
      if (static_cast<double>(size) >= 0.985 * static_cast<double>(bytes)) break;
    } else {
      high_share = share;
      high_bytes = size;
    }
    if ((high_share - low_share) * static_cast<double>(sample.size()) < 1) break;
  }
  return best;
}

}  // namespace dragoman::lm
