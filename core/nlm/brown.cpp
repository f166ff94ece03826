#include "nlm/brown.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"
#include "nlm/bigrams.h"
#include "nlm/team.h"

namespace dragoman::nlm {
namespace {

constexpr uint64_t table_size = uint64_t{1} << 17;
constexpr int64_t no_loss = INT64_MAX;
constexpr uint32_t no_slot = UINT32_MAX;
// Pairs of slots belong to threads by blocks.
constexpr uint32_t slot_block = 32;

using Row = std::vector<uint32_t>;

// Classes live in slots, one more than there will be classes.
class Clustering {
 public:
  Clustering(const BigramCounts& bigrams, uint32_t classes, size_t threads)
      : bigrams_(bigrams),
        slots_((classes / 8 + 1) * 8),
        team_(threads),
        information_(table_size),
        after_(size_t{slots_} * slots_),
        before_(size_t{slots_} * slots_),
        loss_(size_t{slots_} * slots_, no_loss),
        total_(slots_),
        first_place_(slots_),
        root_(slots_),
        smallest_(slots_, no_loss),
        smallest_at_(slots_, no_slot),
        is_changed_(slots_),
        change_(slots_),
        parent_(bigrams.counts.size()),
        slot_of_root_(bigrams.counts.size(), no_slot) {
    for (uint64_t n = 0; n < table_size; ++n) information_[n] = brown_information(n);
    for (uint32_t slot = classes + 1; slot-- > 0;) free_.push_back(slot);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  size_t classes() const { return active_.size(); }
  // A word becomes a class of its own.
  void insert(uint32_t word);
  // Gives the slots of the class that is left and of the one that went into it.
  std::array<uint32_t, 2> merge_cheapest();
  // Numbers classes by their first words and gives the class of every word that was inserted.
  std::vector<int32_t> numbered();
  // Makes one of them all; to be called right after that.
  std::vector<std::array<uint32_t, 2>> merge_all(Monitor& monitor);

 private:
  int64_t f(uint64_t n) const { return n < table_size ? information_[n] : brown_information(n); }
  int64_t h(uint64_t u, uint64_t v) const { return u == 0 || v == 0 ? 0 : f(u) + f(v) - f(u + v); }
  uint32_t* after(uint32_t slot) { return after_.data() + size_t{slot} * slots_; }
  uint32_t* before(uint32_t slot) { return before_.data() + size_t{slot} * slots_; }
  int64_t* losses(uint32_t slot) { return loss_.data() + size_t{slot} * slots_; }
  void set_loss(uint32_t a, uint32_t b, int64_t loss) { losses(a)[b] = losses(b)[a] = loss; }
  bool is_mine(uint32_t a, uint32_t b, size_t thread) const {
    return (a / slot_block + b / slot_block) % team_.size() == thread;
  }
  // What a loss is beside the sums over third classes.
  int64_t own_part(uint64_t aa, uint64_t ab, uint64_t ba, uint64_t bb, uint64_t total_a, uint64_t total_b) const {
    return f(aa) + f(ab) + f(ba) + f(bb) - f(aa + ab + ba + bb) - 2 * h(total_a, total_b);
  }
  uint32_t slot_of(uint32_t word) {
    while (parent_[word] != word) word = parent_[word] = parent_[parent_[word]];
    return slot_of_root_[word];
  }
  void merge(uint32_t kept, uint32_t gone);
  // Adds to change_[b], for a share of the b, what sum over x in `list` of h(now[x], n_b[x]) - h(old[x], n_b[x]) is.
  void add_third(const Row& list, const Row& old, const Row& now, bool following, Interval<size_t> share);
  void update_smallest(uint32_t slot);
  uint32_t neighbours(uint32_t slot);

  const BigramCounts& bigrams_;
  uint32_t slots_;
  Team team_;
  std::vector<int64_t> information_;
  Row after_, before_;  // n_ab by a and b, and by b and a
  std::vector<int64_t> loss_;
  std::vector<uint64_t> total_;
  Row first_place_;                // of its words, in order of frequency
  Row root_;                       // of its words' tree
  std::vector<int64_t> smallest_;  // of its losses, and with whom
  Row smallest_at_;
  Row active_, free_;
  Row changed_;  // slots with losses that changed
  std::vector<uint8_t> is_changed_;
  std::vector<int64_t> change_;
  Row parent_, slot_of_root_;  // by word: words of a class are a tree, whose root knows the slot
  uint32_t next_place_ = 0;
};

void Clustering::add_third(const Row& list, const Row& old, const Row& now, bool following, Interval<size_t> share) {
  for (uint32_t x : list) {
    const uint32_t* row = following ? before(x) : after(x);
    const uint64_t was = old[x], is = now[x];
    const int64_t base = f(is) - f(was);
    for (size_t b = share.begin; b < share.end; ++b)
      if (const uint64_t n = row[b]; n != 0 && b != x) change_[b] += base - f(is + n) + f(was + n);
  }
}

void Clustering::insert(uint32_t word) {
  const uint32_t slot = free_.back();
  free_.pop_back();
  total_[slot] = bigrams_.counts[word];
  first_place_[slot] = next_place_++;
  root_[slot] = word;
  slot_of_root_[word] = slot;
  Row following(slots_), preceding(slots_);
  for (const auto& [other, count] : bigrams_.after.of(word))
    if (const uint32_t at = slot_of(other); at != no_slot) following[at] += count;
  for (const auto& [other, count] : bigrams_.before.of(word))
    if (const uint32_t at = slot_of(other); at != no_slot) preceding[at] += count;
  Row after_list, before_list;
  changed_.clear();
  for (uint32_t x : active_) {
    if (following[x]) after_list.push_back(x);
    if (preceding[x]) before_list.push_back(x);
    is_changed_[x] = following[x] || preceding[x];
    if (is_changed_[x]) changed_.push_back(x);
    after(slot)[x] = before(x)[slot] = following[x];
    before(slot)[x] = after(x)[slot] = preceding[x];
  }
  after(slot)[slot] = before(slot)[slot] = following[slot];
  const Row nothing(slots_);
  std::ranges::fill(change_, 0);
  team_.run([&](size_t thread) {
    // The new class as a third one.
    for (size_t i = 0; i < changed_.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const uint32_t a = changed_[i], b = changed_[j];
        if (is_mine(a, b, thread))
          set_loss(a, b, losses(a)[b] + h(preceding[a], preceding[b]) + h(following[a], following[b]));
      }
    const Interval<size_t> share = shard_range(slots_, team_.size(), thread);
    add_third(after_list, nothing, following, true, share);
    add_third(before_list, nothing, preceding, false, share);
  });
  for (uint32_t b : active_)
    set_loss(slot, b,
             change_[b] + own_part(following[slot], following[b], preceding[b], after(b)[b], total_[slot], total_[b]));
  active_.push_back(slot);
  is_changed_[slot] = 1;
  changed_.push_back(slot);
  update_smallest(slot);
}

uint32_t Clustering::neighbours(uint32_t slot) {
  uint32_t count = 0;
  for (uint32_t x : active_) count += (after(slot)[x] != 0) + (before(slot)[x] != 0);
  return count;
}

std::array<uint32_t, 2> Clustering::merge_cheapest() {
  int64_t least = no_loss;
  for (uint32_t slot : active_) least = std::min(least, smallest_[slot]);
  uint32_t best[2] = {no_slot, no_slot};
  std::pair<uint32_t, uint32_t> best_places{no_slot, no_slot};
  for (uint32_t a : active_) {
    if (smallest_[a] != least) continue;
    for (uint32_t b : active_)
      if (b != a && losses(a)[b] == least) {
        const auto places = std::minmax(first_place_[a], first_place_[b]);
        if (std::pair<uint32_t, uint32_t> pair(places); pair < best_places) {
          best_places = pair;
          best[0] = a;
          best[1] = b;
        }
      }
  }
  // Work goes with the neighbours of the one that goes.
  if (neighbours(best[0]) < neighbours(best[1])) std::swap(best[0], best[1]);
  merge(best[0], best[1]);
  return {best[0], best[1]};
}

void Clustering::merge(uint32_t kept, uint32_t gone) {
  const Row following(after(kept), after(kept) + slots_), preceding(before(kept), before(kept) + slots_);
  const Row more_following(after(gone), after(gone) + slots_), more_preceding(before(gone), before(gone) + slots_);
  Row all_following(slots_), all_preceding(slots_);
  Row after_list, before_list;
  std::erase(active_, gone);
  changed_.clear();
  std::vector<int64_t> gain_following(slots_), gain_preceding(slots_);
  for (uint32_t x : active_) {
    is_changed_[x] = 0;
    if (x == kept) continue;
    all_following[x] = following[x] + more_following[x];
    all_preceding[x] = preceding[x] + more_preceding[x];
    if (more_following[x]) after_list.push_back(x);
    if (more_preceding[x]) before_list.push_back(x);
    is_changed_[x] = more_following[x] || more_preceding[x];
    if (is_changed_[x]) changed_.push_back(x);
    gain_following[x] = f(all_following[x]) - f(following[x]) - f(more_following[x]);
    gain_preceding[x] = f(all_preceding[x]) - f(preceding[x]) - f(more_preceding[x]);
  }
  // h(u + p, v + q) - h(u, v) - h(p, q), of one side of a third class that was two.
  auto joined = [this](const Row& one, const Row& two, const Row& both, const std::vector<int64_t>& gain, uint32_t a,
                       uint32_t b) -> int64_t {
    if (both[a] == 0 || both[b] == 0 || (two[a] == 0 && two[b] == 0)) return 0;
    return gain[a] + gain[b] - f(uint64_t{both[a]} + both[b]) + f(uint64_t{one[a]} + one[b]) +
           f(uint64_t{two[a]} + two[b]);
  };
  std::ranges::fill(change_, 0);
  team_.run([&](size_t thread) {
    for (uint32_t a : changed_)
      for (uint32_t b : active_) {
        if (b == a || b == kept || (is_changed_[b] && b < a) || !is_mine(a, b, thread)) continue;
        const int64_t change = joined(preceding, more_preceding, all_preceding, gain_preceding, a, b) +
                               joined(following, more_following, all_following, gain_following, a, b);
        if (change) set_loss(a, b, losses(a)[b] + change);
      }
    const Interval<size_t> share = shard_range(slots_, team_.size(), thread);
    add_third(after_list, following, all_following, true, share);
    add_third(before_list, preceding, all_preceding, false, share);
  });
  const uint64_t inner = uint64_t{following[kept]} + following[gone] + preceding[gone] + more_following[gone];
  const uint64_t total = total_[kept] + total_[gone];
  for (uint32_t b : active_) {
    if (b == kept) continue;
    const uint64_t bb = after(b)[b];
    const int64_t change = change_[b] - h(following[gone], more_preceding[b]) - h(preceding[gone], more_following[b]) -
                           own_part(following[kept], following[b], preceding[b], bb, total_[kept], total_[b]) +
                           own_part(inner, all_following[b], all_preceding[b], bb, total, total_[b]);
    set_loss(kept, b, losses(kept)[b] + change);
    after(kept)[b] = before(b)[kept] = all_following[b];
    before(kept)[b] = after(b)[kept] = all_preceding[b];
  }
  after(kept)[kept] = before(kept)[kept] = static_cast<uint32_t>(inner);
  for (uint32_t x = 0; x < slots_; ++x) {
    after(gone)[x] = before(gone)[x] = after(x)[gone] = before(x)[gone] = 0;
    losses(gone)[x] = losses(x)[gone] = no_loss;
  }
  total_[kept] = total;
  total_[gone] = 0;
  first_place_[kept] = std::min(first_place_[kept], first_place_[gone]);
  parent_[root_[gone]] = root_[kept];
  free_.push_back(gone);
  is_changed_[kept] = is_changed_[gone] = 1;
  changed_.push_back(kept);
  update_smallest(gone);
  is_changed_[gone] = 0;
}

// Rows that changed are searched again; in the others, only what changed is looked at.
void Clustering::update_smallest(uint32_t gone_or_new) {
  team_.run([&](size_t thread) {
    const Interval<size_t> share = shard_range(active_.size(), team_.size(), thread);
    for (size_t i = share.begin; i < share.end; ++i) {
      const uint32_t slot = active_[i];
      const int64_t* row = losses(slot);
      const uint32_t at = smallest_at_[slot];
      if (is_changed_[slot] || at == no_slot || at == gone_or_new || is_changed_[at]) {
        const int64_t* smallest = std::min_element(row, row + slots_);
        smallest_[slot] = *smallest;
        smallest_at_[slot] = static_cast<uint32_t>(smallest - row);
        continue;
      }
      for (uint32_t other : changed_)
        if (row[other] < smallest_[slot]) {
          smallest_[slot] = row[other];
          smallest_at_[slot] = other;
        }
    }
  });
}

std::vector<int32_t> Clustering::numbered() {
  std::ranges::sort(active_, {}, [&](uint32_t slot) { return first_place_[slot]; });
  std::vector<int32_t> number(slots_, no_class);
  for (size_t i = 0; i < active_.size(); ++i) number[active_[i]] = static_cast<int32_t>(i);
  std::vector<int32_t> class_of_word(parent_.size(), no_class);
  for (uint32_t word = 0; word < class_of_word.size(); ++word)
    if (const uint32_t slot = slot_of(word); slot != no_slot) class_of_word[word] = number[slot];
  return class_of_word;
}

std::vector<std::array<uint32_t, 2>> Clustering::merge_all(Monitor& monitor) {
  std::vector<std::array<uint32_t, 2>> merges;
  std::vector<uint32_t> node(slots_);
  auto next = static_cast<uint32_t>(active_.size());
  for (uint32_t i = 0; i < next; ++i) node[active_[i]] = i;
  while (active_.size() > 1) {
    const auto [kept, gone] = merge_cheapest();
    merges.push_back({node[kept], node[gone]});
    node[kept] = next++;
    if (merges.size() % 32 == 0) monitor.poll();
  }
  return merges;
}

}  // namespace

int64_t brown_information(uint64_t count) {
  if (count < 2) return 0;
  const double n = static_cast<double>(count);
  return std::llround(n * std::log(n) * 1048576.0);
}

namespace {

BrownHierarchy clustered(const std::vector<std::span<const WordId>>& texts, uint32_t size, uint32_t classes,
                         size_t threads, Monitor& monitor, ArrayMemory* scratch, bool merge_on) {
  if (classes < 1 || classes > 20000) throw ConfigError("classes", "must be 1 to 20000");
  if (size < first_real_word) throw ConfigError("size", "must count the reserved words");
  if (threads == 0) threads = default_threads();
  monitor.start(size);
  const BigramCounts bigrams = count_bigrams(texts, size, monitor, array_memory(scratch));
  std::vector<uint32_t> order;
  for (uint32_t word = 0; word < size; ++word)
    if (bigrams.counts[word] > 0) order.push_back(word);
  std::ranges::stable_sort(order, std::greater(), [&](uint32_t word) { return bigrams.counts[word]; });
  classes = std::min(classes, static_cast<uint32_t>(std::max<size_t>(order.size(), 1)));

  Clustering clustering(bigrams, classes, threads);
  uint64_t inserted = 0;
  for (uint32_t word : order) {
    clustering.insert(word);
    if (clustering.classes() > classes) clustering.merge_cheapest();
    monitor.add(1);
    if (++inserted % 32 == 0) monitor.poll();
  }
  BrownHierarchy result;
  result.class_of_word = clustering.numbered();
  result.classes = static_cast<uint32_t>(clustering.classes());
  if (merge_on) result.merges = clustering.merge_all(monitor);
  std::vector<int32_t>& class_of_word = result.class_of_word;
  std::vector<uint64_t> totals(classes);
  for (uint32_t word : order) totals[static_cast<size_t>(class_of_word[word])] += bigrams.counts[word];
  const auto rarest = static_cast<int32_t>(std::ranges::min_element(totals) - totals.begin());
  for (uint32_t word = unknown_word; word < size; ++word)
    if (class_of_word[word] == no_class && word != sentence_begin) class_of_word[word] = rarest;
  return result;
}

}  // namespace

std::vector<int32_t> brown_classes(const std::vector<std::span<const WordId>>& texts, uint32_t size, uint32_t classes,
                                   size_t threads, Monitor& monitor, ArrayMemory* scratch) {
  return clustered(texts, size, classes, threads, monitor, scratch, false).class_of_word;
}

BrownHierarchy brown_hierarchy(const std::vector<std::span<const WordId>>& texts, uint32_t size, uint32_t classes,
                               size_t threads, Monitor& monitor, ArrayMemory* scratch) {
  return clustered(texts, size, classes, threads, monitor, scratch, true);
}

}  // namespace dragoman::nlm
