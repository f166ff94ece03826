// Rules keep the numbers and quotation marks that they translate.
#include "search/rule_filter.h"

#include <string_view>
#include <vector>

#include "tests/check.h"

namespace dragoman::search {
namespace {

TEST(rules_keep_digits_and_quotation_marks) {
  const std::vector<std::string_view> words = {"ans", "7",  "1995", "2,5", "2.5", "\"", "«", "sept",
                                               "٧",   "77", "10",   "000", "0",   "o",  "(", ")"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordTable table(vocabulary);
  const RuleFilter filter(vocabulary, vocabulary);
  FeatureSet features;
  const RuleFilter::Bound bound(filter, table, table, features);
  const auto allows = [&](std::string_view source, std::string_view target, Links links = {}) {
    std::vector<Symbol> sides[2];
    for (size_t side = 0; side < 2; ++side)
      for (const WordId id : vocabulary.ids(side == 0 ? source : target)) sides[side].push_back(word_symbol(id));
    return bound.allows({sides[0], sides[1], links}, bound.of_source(sides[0]));
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
  CHECK(!allows("0", "o", {{0, 0}}));  // and not a letter
  CHECK(allows("sept", "7", {{0, 0}}));
  CHECK(!allows("sept", "sept 7", {{0, 0}}));
  CHECK(allows("sept ans", "10 000", {{0, 0}, {1, 1}}));
  CHECK(!allows("ans", "000", {{0, 0}}));  // goes on a number that is not there
  CHECK(!allows("ans sept", "sept 000", {{0, 0}, {1, 1}}));
  CHECK(allows("\" ans \"", "« sept «"));
  CHECK(!allows("\" ans", "ans"));
  CHECK(!allows("ans", "ans \""));
  CHECK(allows("( ans )", "( sept )"));
  CHECK(!allows("( ans", "ans"));
  CHECK(!allows("( ans", "\" ans"));
}

}  // namespace
}  // namespace dragoman::search
