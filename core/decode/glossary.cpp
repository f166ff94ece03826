#include "decode/glossary.h"

#include <algorithm>

#include "base/errors.h"
#include "base/utf8.h"
#include "corpus/lines.h"

namespace dragoman::decode {

std::vector<std::string> bare_tokens(const Tokenizer& tokenizer, std::string_view text) {
  std::vector<Token> tokens;
  tokenizer.tokenize(text, tokens);
  std::string line;
  tokenizer.append_tokens(line, text, tokens, {Form::model, false});
  std::vector<std::string> words;
  for_each_word(line, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

Glossary::Glossary(std::string_view text, const Tokenizer& source) {
  require_text(text);
  uint64_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    if (line.empty() || line.starts_with('#')) continue;
    Term term;
    for (size_t at = 0, column = 0;; ++column) {
      const size_t end = std::min(line.find('\t', at), line.size());
      const std::string_view cell = line.substr(at, end - at);
      if (column == 0)
        term.source = bare_tokens(source, cell);
      else if (cell.find_first_not_of(' ') != std::string_view::npos)
        term.targets.emplace_back(cell);
      if (end == line.size()) break;
      at = end + 1;
    }
    if (term.source.empty())
      throw InputError(number, "a line of a glossary is `source TAB target`; this one has no source");
    by_first_[term.source[0]].push_back(static_cast<uint32_t>(terms_.size()));
    terms_.push_back(std::move(term));
  }
  for (auto& [first, places] : by_first_)
    std::ranges::stable_sort(places, std::greater(), [&](uint32_t place) { return terms_[place].source.size(); });
}

const Glossary::Term* Glossary::find(std::span<const std::string> tokens, size_t at) const {
  const auto found = by_first_.find(tokens[at]);
  if (found == by_first_.end()) return nullptr;
  for (uint32_t place : found->second) {
    const Term& term = terms_[place];
    if (at + term.source.size() <= tokens.size() &&
        std::ranges::equal(term.source, tokens.subspan(at, term.source.size())))
      return &term;
  }
  return nullptr;
}

}  // namespace dragoman::decode
