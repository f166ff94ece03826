// Sentence splitting: batches of strings in, sentences out.
#include "base/choices.h"
#include "bind/bind.h"
#include "text/splitter.h"

namespace dragoman::bind {
namespace {

constexpr Choice<Newlines> newline_choices[] = {
    {"end", Newlines::end_sentences}, {"blank", Newlines::blank_lines_end}, {"space", Newlines::are_spaces}};

}  // namespace

void register_splitter(nb::module_& module) {
  nb::class_<SentenceSplitter>(module, "SentenceSplitter", "Cuts text of a language into sentences.")
      .def(
          "__init__",
          [](SentenceSplitter* self, const std::string& language, const std::string& newlines) {
            new (self) SentenceSplitter(language, choose(newline_choices, "newlines", newlines));
          },
          nb::arg("language") = "", nb::arg("newlines") = "end")
      .def(
          "split",
          [](const SentenceSplitter& self, const std::vector<std::string>& texts) {
            Monitor monitor = make_monitor(nb::none());
            std::vector<std::vector<TextSpan>> spans(texts.size());
            {
              nb::gil_scoped_release release;
              for (size_t i = 0; i < texts.size(); ++i) {
                if (i % poll_every == poll_every - 1) monitor.poll();
                spans[i] = self.split(texts[i]);
              }
            }
            nb::list batch;
            for (size_t i = 0; i < texts.size(); ++i) {
              nb::list sentences;
              for (const TextSpan& span : spans[i])
                sentences.append(nb::str(texts[i].data() + span.begin, span.end - span.begin));
              batch.append(std::move(sentences));
            }
            return batch;
          },
          nb::arg("texts"), "The sentences of each text.");
}

}  // namespace dragoman::bind
