// Cleaning a corpus, in batches of lines.
#include "base/errors.h"
#include "base/utf8.h"
#include "bind/bind.h"
#include "bind/options.h"
#include "text/lines.h"
#include "text/pair_cleaner.h"

namespace dragoman::bind {
namespace {

using WordTable = std::vector<std::pair<std::string, std::string>>;
using Names = std::vector<std::string>;
using Language = std::pair<std::string, Names>;

constexpr Option<CleanOptions> clean_table[] = {
    option<&CleanOptions::drop_control>("drop_control"),
    option<&CleanOptions::drop_empty>("drop_empty"),
    option<&CleanOptions::max_tokens>("max_tokens"),
    option<&CleanOptions::max_characters>("max_characters"),
    option<&CleanOptions::max_ratio>("max_ratio"),
    option<&CleanOptions::identical_words>("identical_words"),
    option<&CleanOptions::drop_wrong_script>("drop_wrong_script"),
    option<&CleanOptions::drop_wrong_language>("drop_wrong_language"),
    option<&CleanOptions::drop_duplicates>("drop_duplicates"),
    option<&CleanOptions::drop_near_duplicates>("drop_near_duplicates"),
    option<&CleanOptions::one_side, one_side_of>("one_side"),
};

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

using Finding = PairCleaner::Finding;

nb::bytes examine(PairCleaner& cleaner, const nb::bytes& source, const nb::bytes& target) {
  // Under the GIL, which is short for a batch: the cleaner has one place for the pair at hand.
  std::vector<Finding> findings;
  const auto sources = ended_lines(view(source)), targets = ended_lines(view(target));
  require_equal_lines(sources.size(), targets.size());
  for (size_t at = 0; at < sources.size(); ++at) findings.push_back(cleaner.examine(sources[at], targets[at]));
  return bytes_of(findings);
}

nb::tuple settle(PairCleaner& cleaner, const nb::bytes& findings) {
  const auto bytes = view(findings);
  if (bytes.size() % sizeof(Finding) != 0) throw InputError(0, "these are no findings about pairs");
  std::string rules;
  std::vector<uint64_t> keys;
  Finding finding;
  for (size_t at = 0; at < bytes.size(); at += sizeof(Finding)) {
    std::memcpy(&finding, bytes.data() + at, sizeof(Finding));
    if (static_cast<size_t>(finding.rule) >= clean_rule_count) throw InputError(0, "these are no findings about pairs");
    rules += static_cast<char>(cleaner.settle(finding));
    keys.push_back(finding.source_key);
  }
  return nb::make_tuple(bytes_of(rules), bytes_of(keys));
}

}  // namespace

void register_clean(nb::module_& module) {
  nb::class_<PairCleaner>(module, "PairCleaner",
                          "Rules that drop pairs unfit to learn from; remembers what it has seen.")
      .def(
          "__init__",
          [](PairCleaner* self, const nb::dict& options, const WordTable& function_words, const Language& source,
             const Language& target, uint64_t key_seed) {
            FunctionWords words(function_words);
            const LanguageProfile source_language(source.first, source.second, words);
            const LanguageProfile target_language(target.first, target.second, words);
            new (self) PairCleaner(read_options(options, clean_table, "cleaning"), std::move(words), source_language,
                                   target_language, key_seed);
          },
          nb::arg("options"), nb::arg("function_words"), nb::arg("source"), nb::arg("target"), nb::arg("key_seed"),
          "A language is a code of the function words and the names of its scripts.")
      .def("examine", &examine, nb::arg("source"), nb::arg("target"),
           "Lines of both sides, each ending in a newline -> what each pair says by itself, as bytes.")
      .def("settle", &settle, nb::arg("findings"),
           "What `examine` found of pairs, in their order -> (a rule number per pair, a 64-bit source key per pair).");

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
