#include "text/duplicates.h"

#include "base/hash.h"

namespace dragoman::text {

CleanRule Duplicates::add(std::string_view source, const SideFacts& source_facts, std::string_view target,
                          const SideFacts& target_facts) {
  if (options_.drop_duplicates || options_.drop_near_duplicates) {
    const bool seen = !pairs_.insert(hash_bytes(target, hash_bytes(source)));
    if (seen && options_.drop_duplicates) return CleanRule::duplicate;
    if (!seen && options_.drop_near_duplicates &&
        !folded_pairs_.insert(folded_key(target_facts, target, folded_key(source_facts, source, 0))))
      return CleanRule::near_duplicate;
  }
  const bool by_source = options_.one_side == OneSide::source || options_.one_side == OneSide::either;
  const bool by_target = options_.one_side == OneSide::target || options_.one_side == OneSide::either;
  const bool source_seen = by_source && !sources_.insert(hash_bytes(source));
  const bool target_seen = by_target && !targets_.insert(hash_bytes(target));
  return source_seen || target_seen ? CleanRule::one_side : CleanRule::kept;
}

}  // namespace dragoman::text
