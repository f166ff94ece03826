#include "search/features.h"

#include <cmath>
#include <set>

#include "base/errors.h"
#include "base/in_quotes.h"
#include "base/number.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace dragoman::search {
namespace {

// Also false for what is no number.
bool is_weight(double value) { return std::abs(value) <= most_extreme_weight; }

std::string no_weight(std::string_view name, std::string_view value) {
  return "the weight of " + in_quotes(name) + " must be a number from -1000000 to 1000000, not " + in_quotes(value);
}

}  // namespace

FeatureSet::FeatureSet() {
  for (const char* name : built_in_names) add(name);
}

FeatureId FeatureSet::find(std::string_view name) const {
  const auto entry = ids_.find(std::string(name));
  return entry == ids_.end() ? none : entry->second;
}

FeatureId FeatureSet::add(std::string_view name) {
  const auto [entry, is_new] = ids_.try_emplace(std::string(name), size());
  if (is_new) {
    names_.emplace_back(name);
    weights_.push_back(0);
  }
  return entry->second;
}

void FeatureSet::set_weight(std::string_view name, double weight) {
  const FeatureId id = find(name);
  if (id == none) {
    std::string known;
    for (const std::string& known_name : names_) known += (known.empty() ? "" : ", ") + known_name;
    throw ConfigError("weights", "no part of this model has a feature " + in_quotes(name) +
                                     "; remove the line or use one of: " + known);
  }
  if (!is_weight(weight)) throw ConfigError("weights", no_weight(name, std::to_string(weight)));
  weights_[id] = weight;
}

void FeatureSet::set_weights(std::span<const std::pair<std::string, double>> weights) {
  const std::vector<double> before = weights_;
  weights_.assign(weights_.size(), 0);
  try {
    for (const auto& [name, weight] : weights) set_weight(name, weight);
  } catch (...) {
    weights_ = before;
    throw;
  }
}

std::vector<std::pair<std::string, double>> read_weights(std::string_view text) {
  require_text(text);
  std::vector<std::pair<std::string, double>> weights;
  std::set<std::string, std::less<>> seen;
  uint64_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    line = line.substr(0, line.find('#'));
    const std::vector<std::string_view> words = words_of(line);
    if (words.empty()) continue;
    if (words.size() != 2)
      throw InputError(number, "a weight is a feature's name and a number, not " + in_quotes(line));
    double value = 0;
    std::string_view digits = words[1];
    if (digits.starts_with('+')) digits.remove_prefix(1);
    if (!parse_number(digits, value) || !is_weight(value)) throw InputError(number, no_weight(words[0], words[1]));
    if (!seen.emplace(words[0]).second)
      throw InputError(number, in_quotes(words[0]) + " has a weight already; remove one of the two lines");
    weights.emplace_back(words[0], value);
  }
  return weights;
}

}  // namespace dragoman::search
