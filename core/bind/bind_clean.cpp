// Cleaning and splitting a corpus, in batches of lines.
#include "base/errors.h"
#include "base/utf8.h"
#include "bind/bind.h"
#include "text/clean.h"

namespace dragoman::bind {
namespace {

using WordTable = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;

// Lines that each end in a newline; a carriage return is part of its line.
std::vector<std::string_view> ended_lines(std::string_view text) {
  require_text(text);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) throw InputError(lines.size() + 1, "the last line does not end");
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return lines;
}

nb::tuple judge(PairCleaner& cleaner, const nb::bytes& source, const nb::bytes& target) {
  // Under the GIL, which is short for a batch: the cleaner remembers, so two threads must not be in it at once.
  std::string rules;
  std::vector<uint64_t> keys;
  const auto sources = ended_lines(view(source)), targets = ended_lines(view(target));
  if (sources.size() != targets.size()) throw InputError(0, "the two sides differ in their number of lines");
  for (size_t at = 0; at < sources.size(); ++at) {
    const auto [rule, key] = cleaner.judge(sources[at], targets[at]);
    rules += static_cast<char>(rule);
    keys.push_back(key);
  }
  return nb::make_tuple(nb::bytes(rules.data(), rules.size()), bytes_of(keys));
}

}  // namespace

void register_clean(nb::module_& module) {
  nb::class_<PairCleaner>(module, "PairCleaner",
                          "Rules that drop pairs unfit to learn from; remembers what it has seen.")
      .def(
          "__init__",
          [](PairCleaner* self, bool drop_control, bool drop_empty, uint64_t max_tokens, uint64_t max_characters,
             double max_ratio, uint64_t identical_words, bool drop_wrong_script, bool drop_wrong_language,
             bool drop_duplicates, bool drop_near_duplicates, bool one_side_source, bool one_side_target,
             const WordTable& function_words, const Names& source_scripts, const Names& target_scripts,
             const std::string& source_lang, const std::string& target_lang, uint64_t key_seed) {
            const CleanOptions options{drop_control,    drop_empty,           max_tokens,        max_characters,
                                       max_ratio,       identical_words,      drop_wrong_script, drop_wrong_language,
                                       drop_duplicates, drop_near_duplicates, one_side_source,   one_side_target};
            new (self) PairCleaner(options, FunctionWords(function_words), source_scripts, target_scripts, source_lang,
                                   target_lang, key_seed);
          },
          nb::kw_only(), nb::arg("drop_control"), nb::arg("drop_empty"), nb::arg("max_tokens"),
          nb::arg("max_characters"), nb::arg("max_ratio"), nb::arg("identical_words"), nb::arg("drop_wrong_script"),
          nb::arg("drop_wrong_language"), nb::arg("drop_duplicates"), nb::arg("drop_near_duplicates"),
          nb::arg("one_side_source"), nb::arg("one_side_target"), nb::arg("function_words"), nb::arg("source_scripts"),
          nb::arg("target_scripts"), nb::arg("source_lang"), nb::arg("target_lang"), nb::arg("key_seed"))
      .def("judge", &judge, nb::arg("source"), nb::arg("target"),
           "Lines of both sides, each ending in a newline -> (a rule number per pair, a 64-bit source key per pair).");

  module.def(
      "clean_rules",
      [] {
        Names names;
        for (size_t rule = 0; rule < clean_rule_count; ++rule)
          names.emplace_back(clean_rule_name(static_cast<CleanRule>(rule)));
        return names;
      },
      "Names of the rules, by number; number 0 is `kept`.");
  module.def(
      "fold",
      [](std::string_view text) {
        require_text(text);
        SideFacts facts;
        gather_facts(text, nullptr, facts);
        return facts.folded;
      },
      nb::arg("text"), "Lower case, digits as 0, no punctuation, single spaces: what near duplicates share.");
}

}  // namespace dragoman::bind
