// Sentence splitting: batches of strings in, sentences or byte spans out.
#include "base/choices.h"
#include "base/errors.h"
#include "bind/bind.h"
#include "text/splitter.h"

namespace dragoman::bind {
namespace {

using Pairs = std::vector<std::pair<uint64_t, uint64_t>>;

constexpr Choice<Newlines> newline_choices[] = {
    {"end", Newlines::end_sentences}, {"blank", Newlines::blank_lines_end}, {"space", Newlines::are_spaces}};

std::vector<TextSpan> protected_spans(const Pairs& pairs) {
  std::vector<TextSpan> spans;
  uint64_t last = 0;
  for (auto [begin, end] : pairs) {
    if (begin < last || end < begin) throw ConfigError("protected", "the spans must be in order and must not overlap");
    spans.push_back({begin, end});
    last = end;
  }
  return spans;
}

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
          nb::arg("texts"), "The sentences of each text.")
      .def(
          "spans",
          [](const SentenceSplitter& self, const nb::bytes& text, const Pairs& protect) {
            const std::vector<TextSpan> spans_kept = protected_spans(protect);
            std::vector<TextSpan> spans;
            {
              const std::string_view bytes = view(text);
              nb::gil_scoped_release release;
              spans = self.split(bytes, spans_kept);
            }
            Pairs pairs;
            pairs.reserve(spans.size());
            for (const TextSpan& span : spans) pairs.emplace_back(span.begin, span.end);
            return pairs;
          },
          nb::arg("text"), nb::arg("protected") = Pairs{},
          "Byte spans [begin, end) of the sentences of UTF-8 text; no boundary falls inside a protected span.");
}

}  // namespace dragoman::bind
