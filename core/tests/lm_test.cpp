// Language models against slow obvious ones.
#include "base/namespaces.h"
#include "lm/prune.h"
#include "lm/quantise.h"
#include "lm/text_scores.h"
#include "tests/lm_models.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::lm;
using namespace dragoman::lm::tests;

TEST(lm_scores_with_states_equal_whole_histories) {
  std::mt19937_64 random(1);
  for (uint32_t order = 1; order <= 6; ++order)
    for (size_t vocabulary : {3u, 30u, 300u}) {
      EstimateOptions options;
      options.order = order;
      const NgramTrie trie = estimated(random_text(random, 60, vocabulary), options);
      check_scores(trie, random, true);
    }
}

TEST(lm_cut_off_models_sum_to_one) {
  std::mt19937_64 random(2);
  for (std::vector<uint64_t> min_counts : {std::vector<uint64_t>{1, 1, 2}, {2}, {1, 2, 2, 3}, {100}}) {
    EstimateOptions options;
    options.order = 4;
    options.min_counts = min_counts;
    check_scores(estimated(random_text(random, 80, 12), options), random, true);
  }
}

TEST(lm_same_bytes_for_any_threads) {
  std::mt19937_64 random(3);
  const std::string text = random_text(random, 400, 50);
  EstimateOptions options;
  options.threads = 1;
  const auto one = compacted(estimated(text, options), 8);
  for (size_t threads : {2u, 3u, 7u}) {
    options.threads = threads;
    CHECK(compacted(estimated(text, options), 8) == one);
  }
}

TEST(lm_fragments_join_to_whole_sentences) {
  std::mt19937_64 random(4);
  for (uint32_t order = 1; order <= 5; ++order)
    for (double threshold : {0.0, 1e-3}) {
      EstimateOptions options;
      options.order = order;
      Monitor monitor;
      const NgramTrie whole = estimated(random_text(random, 100, 8), options);
      const NgramTrie trie = EntropyPruning(whole, monitor).above(threshold);
      const LanguageModel model = opened(compacted(trie, 0));
      for (int round = 0; round < 200; ++round) {
        Words words(1 + random() % 10);
        for (WordId& word : words)
          word = first_real_word + static_cast<WordId>(random() % (trie.words.size() - first_real_word));
        const bool begins = random() % 2;
        FragmentScorer straight(model);
        if (begins) straight.begin_sentence();
        for (WordId word : words) straight.add_word(word);
        // The same words in random pieces, joined in a random order of brackets.
        std::vector<Fragment> pieces;
        for (size_t at = 0; at < words.size();) {
          FragmentScorer piece(model);
          if (at == 0 && begins) piece.begin_sentence();
          for (uint64_t n = 1 + random() % 4; n > 0 && at < words.size(); --n) piece.add_word(words[at++]);
          pieces.push_back(piece.fragment());
        }
        while (pieces.size() > 1) {
          const size_t at = random() % (pieces.size() - 1);
          FragmentScorer joined(model);
          joined.add_fragment(pieces[at]);
          joined.add_fragment(pieces[at + 1]);
          pieces[at] = joined.fragment();
          pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(at) + 1);
        }
        CHECK(near(pieces[0].log10_prob, straight.fragment().log10_prob, 1e-4));
        CHECK(pieces[0].right == straight.fragment().right);
        CHECK(pieces[0].left == straight.fragment().left);
        // What follows a fragment in context is what follows the words in context.
        FragmentScorer context(model);
        context.begin_sentence();
        context.add_word(first_real_word);
        FragmentScorer by_words = context;
        context.add_fragment(pieces[0]);
        if (!begins) {
          for (WordId word : words) by_words.add_word(word);
          CHECK(near(context.fragment().log10_prob, by_words.fragment().log10_prob, 1e-4));
          CHECK(context.fragment().right == by_words.fragment().right);
        }
      }
    }
}

// The loss of an n-gram is the relative entropy of the model without it, here taken word by word.
TEST(lm_pruning_losses_are_relative_entropies) {
  std::mt19937_64 random(5);
  EstimateOptions options;
  options.order = 3;
  options.keep_counts = true;
  Monitor monitor;
  const NgramTrie trie = estimated(random_text(random, 60, 6), options);
  const auto entries = entries_of(trie);
  const auto losses = entropy_losses(trie, monitor);
  double positions = 0;
  for (WordId word = 0; word < trie.words.size(); ++word)
    if (word != sentence_begin) positions += trie.levels[0].count[word];
  std::vector<Words> above;
  for (WordId word = 0; word < trie.words.size(); ++word) above.push_back({word});
  for (size_t k = 1; k < 3; ++k) {
    std::vector<Words> words;
    const Array<uint32_t> parents = trie.parents(k);
    for (uint32_t i = 0; i < trie.levels[k].size(); ++i) {
      words.push_back(above[trie.levels[k].context[i]]);
      words.back().push_back(above[parents[i]].back());
      const Words history(words[i].begin(), words[i].end() - 1);
      const Words shorter(history.begin() + 1, history.end());
      auto lower = [&](WordId word) { return std::pow(10, slow_score(entries, 3, shorter, word)); };
      // Without it: all other explicit ones stay, the rest shares what is left.
      double left = 1;
      double lower_left = 1;
      std::map<WordId, double> explicit_prob;
      for (WordId word = unknown_word; word < trie.words.size(); ++word) {
        Words ngram = history;
        ngram.push_back(word);
        auto entry = entries.find(ngram);
        if (entry == entries.end() || ngram == words[i]) continue;
        explicit_prob[word] = std::pow(10, entry->second.log10_prob);
        left -= explicit_prob[word];
        lower_left -= lower(word);
      }
      double loss = 0;
      for (WordId word = unknown_word; word < trie.words.size(); ++word) {
        if (word == sentence_begin) continue;
        const double with = std::pow(10, slow_score(entries, 3, history, word));
        const double without = explicit_prob.contains(word) ? explicit_prob[word] : left / lower_left * lower(word);
        loss += with * std::log(with / without);
      }
      loss *= entries.at(history).count / positions;
      CHECK(near(losses[k][i], loss, 1e-6 + 1e-3 * loss));
    }
    above = std::move(words);
  }
}

TEST(lm_pruned_models_are_closed_and_sum_to_one) {
  std::mt19937_64 random(6);
  for (bool counts : {true, false})
    for (double threshold : {0.0, 1e-5, 1e-3, 1e9}) {
      EstimateOptions options;
      options.order = 4;
      options.keep_counts = counts;
      Monitor monitor;
      const NgramTrie trie = estimated(random_text(random, 80, 10), options);
      const NgramTrie pruned = EntropyPruning(trie, monitor).above(threshold);
      CHECK(threshold > 0 || pruned.ngrams() == trie.ngrams());
      CHECK(threshold < 1e8 || pruned.ngrams() == trie.levels[0].size() - 1);
      check_scores(pruned, random, true);
    }
}

TEST(lm_pruning_fits_the_budget) {
  std::mt19937_64 random(7);
  EstimateOptions options;
  options.keep_counts = true;
  Monitor monitor;
  const NgramTrie trie = estimated(random_text(random, 3000, 200), options);
  const EntropyPruning pruning(trie, monitor);
  const CompactOptions compact{8, 8};
  const uint64_t whole = compact_bytes(trie, compact);
  const uint64_t least = compact_bytes(pruning.above(INFINITY), compact);
  for (double part : {0.05, 0.3, 0.7, 1.0}) {
    const auto budget = least + static_cast<uint64_t>(part * static_cast<double>(whole - least));
    const NgramTrie pruned = pruning.within(budget, compact, monitor);
    const uint64_t size = make_compact(pruned, compact, monitor).size();
    CHECK(size == compact_bytes(pruned, compact));
    CHECK(size <= budget);
    CHECK(static_cast<double>(size) >= 0.9 * static_cast<double>(budget));
  }
  CHECK_THROWS(pruning.within(least - 1, compact, monitor), ConfigError);
}

TEST(lm_sizes_are_predicted_exactly) {
  std::mt19937_64 random(8);
  for (uint32_t order : {1u, 2u, 3u, 5u})
    for (uint32_t bits : {0u, 4u, 8u, 12u}) {
      EstimateOptions options;
      options.order = order;
      const NgramTrie trie = estimated(random_text(random, 300, 40), options);
      CHECK(compact_bytes(trie, {bits, bits}) == compacted(trie, bits).size());
    }
}

TEST(lm_quantised_scores_are_near) {
  std::mt19937_64 random(9);
  const NgramTrie trie = estimated(random_text(random, 2000, 100), {});
  const LanguageModel exact = opened(compacted(trie, 0));
  for (auto [bits, tolerance] : {std::pair(6u, 0.5), {8u, 0.12}, {12u, 0.02}, {16u, 0.001}}) {
    const LanguageModel model = opened(compacted(trie, bits));
    Monitor monitor;
    const std::string text = random_text(random, 50, 120);
    const TextScores want = score_text(exact, text, true, 1, monitor);
    const TextScores got = score_text(model, text, true, 2, monitor);
    CHECK(got.tokens.size() == want.tokens.size());
    for (size_t i = 0; i < got.tokens.size(); ++i) {
      CHECK(got.tokens[i].ngram_length == want.tokens[i].ngram_length);
      CHECK(near(got.tokens[i].log10_prob, want.tokens[i].log10_prob, tolerance));
    }
  }
}

TEST(lm_kernel_levels_agree) {
  std::mt19937_64 random(10);
  const NgramTrie trie = estimated(random_text(random, 500, 60), {});
  const LanguageModel model = opened(compacted(trie, 8));
  const LanguageModel baseline = model.with_kernels(KernelLevel::baseline);
  std::vector<State> in(300);
  std::vector<WordId> words(300);
  for (size_t i = 0; i < in.size(); ++i) {
    if (i > 0) model.score(in[i - 1], words[i - 1], in[i]);
    words[i] = static_cast<WordId>(random() % trie.words.size());
  }
  for (int level = 0; level <= static_cast<int>(best_kernel_level()); ++level) {
    const LanguageModel other = model.with_kernels(static_cast<KernelLevel>(level));
    for (size_t i = 0; i < in.size(); ++i) {
      State next, same;
      CHECK(baseline.score(in[i], words[i], next).log10_prob == other.score(in[i], words[i], same).log10_prob);
      CHECK(next == same);
    }
  }
}

// With its hashes trusted, a damaged file may score wrongly or be refused; it must not be read out of bounds.
TEST(lm_file_mutations) {
  std::mt19937_64 random(14);
  const std::string text = random_text(random, 300, 40);
  std::vector<WordId> words(64);
  for (uint32_t order : {1u, 2u, 5u}) {
    EstimateOptions options;
    options.order = order;
    for (double threshold : {0.0, 1e-4}) {
      Monitor monitor;
      const NgramTrie whole = estimated(text, options);
      const std::vector<std::byte> good = compacted(EntropyPruning(whole, monitor).above(threshold), 8);
      for (int round = 0; round < 1500; ++round) {
        std::vector<std::byte> bad = good;
        for (uint64_t n = 1 + random() % 8; n > 0; --n) bad[random() % bad.size()] ^= static_cast<std::byte>(random());
        if (bad == good) continue;
        CHECK_THROWS(opened(bad), FormatError);
        try {
          const LanguageModel model = opened(bad, Trust::skip_hashes);
          score_text(model, "w0 w1 w2 w3 w0 w0 w1 w2 w3 w17 <unk> w5\nw1 w1 w1\n", true, 1, monitor);
          FragmentScorer scorer(model);
          for (int i = 0; i < 20; ++i) scorer.add_word(static_cast<WordId>(random() % 60));
          FragmentScorer piece(model);
          for (int i = 0; i < 3; ++i) piece.add_word(static_cast<WordId>(random() % 60));
          scorer.add_fragment(piece.fragment());
        } catch (const FormatError&) {
        }
      }
    }
  }
}

TEST(lm_over_classes) {
  TextEncoder encoder;
  encoder.use_classes("cat N\ndog N\nthe D\na D\nsleeps V\n");
  encoder.add("the cat sleeps\na dog sleeps\nthe dog sleeps\nthe bird sleeps\n");
  Monitor monitor;
  EstimateOptions options;
  options.order = 2;
  const NgramTrie trie = estimate(encoder.finish(), options, monitor).trie;
  const LanguageModel model = opened(compacted(trie, 0));
  CHECK(model.over_classes());
  CHECK(model.find("bird") == unknown_word && model.find("N") == unknown_word);
  double sum = std::pow(10.0, static_cast<double>(score_text(model, "zzz", true, 1, monitor).tokens[0].log10_prob)) +
               std::pow(10.0, static_cast<double>(score_text(model, "\n", true, 1, monitor).tokens[0].log10_prob));
  for (const char* word : {"cat", "dog", "the", "a", "sleeps"})
    sum += std::pow(10.0, static_cast<double>(score_text(model, word, true, 1, monitor).tokens[0].log10_prob));
  CHECK(near(sum, 1, 1e-5));
  State a;
  State b;
  model.score(model.begin_state(), model.find("cat"), a);
  model.score(model.begin_state(), model.find("dog"), b);
  CHECK(a == b);
}

TEST(lm_sampling_and_vocabulary) {
  std::mt19937_64 random(15);
  const std::string text = random_text(random, 2000, 20);
  auto sentences = [&](double ratio, uint64_t seed) {
    TextEncoder encoder({ratio, seed});
    encoder.add(text);
    return encoder.finish().sentences;
  };
  CHECK(sentences(1, 1) == 2000);
  CHECK(sentences(0.25, 1) > 400 && sentences(0.25, 1) < 600);
  CHECK(sentences(0.25, 1) == sentences(0.25, 1) && sentences(0.5, 1) != sentences(0.5, 2));
  CHECK_THROWS(sentences(0, 1), ConfigError);

  TextEncoder encoder;
  encoder.limit_to("w0 w1 w2 never");
  encoder.add(text);
  const EncodedText encoded = encoder.finish();
  CHECK(encoded.words.size() == first_real_word + 3);
  CHECK(std::count(encoded.ids.begin(), encoded.ids.end(), unknown_word) > 0);
  CHECK_THROWS(TextEncoder().add("a \xff"), InputError);
}

TEST(lm_names_of_marks_are_words) {
  TextEncoder encoder;
  encoder.add("a <s> b </s> <unk>\n<s>\n<unk> <unk>\n");
  const EncodedText text = encoder.finish();
  CHECK(text.words.size() == first_real_word + 5);
  for (const char* word : {"<s>", "</s>", "<unk>"}) CHECK(text.words.find(word) >= first_real_word);
  CHECK(text.words.word(sentence_begin) == "<s>" && text.words.word(sentence_end) == "</s>");
  CHECK(std::ranges::count(text.ids, unknown_word) == 0);
  CHECK(std::ranges::count(text.ids, sentence_begin) == 3 && std::ranges::count(text.ids, sentence_end) == 3);
  // A text without them finds none.
  TextEncoder other;
  other.add("a b\n");
  const EncodedText plain = other.finish();
  for (const char* word : {"<s>", "</s>", "<unk>"}) CHECK(plain.words.find(word) == unknown_word);
}

TEST(lm_codes_are_nearest) {
  std::mt19937_64 random(16);
  for (size_t count : {1u, 2u, 300u, 5000u})
    for (uint32_t bits : {2u, 5u, 8u, 12u}) {
      std::vector<float> values(count);
      for (float& value : values) {
        const float draw = static_cast<float>(random() % 100000) / 100000;
        value = -7 * draw * draw * draw;
      }
      values.back() = no_extension;
      const Codebook book = Codebook::learn(values, bits, &no_extension);
      CHECK(book.values().size() == size_t{1} << bits);
      for (float value : values) {
        const uint32_t code = book.code(value);
        if (!extends(value)) {
          CHECK(code == 0);
          continue;
        }
        float nearest = INFINITY;
        for (size_t i = 1; i < book.values().size(); ++i)
          nearest = std::min(nearest, std::fabs(book.values()[i] - value));
        CHECK(code > 0 && std::fabs(book.values()[code] - value) <= nearest);
      }
    }
}
