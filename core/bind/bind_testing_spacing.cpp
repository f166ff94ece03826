// Spacing by itself, in `_core.testing`: learned from written text, applied to words.
#include "bind/corpus_arguments.h"
#include "bind/testing.h"
#include "text/lines.h"
#include "text/spacing_restorer.h"
#include "text/spacing_trainer.h"

namespace dragoman::bind {
namespace {

SpacingModel learn_spaces_of(const nb::object& target, const std::string& target_language, const nb::object& source,
                             const nb::object& links, const std::string& source_language) {
  Monitor monitor = make_monitor(nb::none());
  const IdText written = text_argument(target);
  const SourceArgument other(source, links, written);
  const text::Language source_habits(source_language), target_habits(target_language);
  const Spacing source_rules(source_habits), target_rules(target_habits);
  return learn_spacing_model(LinkedText(written, other.get()), target_rules, source_rules, monitor);
}

std::string spaced_words(const SpacingModel& model, const std::string& line, const std::string& target_language,
                         const Links& links, const std::string& written_source, const std::string& source_language) {
  const text::Language source_habits(source_language), target_habits(target_language);
  const Spacing source_rules(source_habits), target_rules(target_habits);
  std::vector<SpacedPiece> pieces;
  for (const std::string_view word : words_of(line)) {
    const uint32_t at = static_cast<uint32_t>(pieces.size());
    pieces.push_back({word, {at, at + 1}});
  }
  const SpacingContext context(target_rules, pieces, links, read_source_spaces(source_rules, words_of(written_source)));
  const auto marks = spacing_marks(target_rules, model, context);
  std::string marked_line;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) marked_line += ' ';
    marked_line += with_marks(marks[i].first, pieces[i].word, marks[i].second);
  }
  return marked_line;
}

}  // namespace

void register_testing_spacing(nb::module_& module) {
  nb::class_<SpacingModel>(module, "SpacingModel", "What a written text and its source show of spaces.")
      .def(nb::init<>())
      .def_static("learn", &learn_spaces_of, nb::arg("target"), nb::arg("target_language"), nb::arg("source"),
                  nb::arg("links"), nb::arg("source_language"))
      .def("spaced", &spaced_words, nb::arg("words"), nb::arg("target_language"), nb::arg("links"), nb::arg("source"),
           nb::arg("source_language"), "The words with the marks by which a tokenizer joins them.");
}

}  // namespace dragoman::bind
