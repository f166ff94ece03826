#include "index/live_index.h"

#include <algorithm>
#include <array>

#include "base/errors.h"
#include "base/process.h"
#include "base/start_thread.h"
#include "text/case_shape.h"
#include "text/lines.h"
#include "text/pharaoh.h"
#include "text/token_text.h"

namespace dragoman::index {
namespace {

// More segments than this are merged before anything else is added: a match has room for max_segments.
constexpr size_t most_sealed = 64;
static_assert(most_sealed < max_segments / 2);

}  // namespace

LiveIndex::LiveIndex(std::shared_ptr<const Index> index, const LiveOptions& options)
    : options_(options),
      index_(std::move(index)),
      source_overlay_(std::make_shared<WordOverlay>()),
      target_overlay_(std::make_shared<WordOverlay>()) {
  if (options_.correction_weight < 1 || options_.correction_weight > 1000)
    throw ConfigError("correction_weight", "must be between 1 and 1000");
  auto first = std::make_shared<Snapshot>(index_);
  first->weight_ = options_.correction_weight;
  // lexicon.bin counts every pair once.
  if (options_.correction_weight > 1 && index_->bitext.corrections() > 0) {
    auto counts = std::make_shared<LinkCounts>();
    for (uint64_t sentence = 0; sentence < index_->bitext.corrections(); ++sentence) {
      const IndexedPair pair = read_pair(index_->bitext, sentence);
      counts->add(pair.source, pair.target, pair.links);
    }
    first->heavier_ = std::move(counts);
  }
  if (index_->bitext.corrections() > 0) {
    auto ngrams = std::make_shared<NgramCounts>();
    for (uint64_t sentence = 0; sentence < index_->bitext.corrections(); ++sentence)
      ngrams->add(read_pair(index_->bitext, sentence).target);
    first->compacted_ = std::move(ngrams);
    first->taught_.add(*first->compacted_);
  }
  first->count_trained();
  state_.memories = first_memories(index_->bitext);
  first->memories_ = std::make_shared<const std::vector<Memory>>(state_.memories);
  state_.snapshot = std::move(first);
}

std::vector<Memory> LiveIndex::first_memories(const IndexedBitext& bitext) {
  std::vector<Memory> memories{{"", bitext.corrections()}};
  for (std::string& name : bitext.memory_names()) memories.push_back({std::move(name), 0});
  for (size_t i = 0; i < bitext.named_sentences().size(); ++i) {
    const MemoryId memory = bitext.named_memories()[i];
    if (memory == unnamed_memory || memory >= memories.size())
      bitext.fail("memories.numbers", "has numbers without a name");
    ++memories[memory].lessons;
    memories[unnamed_memory].lessons -= bitext.named_sentences()[i] < bitext.corrections();
  }
  return memories;
}

MemoryId LiveIndex::number_of(const std::string& memory, std::vector<Memory>& memories) {
  const auto known = std::ranges::find(memories, memory, &Memory::name);
  if (known != memories.end()) return static_cast<MemoryId>(known - memories.begin());
  memories.push_back({memory, 0});
  return static_cast<MemoryId>(memories.size() - 1);
}

LiveIndex::~LiveIndex() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_.notify_all();
  if (!thread_.joinable()) return;
  // A process forked off has no such thread, and waiting for it would never end.
  if (owner_ == process_id())
    thread_.join();
  else
    thread_.detach();
}

std::shared_ptr<const Snapshot> LiveIndex::snapshot() const {
  std::lock_guard lock(mutex_);
  return state_.snapshot;
}

LiveChange LiveIndex::addition(uint64_t stable_id, std::string_view source, std::string_view target,
                               std::string_view written, std::string_view links) {
  LiveChange change{false, stable_id, std::string(source), std::string(target), std::string(written), {}};
  const size_t source_words = count_words(source), target_words = count_words(target);
  if (source_words == 0 || target_words == 0) throw InputError(0, "a pair to add needs words on both sides");
  if (std::max(source_words, target_words) > IndexedBitext::max_sentence_length)
    throw InputError(
        0, "a sentence may have at most " + std::to_string(IndexedBitext::max_sentence_length) + " words; split it");
  parse_pharaoh(links, 0, change.links, source_words, target_words);
  if (change.links.size() > IndexedBitext::max_links)
    throw InputError(0, "a pair may have at most " + std::to_string(IndexedBitext::max_links) + " links");
  if (stable_id >> 57) throw InputError(0, "the id of a pair must be below 2^57");
  return change;
}

IndexedPair LiveIndex::encode(const LiveChange& change, MemoryId memory, uint64_t version) {
  IndexedPair pair{change.stable_id, {}, {}, change.links, memory};
  auto ids = [](std::string_view line, const Vocabulary& words, WordOverlay& overlay, std::vector<WordId>& word_ids) {
    for_each_word(line, [&](std::string_view word) {
      const WordId own = words.find(word);
      word_ids.push_back(own != Vocabulary::unknown ? own : words.size() + overlay.add(word));
    });
  };
  ids(change.source, index_->source_words, *source_overlay_, pair.source);
  ids(change.target, index_->target_words, *target_overlay_, pair.target);
  learn_forms(change, pair, version);
  return pair;
}

void LiveIndex::learn_forms(const LiveChange& change, const IndexedPair& pair, uint64_t version) {
  const auto written = words_of(change.written), model = words_of(change.target);
  if (written.size() != pair.target.size()) return;
  const WordId own = index_->target_words.size();
  bool starts = true;
  for (size_t i = 0; i < written.size(); ++i) {
    const std::string_view form = take_marks(written[i]).word;
    const bool at_start = starts;
    starts = form == "." || form == "!" || form == "?" || form == ":" || (starts && !case_of(form).is_word());
    if (pair.target[i] < own) continue;
    // A term on its own is written as it is listed; the first word of a sentence has a capital that need not be its
    // own.
    const bool sure = !at_start || written.size() == 1;
    const TokenCase shape = case_of(form);
    const bool only_first = shape.begins_upper && shape.upper == 1;
    const std::string_view lower = take_marks(model[i]).word;
    target_overlay_->set_form(pair.target[i] - own, sure || !only_first ? form : lower, sure, version, pair.memory);
  }
}

bool LiveIndex::drop(State& next, uint64_t stable_id, Removals& removals) {
  if (const auto entry = next.newest_places.find(stable_id); entry != next.newest_places.end()) {
    const size_t place = entry->second;
    --next.memories[next.newest[place].memory].lessons;
    next.newest_places.erase(entry);
    if (place + 1 != next.newest.size()) {
      next.newest[place] = std::move(next.newest.back());
      next.newest_places[next.newest[place].stable_id] = place;
    }
    next.newest.pop_back();
    return true;
  }
  // In all segments but the newest, which the snapshot still shows as it was.
  const Snapshot& now = *next.snapshot;
  for (uint32_t segment = static_cast<uint32_t>(next.sealed.size()) + 1; segment-- > 0;) {
    const auto number = now.bitext(segment).find_sentence(stable_id);
    if (!number || now.part(segment).removed(*number)) continue;
    const SentencePlace place = Snapshot::place_of(segment, *number);
    if (!removals.places.insert(place).second) continue;
    const MemoryId memory = now.memory(place);
    if (memory != unnamed_memory || now.is_correction(place)) --next.memories[memory].lessons;
    removals.by_segment[segment].push_back({*number, now.weight_of(place), now.is_correction(place)});
    return true;
  }
  return false;
}

std::shared_ptr<const Tombstones> LiveIndex::with(const std::shared_ptr<const Tombstones>& before,
                                                  const IndexedBitext& bitext,
                                                  std::span<const Tombstones::Removal> removals) {
  return removals.empty() ? before : std::make_shared<const Tombstones>(before.get(), bitext, removals);
}

uint64_t LiveIndex::change(State& next, std::span<const LiveChange> changes, uint64_t version) {
  Removals removals;
  removals.by_segment.resize(next.sealed.size() + 1);
  uint64_t dropped = 0;
  for (const LiveChange& change : changes) {
    dropped += drop(next, change.stable_id, removals);
    if (change.removal) continue;
    next.newest_places[change.stable_id] = next.newest.size();
    const MemoryId memory = number_of(change.memory, next.memories);
    ++next.memories[memory].lessons;
    next.newest.push_back(encode(change, memory, version));
  }
  next.base_tombstones = with(next.base_tombstones, index_->bitext, removals.by_segment[0]);
  for (size_t i = 0; i < next.sealed.size(); ++i)
    next.sealed[i].tombstones =
        with(next.sealed[i].tombstones, next.sealed[i].segment->bitext, removals.by_segment[i + 1]);
  next.newest_segment = nullptr;
  if (!next.newest.empty()) {
    next.newest_segment = build_segment(next.newest, index_->source_words.size() + source_overlay_->size(),
                                        index_->target_words.size() + target_overlay_->size(), index_->bitext.seed());
    // They are in another order now.
    for (size_t i = 0; i < next.newest.size(); ++i) next.newest_places[next.newest[i].stable_id] = i;
  }
  if (next.newest.size() >= options_.newest_pairs) {
    next.sealed.push_back({std::move(next.newest_segment), nullptr});
    next.newest_segment = nullptr;
    next.newest.clear();
    next.newest_places.clear();
  }
  take_snapshot(next, version);
  return dropped;
}

uint64_t LiveIndex::apply(std::span<const LiveChange> changes) {
  if (changes.empty()) return 0;
  std::unique_lock lock(mutex_);
  while (state_.sealed.size() > most_sealed) {
    const auto place = mergeable();
    merge_at(place ? *place : state_.sealed.size() - 2, lock);
  }
  const uint64_t version = state_.snapshot->version_ + 1;
  uint64_t dropped = 0;
  try {
    State next = state_;
    dropped = change(next, changes, version);
    state_ = std::move(next);
  } catch (...) {
    // Words may stay: nobody asks for those that no pair has.
    target_overlay_->forget_forms(version);
    throw;
  }
  if (mergeable()) start_merging(lock);
  return dropped;
}

void LiveIndex::take_snapshot(State& next, uint64_t version) const {
  auto snapshot = std::make_shared<Snapshot>(*next.snapshot);
  snapshot->version_ = version;
  snapshot->source_words_ = index_->source_words.extended(source_overlay_, source_overlay_->size(), version);
  snapshot->target_words_ = index_->target_words.extended(target_overlay_, target_overlay_->size(), version);
  snapshot->parts_.clear();
  snapshot->parts_.push_back({&index_->bitext, nullptr, next.base_tombstones});
  for (const Sealed& sealed : next.sealed)
    snapshot->parts_.push_back({&sealed.segment->bitext, sealed.segment, sealed.tombstones});
  if (next.newest_segment) snapshot->parts_.push_back({&next.newest_segment->bitext, next.newest_segment, nullptr});
  snapshot->memories_ = std::make_shared<const std::vector<Memory>>(next.memories);
  snapshot->counted_.clear();
  snapshot->count_trained();
  snapshot->count_added();
  snapshot->taught_ = {};
  if (snapshot->compacted_) snapshot->taught_.add(*snapshot->compacted_);
  for (const Snapshot::Part& part : snapshot->parts_) {
    if (part.segment) snapshot->taught_.add(part.segment->ngrams);
    if (part.tombstones) snapshot->taught_.take_away(part.tombstones->ngrams());
  }
  next.snapshot = std::move(snapshot);
}

std::optional<size_t> LiveIndex::mergeable() const {
  const std::vector<Sealed>& sealed = state_.sealed;
  for (size_t place = sealed.size(); place-- > 1;)
    if (sealed[place - 1].segment->bitext.sentences() <= 2 * sealed[place].segment->bitext.sentences())
      return place - 1;
  return std::nullopt;
}

// One segment of what is left of some, or none. Needs no lock: ids of words only ever come.
std::shared_ptr<const Segment> LiveIndex::merged(std::span<const Sealed> both) const {
  std::vector<IndexedPair> pairs;
  for (const Sealed& sealed : both)
    for (uint64_t sentence = 0; sentence < sealed.segment->bitext.sentences(); ++sentence)
      if (!sealed.tombstones || !sealed.tombstones->has(sentence))
        pairs.push_back(read_pair(sealed.segment->bitext, sentence));
  if (pairs.empty()) return nullptr;
  return build_segment(pairs, index_->source_words.size() + source_overlay_->size(),
                       index_->target_words.size() + target_overlay_->size(), index_->bitext.seed());
}

// Segments at the place and after it become one; the lock is given up while it is built.
void LiveIndex::merge_at(size_t place, std::unique_lock<std::mutex>& lock) {
  // Only one merge at a time, or places would move under it.
  while (merging_) {
    settled_.wait(lock);
    if (place + 1 >= state_.sealed.size()) return;
  }
  merging_ = true;
  struct Finally {
    LiveIndex& self;
    std::unique_lock<std::mutex>& lock;
    ~Finally() {
      if (!lock.owns_lock()) lock.lock();
      self.merging_ = false;
      self.settled_.notify_all();
    }
  } finally{*this, lock};
  const std::array before{state_.sealed[place], state_.sealed[place + 1]};
  lock.unlock();
  const std::shared_ptr<const Segment> segment = merged(before);
  lock.lock();
  State next = state_;
  // What was removed meanwhile is removed from the merged segment too. Only this function moves places.
  std::vector<Tombstones::Removal> removals;
  for (size_t i = 0; i < before.size(); ++i) {
    const Sealed& now = next.sealed[place + i];
    if (!now.tombstones || now.tombstones == before[i].tombstones) continue;
    for (uint64_t sentence : now.tombstones->sentences()) {
      if (before[i].tombstones && before[i].tombstones->has(sentence)) continue;
      const uint64_t id = now.segment->bitext.stable_id(sentence);
      removals.push_back({*segment->bitext.find_sentence(id), options_.correction_weight, true});
    }
  }
  const auto first = next.sealed.begin() + static_cast<ptrdiff_t>(place);
  if (segment) {
    *first = {segment, with(nullptr, segment->bitext, removals)};
    next.sealed.erase(first + 1);
  } else {
    next.sealed.erase(first, first + 2);
  }
  take_snapshot(next, state_.snapshot->version_);
  state_ = std::move(next);
}

// The changes are made whatever comes of this: segments that are not merged are searched one by one, and the next
// change tries again.
void LiveIndex::start_merging(std::unique_lock<std::mutex>& lock) {
  if (!options_.background) {
    try {
      while (const auto place = mergeable()) merge_at(*place, lock);
    } catch (const std::exception&) {
    }
    return;
  }
  if (!thread_.joinable() && start_thread(thread_, [this] { merge_forever(); })) owner_ = process_id();
  work_.notify_all();
}

void LiveIndex::merge_forever() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const auto place = mergeable();
    if (!place) {
      work_.wait(lock);
      continue;
    }
    try {
      merge_at(*place, lock);
    } catch (const std::exception&) {
      // Segments that are not merged are searched one by one: slower, and still right.
      gave_up_ = true;
      settled_.notify_all();
      if (!stopping_) work_.wait(lock);
      gave_up_ = false;
    }
  }
}

void LiveIndex::settle() {
  std::unique_lock lock(mutex_);
  while (!gave_up_ && (merging_ || mergeable())) {
    if (!merging_ && (!options_.background || owner_ != process_id()))
      merge_at(*mergeable(), lock);
    else
      settled_.wait(lock);
  }
}

}  // namespace dragoman::index
