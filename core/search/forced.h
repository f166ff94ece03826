// Why, or why not, a translation: its best derivations, or what stands in their way. Words that no rule gives; the
// pieces of it that the rules do give; and which limit of the search would have to be wider, found by trying.
#pragma once

#include <string>
#include <vector>

#include "base/namespaces.h"
#include "search/decoder.h"

namespace dragoman::search {

// A limit and the least value tried with which the translation can be had.
struct Relaxation {
  std::string option;
  std::string value;
};

struct Forced {
  DecodedSentence decoded;
  // Where there are no candidates: the words of the translation that no rule for this sentence gives.
  std::vector<std::string> missing;
  // The translation cut into pieces, the longest first piece first, that parts of the source lead to; words that no
  // part leads to are pieces of their own.
  std::vector<Span> pieces;
  // Words of the translation, from its beginning, that some part of the source leads to. All of them where words of the
  // source would have to be left over.
  uint32_t prefix = 0;
  // Where words are not missing: the limits with which it is possible after all. Empty if none was found.
  std::vector<Relaxation> relaxations;
};

Forced force(const Decoder& decoder, const SourceSentence& sentence, const std::vector<std::string>& translation,
             const DecodeRequest& request);

}  // namespace dragoman::search
