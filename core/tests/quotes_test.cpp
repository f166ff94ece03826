// Quotation marks and brackets: which belong together, and how another language writes them.
#include "text/quotes.h"

#include <string_view>
#include <vector>

#include "tests/check.h"
#include "text/brackets.h"
#include "text/lines.h"

namespace dragoman::text {
namespace {

std::vector<Quote> quotes_of(std::string_view line) { return find_quotes(words_of(line)); }

TEST(quotation_marks_find_their_partners) {
  const auto pairs = [](std::string_view line) {
    std::vector<std::pair<uint32_t, uint32_t>> partners;
    for (const Quote& quote : quotes_of(line))
      if (quote.role == QuoteRole::opens) partners.emplace_back(quote.position, quote.partner);
    return partners;
  };
  using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
  CHECK(pairs("\" a \" b \" c \"") == (Pairs{{0, 2}, {4, 6}}));
  CHECK(pairs("« a “ b ” c »") == (Pairs{{0, 6}, {2, 4}}));
  CHECK(pairs("„ a “ b „ c ”") == (Pairs{{0, 2}, {4, 6}}));
  CHECK(pairs("» a « b") == (Pairs{{0, 2}}));
  CHECK(pairs("a ” b \" c").empty());
  // One that was never closed keeps no other from closing.
  CHECK(pairs("« a “ b »") == (Pairs{{0, 4}}));
  const std::vector<Quote> nested = quotes_of("« a “ b ” »");
  CHECK(nested.size() == 4 && nested[0].depth == 0 && nested[1].depth == 1 && nested[3].depth == 0);
}

TEST(brackets_find_their_partners) {
  using Spans = std::vector<Span>;
  const auto brackets = [](std::string_view line) { return find_brackets(words_of(line)); };
  CHECK(brackets("( a ( b ) c ) d") == (Spans{{2, 5}, {0, 7}}));
  CHECK(brackets("a ) b ( c （ d ）") == (Spans{{5, 8}}));
  CHECK(brackets("( ( (").empty());
  CHECK(brackets("( a [ b { c } ] )") == (Spans{{4, 7}, {2, 8}, {0, 9}}));
  // What was never closed keeps no other from closing, and no kind closes another.
  CHECK(brackets("( a [ b )") == (Spans{{0, 5}}));
  CHECK(brackets("( a ]").empty());
  CHECK(is_bracket("]") && is_bracket("{") && !is_bracket("<"));
}

// Where every mark looked at all that are open, this did not end.
TEST(many_quotation_marks_take_time_that_grows_with_them) {
  std::vector<std::string_view> words(200'000, "“");
  CHECK(find_quotes(words).size() == words.size());
  for (size_t i = 0; i < words.size(); i += 2) words[i] = "«";
  CHECK(find_quotes(words).size() == words.size());
  for (size_t i = 0; i < words.size(); ++i) words[i] = i < words.size() / 2 ? "[" : ")";
  CHECK(find_brackets(words).empty());
}

TEST(quotation_marks_are_those_of_the_language) {
  const Quote opens{0, QuoteRole::opens, 2, 0}, closes{2, QuoteRole::closes, 0, 0}, inner{2, QuoteRole::closes, 0, 1};
  CHECK(quote_in("en", "«", opens) == "“");
  CHECK(quote_in("de-AT", "“", opens) == "„");
  CHECK(quote_in("de", "”", closes) == "“");
  CHECK(quote_in("fr", "”", closes) == "»");
  CHECK(quote_in("fr", "’", inner) == "”");
  CHECK(quote_in("fr", "\"", opens) == "\"");
  CHECK(quote_in("fr", "”", {0}) == "”");  // alone: nobody knows what it is
}

}  // namespace
}  // namespace dragoman::text
