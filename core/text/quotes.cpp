#include "text/quotes.h"

#include <algorithm>
#include <string>

#include "text/language.h"

namespace dragoman::text {
namespace {

constexpr std::string_view straight = "\"";

// A mark, and the marks that close what it has opened.
struct Opening {
  std::string_view mark;
  std::string_view closings[2];
};
constexpr Opening openings[] = {
    {straight, {straight}}, {"“", {"”"}}, {"„", {"“", "”"}}, {"«", {"»"}},   {"»", {"«"}},
    {"‹", {"›"}},           {"›", {"‹"}}, {"”", {"”"}},      {"「", {"」"}}, {"『", {"』"}},
};
constexpr std::string_view marks[] = {straight, "“", "”", "„", "«", "»", "‹", "›", "「", "」", "『", "』"};

// What a language writes: the outer pair, then the one inside it.
struct LanguageQuotes {
  std::string_view languages;
  std::string_view outer[2], inner[2];
};
constexpr LanguageQuotes quotes[] = {
    {"", {"“", "”"}, {"‘", "’"}},
    {"fr es it pt ca ru uk be bg el no nb nn fa ar", {"«", "»"}, {"“", "”"}},
    {"de cs sk sl hr sr bs lt lv et is", {"„", "“"}, {"‚", "‘"}},
    {"pl hu ro", {"„", "”"}, {"«", "»"}},
    {"sv fi", {"”", "”"}, {"’", "’"}},
    {"ja", {"「", "」"}, {"『", "』"}},
};

const LanguageQuotes& quotes_of(std::string_view language) {
  const std::string base = ' ' + base_language(language) + ' ';
  for (const LanguageQuotes& each : quotes)
    if ((' ' + std::string(each.languages) + ' ').find(base) != std::string::npos) return each;
  return quotes[0];
}

const Opening* opening_of(std::string_view mark) {
  const auto* found = std::ranges::find(openings, mark, &Opening::mark);
  return found == std::end(openings) ? nullptr : found;
}

bool closes(std::string_view opened, std::string_view mark) {
  const Opening* opening = opening_of(opened);
  return opening && (opening->closings[0] == mark || opening->closings[1] == mark);
}

}  // namespace

bool is_quotation_mark(std::string_view word) { return std::ranges::find(marks, word) != std::end(marks); }

std::vector<Quote> find_quotes(std::span<const std::string_view> words) {
  std::vector<Quote> found;
  std::vector<size_t> open;  // of `found`
  for (uint32_t at = 0; at < words.size(); ++at) {
    if (!is_quotation_mark(words[at])) continue;
    found.push_back({at});
    // A mark that was never closed does not keep others from closing.
    const auto opened =
        std::find_if(open.rbegin(), open.rend(), [&](size_t i) { return closes(words[found[i].position], words[at]); });
    if (opened != open.rend()) {
      Quote& first = found[*opened];
      first.role = QuoteRole::opens;
      first.partner = at;
      open.erase(opened.base() - 1, open.end());
      first.depth = static_cast<uint32_t>(open.size());
      found.back() = {at, QuoteRole::closes, first.position, first.depth};
    } else if (opening_of(words[at])) {
      open.push_back(found.size() - 1);
    }
  }
  return found;
}

std::string_view quote_in(std::string_view language, std::string_view mark, const Quote& quote) {
  if (mark == straight || quote.role == QuoteRole::alone) return mark;
  const LanguageQuotes& style = quotes_of(language);
  return (quote.depth % 2 ? style.inner : style.outer)[quote.role == QuoteRole::closes];
}

}  // namespace dragoman::text
