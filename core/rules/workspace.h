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
#include "rules/base_cache.h"
#include "rules/frequent_lists.h"
#include "rules/front.h"
#include "rules/options.h"
#include "rules/rule_cache.h"

namespace dragoman::rules {

class Workspace {
 public:
  // What is known of segments that an earlier snapshot had too is taken over from its workspace: that of the trained
  // bitext, above all, is dear.
  explicit Workspace(std::shared_ptr<const Snapshot> snapshot, const Workspace* before = nullptr);
  explicit Workspace(std::shared_ptr<const Index> index)
      : Workspace(std::make_shared<const Snapshot>(std::move(index))) {}
  // With the lists that `extend` and `merge` may ask, of the one segment of the snapshot.
  Workspace(std::shared_ptr<const Snapshot> snapshot, std::shared_ptr<const FrequentLists> frequent)
      : Workspace(std::move(snapshot)) {
    frequent_ = std::move(frequent);
  }

  const Snapshot& snapshot() const { return *snapshot_; }
  const Front& front(uint32_t segment) const { return *fronts_[segment]; }
  const FrequentLists* frequent() const { return frequent_.get(); }
  // Of extractors with these options.
  std::shared_ptr<RuleCache> cache(const ExtractOptions& options);
  // None where it would be of no use: of one segment the other cache knows all.
  std::shared_ptr<BaseCache> base_cache(const ExtractOptions& options);

 private:
  const std::shared_ptr<const Snapshot> snapshot_;
  std::vector<std::shared_ptr<const Front>> fronts_;  // by segment
  std::shared_ptr<const FrequentLists> frequent_;
  mutable std::mutex mutex_;
  std::map<ExtractOptions, std::shared_ptr<RuleCache>> caches_;
  std::map<ExtractOptions, std::shared_ptr<BaseCache>> base_caches_;
};

}  // namespace dragoman::rules
