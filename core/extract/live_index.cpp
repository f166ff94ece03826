#include "extract/live_index.h"

#include <algorithm>

#include "base/errors.h"
#include "base/process.h"
#include "corpus/case_shape.h"
#include "corpus/lines.h"
#include "corpus/token_text.h"

namespace dragoman {
namespace {

// More segments than this are merged before anything else is added: a match has room for max_segments.
constexpr size_t most_sealed = 64;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for_each_word(line, [&](std::string_view word) { words.push_back(word); });
  return words;
}

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
  snapshot_ = std::move(first);
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
  return snapshot_;
}

LiveChange LiveIndex::addition(uint64_t stable_id, std::string_view source, std::string_view target,
                               std::string_view written, std::string_view links) {
  LiveChange change{false, stable_id, std::string(source), std::string(target), std::string(written), {}};
  const auto count = [](std::string_view line) {
    size_t words = 0;
    for_each_word(line, [&](std::string_view) { ++words; });
    return words;
  };
  const size_t source_words = count(source), target_words = count(target);
  if (source_words == 0 || target_words == 0) throw InputError(0, "a pair to add needs words on both sides");
  if (std::max(source_words, target_words) > IndexedBitext::max_sentence_length)
    throw InputError(
        0, "a sentence may have at most " + std::to_string(IndexedBitext::max_sentence_length) + " words; split it");
  parse_links(links, 0, source_words, target_words, change.links);
  if (change.links.size() > IndexedBitext::max_links)
    throw InputError(0, "a pair may have at most " + std::to_string(IndexedBitext::max_links) + " links");
  if (stable_id >> 57) throw InputError(0, "the id of a pair must be below 2^57");
  return change;
}

IndexedPair LiveIndex::encode(const LiveChange& change, uint64_t version) {
  IndexedPair pair{change.stable_id, {}, {}, change.links};
  auto ids = [](std::string_view line, const Vocabulary& words, WordOverlay& overlay, std::vector<WordId>& found) {
    for_each_word(line, [&](std::string_view word) {
      const WordId own = words.find(word);
      found.push_back(own != Vocabulary::unknown ? own : words.size() + overlay.add(word));
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
    target_overlay_->set_form(pair.target[i] - own, sure || !only_first ? form : lower, sure, version);
  }
}

bool LiveIndex::drop(uint64_t stable_id, const Snapshot& now, Removals& removals) {
  if (const auto found = newest_places_.find(stable_id); found != newest_places_.end()) {
    const size_t place = found->second;
    newest_places_.erase(found);
    if (place + 1 != newest_.size()) {
      newest_[place] = std::move(newest_.back());
      newest_places_[newest_[place].stable_id] = place;
    }
    newest_.pop_back();
    return true;
  }
  // In all segments but the newest, which the snapshot may still show as it was.
  const uint32_t segments = static_cast<uint32_t>(sealed_.size()) + 1;
  for (uint32_t segment = segments; segment-- > 0;) {
    const auto number = now.bitext(segment).find_sentence(stable_id);
    if (!number || now.part(segment).removed(*number)) continue;
    const SentencePlace place = Snapshot::place_of(segment, *number);
    if (!removals.places.insert(place).second) continue;
    removals.by_segment[segment].push_back({*number, now.weight_of(place)});
    return true;
  }
  return false;
}

std::shared_ptr<const Tombstones> LiveIndex::with(const std::shared_ptr<const Tombstones>& before,
                                                  const IndexedBitext& bitext,
                                                  std::span<const Tombstones::Removal> removals) {
  return removals.empty() ? before : std::make_shared<const Tombstones>(before.get(), bitext, removals);
}

uint64_t LiveIndex::apply(std::span<const LiveChange> changes) {
  if (changes.empty()) return 0;
  std::unique_lock lock(mutex_);
  while (sealed_.size() > most_sealed) {
    const auto place = mergeable();
    merge_at(place ? *place : sealed_.size() - 2, lock);
  }
  const uint64_t version = snapshot_->version_ + 1;
  Removals removals;
  removals.by_segment.resize(sealed_.size() + 1);
  uint64_t dropped = 0;
  for (const LiveChange& change : changes) {
    dropped += drop(change.stable_id, *snapshot_, removals);
    if (change.removal) continue;
    newest_places_[change.stable_id] = newest_.size();
    newest_.push_back(encode(change, version));
  }
  base_tombstones_ = with(base_tombstones_, index_->bitext, removals.by_segment[0]);
  for (size_t i = 0; i < sealed_.size(); ++i)
    sealed_[i].tombstones = with(sealed_[i].tombstones, sealed_[i].segment->bitext, removals.by_segment[i + 1]);
  std::shared_ptr<const Segment> newest;
  if (!newest_.empty()) {
    std::vector<IndexedPair> pairs = newest_;
    newest = build_segment(pairs, index_->source_words.size() + source_overlay_->size(),
                           index_->target_words.size() + target_overlay_->size(), index_->bitext.seed());
  }
  if (newest_.size() >= options_.newest_pairs) {
    sealed_.push_back({std::move(newest), nullptr});
    newest = nullptr;
    newest_.clear();
    newest_places_.clear();
  }
  publish(std::move(newest), version);
  if (mergeable()) start_merging(lock);
  return dropped;
}

void LiveIndex::publish(std::shared_ptr<const Segment> newest, uint64_t version) {
  auto next = std::make_shared<Snapshot>(*snapshot_);
  next->version_ = version;
  next->source_words_ = index_->source_words.extended(source_overlay_, source_overlay_->size(), version);
  next->target_words_ = index_->target_words.extended(target_overlay_, target_overlay_->size(), version);
  next->parts_.clear();
  next->parts_.push_back({&index_->bitext, nullptr, base_tombstones_});
  for (const Sealed& each : sealed_) next->parts_.push_back({&each.segment->bitext, each.segment, each.tombstones});
  newest_segment_ = std::move(newest);
  if (newest_segment_) next->parts_.push_back({&newest_segment_->bitext, newest_segment_, nullptr});
  snapshot_ = std::move(next);
}

std::optional<size_t> LiveIndex::mergeable() const {
  for (size_t place = sealed_.size(); place-- > 1;)
    if (sealed_[place - 1].segment->bitext.sentences() <= 2 * sealed_[place].segment->bitext.sentences())
      return place - 1;
  return std::nullopt;
}

// Segments at the place and after it become one; the lock is given up while it is built.
void LiveIndex::merge_at(size_t place, std::unique_lock<std::mutex>& lock) {
  // Only one merge at a time, or places would move under it.
  while (merging_) {
    settled_.wait(lock);
    if (place + 1 >= sealed_.size()) return;
  }
  merging_ = true;
  const Sealed first = sealed_[place], second = sealed_[place + 1];
  const WordId source_words = index_->source_words.size() + source_overlay_->size();
  const WordId target_words = index_->target_words.size() + target_overlay_->size();
  lock.unlock();
  std::shared_ptr<const Segment> merged;
  try {
    std::vector<IndexedPair> pairs;
    for (const Sealed& each : {first, second})
      for (uint64_t sentence = 0; sentence < each.segment->bitext.sentences(); ++sentence)
        if (!each.tombstones || !each.tombstones->has(sentence))
          pairs.push_back(read_pair(each.segment->bitext, sentence));
    if (!pairs.empty()) merged = build_segment(pairs, source_words, target_words, index_->bitext.seed());
  } catch (...) {
    lock.lock();
    merging_ = false;
    settled_.notify_all();
    throw;
  }
  lock.lock();
  // What was removed meanwhile is removed from the merged segment too. Only this function moves places.
  Sealed made{merged, nullptr};
  std::vector<Tombstones::Removal> removals;
  for (const auto& [before, now] : {std::pair{&first, &sealed_[place]}, std::pair{&second, &sealed_[place + 1]}}) {
    if (!now->tombstones || now->tombstones == before->tombstones) continue;
    for (uint64_t sentence : now->tombstones->sentences()) {
      if (before->tombstones && before->tombstones->has(sentence)) continue;
      const uint64_t id = now->segment->bitext.stable_id(sentence);
      removals.push_back({*merged->bitext.find_sentence(id), options_.correction_weight});
    }
  }
  sealed_.erase(sealed_.begin() + static_cast<ptrdiff_t>(place) + 1);
  if (merged) {
    made.tombstones = with(nullptr, merged->bitext, removals);
    sealed_[place] = std::move(made);
  } else {
    sealed_.erase(sealed_.begin() + static_cast<ptrdiff_t>(place));
  }
  publish(newest_segment_, snapshot_->version_);
  merging_ = false;
  settled_.notify_all();
}

void LiveIndex::start_merging(std::unique_lock<std::mutex>& lock) {
  if (!options_.background) {
    while (const auto place = mergeable()) merge_at(*place, lock);
    return;
  }
  if (!thread_.joinable()) {
    owner_ = process_id();
    thread_ = std::thread([this] { merge_forever(); });
  }
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
      return;
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

}  // namespace dragoman
