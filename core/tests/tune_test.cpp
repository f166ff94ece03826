// Tuning: BLEU by hand, the envelope of lines, the pool's columns on disk, and rules that are remembered.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "base/random.h"
#include "evaluate/bleu_tokens.h"
#include "evaluate/bootstrap.h"
#include "search/decoder.h"
#include "search/grammar_file.h"
#include "search/remembered_rules.h"
#include "tests/check.h"
#include "tune/candidates.h"
#include "tune/line_search.h"
#include "tune/mira.h"

namespace dragoman::tune {
namespace {

TEST(bleu_words_are_those_of_sacrebleu) {
  using enum BleuTokens;
  CHECK(bleu_text("Hello, World.", nist_13a, true) == "hello , world .");
  CHECK(bleu_text("3.5-4 a.b...", nist_13a, false) == "3.5 - 4 a . b . . .");
  CHECK(bleu_text("&quot;x&amp;y&quot; <skipped>", nist_13a, false) == "\" x & y \"");
  CHECK(bleu_text(" 你好，World. 3.5 “x”", zh, true) == "你 好 ， world . 3.5 “ x ”");
  CHECK(bleu_text("ไป Ab.", characters, true) == "ไ ป a b .");
  CHECK(bleu_text("a,b  c", none, false) == "a,b c");
  for (const BleuTokens tokens : {none, nist_13a, zh, characters}) {
    CHECK(bleu_text("", tokens, false).empty());
    CHECK(bleu_text(" \xc2\xa0 ", tokens, false).empty());
    CHECK(bleu_tokens_named(name_of(tokens)) == tokens);
  }
  CHECK_THROWS(bleu_tokens_named("intl"), ConfigError);
}

TEST(bleu_words_suit_the_language) {
  auto tokens_of = [](std::string_view code) { return bleu_tokens_of(Language(code)); };
  for (const char* code : {"zh", "zh-TW", "zh_Hans", "yue"}) CHECK(tokens_of(code) == BleuTokens::zh);
  for (const char* code : {"ja", "th", "lo", "km", "my", "bo"}) CHECK(tokens_of(code) == BleuTokens::characters);
  for (const char* code : {"en", "ko", "vi", "none", "xx"}) CHECK(tokens_of(code) == BleuTokens::nist_13a);
}

TEST(bleu_counts_are_clipped_and_add_up) {
  const BleuReference reference("the cat is on the mat", BleuTokens::nist_13a, false);
  const SentenceBleu same = reference.compare("the cat is on the mat");
  CHECK(same.matches == same.totals);
  const SentenceBleu repeated = reference.compare("the the the the");
  CHECK(repeated.matches[0] == 2 && repeated.totals[0] == 4 && repeated.matches[1] == 0);
  CorpusBleu sum;
  sum += same;
  CHECK(std::abs(bleu_score(sum) - 1) < 1e-12);
  sum += repeated;
  sum -= repeated;
  CHECK(std::abs(bleu_score(sum) - 1) < 1e-12);
  CHECK(bleu_score({}) == 0);
}

TEST(bleu_takes_the_best_of_several_references) {
  const std::string_view lines[] = {"the cat sat", "a cat sat on the mat the the", "the the"};
  const BleuReference references(lines, BleuTokens::nist_13a, false);
  const SentenceBleu counts = references.compare("the the the the cat");
  // "the" three times as in the second, "cat" once, "the the" once as in the second or third.
  CHECK(counts.matches[0] == 4 && counts.matches[1] == 2);
  CHECK(counts.reference_words == 3);
  // Of two equally close lengths the shorter.
  const std::string_view around[] = {"a b c d", "a b"};
  CHECK(BleuReference(around, BleuTokens::nist_13a, false).compare("a b c").reference_words == 2);
}

TEST(envelope_holds_the_lines_that_win) {
  const double offsets[] = {0, -1, -10, 0, 5};
  const double slopes[] = {-1, 0, 0.5, 1, -1};
  const auto pieces = envelope(offsets, slopes);
  CHECK(pieces.size() == 2);
  CHECK(pieces[0].candidate == 4 && pieces[0].from == -std::numeric_limits<double>::infinity());
  CHECK(pieces[1].candidate == 3 && pieces[1].from == 2.5);
}

SentenceBleu matched(uint32_t matches) {
  SentenceBleu bleu;
  for (uint32_t n = 0; n < bleu_order; ++n) {
    bleu.totals[n] = 10 - n;
    bleu.matches[n] = matches > n ? matches - n : 0;
  }
  bleu.reference_words = 10;
  return bleu;
}

TEST(candidates_come_back_from_disk) {
  Candidates some;
  some.features = 2;
  some.sentences = {0, 0, 1};
  some.values = {1, 2, 3, 4, 5, 6};
  some.bleu = {matched(3), matched(4), matched(5)};
  const std::string path = (std::filesystem::temp_directory_path() / "dragoman-candidates-test.bin").string();
  some.save(path);
  const Candidates read = Candidates::open(path);
  std::remove(path.c_str());
  CHECK(read.features == 2 && read.sentences == some.sentences && read.values == some.values);
  Pool pool(2, 2);
  CHECK(add(pool, read) == 3);
  CHECK(add(pool, some) == 0);
  CHECK(pool.size(0) == 2 && pool.size(1) == 1 && pool.size() == 3);
  Pool other(1, 2);
  CHECK_THROWS(add(other, some), InputError);
  Pool narrow(2, 1);
  CHECK_THROWS(add(narrow, some), InputError);
}

TEST(a_sure_model_can_still_learn) {
  Pool pool(1, 1);
  const float good = 0, bad = 100;
  pool.add(0, {&bad, 1}, matched(0));
  pool.add(0, {&good, 1}, matched(10));
  Monitor monitor;
  const double start = 10;
  const TunedWeights tuned = mira(pool, {&start, 1}, {.passes = 50, .clip = 1, .decay = 0.5}, 1, monitor);
  CHECK(tuned.weights[0] < 0);
  CHECK(std::abs(tuned.bleu - 1) < 1e-12);
}

TEST(shuffles_are_permutations) {
  Random random(7, 3);
  std::vector<uint32_t> order = random.shuffled(100);
  std::vector<bool> seen(100, false);
  for (uint32_t number : order) seen[number] = true;
  CHECK(std::ranges::count(seen, true) == 100);
  CHECK(Random(7, 3).shuffled(100) == order);
  CHECK(Random(7, 4).shuffled(100) != order);
}

TEST(draws_of_the_bootstrap_are_the_same_for_all_systems) {
  const std::vector<SentenceBleu> one{matched(3), matched(9), matched(5)};
  const std::vector<std::vector<SentenceBleu>> systems{one, one};
  Monitor monitor;
  const auto scores = evaluate::bootstrap_bleu(systems, 50, 1, monitor);
  CHECK(scores.size() == 2 && scores[0].size() == 50 && scores[0] == scores[1]);
  CHECK(std::ranges::min(scores[0]) < std::ranges::max(scores[0]));
}

}  // namespace
}  // namespace dragoman::tune

namespace dragoman::search {
namespace {

// How many times the rules of a sentence were asked for.
class Counting : public WrappedRules {
 public:
  explicit Counting(std::string_view grammar) : WrappedRules(std::make_shared<GrammarFile>(grammar)) {}
  std::unique_ptr<CollectedRules> collect(const Sentence& sentence, uint32_t max_span, bool gaps,
                                          RuleSink& sink) const override {
    ++calls;
    return inner().collect(sentence, max_span, gaps, sink);
  }
  mutable int calls = 0;
};

TEST(rules_are_extracted_once) {
  const auto rules = std::make_shared<Counting>(
      "[X] ||| a ||| x ||| F=1 G=0 ||| 0-0\n[X] ||| a ||| y ||| F=2 G=1 ||| 0-0\n"
      "[X] ||| b [X,1] ||| [X,1] z ||| F=1 G=2 ||| 0-1\n");
  for (size_t bytes : {size_t{0}, size_t{1} << 20}) {
    rules->calls = 0;
    const std::vector<std::pair<std::string, double>> first{{"F", 1}, {"G", 0.5}}, second{{"F", -1}, {"G", 1}};
    const Decoder plain(rules, {}, first);
    const auto kept = plain.remembering(bytes);
    for (const auto& weights : {first, second, first}) {
      const SourceSentence sentence{{{"b", {}}, {"a", {}}}, {}};
      DecodeRequest request;
      request.kbest = 10;
      const DecodedSentence expected = plain.with_weights(weights)->decode(sentence, request);
      const DecodedSentence decoded = kept->with_weights(weights)->decode(sentence, request);
      CHECK(decoded.candidates.size() == expected.candidates.size());
      for (size_t i = 0; i < decoded.candidates.size() && i < expected.candidates.size(); ++i) {
        CHECK(decoded.candidates[i].words == expected.candidates[i].words);
        CHECK(decoded.candidates[i].features == expected.candidates[i].features);
        CHECK(decoded.candidates[i].links == expected.candidates[i].links);
      }
    }
    CHECK(rules->calls == (bytes ? 3 + 1 : 3 + 3));
  }
}

}  // namespace
}  // namespace dragoman::search
