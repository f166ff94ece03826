// The written forms of a model's words.
#include "base/parallel.h"
#include "bind/corpus_arguments.h"
#include "index/index_casing.h"
#include "index/index_spacing.h"
#include "text/case_model.h"
#include "text/linked_text.h"
#include "text/spacing_model.h"

namespace dragoman::bind {

void register_casing(nb::module_& module) {
  module.def(
      "add_casing",
      [](const std::string& path, const std::string& side, const nb::object& written, const std::string& language,
         size_t threads, nb::object progress, const nb::object& source, const nb::object& links) {
        Monitor monitor = make_monitor(std::move(progress));
        const IdText text = text_argument(written);
        const SourceArgument other(source, links, text);
        nb::gil_scoped_release release;
        add_casing(path, side, text, other.get(), language, threads ? threads : default_threads(), monitor);
      },
      nb::arg("path"), nb::arg("side"), nb::arg("written"), nb::arg("language"), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none(), nb::arg("source") = nb::none(), nb::arg("links") = nb::none(),
      "Puts the written forms of one side's words into vocab.bin; the target's case is learned with source and links.");
  module.def(
      "add_spacing",
      [](const std::string& path, const nb::object& written, const std::string& target_language,
         const nb::object& source, const nb::object& links, const std::string& source_language, nb::object progress) {
        Monitor monitor = make_monitor(std::move(progress));
        const IdText text = text_argument(written);
        const SourceArgument other(source, links, text);
        nb::gil_scoped_release release;
        add_spacing(path, text, target_language, other.get(), source_language, monitor);
      },
      nb::arg("path"), nb::arg("written"), nb::arg("target_language"), nb::arg("source"), nb::arg("links"),
      nb::arg("source_language"), nb::arg("progress") = nb::none(),
      "Puts what the written target and its source show of spaces into vocab.bin.");
  module.def(
      "case_and_spacing_bytes",
      [](uint64_t words) {
        return LinkedText::buckets_for(words) * (sizeof(CaseModel::Weights) + sizeof(SpacingModel::Weights));
      },
      nb::arg("words"), "What vocab.bin keeps of the case and the spaces of a target text of so many words.");
}

}  // namespace dragoman::bind
