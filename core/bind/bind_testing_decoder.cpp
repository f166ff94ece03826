// Decoders of sentences of words, in `_core.testing`: no raw text, and rules from a grammar or an index.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "base/errors.h"
#include "bind/results.h"
#include "bind/testing.h"
#include "rules/options.h"
#include "search/bitext_rules.h"
#include "search/decoder.h"
#include "search/forced.h"
#include "search/grammar_file.h"
#include "translate/open_model.h"

namespace dragoman::bind {
namespace {

using namespace search;

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
  for (nb::handle sentence : sentences) sources.push_back(sentence_of(sentence));
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
  nb::list dicts;
  for (const DecodedSentence& sentence : results)
    dicts.append(sentence_dict(sentence, decoder.features(), request.explain));
  return dicts;
}

}  // namespace

void register_testing_decoder(nb::module_& module) {
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
      .def_static(
          "from_live",
          [](std::shared_ptr<LiveIndex> index, const Weights& weights, const Models& models) {
            nb::gil_scoped_release release;
            auto rules = std::make_shared<LiveRules>(std::move(index), ExtractOptions());
            return std::make_unique<Decoder>(
                std::move(rules),
                translate::open_language_models(translate::files_in("."), models, Trust::verify_hashes), weights);
          },
          nb::arg("index"), nb::arg("weights"), nb::arg("models") = Models())
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
            nb::dict fields = sentence_dict(forced.decoded, self.features(), request.explain);
            add_obstacles(fields, forced);
            return fields;
          },
          nb::arg("sentence"), nb::arg("translation"), nb::arg("options"),
          "The best derivations of a given translation, or the words of it that no rule gives.");
}

}  // namespace dragoman::bind
