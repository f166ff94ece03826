// ARPA files: out and in again, what they may leave out, and what is refused.
#include "base/namespaces.h"
#include "lm/marks.h"
#include "tests/lm_models.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::lm;
using namespace dragoman::lm::tests;

TEST(lm_arpa_round_trip) {
  std::mt19937_64 random(11);
  for (uint32_t order : {1u, 2u, 4u}) {
    EstimateOptions options;
    options.order = order;
    const NgramTrie trie = estimated(random_text(random, 100, 20), options);
    const std::string text = arpa_of(trie);
    const NgramTrie read = read_arpa(text);
    CHECK(read.ngrams() == trie.ngrams());
    check_scores(read, random, true);
    // Ids may differ, so compare by the words: the same lines in some order.
    auto lines = [](const std::string& arpa) {
      std::vector<std::string> sorted;
      size_t at = 0;
      for (size_t end; (end = arpa.find('\n', at)) != std::string::npos; at = end + 1)
        sorted.push_back(arpa.substr(at, end - at));
      std::sort(sorted.begin(), sorted.end());
      return sorted;
    };
    CHECK(lines(arpa_of(read)) == lines(text));
  }
}

TEST(lm_arpa_adds_what_is_missing) {
  // "b c" lacks its suffix's extension "a b c"'s prefix "a b"; and <unk> is missing.
  const NgramTrie trie = read_arpa(
      "\\data\\\nngram 1=5\nngram 2=1\nngram 3=1\n\n\\1-grams:\n-1 <s> -0.5\n-1.5\t</s>\n-2 a -0.25\n-2.5 b 0.125\n-3 "
      "c\n"
      "\n\\2-grams:\n-0.5 b c\n\n\\3-grams:\n-0.25 a b c\n\n\\end\\\n");
  CHECK(trie.levels[1].size() == 2);
  const auto entries = entries_of(trie);
  const WordId a = trie.words.find("a");
  const WordId b = trie.words.find("b");
  CHECK(near(entries.at({a, b}).log10_prob, -2.5 - 0.25));
  CHECK(near(entries.at({unknown_word}).log10_prob, -100));
  std::mt19937_64 random(12);
  check_scores(trie, random, false);
}

TEST(lm_arpa_words_called_like_marks) {
  TextEncoder encoder;
  encoder.add("a <s> \\<s> b\n</s> <unk> <UNK> \\\\</s>\n<s> <s>\n");
  Monitor monitor;
  const NgramTrie trie = std::move(estimate(encoder.finish(), {}, monitor).trie);
  const std::string text = arpa_of(trie);
  CHECK(text.starts_with(escapes_line));
  const NgramTrie read = read_arpa(text);
  CHECK(read.ngrams() == trie.ngrams() && read.words.size() == trie.words.size());
  for (WordId word = first_real_word; word < trie.words.size(); ++word)
    CHECK(read.words.find(trie.words.word(word)) >= first_real_word);

  // Other programs know no escapes: what looks like one is a word.
  const std::string body = "\\data\\\nngram 1=4\n\n\\1-grams:\n-1 <s>\n-1 </s>\n-1 <unk>\n-1 \\<s>\n\n\\end\\\n";
  CHECK(read_arpa(body).words.find("\\<s>") == first_real_word);
  CHECK(read_arpa(std::string(escapes_line) + "\n" + body).words.find("<s>") == first_real_word);
}

TEST(lm_arpa_bounds_values) {
  const std::string text =
      "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-inf <s> -1e30\n-1 </s>\n-99 <unk>\n-1e300 a\n\n"
      "\\2-grams:\n-1 a a\n\n\\end\\\n";
  const NgramTrie trie = read_arpa(text);
  for (const NgramLevel& level : trie.levels)
    for (size_t i = 0; i < level.size(); ++i) CHECK(level.log10_prob[i] >= -1e6f && level.log10_prob[i] <= 0);
  CHECK(trie.levels[0].log10_backoff[sentence_begin] == -1e6f);
  std::string bad = text;
  bad.replace(bad.find("-1e30"), 5, "1e30");
  CHECK_THROWS(read_arpa(bad), InputError);
}

TEST(lm_arpa_refuses) {
  const std::string good =
      "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1 <s>\n-1 </s>\n-1 <unk>\n-1 a\n\n\\2-grams:\n-1 a "
      "a\n\n\\end\\\n";
  read_arpa(good);
  auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  for (const std::string& bad :
       {std::string(), std::string("hello"), with("\\data\\", "data"), with("ngram 1=4", "ngram 1=5"),
        with("ngram 1=4", "ngram 1=3"), with("ngram 2=1", "ngram 3=1"), with("ngram 2=1", "ngram 2=x"),
        with("-1 <s>\n", "-1 b\n"), with("-1 a\n", "0.5 a\n"), with("-1 a\n", "x a\n"), with("-1 a\n", "-1 </s>\n"),
        with("-1 a a", "-1 a b"), with("-1 a a", "-1 a"), with("-1 a a", "-1 a a -1"), with("-1 a a", "nan a a"),
        with("\\2-grams:", "\\3-grams:"), with("\\end\\\n", ""), with("-1 a a", "-1 a a\n-1 a a"),
        with("\\2-grams:\n-1 a a\n\n", "")})
    CHECK_THROWS(read_arpa(bad), InputError);
}

TEST(lm_arpa_mutations) {
  std::mt19937_64 random(13);
  const std::string good = arpa_of(estimated(random_text(random, 8, 5), {}));
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bad = good;
    for (uint64_t n = 1 + random() % 3; n > 0; --n) {
      const size_t at = random() % bad.size();
      switch (random() % 4) {
        case 0:
          bad[at] = static_cast<char>(random());
          break;
        case 1:
          bad.erase(at, random() % 20);
          break;
        case 2:
          bad.insert(at, bad.substr(random() % bad.size(), random() % 20));
          break;
        default:
          bad[at] = "\n\t \\0123456789-.e"[random() % 17];
      }
    }
    try {
      const NgramTrie trie = read_arpa(bad);
      opened(compacted(trie, 8));
      ++accepted;
    } catch (const InputError&) {
    }
  }
  CHECK(accepted > 0);
}
