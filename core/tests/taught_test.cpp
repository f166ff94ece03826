#include <random>

#include "lm/taught_fragment.h"
#include "tests/lm_models.h"

using namespace dragoman;
using namespace dragoman::lm;
using namespace dragoman::lm::tests;

TEST(taught_counts_are_taken_away_exactly) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20; ++round) {
    index::NgramCounts all, kept, gone;
    std::vector<std::vector<WordId>> sentences(10);
    for (size_t i = 0; i < sentences.size(); ++i) {
      sentences[i].resize(random() % 7);
      for (WordId& word : sentences[i]) word = 2 + static_cast<WordId>(random() % 3);
      all.add(sentences[i]);
      (i % 3 ? kept : gone).add(sentences[i]);
    }
    index::TaughtText difference, wanted;
    difference.add(all);
    difference.take_away(gone);
    wanted.add(kept);
    CHECK(difference.words() == wanted.words());
    for (const auto& sentence : sentences)
      for (size_t last = 0; last < sentence.size(); ++last) {
        index::NgramKey ngram;
        for (size_t length = 0; length <= last; ++length) {
          ngram = ngram.after(sentence[last - length]);
          CHECK(difference.count(ngram) == wanted.count(ngram));
          CHECK(length < index::NgramCounts::order || wanted.count(ngram) == 0);
        }
      }
  }
}

// A sentence is worth the same in pieces, whatever the order in which they are joined.
TEST(taught_fragments_in_context_are_words_in_context) {
  std::mt19937_64 random(11);
  for (uint32_t order : {1u, 2u, 3u, 5u})
    for (int round = 0; round < 20; ++round) {
      EstimateOptions options;
      options.order = order;
      const NgramTrie trie = estimated(random_text(random, 30, 6), options);
      const LanguageModel own = opened(compacted(trie, 0));
      // Target ids are those of the model here, and some words are of neither or of one alone.
      index::NgramCounts counts;
      const uint32_t known = trie.words.size(), all = known + 3 - first_real_word;
      auto random_words = [&](size_t most) {
        std::vector<uint32_t> numbers(random() % most);
        for (uint32_t& number : numbers) number = static_cast<uint32_t>(random() % all);
        return numbers;
      };
      for (int sentence = 0; sentence < 25; ++sentence) {
        std::vector<WordId> ids = random_words(8);
        for (WordId& id : ids) id += first_real_word;
        counts.add(ids);
      }
      index::TaughtText text;
      text.add(counts);
      const TaughtModel model(own, text);
      std::vector<TaughtWord> words;
      for (WordId id = first_real_word; id < first_real_word + all; ++id)
        words.push_back(model.word(id, id < known ? id : unknown_word, id < known ? 0 : 0.5f));
      for (int trial = 0; trial < 30; ++trial) {
        const auto numbers = random_words(12);
        const bool begins = random() % 2;
        TaughtScorer straight(model, words);
        if (begins) straight.begin_sentence();
        for (uint32_t number : numbers) straight.add_word(number);
        std::vector<TaughtFragment> pieces;
        for (size_t at = 0; at < numbers.size() || pieces.empty();) {
          TaughtScorer piece(model, words);
          if (pieces.empty() && begins) piece.begin_sentence();
          for (uint64_t n = 1 + random() % 4; n > 0 && at < numbers.size(); --n) piece.add_word(numbers[at++]);
          pieces.push_back(piece.fragment());
        }
        while (pieces.size() > 1) {
          const size_t at = random() % (pieces.size() - 1);
          TaughtScorer joined(model, words, pieces[at]);
          joined.add_fragment(pieces[at + 1]);
          pieces[at] = joined.fragment();
          pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
        CHECK(near(pieces[0].log10_prob, straight.fragment().log10_prob, 1e-4));
        CHECK(std::memcmp(&pieces[0].right, &straight.fragment().right, sizeof(TaughtState)) == 0);
        CHECK(std::memcmp(&pieces[0].left, &straight.fragment().left, sizeof(TaughtLeft)) == 0);
        if (begins) continue;
        TaughtScorer context(model, words);
        context.begin_sentence();
        context.add_word(0);
        TaughtScorer by_words = context;
        context.add_fragment(pieces[0]);
        for (uint32_t number : numbers) by_words.add_word(number);
        CHECK(near(context.fragment().log10_prob, by_words.fragment().log10_prob, 1e-4));
        CHECK(std::memcmp(&context.fragment().right, &by_words.fragment().right, sizeof(TaughtState)) == 0);
      }
    }
}
