#include "nlm/direct_layer.h"

#include <algorithm>

namespace dragoman::nlm {

DirectLayer::DirectLayer(ParameterTable& weights, std::span<const uint32_t> begin, std::span<const uint32_t> candidates)
    : weights_(weights), begin_(begin), candidates_(candidates), sums_(candidates.size()) {}

void DirectLayer::take(std::vector<uint32_t> stretches, uint32_t places) {
  stretches_ = std::move(stretches);
  places_ = places;
  occurrences_.find(stretches_, 1, none() + 1);
  for (uint32_t stretch : occurrences_.words())
    std::fill(sums_.begin() + begin_[stretch], sums_.begin() + begin_[stretch + 1], 0.f);
}

void DirectLayer::change(Team& team, const AdaGradStep& step) {
  share(team, units(), [&](size_t unit, size_t) {
    for (size_t i = unit * at_once; i < std::min(occurrences_.words().size(), (unit + 1) * at_once); ++i) {
      const uint32_t stretch = occurrences_.words()[i];
      weights_.change(begin_[stretch], std::span(sums_).subspan(begin_[stretch], begin_[stretch + 1] - begin_[stretch]),
                      step);
    }
  });
}

void DirectLayer::add_to(uint32_t row, float* logits, size_t step) const {
  for (uint32_t place = 0; place < places_; ++place) {
    const uint32_t stretch = stretches_[size_t{row} * places_ + place];
    for (uint32_t feature = begin_[stretch]; feature < begin_[stretch + 1]; ++feature)
      logits[candidates_[feature] * step] += weights_.weights[feature];
  }
}

float DirectLayer::weight(uint32_t row, uint32_t candidate) const {
  float sum = 0;
  for (uint32_t place = 0; place < places_; ++place) {
    const uint32_t stretch = stretches_[size_t{row} * places_ + place];
    const auto candidates = candidates_of(stretch);
    const auto at = std::ranges::lower_bound(candidates, candidate);
    if (at != candidates.end() && *at == candidate)
      sum += weights_.weights[begin_[stretch] + static_cast<size_t>(at - candidates.begin())];
  }
  return sum;
}

}  // namespace dragoman::nlm
