// Rules by the memories that apply: those of the latest choices are kept, because requests of the same kind come again,
// and what extraction remembers from sentence to sentence belongs to one choice. Shared by threads.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "base/namespaces.h"
#include "index/memories.h"
#include "index/snapshot.h"
#include "search/rule_source.h"

namespace dragoman::search {

class ChoiceCache {
 public:
  using Rules = std::shared_ptr<const RuleSource>;

  // The rules of a snapshot in which these memories apply; `make` makes those of a view.
  Rules rules(const std::shared_ptr<const Snapshot>& snapshot, const MemoryChoice& choice,
              const std::function<Rules(std::shared_ptr<const Snapshot> view)>& make);

 private:
  // As many choices as a server meets at a time; each keeps a rule cache of its own.
  static constexpr size_t most = 8;

  struct Entry {
    std::shared_ptr<const Snapshot> snapshot, view;
    MemoryChoice choice;
    Rules rules;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;  // the latest first
};

}  // namespace dragoman::search
