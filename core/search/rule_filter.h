// Keeps numbers and quotation marks: a rule has the digits of its source on its target side, and as many quotation
// marks, so that none is lost, changed or made up on the way. A short number may become a word, and a word a number,
// where the words are linked.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "rules/rule.h"
#include "search/word_table.h"

namespace dragoman::search {

// How often a word has each digit, of whatever script, and whether it is a quotation mark, as counts that add up.
using Signature = uint64_t;
Signature signature_of(std::string_view word);

class RuleFilter {
 public:
  // Words of the model; those that are learned later are looked at when they come.
  RuleFilter(const Vocabulary& source, const Vocabulary& target);

  // For the rules of one sentence, whose words are these.
  class Bound {
   public:
    Bound(const RuleFilter& filter, const WordTable& source, const WordTable& target)
        : filter_(filter), source_(source), target_(target) {}
    bool allows(const Rule& rule) const;

   private:
    const RuleFilter& filter_;
    const WordTable& source_;
    const WordTable& target_;
  };

 private:
  class Side {
   public:
    explicit Side(const Vocabulary& words);
    Signature of(WordId id, const WordTable& words) const;

   private:
    std::vector<bool> special_;  // by id
    std::unordered_map<WordId, Signature> signatures_;
  };
  Side source_, target_;
};

}  // namespace dragoman::search
