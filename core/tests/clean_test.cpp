#include <string>
#include <vector>

#include "base/errors.h"
#include "base/namespaces.h"
#include "tests/check.h"
#include "text/pair_cleaner.h"

namespace dragoman {
using namespace text;
using namespace index;
using namespace rules;
namespace {

CleanOptions all_rules() { return {true, true, 200, 2000, 5.0, 5, true, true, true, true, OneSide::none}; }

PairCleaner make_cleaner(const CleanOptions& options) {
  const std::vector<std::string> latin = {"latin"};
  const FunctionWords words({{"fr", "le la de est"}, {"en", "the of is and"}});
  return PairCleaner(options, words, {"fr", latin, words}, {"en", latin, words}, 7);
}

CleanRule verdict(PairCleaner& cleaner, std::string_view source, std::string_view target) {
  return cleaner.settle(cleaner.examine(source, target));
}

}  // namespace

TEST(clean_rules_in_order) {
  PairCleaner cleaner = make_cleaner(all_rules());
  CHECK(verdict(cleaner, "le chat", "the cat") == CleanRule::kept);
  CHECK(verdict(cleaner, "le chat", "the cat") == CleanRule::duplicate);
  CHECK(verdict(cleaner, "Le  chat !", "\"The cat\"") == CleanRule::near_duplicate);
  CHECK(verdict(cleaner, "le\x07 chat", "the cat") == CleanRule::control);
  CHECK(verdict(cleaner, "...", "the cat") == CleanRule::empty);
  CHECK(verdict(cleaner, "", "") == CleanRule::empty);
  CHECK(verdict(cleaner, "a", std::string(100, 'b')) == CleanRule::length_ratio);
  CHECK(verdict(cleaner, "one two three four five", "One two, three four five.") == CleanRule::identical);
  CHECK(verdict(cleaner, "Добрый день, друзья", "good day, friends") == CleanRule::wrong_script);
  CHECK(verdict(cleaner, "the king of England is old and", "le roi est vieux") == CleanRule::wrong_language);
  CHECK(verdict(cleaner, std::string(4000, 'a'), std::string(4000, 'a')) == CleanRule::too_long);
}

TEST(clean_one_side_and_keys) {
  CleanOptions options = all_rules();
  options.one_side = OneSide::source;
  PairCleaner cleaner = make_cleaner(options);
  const auto first = cleaner.examine("le chat 12", "the cat 12");
  const auto second = cleaner.examine("le chat 12", "that cat 12");
  CHECK(cleaner.settle(first) == CleanRule::kept);
  CHECK(cleaner.settle(second) == CleanRule::one_side);
  CHECK(first.source_key == second.source_key);
  CHECK(first.source_key == cleaner.examine("LE CHAT 7 !", "x").source_key);
  CHECK(first.source_key != cleaner.examine("le chien", "x").source_key);
}

TEST(clean_refuses_unknown_scripts) {
  const std::vector<std::string> names = {"klingon"};
  CHECK_THROWS(LanguageProfile("", names, FunctionWords({})), ConfigError);
  CHECK_THROWS(one_side_of("both"), ConfigError);
}

}  // namespace dragoman
