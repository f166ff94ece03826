// A hash table in one flat array, open addressing: what all tables of the core are made of. A Slot says of itself
//   bool used(uint32_t age) const     whether it holds anything
//   uint64_t hash() const             where it belongs when the table grows: the upper bits of a hash choose the place
//   static constexpr size_t load      how many of eight slots may be used
// A slot with a member `age` is used if that is the table's own, so that such a table is cleared in constant time.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/prefetch.h"

namespace dragoman {

// The first place from `at` on where `stop` holds, in a ring of a power of two.
template <class Stop>
size_t probe(size_t at, size_t mask, Stop&& stop) {
  while (!stop(at)) at = (at + 1) & mask;
  return at;
}

template <class Slot>
class ProbeTable {
 public:
  explicit ProbeTable(size_t least = 64) : least_(least) { resize(least); }

  size_t size() const { return size_; }
  size_t slots() const { return slots_.size(); }
  size_t bytes() const { return slots_.capacity() * sizeof(Slot); }
  bool is_full() const { return 8 * (size_ + 1) > Slot::load * slots_.size(); }
  void prefetch(uint64_t hash) const { dragoman::prefetch(&slots_[hash >> shift_]); }

  // nullptr if there is none.
  template <class Same>
  const Slot* find(uint64_t hash, Same&& same) const {
    const Slot& slot = slots_[place(hash, same)];
    return slot.used(age_) ? &slot : nullptr;
  }
  template <class Same>
  Slot* find(uint64_t hash, Same&& same) {
    return const_cast<Slot*>(std::as_const(*this).find(hash, same));
  }
  // The slot, good until the next is added, and whether it is new: then the caller fills it.
  template <class Same>
  std::pair<Slot&, bool> add(uint64_t hash, Same&& same) {
    if (is_full()) grow(2 * slots_.size());
    Slot& slot = slots_[place(hash, same)];
    const bool is_new = !slot.used(age_);
    if (is_new) {
      ++size_;
      if constexpr (ages) slot.age = age_;
    }
    return {slot, is_new};
  }
  // Makes room for so many.
  void reserve(size_t count) {
    if (const size_t needed = std::bit_ceil(8 * count / Slot::load + 1); needed > slots_.size()) grow(needed);
  }
  // A table that was much too large for what it held becomes smaller.
  void clear() {
    if (slots_.size() > least_ && size_ * 16 < slots_.size())
      resize(slots_.size() / 2);
    else if (!ages || ++age_ == 0)
      resize(slots_.size());
    size_ = 0;
  }

 private:
  static constexpr bool ages = requires(Slot slot) { slot.age; };

  template <class Same>
  size_t place(uint64_t hash, Same&& same) const {
    return probe(static_cast<size_t>(hash >> shift_), slots_.size() - 1,
                 [&](size_t at) { return !slots_[at].used(age_) || same(slots_[at]); });
  }
  void resize(size_t count) {
    if (count < slots_.size())
      slots_ = std::vector<Slot>(count);
    else
      slots_.assign(count, Slot{});
    shift_ = 64 - static_cast<uint32_t>(std::countr_zero(count));
    age_ = 1;
  }
  void grow(size_t count) {
    const std::vector<Slot> before = std::move(slots_);
    const uint32_t age = age_;
    resize(count);
    age_ = age;
    for (const Slot& slot : before)
      if (slot.used(age_)) slots_[place(slot.hash(), [](const Slot&) { return false; })] = slot;
  }

  size_t least_;
  std::vector<Slot> slots_;
  size_t size_ = 0;
  uint32_t shift_ = 0;
  uint32_t age_ = 1;
};

}  // namespace dragoman
