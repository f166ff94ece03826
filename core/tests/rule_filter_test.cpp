// Rules keep the numbers and quotation marks that they translate.
#include "search/rule_filter.h"

#include <cmath>
#include <string_view>
#include <vector>

#include "tests/check.h"
#include "text/lines.h"

namespace dragoman::search {
namespace {

TEST(rules_keep_digits_and_quotation_marks) {
  const std::vector<std::string_view> words = {"ans", "7",  "1995", "2,5", "2.5", "\"", "«", "sept",
                                               "٧",   "77", "10",   "000", "0",   "o",  "(", ")"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordTable table(vocabulary);
  const RuleFilter filter(vocabulary, vocabulary);
  FeatureSet features;
  const RuleFilter::Bound bound(filter, table, table, features, {}, false);
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

TEST(rules_that_were_seen_by_chance_change_no_number_and_no_sign) {
  const std::vector<std::string_view> words = {"20", "train", "-", "a", "100", "100m", "m", "100e", "’", ","};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordTable table(vocabulary);
  const RuleFilter filter(vocabulary, vocabulary);
  FeatureSet features;
  const FeatureId count = features.add(seen_together), share = features.add("EgivenFCoherent");
  const RuleFilter::Bound bound(filter, table, table, features, {}, false);
  const auto allows = [&](std::string_view source, std::string_view target, double seen, double of) {
    std::vector<Symbol> sides[2];
    for (size_t side = 0; side < 2; ++side)
      for (const WordId id : vocabulary.ids(side == 0 ? source : target)) sides[side].push_back(word_symbol(id));
    const FeatureValue values[] = {{count, static_cast<float>(std::log10(1 + seen))},
                                   {share, static_cast<float>(std::log10(of / seen))}};
    const Links links = {{0, 0}};
    return bound.allows({sides[0], sides[1], links, values}, bound.of_source(sides[0]));
  };
  CHECK(!allows("20", "train", 1, 2));
  CHECK(!allows("20", "train", 2, 2));
  CHECK(allows("20", "train", 3, 3));
  CHECK(!allows("-", "a", 46, 300));
  CHECK(!allows("-", "a", 2, 2));
  CHECK(allows("-", "a", 100, 300));
  CHECK(!allows("100", "100m", 50, 50));
  CHECK(allows("100 m", "100m", 1, 1));
  CHECK(allows("100e", "100m", 1, 1));
  // A mark brings no word with it, a comma may.
  CHECK(!allows("’", "’ a", 2, 2));
  CHECK(allows("’", "’ a", 20, 20));
  CHECK(allows(",", ", a", 2, 200));
  // A number that counts nothing stays in digits.
  const auto of_twenty = [&](std::string_view sentence) {
    const RuleFilter::Bound here(filter, table, table, features, vocabulary.ids(sentence), false);
    const Symbol source[] = {word_symbol(vocabulary.find("20"))}, target[] = {word_symbol(vocabulary.find("train"))};
    const Links links = {{0, 0}};
    return here.allows({source, target, links}, here.of_source(source));
  };
  CHECK(of_twenty("20 train"));
  CHECK(!of_twenty("20 , a") && !of_twenty("20 a") && !of_twenty("train 20") && !of_twenty("20 train 20"));
}

TEST(single_quotation_marks_are_kept_where_they_quote) {
  const std::vector<std::string_view> words = {"'", "‘", "`", "des", "ans", "\""};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordTable table(vocabulary);
  const RuleFilter filter(vocabulary, vocabulary);
  FeatureSet features;
  for (const bool quoting : {false, true}) {
    const RuleFilter::Bound bound(filter, table, table, features, {}, quoting);
    const auto allows = [&](std::string_view source, std::string_view target) {
      std::vector<Symbol> sides[2];
      for (size_t side = 0; side < 2; ++side)
        for (const WordId id : vocabulary.ids(side == 0 ? source : target)) sides[side].push_back(word_symbol(id));
      return bound.allows({sides[0], sides[1], {}}, bound.of_source(sides[0]));
    };
    CHECK(allows("' ans", "des ans") != quoting);
    CHECK(allows("ans", "ans '") != quoting);
    CHECK(allows("' ans ‘", "` ans '"));
    CHECK(allows("' ans", "\" ans") == quoting);
  }
}

TEST(rules_leave_out_no_word_between_two_numbers) {
  const std::vector<std::string_view> words = {"à", "80", "120", "to", "la", "-", ",", "a4", "\""};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const WordTable table(vocabulary);
  const RuleFilter filter(vocabulary, vocabulary);
  FeatureSet features;
  const FeatureId memory = features.add(sentence_memory);
  const FeatureValue corrected[] = {{memory, 1}};
  const Symbol gap = gap_symbol(0), second = gap_symbol(1);
  // A rule of words and gaps, in a sentence.
  const auto allows = [&](std::string_view sentence, std::string_view source, std::string_view target, Links links,
                          bool whole = false) {
    const RuleFilter::Bound bound(filter, table, table, features, vocabulary.ids(sentence), false);
    std::vector<Symbol> sides[2];
    for (size_t side = 0; side < 2; ++side)
      for (const std::string_view word : words_of(side == 0 ? source : target))
        sides[side].push_back(word == "X" ? gap : word == "Y" ? second : word_symbol(vocabulary.find(word)));
    Rule rule{sides[0], sides[1], links};
    if (whole) rule.features = corrected;
    return bound.allows(rule, bound.of_source(sides[0]));
  };
  CHECK(allows("80 à 120", "80 à 120", "80 to 120", {{0, 0}, {1, 1}, {2, 2}}));
  CHECK(allows("80 à 120", "à", "to", {{0, 0}}));
  for (const std::string_view between : {"à", "-", ",", "a4"}) {
    const std::string word(between), sentence = "la 80 " + word + " 120 la";
    CHECK(!allows(sentence, "80 " + word + " 120", "80 120", {{0, 0}, {2, 1}}));
    CHECK(!allows(sentence, "80 " + word, "80", {{0, 0}}));
    CHECK(!allows(sentence, word + " 120", "120", {{1, 0}}));
    CHECK(!allows(sentence, "X " + word + " Y", "X Y", {}));
    CHECK(!allows(sentence, "X " + word + " 120", "X 120", {{2, 1}}));
    // Beside other words it may go, and where somebody said so.
    CHECK(allows(sentence, word + " la", "to", {{1, 0}}));
    CHECK(allows(sentence, sentence, "80 120", {{1, 0}, {3, 1}}, true));
    // And in sentences where it stands elsewhere.
    CHECK(allows("80 la " + word + " 120", "80 " + word, "80", {{0, 0}}));
    CHECK(allows("80 " + word, "80 " + word, "80", {{0, 0}}));
  }
}

}  // namespace
}  // namespace dragoman::search
