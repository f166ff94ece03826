#include "rules/yields.h"

#include <algorithm>

namespace dragoman::rules {

void Yields::start(uint32_t first, uint32_t end) {
  first_ = first;
  entries_.clear();
  symbols_.clear();
  links_.clear();
  begins_.assign(end - first, 0);
}

Yields::Side Yields::add_side(Variant variant, std::span<const Symbol> target, std::span<const Link> links) {
  const Side side{static_cast<uint32_t>(symbols_.size()), static_cast<uint32_t>(links_.size()),
                  static_cast<uint16_t>(target.size()), static_cast<uint16_t>(links.size()), variant};
  symbols_.insert(symbols_.end(), target.begin(), target.end());
  links_.insert(links_.end(), links.begin(), links.end());
  return side;
}

void Yields::finish(bool by_match) {
  uint32_t sum = 0;
  for (uint32_t& begin : begins_) {
    const uint32_t count = begin;
    begin = sum;
    sum += count;
  }
  order_.resize(entries_.size());
  for (uint32_t i = 0; i < entries_.size(); ++i) order_[begins_[entries_[i].node - first_]++] = i;
  if (!by_match) return;
  for (uint32_t node = first_; covers(node); ++node)
    std::stable_sort(order_.begin() + static_cast<ptrdiff_t>(begin_of(node)),
                     order_.begin() + static_cast<ptrdiff_t>(end_of(node)),
                     [&](uint32_t a, uint32_t b) { return entries_[a].match < entries_[b].match; });
}

Yield Yields::get(uint32_t node, size_t index) const {
  const Entry& entry = entries_[order_[begin_of(node) + index]];
  const Side& side = entry.side;
  return {entry.match, side.variant, std::span(symbols_).subspan(side.first_symbol, side.symbols),
          std::span(links_).subspan(side.first_link, side.links), entry.orientation};
}

}  // namespace dragoman::rules
