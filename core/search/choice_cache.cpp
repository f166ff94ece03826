#include "search/choice_cache.h"

#include <algorithm>
#include <utility>

#include "index/memory_view.h"

namespace dragoman::search {

ChoiceCache::Rules ChoiceCache::rules(const std::shared_ptr<const Snapshot>& snapshot, const MemoryChoice& choice,
                                      const std::function<Rules(std::shared_ptr<const Snapshot>)>& make) {
  std::lock_guard lock(mutex_);
  const auto same_choice = [&](const Entry& entry) { return entry.choice == choice; };
  const auto known =
      std::ranges::find_if(entries_, [&](const Entry& e) { return same_choice(e) && e.snapshot == snapshot; });
  if (known != entries_.end()) {
    std::rotate(entries_.begin(), known, known + 1);
    return entries_.front().rules;
  }
  std::vector<std::shared_ptr<const Snapshot>> before;
  for (const Entry& entry : entries_) before.push_back(entry.view);
  const auto view = memory_view(snapshot, choice, before);
  Rules rules = make(view);
  // What an earlier state of the model had of this choice is of no more use.
  std::erase_if(entries_, same_choice);
  entries_.insert(entries_.begin(), {snapshot, view, choice, rules});
  if (entries_.size() > most) entries_.pop_back();
  return rules;
}

}  // namespace dragoman::search
