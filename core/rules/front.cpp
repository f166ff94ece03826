#include "rules/front.h"

namespace dragoman::rules {

// Whole sentences.
uint64_t Front::size() const {
  const uint64_t size = bitext_.source_size();
  if (size <= FrontPlaces::max_size) return size;
  return bitext_.source_range(bitext_.sentence_of(FrontPlaces::max_size)).begin;
}

const FrontPlaces& Front::places() const {
  std::call_once(places_once_, [&] { places_.emplace(bitext_, size()); });
  return *places_;
}

}  // namespace dragoman::rules
