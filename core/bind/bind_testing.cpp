// What only tests and benchmarks ask of the core: `_core.testing`.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "base/container.h"
#include "base/cpu.h"
#include "base/errors.h"
#include "base/inflate.h"
#include "bind/bind.h"
#include "bind/results.h"
#include "index/suffix_array.h"
#include "rules/grammar_text.h"
#include "search/bitext_rules.h"
#include "search/decoder.h"
#include "search/forced.h"
#include "search/grammar_file.h"
#include "text/unicode.h"
#include "translate/open_model.h"

namespace dragoman::bind {
namespace {

using namespace search;

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

std::vector<int32_t> sorted_suffixes(const std::vector<uint32_t>& text, uint32_t alphabet) {
  for (uint32_t symbol : text)
    if (symbol >= alphabet) throw ConfigError("alphabet", "must be larger than every symbol");
  return suffix_array<int32_t>(text, alphabet);
}

// A string of what a function appends.
template <auto append>
std::string appended(std::string_view text) {
  std::string out;
  append(out, text);
  return out;
}

// A token is a string, or a pair of a string and the translations it may have, each a list of strings.
SourceSentence sentence_of(const nb::handle& tokens) {
  SourceSentence sentence;
  for (nb::handle token : tokens) {
    if (nb::isinstance<nb::str>(token)) {
      sentence.tokens.push_back({nb::cast<std::string>(token), {}});
    } else {
      auto [text, translations] = nb::cast<std::pair<std::string, std::vector<std::vector<std::string>>>>(token);
      sentence.tokens.push_back({std::move(text), std::move(translations)});
    }
  }
  return sentence;
}

nb::list decode_sentences(const Decoder& decoder, const nb::list& sentences, const nb::dict& options,
                          const nb::list& walls, const nb::list& zones, size_t threads, nb::object progress) {
  const DecodeRequest request = translate_request(options).decode;
  std::vector<SourceSentence> sources;
  for (nb::handle each : sentences) sources.push_back(sentence_of(each));
  for (size_t i = 0; i < walls.size() && i < sources.size(); ++i)
    for (uint32_t position : nb::cast<std::vector<uint32_t>>(walls[i]))
      sources[i].constraints.walls.push_back({position});
  for (size_t i = 0; i < zones.size() && i < sources.size(); ++i)
    for (auto [begin, end] : nb::cast<std::vector<std::pair<uint32_t, uint32_t>>>(zones[i])) {
      if (begin >= end || end > sources[i].tokens.size())
        throw InputError(i + 1, "a zone must be a span of the sentence");
      sources[i].constraints.zones.push_back({begin, end});
    }
  Monitor monitor = make_monitor(std::move(progress));
  std::vector<DecodedSentence> results;
  {
    nb::gil_scoped_release release;
    results = decoder.decode_all(sources, request, threads, monitor);
  }
  nb::list made;
  for (const DecodedSentence& each : results) made.append(sentence_dict(each, decoder.features(), request.explain));
  return made;
}

void register_decoder(nb::module_& module) {
  nb::class_<Decoder>(module, "Decoder", "Searches for the best translations of sentences of words.")
      .def_static(
          "from_grammar",
          [](const nb::bytes& grammar, const Weights& weights, const Models& models) {
            const std::string_view text = view(grammar);
            nb::gil_scoped_release release;
            return std::make_unique<Decoder>(
                std::make_shared<GrammarFile>(text),
                translate::open_language_models(translate::files_in("."), models, Trust::verify_hashes), weights);
          },
          nb::arg("grammar"), nb::arg("weights"), nb::arg("models") = Models(),
          "Rules from a grammar in the interchange format; models are names of features and paths of lm.bin files.")
      .def_static(
          "from_index",
          [](std::shared_ptr<Index> index, const Weights& weights, const Models& models, const std::string& matching) {
            nb::gil_scoped_release release;
            ExtractOptions options;
            options.matching = matching_of(matching);
            return std::make_unique<Decoder>(
                std::make_shared<BitextRules>(std::move(index), options),
                translate::open_language_models(translate::files_in("."), models, Trust::verify_hashes), weights);
          },
          nb::arg("index"), nb::arg("weights"), nb::arg("models") = Models(), nb::arg("matching") = "exact")
      .def("decode", &decode_sentences, nb::arg("sentences"), nb::arg("options"), nb::arg("walls") = nb::list(),
           nb::arg("zones") = nb::list(), nb::arg("threads") = 1, nb::arg("progress") = nb::none())
      .def(
          "force",
          [](const Decoder& self, const nb::list& sentence, const std::vector<std::string>& translation,
             const nb::dict& options) {
            const SourceSentence source = sentence_of(sentence);
            DecodeRequest request = translate_request(options).decode;
            Monitor monitor = make_monitor(nb::none());
            Interrupt interrupt(monitor);
            request.interrupt = &interrupt;
            Forced forced;
            {
              nb::gil_scoped_release release;
              forced = force(self, source, translation, request);
            }
            // Numbers of the features are the same, but for the reference's, which are 0.
            nb::dict made = sentence_dict(forced.decoded, self.features(), request.explain);
            add_obstacles(made, forced);
            return made;
          },
          nb::arg("sentence"), nb::arg("translation"), nb::arg("options"),
          "The best derivations of a given translation, or the words of it that no rule gives.");
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
  module.def("suffix_array", &sorted_suffixes, nb::arg("text"), nb::arg("alphabet"),
             "Suffix array of a list of integers.");
  module.def("escape_word", &appended<append_rule_word>, nb::arg("word"));
  module.def("unescape_word", [](std::string_view word) { return read_rule_word(word); }, nb::arg("word"));
  register_decoder(module);
}

}  // namespace dragoman::bind
