#include "rules/options.h"

#include "base/choices.h"
#include "base/errors.h"

namespace dragoman::rules {
namespace {

constexpr Choice<Matching> matchings[] = {{"exact", Matching::exact},
                                          {"bounded", Matching::bounded},
                                          {"extend", Matching::extend},
                                          {"merge", Matching::merge}};

void require(uint32_t value, uint32_t least, uint32_t most, const char* option) {
  if (value < least || value > most)
    throw ConfigError(option, "must be between " + std::to_string(least) + " and " + std::to_string(most) + ", not " +
                                  std::to_string(value));
}

}  // namespace

void validate(const ExtractOptions& options) {
  require(options.max_rule_span, 1, 255, "max_rule_span");
  require(options.max_rule_symbols, 1, 100, "max_rule_symbols");
  require(options.max_nonterminals, 0, 2, "max_nonterminals");
  require(options.min_gap_size, 1, 255, "min_gap_size");
  require(options.max_samples, 1, 1u << 20, "max_samples");
}

Matching matching_of(std::string_view name) { return choose(matchings, "matching", name); }

}  // namespace dragoman::rules
