#include "index/index.h"

#include <filesystem>

namespace dragoman::index {

Index::Index(const Container& vocabulary, const Container& bitext_file, const Container& lexicon_file)
    : source_words(Vocabulary::open(vocabulary, "source")),
      target_words(Vocabulary::open(vocabulary, "target")),
      bitext(bitext_file, source_words.size(), target_words.size()),
      lexicon(lexicon_file) {}

std::shared_ptr<const Index> Index::open(const std::string& directory, Trust trust) {
  const std::filesystem::path path(directory);
  auto file = [&](const char* name) { return (path / name).string(); };
  const Container vocabulary = Container::open(file("vocab.bin"), vocabulary_kind, trust);
  const Container bitext = Container::open(file("bitext.bin"), IndexedBitext::kind, trust);
  const Container lexicon = Container::open(file("lexicon.bin"), Lexicon::kind, trust);
  return std::make_shared<const Index>(vocabulary, bitext, lexicon);
}

}  // namespace dragoman::index
