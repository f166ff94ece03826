// Which source spans of the sentences at the front of a bitext may be phrases or gaps of tight rules: two bits for each
// span of up to 15 words, by where it begins and by where it ends. Most sampled matches give no rule, because their
// gaps or all spans around them contradict the links; a few bits tell, without the sentence and its links. Sentences
// lie in sample order, so that most samples come from the front. Four bytes for each word, made once for all threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/match.h"
#include "rules/options.h"
#include "rules/pattern_trie.h"

namespace dragoman::rules {

class FrontSpans {
 public:
  // The widest span that has bits, and the only max_rule_span for which they are right.
  static constexpr uint32_t widest = 15;

  // Of words [0, size) of the source text, where a sentence ends. Throws FormatError if links are damaged.
  FrontSpans(const IndexedBitext& bitext, uint64_t size);

  uint64_t size() const { return size_; }
  // With long phrases the target side of a span may be wider.
  static bool serves(const ExtractOptions& options) {
    return options.tight && options.max_rule_span == widest && !options.long_phrases;
  }
  // Puts the numbers of those matches of a pattern's sample that may give a rule, and of all that do not lie before
  // size(); of patterns for which the options make exceptions, phrases that may be loose, all.
  void find_giving(const PatternNode& pattern, std::span<const Match> sample, const ExtractOptions& options,
                   std::vector<uint32_t>& numbers) const;

 private:
  bool gives(const PatternNode& pattern, Match match, uint32_t wide_enough) const;

  // By position in the text. Bit n - 1: the span of n words that begins, or ends, here fits, which means that it is
  // consistent with the links, its outer words are linked, and its target side is at most `widest` words wide.
  uint64_t size_;
  std::vector<uint16_t> from_, to_;
};

}  // namespace dragoman::rules
