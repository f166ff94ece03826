#include "search/rule_features.h"

#include <algorithm>

namespace dragoman::search {
namespace {

double words_in(std::span<const Symbol> symbols) {
  return static_cast<double>(std::ranges::count_if(symbols, [](Symbol each) { return !is_gap(each); }));
}

constexpr RuleFeature table[] = {
    {glue, count_glue},
    {pass_through, count_pass_through},
    {word_penalty, count_target_words},
    {source_word_penalty, count_source_words},
    {rule_count, count_rules},
};

}  // namespace

double count_target_words(const Rule& rule) { return word_penalty_unit * words_in(rule.target); }
double count_source_words(const Rule& rule) { return word_penalty_unit * words_in(rule.source); }
double count_rules(const Rule& rule) { return rule.kind <= RuleKind::constraint ? 1 : 0; }
double count_glue(const Rule& rule) { return rule.kind == RuleKind::glue ? 1 : 0; }
double count_pass_through(const Rule& rule) { return rule.kind == RuleKind::pass_through ? 1 : 0; }

std::span<const RuleFeature> rule_features() { return table; }

}  // namespace dragoman::search
