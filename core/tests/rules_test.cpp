#include <algorithm>
#include <atomic>
#include <random>
#include <sstream>
#include <thread>

#include "base/flat_map.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/bitext_builder.h"
#include "index/index.h"
#include "index/lexicon.h"
#include "index/suffix_array.h"
#include "rules/frequent_lists.h"
#include "rules/front_matcher.h"
#include "rules/front_places.h"
#include "rules/grammar_text.h"
#include "rules/phrase_table.h"
#include "rules/rule_extractor.h"
#include "tests/cached_rules.h"
#include "tests/check.h"
#include "tests/random_bitext.h"
#include "text/pharaoh.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;

namespace {

struct Files {
  std::vector<std::byte> vocabulary, bitext, lexicon;
};

// A random bitext of words a...
Files random_files(std::mt19937_64& random, uint32_t sentences, uint32_t longest = 11) {
  std::vector<std::string> words;
  for (int i = 0; i < 6; ++i) words.push_back(std::string(1, static_cast<char>('a' + i)));
  std::vector<std::string_view> views(words.begin(), words.end());
  const Vocabulary vocabulary = Vocabulary::from_words(views);
  BitextBuilder bitext(vocabulary.size(), vocabulary.size(), 1);
  LexiconBuilder lexicon(vocabulary.size(), vocabulary.size());
  dragoman::tests::add_random_pairs(random, sentences, words.size(), longest, bitext, lexicon);
  Files files;
  ContainerWriter first(Index::vocabulary_kind), second(IndexedBitext::kind), third(Lexicon::kind);
  vocabulary.add_to(first, "source");
  vocabulary.add_to(first, "target");
  bitext.add_to(second);
  lexicon.add_to(third);
  files.vocabulary = first.bytes();
  files.bitext = second.bytes();
  files.lexicon = third.bytes();
  return files;
}

std::shared_ptr<const Index> open(const Files& files, Trust trust) {
  auto parse = [&](const std::vector<std::byte>& bytes, std::string_view kind) {
    return Container::parse(Buffer::own(bytes), kind, trust);
  };
  return std::make_shared<const Index>(parse(files.vocabulary, Index::vocabulary_kind),
                                       parse(files.bitext, IndexedBitext::kind), parse(files.lexicon, Lexicon::kind));
}

std::string grammar(const std::shared_ptr<const Index>& index, Matching matching) {
  ExtractOptions options;
  options.matching = matching;
  RuleExtractor extractor(std::make_shared<Workspace>(index), options);
  extractor.start(index->source_words.ids("a b c a d"), 3);
  std::string text;
  append_grammar(text, extractor);
  for (uint32_t node = 1; node < extractor.patterns().size(); ++node)
    for (uint32_t match = 0; match < extractor.patterns().sample(node).size(); ++match) extractor.origin(node, match);
  return text;
}

}  // namespace

// A sentence has thousands of patterns, each with as many matches as max_samples allows, so that all together are more
// than 32 bits can count.
static_assert(std::is_same_v<decltype(PatternNode::matches_begin), uint64_t> &&
              std::is_same_v<decltype(PatternNode::matches_end), uint64_t>);

TEST(suffix_array_sorts) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const uint32_t alphabet = 1 + static_cast<uint32_t>(random() % 5);
    std::vector<uint32_t> text(random() % 60);
    for (uint32_t& symbol : text) symbol = static_cast<uint32_t>(random() % alphabet);
    const auto short_positions = suffix_array<int32_t>(text, alphabet);
    const auto long_positions = suffix_array<int64_t>(text, alphabet);
    CHECK(std::equal(short_positions.begin(), short_positions.end(), long_positions.begin(), long_positions.end()));
    for (size_t i = 1; i < text.size(); ++i) {
      const auto a = text.begin() + short_positions[i - 1], b = text.begin() + short_positions[i];
      CHECK(std::lexicographical_compare(a, text.end(), b, text.end()));
    }
  }
}

TEST(rules_kept_from_sentence_to_sentence_change_nothing) {
  std::mt19937_64 random(5);
  const auto index = open(random_files(random, 300), Trust::verify_hashes);
  dragoman::tests::check_cached_rules(std::make_shared<const Snapshot>(index), 7, 9);
}

TEST(threads_share_what_is_kept) {
  std::mt19937_64 random(8);
  const auto snapshot = std::make_shared<const Snapshot>(open(random_files(random, 300), Trust::verify_hashes));
  std::vector<std::string> inputs;
  for (size_t i = 0; i < 40; ++i) {
    inputs.emplace_back();
    for (uint64_t k = 0, length = 1 + random() % 7; k < length; ++k)
      inputs.back() += std::string(k > 0, ' ') + static_cast<char>('a' + random() % 6);
  }
  auto rules_of = [&](RuleExtractor& extractor, const std::string& input) {
    extractor.start(snapshot->source_words().ids(input));
    std::string text;
    append_grammar(text, extractor);
    return text;
  };
  ExtractOptions options;
  options.rule_cache_bytes = 0;
  RuleExtractor alone(std::make_shared<Workspace>(snapshot), options);
  std::vector<std::string> expected;
  for (const std::string& input : inputs) expected.push_back(rules_of(alone, input));
  // The smaller forgets all the time. New ones, with all threads after the same patterns, are where one thread keeps
  // what another is about to look for.
  for (uint32_t bytes : {6000u, 1u << 20})
    for (int round = 0; round < 40; ++round) {
      options.rule_cache_bytes = bytes;
      const auto workspace = std::make_shared<Workspace>(snapshot);
      std::atomic<size_t> wrong{0};
      {
        std::vector<std::jthread> threads;
        for (size_t thread = 0; thread < 4; ++thread)
          threads.emplace_back([&] {
            RuleExtractor extractor(workspace, options);
            for (size_t i = 0; i < inputs.size(); ++i) wrong += rules_of(extractor, inputs[i]) != expected[i];
          });
      }
      CHECK(wrong == 0);
    }
}

TEST(extraction_can_be_interrupted_anywhere) {
  std::mt19937_64 random(9);
  const auto index = open(random_files(random, 300), Trust::verify_hashes);
  for (Matching matching : {Matching::exact, Matching::bounded}) {
    ExtractOptions options;
    options.matching = matching;
    const auto input = index->source_words.ids("a b c a d e f b a c");
    RuleExtractor fresh(std::make_shared<Workspace>(index), options);
    RuleExtractor extractor(std::make_shared<Workspace>(index), options);
    fresh.start(input);
    std::string expected;
    append_grammar(expected, fresh);
    size_t stops = 0;
    for (bool stopped = true; stopped; ++stops) {
      // Polls at every look, and is told to stop at a later one each time.
      size_t polls = 0;
      Monitor monitor([&](uint64_t, uint64_t) { return polls++ < stops; });
      Interrupt interrupt(monitor, Interrupt::Clock::duration(0));
      stopped = false;
      try {
        extractor.start(input, std::nullopt, &interrupt);
        std::string text;
        append_grammar(text, extractor);
        CHECK(text == expected);
      } catch (const Cancelled&) {
        stopped = true;
      }
      extractor.start(input);
      std::string again;
      append_grammar(again, extractor);
      CHECK(again == expected);
    }
    CHECK(stops > 3);
  }
}

TEST(front_places_are_those_of_the_text) {
  std::mt19937_64 random(7);
  const auto index = open(random_files(random, 400, 30), Trust::verify_hashes);
  const IndexedBitext& bitext = index->bitext;
  for (uint32_t block_words : {1u, 100u, 100'000u}) {
    const FrontPlaces front(bitext, bitext.source_size(), 5, block_words);
    CHECK(front.size() == bitext.source_size());
    CHECK(front.tells(4) && !front.tells(5));
    std::vector<std::vector<uint64_t>> places(front.told()), expected(front.told());
    uint64_t end = 0;
    for (const FrontPlaces::Block& block : front.blocks()) {
      CHECK(block.begin() == end);
      end = block.end();
      CHECK(bitext.source(end - 1) == Vocabulary::separator);
      CHECK(block.size() >= std::min<uint64_t>(block_words, front.size() - block.begin()));
      for (WordId word = 0; word < front.told(); ++word)
        for (uint16_t place : block.places(word)) places[word].push_back(block.begin() + place);
    }
    for (uint64_t at = 0; at < bitext.source_size(); ++at)
      if (front.tells(bitext.source(at))) expected[bitext.source(at)].push_back(at);
    CHECK(places == expected);
  }
}

// What is found in the front are the first matches of the text, whatever its blocks; those of a list of all matches are
// found in another way.
TEST(front_matcher_finds_the_first_matches) {
  std::mt19937_64 random(8);
  const auto index = open(random_files(random, 300, 40), Trust::verify_hashes);
  const IndexedBitext& bitext = index->bitext;
  const Workspace workspace(index);
  for (uint32_t max_samples : {5u, 300u})
    for (uint32_t min_gap_size : {1u, 2u})
      for (uint32_t max_rule_span : {4u, 9u, 16u}) {
        ExtractOptions options;
        options.matching = Matching::merge;
        options.max_samples = max_samples;
        options.min_gap_size = min_gap_size;
        options.max_rule_span = max_rule_span;
        PatternMatcher lists(workspace, options);
        PatternTrie trie;
        lists.match(index->source_words.ids("a b a c d e b b f a c"), std::nullopt, trie, {});
        std::vector<Goal> all;
        for (uint32_t node = 1; node < trie.size(); ++node)
          for (uint8_t anchor = 0; anchor < trie[node].phrase_count; ++anchor)
            if (trie[node].phrase_count > 1 && !trie[node].dead)
              all.push_back({.node = node,
                             .anchor = trie[node].phrases[anchor],
                             .anchor_phrase = anchor,
                             .anchor_occurrences = bitext.source_size(),
                             .matches = {}});
        for (const auto& [sentences, block_words] : {std::pair{300u, 64u}, {300u, 100'000u}, {100u, 1'000u}}) {
          const FrontPlaces front(bitext, bitext.source_range(sentences - 1).end + 1, 8, block_words);
          MatchCost cost;
          FrontMatcher matcher(options, cost);
          std::vector<Goal> goals = all;
          for (const Goal& goal : goals) CHECK(matcher.serves(bitext, front, trie, goal));
          matcher.match(bitext, front, trie, goals, Exclusion{});
          for (Goal& goal : goals) {
            const auto sample = trie.sample(goal.node);
            std::vector<Match> expected;
            std::copy_if(sample.begin(), sample.end(), std::back_inserter(expected),
                         [&](Match match) { return match_begin(match) < front.size(); });
            const bool more = expected.size() < sample.size() || expected.size() < max_samples;
            CHECK(goal.full() || more);
            keep_sample(goal.matches, max_samples);
            CHECK(goal.matches == expected);
          }
        }
      }
}

// All matches, in order, of every pattern of the phrases that are listed.
TEST(frequent_lists_hold_all_matches) {
  std::mt19937_64 random(10);
  const auto index = open(random_files(random, 200, 12), Trust::verify_hashes);
  const IndexedBitext& bitext = index->bitext;
  ExtractOptions options;
  options.max_rule_span = 6;
  const FrequentLists lists(bitext, 20, 4, options);
  const Vocabulary& words = index->source_words;
  std::vector<WordId> listed;
  for (WordId word = Vocabulary::first_word; word < words.size(); ++word)
    if (lists.phrase(std::span(&word, 1)) != FrequentLists::none) listed.push_back(word);
  CHECK(!listed.empty());
  uint64_t all = 0;
  for (WordId first : listed)
    for (WordId second : listed) {
      std::vector<Match> expected;
      for (uint64_t at = 0; at < bitext.source_size(); ++at)
        for (uint64_t to = at + 2; bitext.source(at) == first && to < at + 6 && to < bitext.source_size(); ++to) {
          if (bitext.source(at + 1) == Vocabulary::separator || bitext.source(to) == Vocabulary::separator) break;
          if (bitext.source(to) == second) expected.push_back(make_match(at, to - at));
        }
      const uint32_t phrases[] = {lists.phrase(std::span(&first, 1)), lists.phrase(std::span(&second, 1))};
      CHECK(lists.knows(phrases));
      CHECK(std::ranges::equal(lists.matches(phrases), expected));
      all += expected.size();
      const uint32_t triple[] = {phrases[0], phrases[1], 7};
      CHECK(!lists.knows(triple));
    }
  CHECK(all > 100);
  CHECK(lists.serve(bitext, options));
  options.max_rule_span = 7;
  CHECK(!lists.serve(bitext, options));
}

TEST(links_round_trip) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    const auto source = static_cast<uint32_t>(1 + random() % 300), target = static_cast<uint32_t>(1 + random() % 300);
    Links links(random() % 50), read;
    for (Link& link : links)
      link = {static_cast<uint32_t>(random() % source), static_cast<uint32_t>(random() % target)};
    Array<uint8_t> code;
    encode_links(links, code);
    CHECK(decode_links(code, source, target, [&](uint32_t s, uint32_t t) { read.push_back({s, t}); }));
    CHECK(read == links);
    if (!links.empty()) CHECK(!decode_links(code, links.back().source, target, [](uint32_t, uint32_t) {}));
  }
}

// With the hashes skipped, damaged files may give nonsense or a FormatError, and nothing else.
TEST(damaged_index_stays_in_bounds) {
  std::mt19937_64 random(5);
  const Files good = random_files(random, 25);
  CHECK(!grammar(open(good, Trust::verify_hashes), Matching::exact).empty());
  int refused = 0;
  for (int round = 0; round < 800; ++round) {
    Files bad = good;
    std::vector<std::byte>* file[] = {&bad.bitext, &bad.bitext, &bad.lexicon, &bad.vocabulary};
    std::vector<std::byte>& bytes = *file[random() % 4];
    for (uint64_t n = 1 + random() % 3; n > 0; --n)
      bytes[random() % bytes.size()] ^= static_cast<std::byte>(1 + random() % 255);
    try {
      const auto index = open(bad, Trust::skip_hashes);
      grammar(index, static_cast<Matching>(round % 4));
      Monitor monitor;
      if (round % 4 == 0) write_phrase_table(*index, {.max_phrase_length = 3}, [](std::string_view) {}, monitor);
    } catch (const FormatError&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
}
