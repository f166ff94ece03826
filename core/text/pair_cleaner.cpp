#include "text/pair_cleaner.h"

#include <utility>

namespace dragoman::text {

PairCleaner::PairCleaner(const CleanOptions& options, FunctionWords words, const LanguageProfile& source_language,
                         const LanguageProfile& target_language, uint64_t key_seed)
    : options_(options),
      words_(std::move(words)),
      source_language_(source_language),
      target_language_(target_language),
      key_seed_(key_seed),
      duplicates_(options) {}

PairCleaner::Finding PairCleaner::examine(std::string_view source, std::string_view target) {
  const FunctionWords* words = options_.drop_wrong_language ? &words_ : nullptr;
  gather_facts(source, words, source_);
  gather_facts(target, words, target_);
  Finding finding{judge_text(options_, source_, source_language_, target_, target_language_),
                  folded_key(source_, source, key_seed_),
                  {}};
  if (finding.rule == CleanRule::kept) finding.hashes = PairHashes(source, source_, target, target_);
  return finding;
}

}  // namespace dragoman::text
