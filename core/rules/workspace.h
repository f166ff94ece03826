// What rule extraction makes of a snapshot to be faster, and shares among all extractors of the snapshot: the index
// itself is a view of files and holds nothing of the kind. Several threads may use a workspace; whoever makes
// extractors owns it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/namespaces.h"
#include "index/snapshot.h"
#include "rules/front.h"
#include "rules/options.h"
#include "rules/rule_cache.h"

namespace dragoman::rules {

class Workspace {
 public:
  // The fronts of segments that an earlier snapshot had too are taken over from its workspace: those of the trained
  // bitext, above all, are dear.
  explicit Workspace(std::shared_ptr<const Snapshot> snapshot, const Workspace* before = nullptr);
  explicit Workspace(std::shared_ptr<const Index> index)
      : Workspace(std::make_shared<const Snapshot>(std::move(index))) {}

  const Snapshot& snapshot() const { return *snapshot_; }
  const Front& front(uint32_t segment) const { return *fronts_[segment]; }
  // Of extractors with these options.
  std::shared_ptr<RuleCache> cache(const ExtractOptions& options);

 private:
  const std::shared_ptr<const Snapshot> snapshot_;
  std::vector<std::shared_ptr<const Front>> fronts_;  // by segment
  std::mutex mutex_;
  std::map<ExtractOptions, std::shared_ptr<RuleCache>> caches_;
};

}  // namespace dragoman::rules
