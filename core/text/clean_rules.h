// Which sentence pairs are fit to learn from: rules in a fixed order; a pair is dropped by the first that objects.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/namespaces.h"
#include "text/side_facts.h"

namespace dragoman::text {

enum class CleanRule : uint8_t {
  kept,
  control,
  empty,
  too_long,
  length_ratio,
  identical,
  wrong_script,
  wrong_language,
  duplicate,
  near_duplicate,
  one_side,
};
inline constexpr size_t clean_rule_count = static_cast<size_t>(CleanRule::one_side) + 1;
std::string_view clean_rule_name(CleanRule rule);

enum class OneSide { none, source, target, either };
OneSide one_side_of(std::string_view name);

// The names are those of CleanOptions in config.py, where the defaults are; 0 turns a limit off.
struct CleanOptions {
  bool drop_control;
  bool drop_empty;
  uint64_t max_tokens;
  uint64_t max_characters;
  double max_ratio;
  uint64_t identical_words;
  bool drop_wrong_script;
  bool drop_wrong_language;
  bool drop_duplicates;
  bool drop_near_duplicates;
  OneSide one_side;
};

// How text of a language looks.
struct LanguageProfile {
  // Scripts by name and the code in the table of function words; an empty list or an unknown code leaves that rule
  // out. Throws ConfigError for a script that is not known.
  LanguageProfile(std::string_view code, std::span<const std::string> script_names, const FunctionWords& words);

  uint64_t scripts;  // bits by Script; 0: any
  int language;      // of the function words, or -1
};

// What the text of a pair says about it, whatever came before.
CleanRule judge_text(const CleanOptions& options, const SideFacts& source, const LanguageProfile& source_language,
                     const SideFacts& target, const LanguageProfile& target_language);

}  // namespace dragoman::text
