// Training text as the ids of a limited vocabulary: the most frequent words keep theirs, the others become <unk>.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lm/text_encoder.h"
#include "nlm/format.h"
#include "text/id_text.h"
#include "text/stored_links.h"

namespace dragoman::nlm {

struct CorpusIds {
  std::vector<std::string> words;         // from id 4 on
  std::vector<uint64_t> counts;           // by id
  Array<WordId> ids;                      // sentences one after another, each between sentence_begin and sentence_end
  std::shared_ptr<ScratchSpace> scratch;  // where they lie; nullptr for memory
};

// Keeps at most `max_words` words (0 for all) that occur at least `min_count` times.
CorpusIds limit_vocabulary(lm::EncodedText text, uint64_t max_words, uint64_t min_count);

// The source position each target word is affiliated with (affiliation.h), sentence after sentence. Throws InputError
// where the texts and links are not those of the same pairs.
std::vector<int32_t> affiliations(const StoredLinks& links, const IdText& source, const IdText& target);

}  // namespace dragoman::nlm
