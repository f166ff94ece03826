#include <random>

#include "align/bead_search.h"
#include "align/sentence_band.h"
#include "base/errors.h"
#include "check.h"
#include "text/id_text_builder.h"

using namespace dragoman;
using namespace dragoman::text;
using namespace dragoman::align;

namespace {

// A document of so many sentences with random words, of which each has at least so many.
DocumentSide random_document(uint32_t seed, uint32_t sentences, uint32_t least = 0) {
  std::mt19937 random(seed);
  std::string lines;
  DocumentSide side;
  for (uint32_t n = 0; n < sentences; ++n) {
    const uint32_t words = least + static_cast<uint32_t>(random() % 12);
    for (uint32_t word = 0; word < words; ++word) lines += "w" + std::to_string(random() % 3000) + " ";
    lines += '\n';
    side.characters.push_back(words * 5);
    side.opens.push_back(random() % 4 == 0);
  }
  side.text = read_side(encode_text(lines));
  return side;
}

bool covers(const std::vector<Bead>& beads, const DocumentPair& pair) {
  uint32_t source = 0, target = 0;
  for (const Bead& bead : beads) {
    if (bead.source.begin != source || bead.target.begin != target) return false;
    if (!(bead.quality >= 0 && bead.quality <= 1)) return false;
    source = bead.source.end;
    target = bead.target.end;
  }
  return source == pair.source.size() && target == pair.target.size();
}

}  // namespace

TEST(beads_cover_documents_of_any_sizes) {
  Monitor monitor;
  for (uint32_t sources : {0, 1, 2, 7, 60})
    for (uint32_t targets : {0, 1, 3, 40, 300})
      for (uint32_t reach : {1, 5, 400}) {
        const DocumentPair pair{random_document(sources + 1, sources), random_document(targets + 2, targets)};
        const auto first = find_beads(pair, nullptr, {}, {reach}, monitor);
        CHECK(covers(first, pair));
        CHECK(covers(find_beads(pair, nullptr, first, {reach}, monitor), pair));
        // A band that must stay narrow.
        CHECK(covers(find_beads(pair, nullptr, {}, {reach, 0, 1}, monitor), pair));
      }
}

TEST(a_document_is_its_own_translation) {
  Monitor monitor;
  const DocumentPair pair{random_document(3, 200, 2), random_document(3, 200, 2)};
  for (const Bead& bead : find_beads(pair, nullptr, {}, {}, monitor)) {
    CHECK(bead.source == bead.target);
    CHECK(bead.source.size() == 1);
  }
}

TEST(a_band_widens_to_what_was_left_out) {
  Monitor monitor;
  const DocumentSide whole = random_document(5, 400, 2);
  DocumentSide part = whole;
  // Without the first half, which no narrow band along the diagonal allows for.
  part.characters.erase(part.characters.begin(), part.characters.begin() + 200);
  part.opens.erase(part.opens.begin(), part.opens.begin() + 200);
  part.text.begins.erase(part.text.begins.begin(), part.text.begins.begin() + 200);
  const DocumentPair pair{whole, part};
  uint32_t shifted = 0;
  for (const Bead& bead : find_beads(pair, nullptr, {}, {8}, monitor))
    shifted += bead.source.size() == 1 && bead.target.size() == 1 && bead.source.begin == bead.target.begin + 200;
  CHECK(shifted > 180);
}

TEST(earlier_beads_must_cover_the_documents) {
  Monitor monitor;
  const DocumentPair pair{random_document(1, 2), random_document(2, 2)};
  const std::vector<std::vector<Bead>> wrong = {{{{0, 1}, {0, 1}}},
                                                {{{0, 1}, {0, 1}}, {{0, 1}, {1, 2}}, {{1, 2}, {2, 2}}},
                                                {{{1, 2}, {0, 1}}, {{2, 1}, {1, 2}}},
                                                {{{0, 2}, {0, 0}}, {{2, 2}, {0, 2}}}};
  for (const auto& beads : wrong) CHECK_THROWS(find_beads(pair, nullptr, beads, {}, monitor), InputError);
}
