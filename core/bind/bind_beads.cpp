// Sentence pairs of two documents: each side as tokens, lengths and paragraphs; beads out.
#include <nanobind/stl/tuple.h>

#include "align/alignment_model.h"
#include "align/bead_search.h"
#include "base/errors.h"
#include "bind/bind.h"
#include "bind/options.h"
#include "text/id_text.h"

namespace dragoman::bind {
namespace {

using namespace align;

using BeadTuple = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, float>;

constexpr Option<BeadSearchOptions> bead_table[] = {
    option<&BeadSearchOptions::reach>("reach"),
    option<&BeadSearchOptions::length_ratio>("length_ratio"),
    option<&BeadSearchOptions::max_band_cells>("max_band_cells"),
};

DocumentSide document_side(const IdText& text, const std::vector<uint32_t>& characters,
                           const std::vector<uint32_t>& paragraphs) {
  if (characters.size() != text.sentences()) throw InputError(0, "there must be one length for each sentence");
  if (text.sentences() >= UINT32_MAX) throw InputError(0, "the document has too many sentences; split it");
  DocumentSide side{read_side(text), characters, std::vector<uint8_t>(characters.size(), 0)};
  for (uint32_t first : paragraphs) {
    if (first >= side.opens.size()) throw InputError(0, "a paragraph begins after the last sentence");
    side.opens[first] = 1;
  }
  return side;
}

nb::list bead_list(const std::vector<Bead>& beads) {
  nb::list tuples;
  for (const Bead& bead : beads)
    tuples.append(nb::make_tuple(bead.source.begin, bead.source.end, bead.target.begin, bead.target.end, bead.quality));
  return tuples;
}

}  // namespace

void register_beads(nb::module_& module) {
  nb::class_<DocumentPair>(module, "DocumentPair", "Two documents that are translations of each other.")
      .def(
          "__init__",
          [](DocumentPair* self, const IdText& source, const IdText& target,
             const std::vector<uint32_t>& source_characters, const std::vector<uint32_t>& target_characters,
             const std::vector<uint32_t>& source_paragraphs, const std::vector<uint32_t>& target_paragraphs) {
            new (self) DocumentPair{document_side(source, source_characters, source_paragraphs),
                                    document_side(target, target_characters, target_paragraphs)};
          },
          nb::arg("source"), nb::arg("target"), nb::arg("source_characters"), nb::arg("target_characters"),
          nb::arg("source_paragraphs"), nb::arg("target_paragraphs"))
      .def(
          "beads",
          [](const DocumentPair& pair, const AlignmentModel* lexicon, const std::vector<BeadTuple>& earlier,
             const nb::dict& options, nb::object progress) {
            const auto search = read_options(options, bead_table, "pairing documents");
            Monitor monitor = make_monitor(std::move(progress));
            std::vector<Bead> known, beads;
            for (const auto& [source_begin, source_end, target_begin, target_end, quality] : earlier)
              known.push_back({{source_begin, source_end}, {target_begin, target_end}, quality});
            {
              nb::gil_scoped_release release;
              beads = find_beads(pair, lexicon, known, search, monitor);
            }
            return bead_list(beads);
          },
          nb::arg("lexicon").none(), nb::arg("earlier"), nb::arg("options"), nb::arg("progress") = nb::none(),
          "The most probable beads, in order: sentences [begin, end) of each side, and how probable the bead is.");
}

}  // namespace dragoman::bind
