#include "rules/workspace.h"

#include <algorithm>

namespace dragoman::rules {

Workspace::Workspace(std::shared_ptr<const Snapshot> snapshot, const Workspace* before)
    : snapshot_(std::move(snapshot)) {
  for (uint32_t segment = 0; segment < snapshot_->segments(); ++segment) {
    const IndexedBitext& bitext = snapshot_->bitext(segment);
    std::shared_ptr<const Front> front;
    if (before)
      for (const auto& known : before->fronts_)
        if (&known->bitext() == &bitext) front = known;
    fronts_.push_back(front ? std::move(front) : std::make_shared<const Front>(bitext));
  }
}

std::shared_ptr<RuleCache> Workspace::cache(const ExtractOptions& options) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<RuleCache>& cache = caches_[options];
  if (!cache) cache = std::make_shared<RuleCache>(*snapshot_, options);
  return cache;
}

}  // namespace dragoman::rules
