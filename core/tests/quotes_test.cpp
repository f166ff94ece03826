// Quotation marks, numbers and accents: what is kept, and what stands in for what.
#include "text/quotes.h"

#include <string_view>
#include <vector>

#include "search/rule_filter.h"
#include "tests/check.h"
#include "text/accents.h"
#include "text/lines.h"

namespace dragoman::search {
namespace {

std::vector<Quote> quotes_of(std::string_view line) { return find_quotes(words_of(line)); }

TEST(quotation_marks_find_their_partners) {
  const auto pairs = [](std::string_view line) {
    std::vector<std::pair<uint32_t, uint32_t>> made;
    for (const Quote& quote : quotes_of(line))
      if (quote.role == QuoteRole::opens) made.emplace_back(quote.position, quote.partner);
    return made;
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

TEST(rules_keep_digits_and_quotation_marks) {
  const std::vector<std::string_view> words = {"ans", "7", "1995", "2,5", "2.5", "\"", "«", "sept", "٧", "77"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordTable table(vocabulary);
  const RuleFilter filter(vocabulary, vocabulary);
  FeatureSet features;
  const RuleFilter::Bound bound(filter, table, table, features);
  const auto allows = [&](std::string_view source, std::string_view target, Links links = {}) {
    std::vector<Symbol> sides[2];
    for (size_t side = 0; side < 2; ++side)
      for (const WordId id : vocabulary.ids(side == 0 ? source : target)) sides[side].push_back(word_symbol(id));
    return bound.allows({sides[0], sides[1], links});
  };
  CHECK(allows("ans", "sept"));
  CHECK(allows("7 ans", "ans 7"));
  CHECK(allows("٧ ans", "7 ans"));  // whatever the script
  CHECK(allows("2,5", "2.5"));
  CHECK(!allows("7 ans", "77 ans"));
  CHECK(!allows("7 1995", "1995"));
  CHECK(allows("7", "sept", {{0, 0}}));      // a short number may be a word
  CHECK(!allows("7 ans", "ans", {{1, 0}}));  // but not nothing
  CHECK(!allows("1995", "sept", {{0, 0}}));
  CHECK(allows("sept", "7", {{0, 0}}));
  CHECK(!allows("sept", "sept 7", {{0, 0}}));
  CHECK(allows("\" ans \"", "« sept «"));
  CHECK(!allows("\" ans", "ans"));
  CHECK(!allows("ans", "ans \""));
}

TEST(words_that_differ_by_accents_alone) {
  std::string plain;
  append_without_accents(plain, "élève Łódź Ὠ ञि ё");
  CHECK(plain == "eleve Łodz Ω ञि е");
  const std::vector<std::string_view> words = {"eleve", "élève", "été", "étê", "garçon", "cafe"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const AccentVariants variants(vocabulary);
  CHECK(variants.find(vocabulary, "garcon") == "garçon");
  CHECK(variants.find(vocabulary, "ete") == "été");  // the more frequent
  CHECK(variants.find(vocabulary, "éléve") == "élève");
  CHECK(variants.find(vocabulary, "café") == "cafe");
  CHECK(variants.find(vocabulary, "maison").empty());
}

}  // namespace
}  // namespace dragoman::search
