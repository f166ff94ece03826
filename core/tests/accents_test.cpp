// Words that stand in for words typed without their accents.
#include "text/accents.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/check.h"
#include "text/word_overlay.h"

namespace dragoman::text {
namespace {

TEST(words_that_differ_by_accents_alone) {
  std::string plain;
  append_without_accents(plain, "élève Łódź Ὠ ञि ё");
  CHECK(plain == "eleve Łodz Ω ञि е");
  const std::vector<std::string_view> words = {"eleve", "élève", "été", "étê", "garçon", "cafe"};
  const Vocabulary vocabulary = Vocabulary::from_words(words);
  const AccentVariants variants(vocabulary);
  CHECK(variants.find(vocabulary, "garcon") == "garçon");
  CHECK(variants.find(vocabulary, "ete") == "été");  // the more frequent
  CHECK(variants.find(vocabulary, "éléve") == "élève");
  CHECK(variants.find(vocabulary, "café") == "cafe");
  CHECK(variants.find(vocabulary, "maison").empty());
  // Words that are learned later, seen by those alone that know them.
  auto overlay = std::make_shared<WordOverlay>();
  overlay->add("guérite");
  overlay->add("guèrite");
  const Vocabulary later = vocabulary.extended(overlay, 2, 0);
  CHECK(variants.find(later, "guerite") == "guérite");
  CHECK(variants.find(vocabulary, "guerite").empty());
  CHECK(variants.find(vocabulary.extended(overlay, 1, 0), "guerite") == "guérite");
}

}  // namespace
}  // namespace dragoman::text
