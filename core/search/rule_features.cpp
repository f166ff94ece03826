#include "search/rule_features.h"

#include <algorithm>

namespace dragoman::search {
namespace {

// log10 e: what cdec counts per word, so that weights can be exchanged.
constexpr double word_penalty_unit = -0.43429448190325176;

double words_in(std::span<const Symbol> symbols) {
  return static_cast<double>(std::ranges::count_if(symbols, [](Symbol symbol) { return !is_gap(symbol); }));
}

double penalise_target_words(const Rule& rule) { return word_penalty_unit * words_in(rule.target); }
double penalise_source_words(const Rule& rule) { return word_penalty_unit * words_in(rule.source); }
double count_rule(const Rule& rule) { return rule.kind <= RuleKind::constraint ? 1 : 0; }
double count_glue(const Rule& rule) { return rule.kind == RuleKind::glue ? 1 : 0; }
double count_pass_through(const Rule& rule) { return rule.kind == RuleKind::pass_through ? 1 : 0; }

constexpr RuleFeature table[] = {
    {glue, count_glue},
    {pass_through, count_pass_through},
    {word_penalty, penalise_target_words},
    {source_word_penalty, penalise_source_words},
    {rule_count, count_rule},
};

}  // namespace

std::span<const RuleFeature> rule_features() { return table; }

}  // namespace dragoman::search
