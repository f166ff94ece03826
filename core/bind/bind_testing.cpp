// What only tests and benchmarks ask of the core: `_core.testing`.
#include "base/container.h"
#include "base/cpu.h"
#include "base/errors.h"
#include "base/inflate.h"
#include "bind/bind.h"
#include "bind/results.h"
#include "bind/testing.h"
#include "index/suffix_array.h"
#include "rules/grammar_text.h"
#include "text/splitter.h"
#include "text/tokenizer.h"
#include "text/unicode.h"

namespace dragoman::bind {
namespace {

// Against Python's unicodedata: (category, script, space, lower, upper, class) of every code point.
nb::list character_table() {
  nb::list rows;
  for (char32_t c = 0; c < 0x110000; ++c)
    rows.append(nb::make_tuple(static_cast<int>(category(c)), static_cast<int>(script(c)), is_space(c),
                               static_cast<uint32_t>(to_lower(c)), static_cast<uint32_t>(to_upper(c)),
                               static_cast<int>(combining_class(c))));
  return rows;
}

nb::dict read_container(const nb::bytes& data, const std::string& kind, bool trust) {
  const auto bytes = std::as_bytes(std::span(view(data)));
  const Container container = Container::parse(Buffer::own({bytes.begin(), bytes.end()}), kind, trust_of(trust));
  nb::dict sections;
  for (const Section& section : container.sections()) sections[section.name.c_str()] = to_bytes(section.bytes);
  return sections;
}

void write_container(const std::string& path, const std::string& kind, const nb::dict& sections) {
  ContainerWriter writer(kind);
  std::vector<nb::bytes> kept;  // the dict may change while the GIL is away
  for (auto [name, content] : sections) {
    kept.push_back(nb::cast<nb::bytes>(content));
    writer.add(nb::cast<std::string>(name), std::as_bytes(std::span(view(kept.back()))));
  }
  nb::gil_scoped_release release;
  writer.write(path);
}

nb::bytes inflate_bytes(const nb::bytes& data, uint64_t size, const nb::bytes& dictionary) {
  const auto known = std::as_bytes(std::span(view(dictionary)));
  std::vector<std::byte> out(known.begin(), known.end());
  out.resize(known.size() + size);
  if (!inflate(std::as_bytes(std::span(view(data))), out, known.size()))
    throw InputError(0, "these bytes are no DEFLATE stream of that size");
  return to_bytes(std::span(out).subspan(known.size()));
}

std::vector<int64_t> sorted_suffixes(const std::vector<uint32_t>& text, uint32_t alphabet, bool wide) {
  for (uint32_t symbol : text)
    if (symbol >= alphabet) throw ConfigError("alphabet", "must be larger than every symbol");
  if (wide) return suffix_array<int64_t>(text, alphabet);
  const auto narrow = suffix_array<int32_t>(text, alphabet);
  return {narrow.begin(), narrow.end()};
}

// A string of what a function appends.
template <auto append>
std::string appended(std::string_view text) {
  std::string out;
  append(out, text);
  return out;
}

nb::list span_pairs(std::span<const TextSpan> spans) {
  nb::list pairs;
  for (const TextSpan& span : spans) pairs.append(nb::make_tuple(span.begin, span.end));
  return pairs;
}

nb::list spans_of_tokens(const Tokenizer& tokenizer, std::string_view line, bool bytes) {
  std::vector<Token> tokens;
  tokenizer.tokenize(line, tokens);
  std::vector<TextSpan> spans;
  for (const Token& token : tokens) spans.push_back({token.begin, token.end});
  return bytes ? span_pairs(spans) : characters_of(line, spans);
}

nb::list spans_of_sentences(const SentenceSplitter& splitter, const nb::bytes& text,
                            const std::vector<std::pair<uint64_t, uint64_t>>& protect) {
  std::vector<TextSpan> kept;
  for (auto [begin, end] : protect) {
    if (end < begin || (!kept.empty() && begin < kept.back().end))
      throw ConfigError("protected", "the spans must be in order and must not overlap");
    kept.push_back({begin, end});
  }
  return span_pairs(splitter.split(view(text), kept));
}

}  // namespace

void register_testing(nb::module_& core) {
  nb::module_ module = core.def_submodule("testing", "What only tests and benchmarks ask of the core.");
  module.def(
      "kernel_level", [] { return std::string(kernel_level_name(best_kernel_level())); },
      "Name of the instruction set the hot loops use on this processor.");
  module.def("read_container", &read_container, nb::arg("data"), nb::arg("kind"), nb::arg("trust") = false,
             "The sections of a container held in memory.");
  module.def("write_container", &write_container, nb::arg("path"), nb::arg("kind"), nb::arg("sections"),
             "Writes a .bin file, whole or not at all.");
  module.def("inflate", &inflate_bytes, nb::arg("data"), nb::arg("size"), nb::arg("dictionary") = nb::bytes("", 0),
             "Decompresses raw DEFLATE to exactly `size` bytes.");
  module.def("unicode_version", [] { return std::string(unicode_version()); });
  module.def("character_table", &character_table, "Rows (category, script, space, lower, upper, combining class).");
  module.def("nfc", &appended<append_nfc>, nb::arg("text"), "Normalization form C.");
  module.def("suffix_array", &sorted_suffixes, nb::arg("text"), nb::arg("alphabet"), nb::arg("wide") = false,
             "Suffix array of a list of integers.");
  module.def("escape_word", &appended<append_rule_word>, nb::arg("word"));
  module.def("unescape_word", [](std::string_view word) { return read_rule_word(word); }, nb::arg("word"));
  module.def("token_spans", &spans_of_tokens, nb::arg("tokenizer"), nb::arg("line"), nb::kw_only(),
             nb::arg("bytes") = false, "(begin, end) of every token; in characters, or in bytes of UTF-8.");
  module.def("sentence_spans", &spans_of_sentences, nb::arg("splitter"), nb::arg("text"),
             nb::arg("protected") = std::vector<std::pair<uint64_t, uint64_t>>(),
             "(begin, end) of every sentence, in bytes; no boundary falls inside a protected span.");
  register_testing_casing(module);
  register_testing_spacing(module);
  register_testing_models(module);
  register_testing_decoder(module);
  register_testing_limits(module);
  register_testing_training(module);
  register_testing_words(module);
}

}  // namespace dragoman::bind
