#include "rules/front.h"

namespace dragoman::rules {
namespace {

// Input sentences after which the spans at the front are worth knowing.
constexpr uint32_t spans_after = 4;

}  // namespace

// Whole sentences.
uint64_t Front::size() const {
  const uint64_t size = bitext_.source_size();
  if (size <= FrontPlaces::max_size) return size;
  return bitext_.source_range(bitext_.sentence_of(FrontPlaces::max_size)).begin;
}

const FrontPlaces& Front::places() const {
  std::call_once(places_made_, [&] { places_.emplace(bitext_, size()); });
  return *places_;
}

const FrontSpans* Front::spans() const {
  if (spans_asked_.fetch_add(1, std::memory_order_relaxed) < spans_after) return nullptr;
  std::call_once(spans_made_, [&] { spans_.emplace(bitext_, size()); });
  return &*spans_;
}

}  // namespace dragoman::rules
