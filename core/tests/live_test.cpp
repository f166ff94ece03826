#include <atomic>
#include <random>
#include <thread>

#include "base/namespaces.h"
#include "index/overlay_log.h"
#include "tests/cached_rules.h"
#include "tests/check.h"
#include "tests/live_pairs.h"
#include "text/word_overlay.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::index;
using namespace dragoman::rules;
using namespace dragoman::evaluate;
using namespace dragoman::tests;

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

// What was made of the trained text, which is dear, is not made again for every pair that is added.
TEST(a_workspace_takes_over_what_was_made_of_the_same_segments) {
  std::mt19937_64 random(12);
  LiveIndex live(index_of(50), {1, 4, false});
  auto workspace = std::make_shared<Workspace>(live.snapshot());
  const FrontPlaces& trained = workspace->front(0).places();
  size_t kept = 0, fresh = 0;
  for (uint64_t id = 1000; id < 1030; ++id) {
    const LiveChange change[] = {random_addition(random, id)};
    live.apply(change);
    const auto next = std::make_shared<Workspace>(live.snapshot(), workspace.get());
    CHECK(&next->front(0).places() == &trained);
    for (uint32_t segment = 0; segment < live.snapshot()->segments(); ++segment) {
      const Front& front = next->front(segment);
      CHECK(&front.bitext() == &live.snapshot()->bitext(segment));
      CHECK(front.places().size() == front.bitext().source_size());
      bool known = false;
      for (uint32_t old = 0; old < workspace->snapshot().segments(); ++old) known |= &workspace->front(old) == &front;
      ++(known ? kept : fresh);
    }
    workspace = next;
  }
  CHECK(kept > 30 && fresh >= 30);
}

// Pairs come and go, of the trained text too, and what is kept of it from state to state shows in nothing but time.
TEST(what_is_known_of_the_trained_text_outlives_changes_and_does_not_show) {
  for (uint32_t weight : {1u, 3u})
    for (uint32_t bytes : {3000u, 1u << 20}) {
      std::mt19937_64 random(weight + bytes);
      LiveIndex live(index_of(200), {weight, 4, false});
      ExtractOptions options, plainly;
      // So few that added pairs drive others out of samples.
      options.max_samples = 20;
      options.loose_phrases = options.orientations = options.lone_words = weight == 3;
      options.rule_cache_bytes = bytes;
      plainly = options;
      plainly.rule_cache_bytes = 0;
      auto workspace = std::make_shared<Workspace>(live.snapshot());
      size_t taken_over = 0;
      for (uint64_t id = 1000; id < 1060; ++id) {
        live.apply(std::vector<LiveChange>{random_addition(random, id)});
        if (random() % 3 == 0) live.apply(std::vector<LiveChange>{removal(1000 + random() % (id - 999))});
        if (random() % 10 == 0) live.apply(std::vector<LiveChange>{removal(random() % 200)});
        const auto next = std::make_shared<Workspace>(live.snapshot(), workspace.get());
        taken_over += next->base_cache(options) && next->base_cache(options) == workspace->base_cache(options);
        workspace = next;
        RuleExtractor extractor(workspace, options);
        RuleExtractor fresh(std::make_shared<Workspace>(live.snapshot()), plainly);
        for (int sentence = 0; sentence < 3; ++sentence) {
          const auto input = live.snapshot()->source_words().ids(random_input(random, 4));
          extractor.start(input);
          fresh.start(input);
          CHECK(all_rules(extractor) == all_rules(fresh));
        }
      }
      CHECK(taken_over > 40 && taken_over < 60);
    }
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

namespace {

LogRecord addition_record(uint64_t id) {
  return {LogRecord::Kind::addition, id, "n", "A b", "C d", "a b", "c d", "C d", "0-0 1-1", ""};
}

}  // namespace

TEST(logs_survive_any_bytes) {
  for (uint32_t version : {1u, 2u, 3u}) {
    std::string log;
    for (uint64_t id = 0; id < 3; ++id) append_record(log, addition_record(id), version);
    append_record(log, {LogRecord::Kind::removal, 1, "n", {}, {}, {}, {}, {}, {}, {}}, version);
    CHECK(read_records(log, 0, version).entries.size() == 4);
    for (uint32_t other : {1u, 2u, 3u}) CHECK(read_records(log, 0, other).entries.empty() == (other != version));
    CHECK(changes_of(read_records(log, 0, version)).size() == 4);
    std::mt19937_64 random(5);
    for (int round = 0; round < 500; ++round) {
      std::string mutated = log;
      for (size_t i = 0; i < 1 + random() % 6; ++i) mutated[random() % mutated.size()] = static_cast<char>(random());
      mutated.resize(random() % (mutated.size() + 1));
      const LogReading reading = read_records(mutated, 0, version);
      CHECK(reading.end <= mutated.size());
      CHECK(reading.entries.size() <= 4);
      changes_of(reading);
    }
  }
}

TEST(records_appended_together_count_all_or_none) {
  std::string log;
  append_record(log, addition_record(1));
  const uint64_t before = log.size();
  for (uint64_t id = 2; id < 5; ++id) append_record(log, addition_record(id), log_version, id == 4);
  for (size_t size = before; size < log.size(); ++size) {
    const LogReading reading = read_records(std::string_view(log).substr(0, size), 0);
    CHECK(reading.entries.size() == 1 && reading.end == before && reading.damaged == 0);
  }
  CHECK(read_records(log, 0).entries.size() == 4);
  // The last of them is damaged: those before it count with what was appended later, when nothing can be torn.
  std::string damaged = log;
  damaged[damaged.size() - 1] ^= 1;
  CHECK(read_records(damaged, 0).entries.size() == 1);
  append_record(damaged, addition_record(5));
  const LogReading reading = read_records(damaged, 0);
  CHECK(reading.entries.size() == 4 && reading.damaged > 0 && reading.end == damaged.size());
  const auto second = read_record(log, before);
  CHECK(second && second->stable_id == 2);
  CHECK(!read_record(log, before + 1) && !read_record(log, log.size()) && !read_record(log, log.size() + 9));
}

TEST(unnamings_are_no_changes_of_the_index) {
  const LogRecord unnaming{LogRecord::Kind::unnaming, 1, "n", {}, {}, {}, {}, {}, {}, {}};
  std::string log;
  append_record(log, addition_record(1));
  append_record(log, unnaming);
  CHECK(read_records(log, 0).entries.size() == 2);
  CHECK(changes_of(read_records(log, 0)).size() == 1);
  CHECK_THROWS(append_record(log, unnaming, 2), InputError);
}

TEST(records_that_make_no_sense_are_passed_over) {
  std::string log;
  append_record(log, addition_record(1));
  uint64_t wrong = 0;
  auto with = [&](auto&& change) {
    LogRecord record = addition_record(9);
    change(record);
    append_record(log, record);
    ++wrong;
  };
  with([](LogRecord& record) { record.links = "0-7"; });
  with([](LogRecord& record) { record.links = "x"; });
  with([](LogRecord& record) { record.source = " "; });
  with([](LogRecord& record) { record.stable_id = uint64_t{1} << 60; });
  with([](LogRecord& record) { record.id = "\xff"; });
  with([](LogRecord& record) { record.target_text = "\xc3"; });
  with([](LogRecord& record) { record.origin = "\xed\xa0\x80"; });
  with([](LogRecord& record) { record.target = std::string(200000, ' ') + "\xe2"; });
  append_record(log, addition_record(2));
  const LogReading reading = read_records(log, 0);
  CHECK(reading.entries.size() == 2 && reading.refused == wrong && reading.damaged == 0);
  CHECK(reading.end == log.size());
  CHECK(changes_of(reading).size() == 2);
}

// Sixty thousand heads, each of which claims all that follows: were each believed until its hash is known, more than a
// hundred gigabytes would be hashed.
TEST(heads_of_records_that_are_none_cost_little) {
  std::string fakes;
  auto number = [&](uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) fakes += static_cast<char>(value >> (8 * i) & 255);
  };
  const uint64_t size = uint64_t{1} << 22, step = 64;
  for (uint64_t at = 0; at < size; at += step) {
    const uint64_t payload = size - at - 16;
    fakes += "DLOG";
    number(payload, 4);
    number(at, 8);
    fakes += '\1';
    number(7, 8);
    for (int i = 0; i < 7; ++i) number(0, 4);
    number(payload - 9 - 8 * 4, 4);
    fakes.resize(at + step, 'x');
  }
  append_record(fakes, addition_record(3));
  const LogReading reading = read_records(fakes, 0);
  CHECK(reading.entries.size() == 1);
  CHECK(reading.entries.empty() || reading.entries[0].offset == size);
}
