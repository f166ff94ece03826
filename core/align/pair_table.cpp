#include "align/pair_table.h"

namespace dragoman::align {
namespace {

std::vector<uint8_t> fraction_bits(std::span<const uint32_t> frequencies) {
  std::vector<uint8_t> bits(frequencies.size());
  for (size_t word = 0; word < bits.size(); ++word)
    // One bit to spare, because every added term may be rounded up.
    bits[word] = static_cast<uint8_t>(std::clamp(std::countl_zero(frequencies[word]) - 1, 0, 22));
  return bits;
}

}  // namespace

PairCounts::PairCounts(size_t pairs, std::span<const uint32_t> source_frequencies,
                       std::span<const uint32_t> target_frequencies, ArrayMemory* memory)
    : forward_(pairs, memory),
      backward_(pairs, memory),
      null_target_(target_frequencies.size()),
      null_source_(source_frequencies.size()),
      source_bits_(fraction_bits(source_frequencies)),
      target_bits_(fraction_bits(target_frequencies)) {}

void PairCounts::clear() {
  for (auto* sums : {&forward_, &backward_}) std::fill(sums->begin(), sums->end(), 0);
  for (auto* sums : {&null_target_, &null_source_}) std::fill(sums->begin(), sums->end(), 0);
}

void PairCounts::append_to(std::vector<uint8_t>& bytes) const {
  for (const auto* sums : {&forward_, &backward_}) append_sums(bytes, std::span<const uint32_t>(*sums));
  for (const auto* sums : {&null_target_, &null_source_}) append_sums(bytes, std::span<const uint64_t>(*sums));
}

bool PairCounts::add_from(VarintReader& bytes) {
  for (auto* sums : {&forward_, &backward_})
    if (!add_sums(bytes, std::span(*sums))) return false;
  for (auto* sums : {&null_target_, &null_source_})
    if (!add_sums(bytes, std::span(*sums))) return false;
  return true;
}

}  // namespace dragoman::align
