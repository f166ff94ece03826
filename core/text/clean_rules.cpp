#include "text/clean_rules.h"

#include <algorithm>

#include "base/choices.h"
#include "base/errors.h"

namespace dragoman::text {
namespace {

// Short texts differ in length by chance: "Oui" and "Yes, I do". This much is added to both widths.
constexpr double ratio_slack = 10;
// Fewer letters than this say little about a script; names and codes are written in Latin everywhere.
constexpr uint64_t min_script_letters = 10;
// A text is judged by its function words when another language has at least this many different ones in it, making
// up at least this share of its words, and this many times as many as the text's own language; one less will do where
// the text has none of its own language. The corpus benchmark counts what the rule drops of text known to be right, and
// of text known to be wrong.
constexpr uint32_t min_foreign_hits = 4;
constexpr double min_foreign_share = 0.3;
constexpr uint32_t min_foreign_factor = 3;

uint64_t script_bits(std::span<const std::string> names) {
  uint64_t bits = 0;
  for (const std::string& name : names) {
    size_t at = 0;
    while (at < script_count && script_name(static_cast<Script>(at)) != name) ++at;
    if (at == script_count) throw ConfigError("scripts", "there is no script named " + name);
    bits |= uint64_t{1} << at;
  }
  return bits;
}

bool wrong_script(const SideFacts& facts, const LanguageProfile& profile) {
  if (profile.scripts == 0 || facts.letters < min_script_letters) return false;
  uint64_t own = 0;
  for (size_t s = 0; s < script_count; ++s)
    if (profile.scripts >> s & 1) own += facts.scripts[s];
  return own * 2 < facts.letters;
}

bool wrong_language(const SideFacts& facts, const LanguageProfile& profile) {
  if (profile.language < 0) return false;
  // Single letters are words of many languages and the stuff of formulas: they speak for a text, never against it.
  const auto language = static_cast<size_t>(profile.language);
  const uint32_t own = facts.distinct_hits[language] + facts.letter_hits[language];
  const auto most = std::max_element(facts.distinct_hits.begin(), facts.distinct_hits.end());
  const uint32_t foreign = *most;
  const uint32_t all_foreign = facts.hits[static_cast<size_t>(most - facts.distinct_hits.begin())];
  return foreign + (own == 0) >= min_foreign_hits && foreign >= min_foreign_factor * own &&
         all_foreign >= min_foreign_share * static_cast<double>(facts.words_checked);
}

bool wrong_ratio(const SideFacts& source, const SideFacts& target, double max_ratio) {
  const auto [shorter, longer] = std::minmax(source.width, target.width);
  return static_cast<double>(longer) + ratio_slack > max_ratio * (static_cast<double>(shorter) + ratio_slack);
}

}  // namespace

std::string_view clean_rule_name(CleanRule rule) {
  static constexpr std::string_view names[] = {"kept",         "control",        "empty",        "too long",
                                               "length ratio", "identical",      "wrong script", "wrong language",
                                               "duplicate",    "near duplicate", "one side"};
  static_assert(std::size(names) == clean_rule_count);
  return names[static_cast<size_t>(rule)];
}

OneSide one_side_of(std::string_view name) {
  static constexpr Choice<OneSide> sides[] = {
      {"none", OneSide::none}, {"source", OneSide::source}, {"target", OneSide::target}, {"either", OneSide::either}};
  return choose(sides, "one_side", name);
}

LanguageProfile::LanguageProfile(std::string_view code, std::span<const std::string> script_names,
                                 const FunctionWords& words)
    : scripts(script_bits(script_names)), language(words.find(code)) {}

CleanRule judge_text(const CleanOptions& options, const SideFacts& source, const LanguageProfile& source_language,
                     const SideFacts& target, const LanguageProfile& target_language) {
  if (options.drop_control && (source.control || target.control)) return CleanRule::control;
  if (options.drop_empty && (source.visible == 0 || target.visible == 0)) return CleanRule::empty;
  if (options.max_tokens && std::max(source.tokens, target.tokens) > options.max_tokens) return CleanRule::too_long;
  if (options.max_characters && std::max(source.characters, target.characters) > options.max_characters)
    return CleanRule::too_long;
  if (options.max_ratio > 0 && wrong_ratio(source, target, options.max_ratio)) return CleanRule::length_ratio;
  // Names, titles and codes are rightly the same in both languages, whatever their script and language look like.
  if (source.folded == target.folded && source.letters) {
    const bool many = options.identical_words && source.letter_words >= options.identical_words;
    return many ? CleanRule::identical : CleanRule::kept;
  }
  if (options.drop_wrong_script && (wrong_script(source, source_language) || wrong_script(target, target_language)))
    return CleanRule::wrong_script;
  if (options.drop_wrong_language &&
      (wrong_language(source, source_language) || wrong_language(target, target_language)))
    return CleanRule::wrong_language;
  return CleanRule::kept;
}

}  // namespace dragoman::text
