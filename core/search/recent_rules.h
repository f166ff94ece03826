// The rules of the sentences that were completed last: somebody who types asks again with every key, and nothing but
// the typed text differs.
#pragma once

#include <memory>
#include <mutex>

#include "base/namespaces.h"
#include "search/remembered_rules.h"

namespace dragoman::search {

class RecentRules {
 public:
  // The same rules, remembered from sentence to sentence as long as the source stays the same. All are forgotten when
  // their memory is full; whoever uses them keeps what it was given.
  std::shared_ptr<const RuleSource> of(const std::shared_ptr<const RuleSource>& source) {
    std::lock_guard lock(mutex_);
    if (source_ != source || remembered_->full()) remembered_ = std::make_shared<RememberedRules>(source, most_bytes);
    source_ = source;
    return remembered_;
  }

 private:
  // Some dozens of sentences.
  static constexpr size_t most_bytes = 1 << 20;

  std::mutex mutex_;
  std::shared_ptr<const RuleSource> source_;
  std::shared_ptr<const RememberedRules> remembered_;
};

}  // namespace dragoman::search
