#include "tests/fuzz/mutation.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>

#include "tests/fuzz/sections.h"

namespace dragoman::fuzz {
namespace {

constexpr size_t small = 256;        // bytes of a section that is likely a record of sizes
constexpr size_t most_added = 1024;  // bytes
constexpr uint32_t widest = 57;      // of a packed number

size_t below(Random& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

template <class Number>
void change_number(Bytes& bytes, Random& random) {
  if (bytes.size() < sizeof(Number)) return;
  const size_t at = below(random, bytes.size() / sizeof(Number)) * sizeof(Number);
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  using Limits = std::numeric_limits<Number>;
  if constexpr (Limits::is_integer) {
    const Number values[] = {0,
                             1,
                             2,
                             Limits::max(),
                             static_cast<Number>(Limits::max() - 1),
                             static_cast<Number>(Limits::max() / 2 + 1),
                             static_cast<Number>(value + 1),
                             static_cast<Number>(value - 1),
                             static_cast<Number>(value * 2),
                             static_cast<Number>(value ^ Number{1} << random() % Limits::digits),
                             static_cast<Number>(random() % 64),
                             static_cast<Number>(bytes.size())};
    value = values[below(random, std::size(values))];
  } else {
    const Number values[] = {Limits::quiet_NaN(),
                             Limits::infinity(),
                             -Limits::infinity(),
                             Limits::max(),
                             Limits::lowest(),
                             Limits::min(),
                             0,
                             -value};
    value = values[below(random, std::size(values))];
  }
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

void fill_stretch(Bytes& bytes, Random& random) {
  const size_t begin = below(random, bytes.size()), size = below(random, bytes.size() - begin + 1);
  const auto value = static_cast<std::byte>(random() % 3 == 0 ? random() : random() % 2 ? 255 : 0);
  std::fill_n(bytes.begin() + static_cast<ptrdiff_t>(begin), size, value);
}

void swap_stretches(Bytes& bytes, Random& random) {
  const size_t size = 1 + below(random, std::min<size_t>(bytes.size(), 32));
  const size_t one = below(random, bytes.size() - size + 1), other = below(random, bytes.size() - size + 1);
  for (size_t i = 0; i < size; ++i) std::swap(bytes[one + i], bytes[other + i]);
}

void resize(Bytes& bytes, Random& random) {
  if (random() % 2) {
    bytes.resize(below(random, bytes.size() + 1));
    return;
  }
  for (size_t more = 1 + below(random, most_added); more > 0; --more)
    bytes.push_back(static_cast<std::byte>(random() % 4 ? 0 : random()));
}

// Numbers of another width: a record says how many bits they have, and their section grows with them.
void change_width(Sections& sections, Random& random) {
  Bytes& record = sections.all[below(random, sections.all.size())].second;
  Bytes& numbers = sections.all[below(random, sections.all.size())].second;
  if (&record == &numbers || record.size() > small || record.size() < sizeof(uint32_t)) return;
  const size_t at = below(random, record.size() / sizeof(uint32_t)) * sizeof(uint32_t);
  uint32_t width;
  std::memcpy(&width, record.data() + at, sizeof width);
  if (width == 0 || width > widest) return;
  const uint64_t most = numbers.size() * 8 / width;
  const uint64_t count = most - std::min<uint64_t>(most, below(random, 8 / width + 1));
  width = 1 + static_cast<uint32_t>(random() % widest);
  numbers.resize((count * width + 7) / 8);
  for (std::byte& byte : numbers)
    if (random() % 8 == 0) byte = static_cast<std::byte>(random());
  std::memcpy(record.data() + at, &width, sizeof width);
}

void change_sections(Sections& sections, Random& random) {
  const size_t one = below(random, sections.all.size()), other = below(random, sections.all.size());
  switch (random() % 4) {
    case 0:
      sections.all.erase(sections.all.begin() + static_cast<ptrdiff_t>(one));
      return;
    case 1:
      sections.all[one].second = sections.all[other].second;
      return;
    case 2:
      std::swap(sections.all[one].first, sections.all[other].first);
      return;
    default:
      change_width(sections, random);
  }
}

// Records of sizes are few bytes among many, and decide most.
Bytes& choose(Sections& sections, Random& random) {
  Bytes* chosen = &sections.all[below(random, sections.all.size())].second;
  for (int tries = 0; tries < 3 && random() % 2 && (chosen->size() > small || chosen->empty()); ++tries)
    chosen = &sections.all[below(random, sections.all.size())].second;
  return *chosen;
}

}  // namespace

void mutate_bytes(Bytes& bytes, Random& random) {
  if (bytes.empty()) return resize(bytes, random);
  switch (random() % 10) {
    case 0:
      return change_number<uint16_t>(bytes, random);
    case 1:
      return change_number<uint32_t>(bytes, random);
    case 2:
      return change_number<uint64_t>(bytes, random);
    case 3:
      return change_number<float>(bytes, random);
    case 4:
      return fill_stretch(bytes, random);
    case 5:
      return swap_stretches(bytes, random);
    case 6:
      return random() % 4 ? change_number<uint8_t>(bytes, random) : resize(bytes, random);
    default:
      for (size_t flips = 1 + below(random, 4); flips > 0; --flips)
        bytes[below(random, bytes.size())] ^= static_cast<std::byte>(1u << random() % 8);
  }
}

Bytes mutated(const Target& target, std::span<const std::byte> file, Random& random, const ByteMutation& of_bytes) {
  auto sections = Sections::read(file);
  if (!sections) {
    const auto seeds = target.seeds();
    return seeds[below(random, seeds.size())];
  }
  if (!target.sealed) {
    Bytes bytes(file.begin(), file.end());
    of_bytes(bytes, random);
    return bytes;
  }
  for (size_t changes = 1 + below(random, 4); changes > 0 && !sections->all.empty(); --changes)
    if (random() % 12 == 0)
      change_sections(*sections, random);
    else
      of_bytes(choose(*sections, random), random);
  return sections->sealed();
}

}  // namespace dragoman::fuzz
