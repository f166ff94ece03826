// Limits that a text meets with billions of words, lowered: `_core.testing` has a function for each.
#include "align/bitext.h"
#include "align/training.h"
#include "bind/testing.h"
#include "lm/text_encoder.h"
#include "text/id_text_builder.h"
#include "text/lines.h"
#include "text/word_numbering.h"

namespace dragoman::bind {
namespace {

void align_within(const nb::bytes& source, const nb::bytes& target, uint64_t most_tokens) {
  const align::Bitext bitext = align::read_bitext(encode_text(view(source)), encode_text(view(target)));
  align::TrainingOptions options;
  options.most_tokens = most_tokens;
  Monitor monitor = make_monitor(nb::none());
  align::train(bitext, options, monitor);
}

void encode_within(const nb::bytes& lines, uint64_t most_sentences) {
  IdTextBuilder builder;
  builder.set_most_sentences(most_sentences);
  builder.add(view(lines));
}

void number_within(const nb::bytes& lines, uint32_t most_words) {
  WordNumbering words;
  words.set_most_words(most_words);
  for_each_word(view(lines), [&](std::string_view word) { words.number(word); });
}

void ngrams_within(const nb::bytes& lines, uint64_t most_tokens) {
  lm::TextEncoder text;
  text.set_most_tokens(most_tokens);
  text.add(view(lines));
}

}  // namespace

void register_testing_limits(nb::module_& module) {
  module.def("align_within", &align_within, nb::arg("source"), nb::arg("target"), nb::arg("most_tokens"));
  module.def("encode_within", &encode_within, nb::arg("lines"), nb::arg("most_sentences"));
  module.def("number_within", &number_within, nb::arg("lines"), nb::arg("most_words"));
  module.def("ngrams_within", &ngrams_within, nb::arg("lines"), nb::arg("most_tokens"));
}

}  // namespace dragoman::bind
