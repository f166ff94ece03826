// Rules in batches and in bytes: what they point to stays theirs, however much is added.
#include <random>

#include "rules/node_rules.h"
#include "rules/rule_code.h"
#include "tests/check.h"

namespace dragoman::rules {
namespace {

struct OwnRule {
  std::vector<Symbol> source, target;
  Links links;
  std::vector<FeatureValue> features;

  bool is(const Rule& rule) const {
    return std::ranges::equal(rule.source, source) && std::ranges::equal(rule.target, target) &&
           std::ranges::equal(rule.links, links) &&
           std::ranges::equal(rule.features, features,
                              [](auto& a, auto& b) { return a.id == b.id && a.value == b.value; }) &&
           rule.gaps == std::ranges::count_if(source, is_gap);
  }
};

std::vector<Symbol> random_side(std::mt19937_64& random, size_t longest) {
  std::vector<Symbol> side(random() % (longest + 1));
  for (Symbol& symbol : side)
    symbol = random() % 4 ? static_cast<Symbol>(random() % 100000) : gap_symbol(static_cast<uint32_t>(random() % 2));
  return side;
}

OwnRule random_rule(std::mt19937_64& random, std::vector<Symbol> source) {
  OwnRule rule{std::move(source), random_side(random, 9), {}, {}};
  for (uint64_t i = random() % 5; i > 0; --i)
    rule.links.push_back({static_cast<uint32_t>(random() % 300), static_cast<uint32_t>(random() % 300)});
  for (uint64_t i = random() % 8; i > 0; --i)
    rule.features.push_back({static_cast<FeatureId>(random() % 20), static_cast<float>(random() % 1000)});
  return rule;
}

TEST(rules_of_a_batch_stay_whole_while_it_grows) {
  std::mt19937_64 random(3);
  RuleBatch batch;
  for (int round = 0; round < 20; ++round) {
    batch.clear();
    std::vector<OwnRule> expected;
    for (uint64_t side = random() % 30; side > 0; --side) {
      const std::vector<Symbol> source = random_side(random, 6);
      batch.begin_side(source);
      for (uint64_t i = random() % 6; i > 0; --i) {
        expected.push_back(random_rule(random, source));
        batch.add(expected.back().target, expected.back().links, expected.back().features, expected.size());
      }
    }
    const RuleBatch moved = std::move(batch);
    CHECK(moved.rules().size() == expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
      CHECK(expected[i].is(moved.rules()[i]));
      CHECK(moved.rules()[i].reference == i + 1);
    }
    batch = RuleBatch();
  }
}

TEST(rules_in_bytes_are_read_back) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    const OwnRule rule = random_rule(random, random_side(random, 6));
    std::vector<uint8_t> bytes;
    append_symbols(bytes, rule.source);
    append_links(bytes, rule.links);
    append_symbols(bytes, rule.target);
    append_float(bytes, 0.25f);
    const uint8_t* at = bytes.data();
    std::vector<Symbol> symbols;
    Links links;
    take_symbols(at, symbols);
    take_links(at, links);
    CHECK(symbols == rule.source);
    CHECK(links == rule.links);
    take_symbols(at, symbols);
    CHECK(symbols == rule.target);
    CHECK(take_float(at) == 0.25f);
    CHECK(at == bytes.data() + bytes.size());
  }
}

// The order of grammar files: the first gap, the second, then words.
TEST(gaps_come_before_words) {
  const Symbol in_order[] = {gap_symbol(0), gap_symbol(1), word_symbol(0), word_symbol(1), word_symbol(1000)};
  for (size_t i = 0; i < std::size(in_order); ++i) {
    CHECK(symbol_of(symbol_code(in_order[i])) == in_order[i]);
    CHECK(i == 0 || symbol_code(in_order[i - 1]) < symbol_code(in_order[i]));
  }
}

TEST(rules_of_a_node_have_the_source_side_of_their_variant) {
  NodeRules rules;
  const std::vector<WordId> pattern{7, 0, 8};
  const uint32_t mass[variant_count] = {3, 1, 0, 2};
  const std::vector<Symbol> target{9};
  const std::vector<uint32_t> matches{0, 2};
  for (int again = 0; again < 2; ++again) {
    rules.begin(5, pattern);
    rules.set_counts(4, mass);
    rules.add(plain, target, {}, {2, matches}, 1, 2);
    rules.add(plain, target, {}, {1, std::span(matches).first(1)}, 1, 2);
    rules.add(gap_left, target, {}, {1, {}}, 1, 2);
    rules.add(gap_both, target, {}, {2, matches}, 1, 2);
    CHECK(rules.rules(plain).size() == 2);
    CHECK(std::ranges::equal(rules.rules(plain)[1].source, std::vector<Symbol>{7, -1, 8}));
    CHECK(std::ranges::equal(rules.rules(gap_left)[0].source, std::vector<Symbol>{-1, 7, -2, 8}));
    CHECK(rules.rules(gap_right).empty());
    CHECK(std::ranges::equal(rules.rules(gap_both)[0].source, std::vector<Symbol>{-1, 7, -2, 8, -3}));
    CHECK(rules.evidence(plain, 1).matches.size() == 1);
    CHECK(rules.evidence(gap_both, 0).count == 2);
    const auto reference = NodeReference::of(rules.rules(plain)[1].reference);
    CHECK(reference.node == 5 && reference.variant == plain && reference.index == 1);
    const auto of_one_match = rules.rules(gap_left)[0].features;
    CHECK(of_one_match[pair_singleton].value == 1 && of_one_match[source_singleton].value == 1);
    CHECK(rules.rules(gap_both)[0].features[pair_singleton].value == 0);
  }
}

}  // namespace
}  // namespace dragoman::rules
