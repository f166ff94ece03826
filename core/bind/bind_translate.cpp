// Translators: raw text in, raw text out.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "base/utf8.h"
#include "bind/bind.h"
#include "bind/options.h"
#include "bind/results.h"
#include "search/decoder.h"
#include "translate/complete.h"
#include "translate/open_model.h"
#include "translate/text_job.h"
#include "translate/translate.h"

namespace dragoman::bind {
namespace {

using namespace search;
using namespace translate;

template <auto... members>
constexpr auto decode_option(const char* name) {
  return option<&TranslateRequest::decode, members...>(name);
}
template <auto member>
constexpr auto search_option(const char* name) {
  return decode_option<&DecodeRequest::options, member>(name);
}

constexpr Option<TranslateRequest> request_table[] = {
    option<&TranslateRequest::markup>("markup"),
    option<&TranslateRequest::max_sentence_words>("max_sentence_words"),
    decode_option<&DecodeRequest::algorithm, algorithm_of>("decoder"),
    decode_option<&DecodeRequest::kbest>("kbest"),
    decode_option<&DecodeRequest::distinct>("distinct"),
    decode_option<&DecodeRequest::explain>("explain"),
    decode_option<&DecodeRequest::origins>("origins"),
    decode_option<&DecodeRequest::count_origins>("count_origins"),
    search_option<&DecodeOptions::pop_limit>("pop_limit"),
    search_option<&DecodeOptions::max_span>("max_span"),
    search_option<&DecodeOptions::rules_per_side>("rules_per_side"),
    search_option<&DecodeOptions::distortion_limit>("distortion_limit"),
    search_option<&DecodeOptions::stack_size>("stack_size"),
    search_option<&DecodeOptions::stack_threshold>("stack_threshold"),
    search_option<&DecodeOptions::scratch_bytes>("scratch_bytes"),
    search_option<&DecodeOptions::max_seconds>("max_seconds"),
    search_option<&DecodeOptions::judged>("judged"),
};

// The request's terms, which come before the model's, if it has any.
std::optional<Glossary> own_terms(const TextTranslator& translator, const nb::bytes& glossary) {
  if (glossary.size() == 0) return std::nullopt;
  return Glossary(std::string(view(glossary)) + "\n" + translator.glossary_text(), translator.tools().source);
}

nb::list line_dicts(std::span<const TranslatedLine> lines, const TextTranslator& translator, bool explain) {
  nb::list dicts;
  for (const TranslatedLine& line : lines) dicts.append(line_dict(line, translator.decoder().features(), explain));
  return dicts;
}

nb::list translate_lines(const TextTranslator& translator, const std::vector<std::string>& lines,
                         const nb::dict& options, const nb::bytes& glossary, uint64_t first_line, size_t threads,
                         nb::object progress) {
  const TranslateRequest request = translate_request(options);
  const std::optional<Glossary> own = own_terms(translator, glossary);
  const Glossary& terms = own ? *own : translator.glossary();
  Monitor monitor = make_monitor(std::move(progress));
  std::vector<TranslatedLine> results;
  {
    nb::gil_scoped_release release;
    results = translate_all(translator, lines, first_line, request, terms, threads, monitor);
  }
  return line_dicts(results, translator, request.decode.explain);
}

auto open_translator(const std::string& directory, const std::string& source_tokenizer,
                     const std::string& target_tokenizer, const Models& language_models, const Weights& weights,
                     const std::string& matching, bool trust, uint32_t correction_weight, const std::string& grammar,
                     bool marked_words, const std::string& judge, std::shared_ptr<ScratchSpace> scratch) {
  ModelParts parts{source_tokenizer, target_tokenizer, marked_words, language_models, weights, judge, grammar};
  if (trust) parts.trust = Trust::skip_hashes;
  parts.live.correction_weight = correction_weight;
  parts.extract.matching = matching_of(matching);
  OpenModel model;
  {
    nb::gil_scoped_release release;
    model = open_model(files_in(directory, scratch.get()), parts);
  }
  return std::make_pair(std::move(model.translator), std::move(model.index));
}

nb::list glossary_conflicts(const TextTranslator& translator, const nb::bytes& text) {
  const Glossary glossary(view(text), translator.tools().source);
  nb::list conflicts;
  for (const Glossary::Conflict& conflict : glossary.conflicts())
    conflicts.append(
        nb::make_tuple(conflict.inside, conflict.term, conflict.other, conflict.line, conflict.other_line));
  return conflicts;
}

nb::dict force_text(const TextTranslator& translator, const std::string& source, const std::string& target,
                    const nb::dict& options) {
  TranslateRequest request = translate_request(options);
  Monitor monitor = make_monitor(nb::none());
  Interrupt interrupt(monitor);
  request.decode.interrupt = &interrupt;
  ForcedText forced;
  {
    nb::gil_scoped_release release;
    forced = force(translator, source, target, request);
  }
  nb::dict fields;
  fields["source_tokens"] = forced.source_tokens;
  fields["target_tokens"] = forced.target_tokens;
  add_obstacles(fields, forced.forced);
  nb::list candidates;
  for (const DecodedCandidate& candidate : forced.forced.decoded.candidates)
    candidates.append(candidate_dict(candidate, translator.decoder().features(), true));
  fields["candidates"] = candidates;
  return fields;
}

std::vector<std::string> complete_text(const TextTranslator& translator, const std::string& source,
                                       const std::string& prefix, const nb::dict& options, const nb::bytes& glossary,
                                       nb::object progress) {
  TranslateRequest request = translate_request(options);
  const std::optional<Glossary> own = own_terms(translator, glossary);
  Monitor monitor = make_monitor(std::move(progress));
  Interrupt interrupt(monitor);
  request.decode.interrupt = &interrupt;
  nb::gil_scoped_release release;
  return complete(translator, source, prefix, request, own ? *own : translator.glossary());
}

nb::tuple nearest_to_text(const TextTranslator& translator, const std::string& text, uint32_t most, uint32_t at_least,
                          uint64_t work) {
  require_text(text);
  const Tokenizer& tokenizer = translator.tools().source;
  const std::string line = one_line(text);
  std::vector<Token> tokens;
  std::vector<TextSpan> spans;
  NearPairs nearest;
  {
    nb::gil_scoped_release release;
    tokenizer.tokenize(line, tokens);
    for (const Token& token : tokens) spans.push_back({token.begin, token.end});
    const auto words = token_strings(tokenizer, line, tokens, translator.tools().word_form());
    nearest = translator.decoder().rules().nearest(words, {most, at_least, work});
  }
  return nb::make_tuple(characters_of(line, spans), near_tuple(nearest));
}

using ContextPair = std::tuple<std::vector<std::string>, std::vector<std::string>, Links>;

std::shared_ptr<TextTranslator> consistent_with(const TextTranslator& translator,
                                                const std::vector<ContextPair>& context) {
  std::vector<TrainingPair> pairs;
  for (const auto& [source, target, links] : context) {
    for (const Link& link : links)
      if (link.source >= source.size() || link.target >= target.size())
        throw InputError(0, "a link of the context names a word that its pair does not have");
    pairs.push_back({source, target, links});
  }
  return translator.with_decoder(translator.decoder().consistent_with(pairs));
}

void register_translator(nb::module_& module) {
  nb::class_<TextTranslator>(module, "TextTranslator", "Raw text in, raw text out.")
      .def_static(
          "open", &open_translator, nb::arg("directory"), nb::arg("source_tokenizer"), nb::arg("target_tokenizer"),
          nb::arg("language_models"), nb::arg("weights"), nb::arg("matching") = "exact", nb::arg("trust") = false,
          nb::arg("correction_weight") = 1, nb::arg("grammar") = "", nb::arg("marked_words") = false,
          nb::arg("judge") = "", nb::arg("scratch") = nb::none(),
          "The translator of a model directory, and its index, to which pairs may be added; with a grammar's path "
          "none.")
      .def(
          "with_glossary",
          [](const TextTranslator& self, const nb::bytes& text) { return self.with_glossary(view(text)); },
          nb::arg("text"), "The same translator with these terms for every request.")
      .def("glossary_conflicts", &glossary_conflicts, nb::arg("text"))
      .def(
          "tokenize_pair",
          [](const TextTranslator& self, const std::string& source, const std::string& target) {
            PairTokens tokens = tokenize_pair(self.tools(), source, target);
            return nb::make_tuple(tokens.source, tokens.target, tokens.written);
          },
          nb::arg("source"), nb::arg("target"),
          "The tokens of a pair as the model has them, and those of the target as they were written.")
      .def_prop_ro("features",
                   [](const TextTranslator& self) {
                     std::vector<std::string> names;
                     const FeatureSet& set = self.decoder().features();
                     for (FeatureId id = 0; id < set.size(); ++id) names.push_back(set.name(id));
                     return names;
                   })
      .def(
          "with_weights",
          [](const TextTranslator& self, const Weights& weights) {
            return self.with_decoder(self.decoder().with_weights(weights));
          },
          nb::arg("weights"), "The same translator with other weights; both share what is mapped and remembered.")
      .def(
          "pinned", [](const TextTranslator& self) { return self.with_decoder(self.decoder().pinned()); },
          "The same translator with the rules as they are now, whatever is learned later.")
      .def(
          "remembering",
          [](const TextTranslator& self, size_t bytes) { return self.with_decoder(self.decoder().remembering(bytes)); },
          nb::arg("bytes"), "The same translator, which keeps the rules of sentences to translate them again.")
      .def(
          "with_memories",
          [](const TextTranslator& self, const std::vector<std::pair<std::string, uint32_t>>& memories) {
            MemoryChoice choice;
            for (const auto& [name, weight] : memories) choice.push_back({name, weight});
            nb::gil_scoped_release release;
            return self.with_decoder(self.decoder().with_memories(std::move(choice)));
          },
          nb::arg("memories"),
          "The same translator with lessons of these memories alone: names, and how often each one's lessons count.")
      .def("consistent_with", &consistent_with, nb::arg("context"),
           "The same translator with the rules as they are now, for text that goes on from these pairs: words of both "
           "sides, and links.")
      .def("translate", &translate_lines, nb::arg("lines"), nb::arg("options"), nb::arg("glossary") = nb::bytes("", 0),
           nb::arg("first_line") = 1, nb::arg("threads") = 1, nb::arg("progress") = nb::none())
      .def(
          "job",
          [](std::shared_ptr<TextTranslator> self, std::vector<std::string> lines, const nb::dict& options,
             const nb::bytes& glossary, uint64_t first_line) {
            const TranslateRequest request = translate_request(options);
            std::optional<Glossary> terms = own_terms(*self, glossary);
            return std::make_unique<TextJob>(std::move(self), std::move(lines), first_line, request, std::move(terms));
          },
          nb::arg("lines"), nb::arg("options"), nb::arg("glossary") = nb::bytes("", 0), nb::arg("first_line") = 1,
          "The same a little at a time, and with the rules as they are now.")
      .def("force", &force_text, nb::arg("source"), nb::arg("target"), nb::arg("options"))
      .def(
          "pair",
          [](const TextTranslator& self, uint64_t stable_id) -> nb::object {
            const auto pair = self.decoder().rules().pair(stable_id);
            if (!pair) return nb::none();
            return nb::make_tuple(pair->source, pair->target, pair->links);
          },
          nb::arg("stable_id"), "Words of both sides and links of a training pair, or None.")
      .def("complete", &complete_text, nb::arg("source"), nb::arg("prefix"), nb::arg("options"),
           nb::arg("glossary") = nb::bytes("", 0), nb::arg("progress") = nb::none(),
           "How translations go on that begin with what was typed, best first.")
      .def("nearest", &nearest_to_text, nb::arg("text"), nb::arg("most"), nb::arg("at_least"), nb::arg("work"),
           "Where the words of a text stand in it, in characters; and the pairs whose source sides are nearest to it.")
      .def(
          "word_spans",
          [](const TextTranslator& self, const nb::bytes& text, size_t words, bool target) -> nb::object {
            const Tokenizer& tokenizer = target ? self.tools().target : self.tools().source;
            require_text(view(text));
            const auto spans = token_spans(tokenizer, view(text), words);
            return spans ? nb::object(characters_of(view(text), *spans)) : nb::none();
          },
          nb::arg("text"), nb::arg("words"), nb::arg("target"),
          "Where so many words stand in the text they were made of, in characters; None if it has another number.")
      .def(
          "joined_words",
          [](const TextTranslator& self, std::vector<std::string> words, bool target) {
            const Tokenizer& tokenizer = target ? self.tools().target : self.tools().source;
            const WrittenText written = joined_words(tokenizer, std::move(words));
            return nb::make_tuple(written.text, characters_of(written.text, written.spans));
          },
          nb::arg("words"), nb::arg("target"),
          "A text made of the model's words, by the spacing of the language, and where each stands, in characters.");
}

void register_job(nb::module_& module) {
  nb::class_<TextJob>(module, "TextJob", "Lines that are translated a little at a time, by one thread at a time.")
      .def(
          "advance",
          [](TextJob& self, uint32_t words, double max_seconds, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            nb::gil_scoped_release release;
            return self.advance(words, max_seconds, monitor);
          },
          nb::arg("words"), nb::arg("max_seconds") = 0.0, nb::arg("progress") = nb::none(),
          "Goes on for so many words, or a piece of a sentence more; whether all is done.")
      .def_prop_ro("share", &TextJob::share)
      .def(
          "lines",
          [](const TextJob& self) {
            return line_dicts(self.lines(), self.translator(), self.request().decode.explain);
          },
          "What became of the lines that are done.");
}

}  // namespace

TranslateRequest translate_request(const nb::dict& options) {
  const auto request = read_options(options, request_table, "the decoders");
  validate(request.decode.options);
  return request;
}

void register_translate(nb::module_& module) {
  module.def(
      "read_weights", [](const nb::bytes& text) { return read_weights(view(text)); }, nb::arg("text"),
      "The names and values of weights.txt.");
  register_translator(module);
  register_job(module);
}

}  // namespace dragoman::bind
