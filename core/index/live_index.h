// An index that learns and forgets while it is in use. Every change makes a new snapshot, which takes the old one's
// place in one step; readers keep the one they have.
//
// Added pairs go to a small newest segment, which is indexed again with every change (some hundred sentences: about a
// millisecond); when it is full it stays as it is, and a thread of this object's own merges segments of similar size
// (the logarithmic method of Bentley and Saxe 1980), so that n pairs lie in O(log n) segments and each is indexed
// O(log n) times. Which segments a pair lies in changes no sample, so nothing shows of when merging happened.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/namespaces.h"
#include "index/snapshot.h"
#include "text/word_overlay.h"

namespace dragoman::index {

struct LiveOptions {
  uint32_t correction_weight = 1;
  uint32_t newest_pairs = 128;  // sentences of the newest segment at most
  bool background = true;       // merge in a thread, else when a segment has filled up
};

// A pair to add, in the model's tokens, or an id to remove.
struct LiveChange {
  bool removal = false;
  uint64_t stable_id = 0;
  std::string source, target;  // space-separated words
  std::string written;         // the target words as they were written, or nothing
  Links links;
  std::string memory = {};  // the name of the one that it belongs to
};

class LiveIndex {
 public:
  LiveIndex(std::shared_ptr<const Index> index, const LiveOptions& options);
  LiveIndex(const LiveIndex&) = delete;
  LiveIndex& operator=(const LiveIndex&) = delete;
  ~LiveIndex();

  std::shared_ptr<const Snapshot> snapshot() const;

  // Throws InputError for a pair that cannot be indexed: no words, too many, links outside.
  static LiveChange addition(uint64_t stable_id, std::string_view source, std::string_view target,
                             std::string_view written, std::string_view links);
  // All changes or none, whatever is thrown; in their order, so that the last of two additions of one id stays. An
  // addition replaces the pair that had its id. Returns how many pairs were removed or replaced.
  uint64_t apply(std::span<const LiveChange> changes);
  // Waits until no segments are left to merge.
  void settle();

 private:
  struct Sealed {
    std::shared_ptr<const Segment> segment;
    std::shared_ptr<const Tombstones> tombstones;
  };
  struct Removals {
    std::vector<std::vector<Tombstones::Removal>> by_segment;
    std::unordered_set<SentencePlace> places;
  };
  // What there is. A change works on a copy, which takes the old state's place when nothing can fail any more.
  struct State {
    std::shared_ptr<const Snapshot> snapshot;
    std::shared_ptr<const Tombstones> base_tombstones;
    std::vector<Sealed> sealed;
    std::vector<IndexedPair> newest;
    std::unordered_map<uint64_t, size_t> newest_places;  // by stable id
    std::shared_ptr<const Segment> newest_segment;
    std::vector<Memory> memories;  // by their numbers
  };

  static std::vector<Memory> first_memories(const IndexedBitext& bitext);
  static MemoryId number_of(const std::string& memory, std::vector<Memory>& memories);
  IndexedPair encode(const LiveChange& change, MemoryId memory, uint64_t version);
  void learn_forms(const LiveChange& change, const IndexedPair& pair, uint64_t version);
  uint64_t change(State& next, std::span<const LiveChange> changes, uint64_t version);
  static bool drop(State& next, uint64_t stable_id, Removals& removals);
  // Makes the snapshot of a state.
  void take_snapshot(State& next, uint64_t version) const;
  // The place of two neighbours that are to be merged.
  std::optional<size_t> mergeable() const;
  void merge_at(size_t place, std::unique_lock<std::mutex>& lock);
  std::shared_ptr<const Segment> merged(std::span<const Sealed> both) const;
  void merge_forever();
  void start_merging(std::unique_lock<std::mutex>& lock);
  static std::shared_ptr<const Tombstones> with(const std::shared_ptr<const Tombstones>& before,
                                                const IndexedBitext& bitext,
                                                std::span<const Tombstones::Removal> removals);

  const LiveOptions options_;
  std::shared_ptr<const Index> index_;
  std::shared_ptr<WordOverlay> source_overlay_, target_overlay_;

  // Everything below is guarded.
  mutable std::mutex mutex_;
  State state_;
  std::condition_variable work_, settled_;
  bool stopping_ = false;
  bool merging_ = false;
  bool gave_up_ = false;  // the thread could not merge, for want of memory
  int owner_ = 0;         // process that made the thread
  std::thread thread_;
};

}  // namespace dragoman::index
