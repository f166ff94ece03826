// Judges sentence pairs in their order: by what they say, which can be done of any pair anywhere, then by what came
// before.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/namespaces.h"
#include "text/clean_rules.h"
#include "text/duplicates.h"
#include "text/side_facts.h"

namespace dragoman::text {

class PairCleaner {
 public:
  // The seed goes into the source keys, so that another seed orders them anew.
  PairCleaner(const CleanOptions& options, FunctionWords words, const LanguageProfile& source_language,
              const LanguageProfile& target_language, uint64_t key_seed);

  // What a pair says by itself.
  struct Finding {
    CleanRule rule;
    uint64_t source_key;  // folded_key of the source: what a split keeps together
    PairHashes hashes;    // where no rule drops it
  };
  Finding examine(std::string_view source, std::string_view target);
  // The rule that drops the pair after all; what was seen before counts in later calls.
  CleanRule settle(const Finding& finding) {
    return finding.rule == CleanRule::kept ? duplicates_.add(finding.hashes) : finding.rule;
  }

 private:
  CleanOptions options_;
  FunctionWords words_;
  LanguageProfile source_language_, target_language_;
  uint64_t key_seed_;
  Duplicates duplicates_;
  SideFacts source_, target_;  // of the pair at hand
};

}  // namespace dragoman::text
