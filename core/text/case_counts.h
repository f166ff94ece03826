// How often each surface form of a word was seen, in places where its case is its own. Places where any word would have
// a capital are counted apart: the first word of a line and of every sentence in it, and lines that are headings, all
// in capitals or With Most Words Like This. (What follows a colon or a quotation mark is counted with the rest: leaving
// it out lost more names than it gained.) Truecasing goes back to Lita et al. 2003 (tRuEcasIng); the surface form
// chosen is the commonest one.
//
// A word never seen elsewhere, or as often in one form as in another, takes the form of its commonest small or mixed
// use if there is one; else its ending decides: words met both at sentence starts and elsewhere say how often an ending
// of one to four letters belongs to capitalized words (German -ung always, English -ly never), longer endings backed
// off to shorter ones. That share is learned from the same corpus, so German nouns and names keep their capital without
// a list.
//
// Counting is map (count lines of a shard), merge (add), finish (forms); sums do not depend on the order.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/monitor.h"
#include "base/namespaces.h"
#include "text/id_text.h"

namespace dragoman::text {

struct CaseCountOptions {
  bool skip_headings = true;
};

class CaseCounts {
 public:
  explicit CaseCounts(CaseCountOptions options = {}) : options_(options) {}

  // Tokens as written, separated by spaces.
  void count(std::string_view line);
  void add(const CaseCounts& other);

  // Every model form seen and its surface form, sorted by model form.
  std::vector<std::pair<std::string, std::string>> finish() const;
  // Every model form seen and how often, in any place.
  std::vector<std::pair<std::string, uint64_t>> word_counts() const;

 private:
  struct Count {
    uint64_t inside = 0;  // where case is the word's own
    uint64_t apart = 0;   // where any word might have a capital
  };

  CaseCountOptions options_;
  std::unordered_map<std::string, Count, StringHash, std::equal_to<>> counts_;  // by surface form
};

// Counts the lines of a text, as they were written, in a fixed number of shards.
CaseCounts count_cases(const IdText& text, CaseCountOptions options, size_t threads, Monitor& monitor);

}  // namespace dragoman::text
