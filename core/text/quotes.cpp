#include "text/quotes.h"

#include <algorithm>
#include <iterator>
#include <optional>
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
constexpr LanguageQuotes language_quotes[] = {
    {"", {"“", "”"}, {"‘", "’"}},
    {"fr es it pt ca ru uk be bg el no nb nn fa ar", {"«", "»"}, {"“", "”"}},
    {"de cs sk sl hr sr bs lt lv et is", {"„", "“"}, {"‚", "‘"}},
    {"pl hu ro", {"„", "”"}, {"«", "»"}},
    {"sv fi", {"”", "”"}, {"’", "’"}},
    {"ja", {"「", "」"}, {"『", "』"}},
};

const LanguageQuotes& quotes_of(std::string_view language) {
  const std::string base = base_language(language);
  for (const LanguageQuotes& row : language_quotes)
    if (is_listed(row.languages, base)) return row;
  return language_quotes[0];
}

const Opening* opening_of(std::string_view mark) {
  const auto* opening = std::ranges::find(openings, mark, &Opening::mark);
  return opening == std::end(openings) ? nullptr : opening;
}

bool closes(const Opening& opening, std::string_view mark) {
  return opening.closings[0] == mark || opening.closings[1] == mark;
}

// Marks that were opened and not closed yet, in order.
class OpenQuotes {
 public:
  void open(const Opening& opening, size_t quote) {
    ++counts_[&opening - openings];
    quotes_.push_back({&opening, quote});
  }
  // Takes off the last one that a mark closes, and what was opened since and never closed: that does not keep others
  // from closing. Nothing is looked for that is not there, so a line takes time that grows with its marks.
  std::optional<size_t> close(std::string_view mark) {
    bool any = false;
    for (size_t i = 0; i < std::size(openings); ++i) any = any || (counts_[i] > 0 && closes(openings[i], mark));
    if (!any) return std::nullopt;
    for (;;) {
      const auto [opening, quote] = quotes_.back();
      quotes_.pop_back();
      --counts_[opening - openings];
      if (closes(*opening, mark)) return quote;
    }
  }
  size_t size() const { return quotes_.size(); }

 private:
  struct Opened {
    const Opening* opening;
    size_t quote;
  };
  std::vector<Opened> quotes_;
  size_t counts_[std::size(openings)] = {};
};

}  // namespace

bool is_quotation_mark(std::string_view word) { return std::ranges::find(marks, word) != std::end(marks); }

std::vector<Quote> find_quotes(std::span<const std::string_view> words) {
  std::vector<Quote> quotes;
  OpenQuotes open;  // places in `quotes`
  for (uint32_t at = 0; at < words.size(); ++at) {
    if (!is_quotation_mark(words[at])) continue;
    quotes.push_back({at});
    if (const auto opened = open.close(words[at])) {
      Quote& first = quotes[*opened];
      first.role = QuoteRole::opens;
      first.partner = at;
      first.depth = static_cast<uint32_t>(open.size());
      quotes.back() = {at, QuoteRole::closes, first.position, first.depth};
    } else if (const Opening* opening = opening_of(words[at])) {
      open.open(*opening, quotes.size() - 1);
    }
  }
  return quotes;
}

void add_single_quotes(std::vector<Quote>& quotes, std::span<const Span> pairs) {
  if (pairs.empty()) return;
  auto crosses = [&](const Span& pair) {
    return std::ranges::any_of(quotes, [&](const Quote& quote) {
      const bool inside = pair.begin < quote.position && quote.position < pair.end;
      const bool partner_inside = pair.begin < quote.partner && quote.partner < pair.end;
      return quote.role != QuoteRole::alone && inside != partner_inside;
    });
  };
  std::vector<Quote> single;
  for (const Span& pair : pairs) {
    if (crosses(pair)) continue;
    single.push_back({pair.begin, QuoteRole::opens, pair.end - 1});
    single.push_back({pair.end - 1, QuoteRole::closes, pair.begin});
  }
  quotes.insert(quotes.end(), single.begin(), single.end());
  std::ranges::sort(quotes, {}, &Quote::position);
  uint32_t depth = 0;
  for (Quote& quote : quotes) {
    if (quote.role == QuoteRole::closes) --depth;
    if (quote.role != QuoteRole::alone) quote.depth = depth;
    if (quote.role == QuoteRole::opens) ++depth;
  }
}

bool is_straight(std::string_view mark) { return mark == straight || mark == "'" || mark == "`"; }

std::string_view quote_in(std::string_view language, std::string_view mark, const Quote& quote) {
  if (is_straight(mark) || quote.role == QuoteRole::alone) return mark;
  const LanguageQuotes& style = quotes_of(language);
  return (quote.depth % 2 ? style.inner : style.outer)[quote.role == QuoteRole::closes];
}

}  // namespace dragoman::text
