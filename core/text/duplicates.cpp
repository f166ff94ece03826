#include "text/duplicates.h"

#include "base/hash.h"

namespace dragoman::text {

PairHashes::PairHashes(std::string_view source_text, const SideFacts& source_facts, std::string_view target_text,
                       const SideFacts& target_facts)
    : pair(hash_bytes(target_text, hash_bytes(source_text))),
      folded(folded_key(target_facts, target_text, folded_key(source_facts, source_text, 0))),
      source(hash_bytes(source_text)),
      target(hash_bytes(target_text)) {}

CleanRule Duplicates::add(const PairHashes& hashes) {
  if (options_.drop_duplicates || options_.drop_near_duplicates) {
    const bool seen = !pairs_.insert(hashes.pair);
    if (seen && options_.drop_duplicates) return CleanRule::duplicate;
    if (!seen && options_.drop_near_duplicates && !folded_pairs_.insert(hashes.folded))
      return CleanRule::near_duplicate;
  }
  const bool by_source = options_.one_side == OneSide::source || options_.one_side == OneSide::either;
  const bool by_target = options_.one_side == OneSide::target || options_.one_side == OneSide::either;
  const bool source_seen = by_source && !sources_.insert(hashes.source);
  const bool target_seen = by_target && !targets_.insert(hashes.target);
  return source_seen || target_seen ? CleanRule::one_side : CleanRule::kept;
}

}  // namespace dragoman::text
