// Tables and sorting against what the standard library has for them.
#include <algorithm>
#include <random>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/choices.h"
#include "base/flat_map.h"
#include "base/hash.h"
#include "base/hash_set.h"
#include "base/numbering.h"
#include "base/packed_table.h"
#include "base/radix_sort.h"
#include "nlm/query_cache.h"
#include "tests/check.h"

namespace dragoman {
namespace {

// Small and large numbers, zeros and ones from end to end among them.
uint64_t any_key(std::mt19937_64& random) {
  switch (random() % 16) {
    case 0:
      return UINT64_MAX - random() % 3;
    case 1:
      return random() % 3;
    default:
      return random() >> random() % 60;
  }
}

}  // namespace

TEST(flat_map_is_a_map) {
  std::mt19937_64 random(3);
  FlatMap map;
  for (int round = 0; round < 60; ++round) {
    std::unordered_map<uint64_t, uint32_t> known;
    // Few after many, so that the table becomes smaller too.
    const size_t count = round % 10 == 0 ? 3000 : random() % 40;
    if (round % 7 == 0) map.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      const uint64_t key = any_key(random);
      CHECK(map.find(key) == (known.contains(key) ? known[key] : FlatMap::absent));
      known[key] = map[key] = static_cast<uint32_t>(random() >> 33);
    }
    CHECK(map.size() == known.size());
    for (auto [key, value] : known) CHECK(map.find(key) == value);
    map.clear();
    for (auto [key, value] : known) CHECK(map.find(key) == FlatMap::absent);
  }
}

TEST(hash_set_is_a_set) {
  std::mt19937_64 random(4);
  HashSet set;
  std::unordered_set<uint64_t> known;
  for (int i = 0; i < 20000; ++i) {
    // 0 passes for 1.
    const uint64_t hash = std::max<uint64_t>(any_key(random), 1);
    CHECK(set.insert(hash) == known.insert(hash).second);
  }
  CHECK(set.insert(0) == !known.contains(1));
  CHECK(!set.insert(0));
  CHECK(set.bytes() <= 22 * set.size());
}

TEST(numbering_counts_as_they_come) {
  std::mt19937_64 random(5);
  Numbering numbering;
  // Weak hashes too: tags that are all the same must cost time only.
  for (const uint64_t hash_mask : {UINT64_MAX, uint64_t{0}, uint64_t{7} << 61, uint64_t{0xffffffff}}) {
    numbering.clear();
    std::vector<std::string> things;
    std::unordered_map<std::string, uint32_t> known;
    for (int i = 0; i < 2000; ++i) {
      const std::string thing = std::to_string(random() % 700);
      const uint64_t hash = hash_bytes(thing) & hash_mask;
      const auto same = [&](uint32_t number) { return things[number] == thing; };
      CHECK(numbering.find(hash, same) == (known.contains(thing) ? known[thing] : Numbering::absent));
      const auto [number, is_new] = numbering.add(hash, same);
      CHECK(is_new == !known.contains(thing));
      if (is_new) {
        CHECK(number == things.size());
        known[thing] = number;
        things.push_back(thing);
      }
      CHECK(number == known[thing]);
    }
    CHECK(numbering.size() == things.size());
  }
}

TEST(key_table_forgets_at_its_bound) {
  std::mt19937_64 random(6);
  nlm::KeyTable<float> table(16 * 1024);  // 1024 slots: 640 keys
  std::unordered_map<uint64_t, float> known;
  for (int i = 0; i < 5000; ++i) {
    const uint64_t key = random();
    if (known.size() == 640) known.clear();
    table.insert(key, static_cast<float>(i));
    known[key] = static_cast<float>(i);
    if (i % 100) continue;
    for (auto [known_key, value] : known) CHECK(table.find(known_key) && *table.find(known_key) == value);
    CHECK(!table.find(key + 1));
  }
  table.forget();
  for (auto [key, value] : known) CHECK(!table.find(key));
}

TEST(packed_table_finds) {
  std::mt19937_64 random(7);
  for (const size_t count : {0, 1, 2, 3, 100, 1000}) {
    std::vector<uint64_t> things;  // by number - 1
    PackedTableWriter writer(count, count);
    for (size_t i = 0; i < count; ++i) {
      things.push_back(random() % 1000 + 1000 * i);
      writer.add(mix(things[i]), i + 1);
    }
    const PackedTable table = writer.view();
    const auto find = [&](uint64_t thing) {
      return table.find(mix(thing), [&](uint64_t number) { return things[number - 1] == thing; });
    };
    for (size_t i = 0; i < count; ++i) CHECK(find(things[i]) == i + 1);
    for (int i = 0; i < 100; ++i) CHECK(find(random() | uint64_t{1} << 60) == 0);
  }
}

// One that a stranger made may be full: the search ends all the same.
TEST(packed_table_that_is_full) {
  const PackedTable table = [] {
    static PackedWriter slots(PackedTable::slots_for(5), bits_for(5));
    for (uint64_t i = 0; i < PackedTable::slots_for(5); ++i) slots.set(i, 5);
    return PackedTable(slots.view());
  }();
  CHECK(table.find(3, [](uint64_t) { return false; }) == 0);
  CHECK(table.find(3, [](uint64_t) { return true; }) == 5);
}

TEST(radix_sort_is_stable) {
  std::mt19937_64 random(8);
  using Item = std::pair<uint64_t, int>;
  for (const uint32_t from : {0, 16}) {
    for (const uint32_t bits : {1, 11, 12, 30, 64}) {
      std::vector<Item> items, scratch;
      for (int i = 0; i < 3000; ++i) items.emplace_back(random() >> (64 - bits), i);
      std::vector<Item> expected = items;
      std::stable_sort(expected.begin(), expected.end(),
                       [&](const Item& a, const Item& b) { return a.first >> from < b.first >> from; });
      radix_sort(items, scratch, [](const Item& item) { return item.first; }, from);
      CHECK(items == expected);
    }
  }
}

TEST(choices_by_name) {
  static constexpr Choice<int> numbers[] = {{"one", 1}, {"two", 2}, {"three", 3}};
  CHECK(choose(numbers, "number", "two") == 2);
  CHECK(chosen_name(numbers, 3) == "three");
  try {
    choose(numbers, "number", "four");
    CHECK(false);
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()).find("'four' is unknown; choose one, two or three") != std::string::npos);
  }
}

}  // namespace dragoman
