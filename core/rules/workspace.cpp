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
  if (!before) return;
  std::lock_guard lock(before->mutex_);
  for (const auto& [options, cache] : before->base_caches_)
    if (cache->serves(*snapshot_)) base_caches_[options] = cache;
}

std::shared_ptr<RuleCache> Workspace::cache(const ExtractOptions& options) {
  std::lock_guard lock(mutex_);
  std::shared_ptr<RuleCache>& cache = caches_[options];
  if (!cache) cache = std::make_shared<RuleCache>(*snapshot_, options);
  return cache;
}

std::shared_ptr<BaseCache> Workspace::base_cache(const ExtractOptions& options) {
  if (snapshot_->segments() == 1 || options.matching != Matching::exact || options.rule_cache_bytes == 0)
    return nullptr;
  std::lock_guard lock(mutex_);
  std::shared_ptr<BaseCache>& cache = base_caches_[options];
  if (!cache) cache = std::make_shared<BaseCache>(*snapshot_, options);
  return cache;
}

}  // namespace dragoman::rules
