// Everything rule extraction reads, opened once, immutable, shared by threads without locks.
#pragma once

#include <memory>
#include <string>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "index/lexicon.h"
#include "text/vocabulary.h"

namespace dragoman::index {

struct Index {
  static constexpr std::string_view vocabulary_kind = "vocab";

  Index(const Container& vocabulary, const Container& bitext_file, const Container& lexicon_file);
  // vocab.bin, bitext.bin and lexicon.bin of a model directory.
  static std::shared_ptr<const Index> open(const std::string& directory, Trust trust = Trust::verify_hashes);

  Vocabulary source_words, target_words;
  IndexedBitext bitext;
  Lexicon lexicon;
};

}  // namespace dragoman::index
