#include "index/compaction.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_map>

#include "index/bitext_builder.h"
#include "text/casing.h"

namespace dragoman::index {
namespace {

// The words of one side that are still used, and where the old ids have gone.
struct NewWords {
  Vocabulary words = Vocabulary::from_words({});
  std::vector<WordId> ids;  // by old id; unknown for words that are gone
  std::vector<WordId> learned;
  std::vector<std::string> gone;

  NewWords(const Vocabulary& old, const std::vector<uint64_t>& counts) {
    std::vector<std::pair<std::string, uint64_t>> used;
    for (WordId id = Vocabulary::first_word; id < old.size(); ++id) {
      if (counts[id] > 0)
        used.emplace_back(old.word(id), counts[id]);
      else if (id < old.own_size())
        gone.emplace_back(old.word(id));
    }
    words = Vocabulary::build(std::move(used));
    ids.assign(old.size(), Vocabulary::unknown);
    for (WordId id = Vocabulary::first_word; id < old.size(); ++id)
      if (counts[id] > 0) {
        ids[id] = words.find(old.word(id));
        if (old.learned(id)) learned.push_back(ids[id]);
      }
    std::sort(learned.begin(), learned.end());
  }
};

// The old forms of the words that stay, and those that were learned; nothing where the model knows none.
std::optional<Casing> new_casing(const Container& old_vocabulary, const std::string& prefix, const Vocabulary& old,
                                 const Vocabulary& own, const NewWords& next) {
  const bool known = old_vocabulary.has(prefix + ".size");
  bool any = known;
  for (WordId id = old.own_size(); !any && id < old.size(); ++id) any = !old.written_form(id).empty();
  if (!any) return std::nullopt;
  const Casing before =
      (known ? Casing::open(old_vocabulary, prefix, own) : Casing::build(own, CaseCounts())).extended(old);
  return Casing::from_forms(
      next.words,
      [&](WordId id) {
        const std::string_view token = next.words.word(id);
        std::string form;
        before.append_form(form, old.find(token), take_marks(token).word);
        return form;
      },
      before);
}

// The memories that still have lessons, numbered as they come.
struct NewMemories {
  std::span<const Memory> old;
  std::vector<std::string> names;
  std::unordered_map<MemoryId, MemoryId> numbers;

  MemoryId number(MemoryId memory) {
    if (memory == unnamed_memory) return memory;
    const auto [entry, is_new] = numbers.try_emplace(memory, static_cast<MemoryId>(names.size() + 1));
    if (is_new) names.push_back(old[memory].name);
    return entry->second;
  }
};

}  // namespace

Compacted compact_index(const Snapshot& snapshot, const Container& old_vocabulary, const std::string& directory,
                        Monitor& monitor) {
  const uint64_t seed = snapshot.index().bitext.seed();
  struct OrderedSentence {
    bool later;
    uint64_t order;
    SentencePlace place;
  };
  const bool first = snapshot.weight() != 1;
  std::vector<OrderedSentence> places;
  places.reserve(snapshot.pairs());
  for (uint32_t segment = 0; segment < snapshot.segments(); ++segment)
    for (uint64_t number = 0; number < snapshot.bitext(segment).sentences(); ++number) {
      if (snapshot.part(segment).removed(number)) continue;
      const SentencePlace place = Snapshot::place_of(segment, number);
      places.push_back(
          {!(first && snapshot.is_correction(place)), sample_order(seed, snapshot.stable_id(place)), place});
    }
  std::sort(places.begin(), places.end(), [](const OrderedSentence& a, const OrderedSentence& b) {
    return a.later != b.later ? a.later < b.later : a.order < b.order;
  });
  const uint64_t sentences = places.size();
  monitor.start(sentences * 4);

  std::vector<uint64_t> source_counts(snapshot.source_words().size()), target_counts(snapshot.target_words().size());
  auto pair_at = [&](SentencePlace place) { return read_pair(snapshot.bitext_of(place), Snapshot::number_of(place)); };
  for (uint64_t i = 0; i < sentences; ++i) {
    if (i % poll_every == 0) monitor.poll();
    const IndexedPair pair = pair_at(places[i].place);
    for (WordId word : pair.source) ++source_counts[word];
    for (WordId word : pair.target) ++target_counts[word];
    monitor.add(1);
  }
  NewWords source(snapshot.source_words(), source_counts), target(snapshot.target_words(), target_counts);

  Compacted compacted{{sentences, 0, 0, 0}, 0, std::move(source.gone), std::move(target.gone)};
  BitextBuilder bitext(source.words.size(), target.words.size(), seed);
  LexiconBuilder lexicon(source.words.size(), target.words.size());
  NewMemories memories{snapshot.memories(), {}, {}};
  for (uint64_t i = 0; i < sentences; ++i) {
    if (i % poll_every == 0) monitor.poll();
    IndexedPair pair = pair_at(places[i].place);
    for (WordId& word : pair.source) word = source.ids[word];
    for (WordId& word : pair.target) word = target.ids[word];
    bitext.add(pair.stable_id, pair.source, pair.target, pair.links, memories.number(pair.memory));
    lexicon.add(pair.source, pair.target, pair.links);
    compacted.counts.source_tokens += pair.source.size();
    compacted.counts.target_tokens += pair.target.size();
    compacted.counts.links += pair.links.size();
    compacted.corrections += !places[i].later;
    monitor.add(1);
  }
  std::vector<OrderedSentence>().swap(places);
  bitext.set_corrections(compacted.corrections);
  bitext.set_memory_names(memories.names);
  monitor.add(sentences);
  monitor.poll();

  const std::filesystem::path path(directory);
  {
    ContainerWriter writer(Index::vocabulary_kind);
    source.words.add_to(writer, "source");
    target.words.add_to(writer, "target");
    if (!source.learned.empty()) writer.add("source.learned", source.learned);
    if (!target.learned.empty()) writer.add("target.learned", target.learned);
    const Index& index = snapshot.index();
    const auto source_casing =
        new_casing(old_vocabulary, "source.case", snapshot.source_words(), index.source_words, source);
    const auto target_casing =
        new_casing(old_vocabulary, "target.case", snapshot.target_words(), index.target_words, target);
    if (source_casing) source_casing->add_to(writer, "source.case");
    if (target_casing) target_casing->add_to(writer, "target.case");
    writer.write((path / "vocab.bin").string());
  }
  write_index(directory, bitext, lexicon, monitor);
  monitor.add(sentences);
  return compacted;
}

}  // namespace dragoman::index
