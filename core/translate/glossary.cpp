#include "translate/glossary.h"

#include <algorithm>

#include "base/errors.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "translate/text_tools.h"

namespace dragoman::translate {

Glossary::Glossary(std::string_view text, const Tokenizer& source) {
  require_text(text);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // spreadsheets write a byte order mark
  uint64_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    Term term;
    for (size_t at = 0, column = 0;; ++column) {
      const size_t end = std::min(line.find('\t', at), line.size());
      const std::string_view cell = line.substr(at, end - at);
      if (column == 0)
        term.source = words_of(source, cell, Form::word);
      else if (cell.find_first_not_of(' ') != std::string_view::npos)
        term.targets.emplace_back(cell);
      if (end == line.size()) break;
      at = end + 1;
    }
    if (term.source.empty())
      throw InputError(number, "a line of a glossary is `source TAB target`; this one has no source");
    term.line = number;
    by_first_[term.source[0]].push_back(static_cast<uint32_t>(terms_.size()));
    terms_.push_back(std::move(term));
  }
  for (auto& [first, places] : by_first_)
    std::ranges::stable_sort(places, std::greater(), [&](uint32_t place) { return terms_[place].source.size(); });
}

const Glossary::Term* Glossary::find(std::span<const std::string> tokens, size_t at) const {
  const auto entry = by_first_.find(tokens[at]);
  if (entry == by_first_.end()) return nullptr;
  for (uint32_t place : entry->second) {
    const Term& term = terms_[place];
    if (at + term.source.size() <= tokens.size() &&
        std::ranges::equal(term.source, tokens.subspan(at, term.source.size())))
      return &term;
  }
  return nullptr;
}

std::vector<Glossary::Conflict> Glossary::conflicts() const {
  auto joined = [](const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  };
  std::vector<Conflict> conflicts;
  for (const Term& term : terms_) {
    // The term that counts where this one stands alone; an earlier one if there are several.
    if (const Term* counts = find(term.source, 0); counts != &term && counts->targets != term.targets)
      conflicts.push_back({false, joined(term.source), joined(counts->source), term.line, counts->line});
    const std::span<const std::string> words = term.source;
    for (size_t at = 0; at < words.size(); ++at) {
      // Shorter terms at the beginning, which `find` would pass over for this one, and any further on.
      const auto first = by_first_.find(words[at]);
      if (first == by_first_.end()) continue;
      const Term* inner = nullptr;
      for (uint32_t place : first->second) {
        const Term& other = terms_[place];
        if (other.source.size() < words.size() && at + other.source.size() <= words.size() &&
            std::ranges::equal(other.source, words.subspan(at, other.source.size()))) {
          inner = &other;
          break;
        }
      }
      if (inner) conflicts.push_back({true, joined(inner->source), joined(term.source), inner->line, term.line});
    }
  }
  std::ranges::stable_sort(conflicts, {}, &Conflict::line);
  return conflicts;
}

}  // namespace dragoman::translate
