#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "corpus/word_overlay.h"
#include "extract/bitext_builder.h"
#include "extract/grammar_text.h"
#include "extract/live_index.h"
#include "extract/overlay_log.h"
#include "extract/rule_extractor.h"
#include "tests/cached_rules.h"
#include "tests/check.h"

using namespace dragoman;

namespace {

// An index of so many random sentences of the words a to c.
std::shared_ptr<const Index> index_of(uint64_t sentences) {
  const std::vector<std::string_view> words{"a", "b", "c"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  BitextBuilder bitext(vocabulary.size(), vocabulary.size(), 1);
  LexiconBuilder lexicon(vocabulary.size(), vocabulary.size());
  std::vector<uint64_t> order(sentences);
  for (uint64_t i = 0; i < sentences; ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [](uint64_t a, uint64_t b) { return sample_order(1, a) < sample_order(1, b); });
  std::mt19937_64 random(8);
  for (uint64_t id : order) {
    std::vector<WordId> source(1 + random() % 9);
    std::vector<WordLink> links;
    for (WordId& word : source) word = static_cast<WordId>(Vocabulary::first_word + random() % 3);
    for (uint32_t i = 0; i < source.size(); ++i)
      if (random() % 5) links.push_back({i, i});
    bitext.add(id, source, source, links);
    lexicon.add(source, source, links);
  }
  bitext.sort_suffixes();
  ContainerWriter first(Index::vocabulary_kind), second(IndexedBitext::kind), third(Lexicon::kind);
  vocabulary.add_to(first, "source");
  vocabulary.add_to(first, "target");
  bitext.add_to(second);
  lexicon.add_to(third);
  auto parse = [](const ContainerWriter& writer, std::string_view kind) {
    return Container::parse(Buffer::own(writer.bytes()), kind);
  };
  return std::make_shared<const Index>(parse(first, Index::vocabulary_kind), parse(second, IndexedBitext::kind),
                                       parse(third, Lexicon::kind), nullptr);
}

std::shared_ptr<const Index> empty_index() { return index_of(0); }

LiveChange random_addition(std::mt19937_64& random, uint64_t id) {
  std::string source, links;
  const size_t length = 1 + random() % 8;
  for (size_t i = 0; i < length; ++i) {
    source += (i ? " " : "") + std::string(1, static_cast<char>('a' + random() % 8));
    links += (i ? " " : "") + std::to_string(i) + "-" + std::to_string(i);
  }
  return LiveIndex::addition(id, source, source, source, links);
}

LiveChange removal(uint64_t id) {
  LiveChange change;
  change.removal = true;
  change.stable_id = id;
  return change;
}

std::string grammar(const std::shared_ptr<const Snapshot>& snapshot) {
  RuleExtractor extractor(snapshot, ExtractOptions());
  extractor.start(snapshot->source_words().ids("a b d e a h"), std::nullopt);
  std::string text;
  append_grammar(text, extractor);
  for (uint32_t node = 1; node < extractor.patterns().size(); ++node)
    for (uint32_t match = 0; match < extractor.patterns().sample(node).size(); ++match)
      CHECK(snapshot->find(extractor.origin(node, match).stable_id).has_value());
  return text;
}

}  // namespace

TEST(overlay_words_append_and_forms_have_versions) {
  WordOverlay overlay;
  CHECK(overlay.add("x") == 0);
  CHECK(overlay.add("y") == 1);
  CHECK(overlay.add("x") == 0);
  CHECK(overlay.find("y") == 1u);
  CHECK(!overlay.find("z"));
  CHECK(overlay.form(0, 9).empty());
  overlay.set_form(0, "x", false, 3);
  overlay.set_form(0, "X", true, 5);
  overlay.set_form(0, "x", false, 6);
  CHECK(overlay.form(0, 2).empty());
  CHECK(overlay.form(0, 4) == "x");
  CHECK(overlay.form(0, 7) == "X");
}

TEST(segments_do_not_show) {
  std::mt19937_64 random(3);
  LiveIndex small(empty_index(), {1, 4, false}), threaded(empty_index(), {1, 4, true}), one(empty_index(), {1, 4096});
  std::vector<uint64_t> there;
  for (uint64_t id = 0; id < 150; ++id) {
    std::vector<LiveChange> changes{random_addition(random, id)};
    there.push_back(id);
    if (random() % 3 == 0) {
      const size_t place = random() % there.size();
      changes.push_back(removal(there[place]));
      there.erase(there.begin() + static_cast<ptrdiff_t>(place));
    }
    const uint64_t dropped = changes.size() - 1;
    CHECK(small.apply(changes) == dropped);
    CHECK(threaded.apply(changes) == dropped);
    CHECK(one.apply(changes) == dropped);
    if (id % 10 == 0) {
      const std::string wanted = grammar(one.snapshot());
      CHECK(grammar(small.snapshot()) == wanted);
      CHECK(grammar(threaded.snapshot()) == wanted);
    }
  }
  threaded.settle();
  CHECK(small.snapshot()->pairs() == there.size());
  CHECK(threaded.snapshot()->pairs() == there.size());
  CHECK(threaded.snapshot()->segments() < 12);
  CHECK(grammar(threaded.snapshot()) == grammar(one.snapshot()));
}

TEST(rules_kept_from_sentence_to_sentence_are_those_of_all_segments) {
  std::mt19937_64 random(6);
  LiveIndex live(index_of(200), {3, 4, false});
  for (uint64_t id = 1000; id < 1040; ++id) live.apply(std::vector<LiveChange>{random_addition(random, id)});
  for (uint64_t id : {3, 50, 120, 1001, 1020}) live.apply(std::vector<LiveChange>{removal(id)});
  const auto snapshot = live.snapshot();
  CHECK(snapshot->segments() > 1);
  dragoman::tests::check_cached_rules(snapshot, 4, 1009);
}

TEST(readers_keep_their_snapshot) {
  LiveIndex index(empty_index(), {3, 4, true});
  std::atomic<bool> done = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i)
    readers.emplace_back([&] {
      while (!done) {
        const auto snapshot = index.snapshot();
        const std::string first = grammar(snapshot);
        CHECK(grammar(snapshot) == first);
      }
    });
  std::mt19937_64 random(4);
  for (uint64_t id = 0; id < 200; ++id) {
    const std::vector<LiveChange> changes{random_addition(random, id % 60)};
    index.apply(changes);
    if (id % 5 == 0) index.apply(std::vector<LiveChange>{removal(id % 40)});
  }
  done = true;
  for (std::thread& reader : readers) reader.join();
}

TEST(pairs_that_cannot_be_indexed_are_refused) {
  CHECK_THROWS(LiveIndex::addition(1, "", "x", "", ""), InputError);
  CHECK_THROWS(LiveIndex::addition(1, "x", " ", "", ""), InputError);
  CHECK_THROWS(LiveIndex::addition(1, "x", "y", "", "0-1"), InputError);
  CHECK_THROWS(LiveIndex::addition(uint64_t{1} << 57, "x", "y", "", "0-0"), InputError);
  CHECK_THROWS(LiveIndex(empty_index(), {0}), ConfigError);
}

TEST(logs_survive_any_bytes) {
  std::string log;
  for (uint64_t id = 0; id < 3; ++id)
    append_record(log, {LogRecord::Kind::addition, id, "n", "A b", "C d", "a b", "c d", "C d", "0-0 1-1", ""});
  append_record(log, {LogRecord::Kind::removal, 1, "n", {}, {}, {}, {}, {}, {}, {}});
  CHECK(read_records(log, 0).entries.size() == 4);
  CHECK(changes_of(read_records(log, 0)).size() == 4);
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    std::string mutated = log;
    for (size_t i = 0; i < 1 + random() % 6; ++i) mutated[random() % mutated.size()] = static_cast<char>(random());
    mutated.resize(random() % (mutated.size() + 1));
    const LogReading reading = read_records(mutated, 0);
    CHECK(reading.end <= mutated.size());
    CHECK(reading.entries.size() <= 4);
    changes_of(reading);
  }
}
