#include "rules/packed_yields.h"

#include <algorithm>

#include "base/hash.h"
#include "rules/packed_sample.h"
#include "rules/rule_code.h"

namespace dragoman::rules {
void PackedYields::begin(std::span<const WordId> symbols, std::span<const Match> sample, uint8_t variants,
                         size_t looked_at) {
  bytes_.clear();
  bytes_.push_back(variants);
  append_sample(bytes_, symbols, sample);
  append_varint(bytes_, looked_at);
  sides_.clear();
  numbers_.clear();
  given_.clear();
  given_count_ = last_match_ = 0;
}

uint32_t PackedYields::side_of(const Yield& yield) {
  uint64_t hash = yield.variant + 1;
  for (Symbol symbol : yield.target) hash = mix(hash ^ symbol_code(symbol));
  for (Link link : yield.links) hash = mix(hash ^ (uint64_t{link.source} << 32 | link.target));
  const auto [number, is_new] = numbers_.add(hash, [&](uint32_t known) {
    const Side& side = sides_[known];
    return side.variant == yield.variant && std::ranges::equal(side.target, yield.target) &&
           std::ranges::equal(side.links, yield.links);
  });
  if (is_new) sides_.push_back({yield.variant, yield.target, yield.links});
  return number;
}

void PackedYields::add(const Yield& yield) {
  append_varint(given_, yield.match - last_match_);
  last_match_ = yield.match;
  append_varint(given_, side_of(yield));
  if (oriented_) append_varint(given_, yield.orientation.before * 4u + yield.orientation.after);
  ++given_count_;
}

void PackedYields::finish() {
  append_varint(bytes_, sides_.size());
  for (const Side& side : sides_) {
    bytes_.push_back(side.variant);
    append_symbols(bytes_, side.target);
    append_links(bytes_, side.links);
  }
  append_varint(bytes_, given_count_);
  bytes_.insert(bytes_.end(), given_.begin(), given_.end());
}

void PackedYields::unpack_sample(std::span<const WordId> symbols, std::vector<Match>& out) const {
  const uint8_t* at = bytes_.data() + 1;  // after the variants
  take_sample(at, symbols, out);
}

bool PackedYields::unpack_yields(uint8_t variants, std::span<const uint32_t> numbers, uint32_t node, Yields& out) {
  const uint8_t* at = bytes_.data() + 1;
  skip_sample(at);
  if (take_count(at) < numbers.size()) return false;
  unpacked_.resize(take_count(at));
  for (Yields::Side& side : unpacked_) {
    const auto variant = static_cast<Variant>(*at++);
    take_symbols(at, target_);
    take_links(at, links_);
    side = out.add_side(variant, target_, links_);
  }
  uint32_t match = 0;
  for (uint32_t count = take_count(at); count > 0; --count) {
    match += take_count(at);
    if (match >= numbers.size()) break;
    const Yields::Side& side = unpacked_[take_count(at)];
    const uint32_t code = oriented_ ? take_count(at) : 0;
    if ((variants >> side.variant & 1) != 0)
      out.add(node, numbers[match], side, {static_cast<uint8_t>(code / 4), static_cast<uint8_t>(code % 4)});
  }
  return true;
}

}  // namespace dragoman::rules
