// Casing by itself, in `_core.testing`: learned from token lines, applied to batches of token lines.
#include "base/parallel.h"
#include "bind/corpus_arguments.h"
#include "bind/testing.h"
#include "text/case_restorer.h"
#include "text/case_trainer.h"
#include "text/casing.h"
#include "text/lines.h"

namespace dragoman::bind {
namespace {

constexpr const char* kind = "casing";
constexpr const char* words_prefix = "words";
constexpr const char* case_prefix = "case";

using Lines = std::vector<std::string>;

std::string joined(const std::vector<std::string>& tokens) {
  std::string line;
  for (const std::string& token : tokens) {
    if (!line.empty()) line += ' ';
    line += token;
  }
  return line;
}

// transform(i) for every line, without the GIL.
template <class Transform>
Lines transformed_lines(size_t count, Transform&& transform) {
  Monitor monitor = make_monitor(nb::none());
  Lines lines(count);
  nb::gil_scoped_release release;
  for (size_t i = 0; i < count; ++i) {
    if (i % poll_every == poll_every - 1) monitor.poll();
    lines[i] = transform(i);
  }
  return lines;
}

Casing learn(const nb::object& text, const std::string& language, bool skip_headings, size_t threads,
             nb::object progress, const nb::object& source, const nb::object& links, const Casing* source_casing) {
  Monitor monitor = make_monitor(std::move(progress));
  const IdText written = text_argument(text);
  const SourceArgument other(source, links, written);
  nb::gil_scoped_release release;
  const CaseCounts counts = count_cases(written, {skip_headings}, threads ? threads : default_threads(), monitor);
  monitor.poll();
  Casing casing = Casing::build(Vocabulary::build(counts.word_counts()), counts, dotted_i_of(language));
  casing.set_model(learn_case_model(casing, LinkedText(written, other.get()), source_casing, monitor));
  return casing;
}

void save(const Casing& self, const std::string& path) {
  nb::gil_scoped_release release;
  ContainerWriter writer(kind);
  self.vocabulary().add_to(writer, words_prefix);
  self.add_to(writer, case_prefix);
  writer.write(path);
}

Casing open(const std::string& path, bool trust) {
  nb::gil_scoped_release release;
  const Container container = Container::open(path, kind, trust_of(trust));
  return Casing::open(container, case_prefix, Vocabulary::open(container, words_prefix));
}

Lines restore(const Casing& self, const Lines& target, const std::vector<Links>& links, const Lines& source,
              const Casing* source_casing) {
  require_equal_lines(source.size(), target.size(), links.size());
  const CaseRestorer restorer(self, source_casing);
  return transformed_lines(target.size(), [&](size_t i) {
    return joined(restorer.restore(words_of(target[i]), links[i], words_of(source[i])));
  });
}

}  // namespace

void register_testing_casing(nb::module_& module) {
  nb::class_<Casing>(module, "Casing",
                     "The commonest written form of every word of a corpus, and where it takes another.")
      .def_static("learn", &learn, nb::arg("text"), nb::arg("language") = "", nb::arg("skip_headings") = true,
                  nb::arg("threads") = 0, nb::arg("progress") = nb::none(), nb::arg("source") = nb::none(),
                  nb::arg("links") = nb::none(), nb::arg("source_casing").none() = nb::none(),
                  "Learns from token lines as written, and from those of the source with links, if there are any.")
      .def_static("open", &open, nb::arg("path"), nb::arg("trust") = false)
      .def("save", &save, nb::arg("path"))
      .def(
          "forms",
          [](const Casing& self, const Lines& words) {
            return transformed_lines(words.size(), [&](size_t i) {
              std::string form;
              self.append_form(form, self.find(words[i], words[i]), words[i]);
              return form;
            });
          },
          nb::arg("words"), "The written form of each model form.")
      .def(
          "truecase",
          [](const Casing& self, const Lines& lines) {
            return transformed_lines(lines.size(),
                                     [&](size_t i) { return joined(truecase(self, words_of(lines[i]))); });
          },
          nb::arg("lines"), "Gives the first word of every sentence its commonest form.")
      .def("restore", &restore, nb::arg("target"), nb::arg("links"), nb::arg("source"),
           nb::arg("source_casing").none() = nb::none(),
           "Written tokens from model tokens, links (source, target) and the source's written tokens.");
  module.def(
      "lowercase",
      [](const Lines& lines) {
        return transformed_lines(lines.size(), [&](size_t i) {
          std::vector<std::string> lowered;
          for (std::string_view whole : words_of(lines[i])) {
            const BareToken token = take_marks(whole);
            lowered.emplace_back(token.before);
            append_word_form(lowered.back(), token.word);
            lowered.back() += token.after;
          }
          return joined(lowered);
        });
      },
      nb::arg("lines"), "The model form of every token.");
}

}  // namespace dragoman::bind
