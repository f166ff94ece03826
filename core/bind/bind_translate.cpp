// The decoders: sentences of words in, k-best lists out.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "base/character_spans.h"
#include "base/utf8.h"
#include "bind/bind.h"
#include "search/bitext_rules.h"
#include "search/decoder.h"
#include "search/forced.h"
#include "search/grammar_file.h"
#include "translate/open_model.h"
#include "translate/text_job.h"
#include "translate/translate.h"

namespace dragoman::bind {
namespace {

using namespace search;
using namespace translate;
using Weights = std::vector<std::pair<std::string, double>>;

using Models = std::vector<std::pair<std::string, std::string>>;

nb::dict named(const std::vector<std::pair<FeatureId, double>>& features, const FeatureSet& set) {
  nb::dict made;
  for (const auto& [id, value] : features) made[set.name(id).c_str()] = value;
  return made;
}

nb::tuple pair_of(const Span& span) { return nb::make_tuple(span.begin, span.end); }

nb::list pairs_of(const std::vector<Span>& spans) {
  nb::list made;
  for (const Span& span : spans) made.append(pair_of(span));
  return made;
}

nb::tuple pair_of(const TextSpan& span) { return nb::make_tuple(span.begin, span.end); }

// Spans of bytes as spans of characters.
nb::list characters_of(std::string_view text, std::span<const TextSpan> spans) {
  nb::list made;
  for (const TextSpan& span : in_characters(text, spans)) made.append(pair_of(span));
  return made;
}

nb::dict rule_dict(const RuleUse& rule, const FeatureSet& set) {
  nb::dict made;
  made["kind"] = std::string(rule_kind_name(rule.kind));
  made["source_span"] = pair_of(rule.source);
  made["target_span"] = pair_of(rule.target);
  made["source_gaps"] = pairs_of(rule.source_gaps);
  made["target_gaps"] = pairs_of(rule.target_gaps);
  made["source"] = rule.source_side;
  made["target"] = rule.target_side;
  made["features"] = named(rule.features, set);
  nb::list origins;
  for (const RuleOrigin& each : rule.origins) {
    nb::dict origin;
    origin["stable_id"] = each.stable_id;
    origin["source_span"] = pair_of(each.source);
    origin["target_span"] = pair_of(each.target);
    origin["source_gaps"] = pairs_of(each.source_gaps);
    origin["target_gaps"] = pairs_of(each.target_gaps);
    origin["weight"] = each.weight;
    origins.append(origin);
  }
  made["origins"] = origins;
  made["origin_count"] = rule.origin_count;
  return made;
}

// Empty without a neural model.
nb::dict queries_dict(const ModelQueries& queries) {
  nb::dict made;
  if (queries.words == 0) return made;
  auto share = [](uint64_t part, uint64_t all) {
    return all ? static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  made["queries"] = queries.words;
  made["cached_words"] = share(queries.known_words, queries.words);
  made["cached_contexts"] = share(queries.known_contexts, queries.contexts);
  return made;
}

nb::dict candidate_dict(const Candidate& candidate, const FeatureSet& set, bool explain) {
  nb::dict made;
  made["words"] = candidate.words;
  made["score"] = candidate.score;
  made["search_score"] = candidate.search_score;
  made["features"] = named(candidate.features, set);
  made["links"] = candidate.links;
  if (explain) {
    nb::list rules;
    for (const RuleUse& rule : candidate.rules) rules.append(rule_dict(rule, set));
    made["rules"] = rules;
  }
  return made;
}

nb::dict sentence_dict(const DecodedSentence& sentence, const FeatureSet& set, bool explain) {
  nb::list candidates;
  for (const Candidate& each : sentence.candidates) candidates.append(candidate_dict(each, set, explain));
  nb::dict made;
  made["candidates"] = candidates;
  made["narrowed"] = sentence.narrowed;
  made["pops"] = sentence.pops;
  made["scored"] = sentence.scored;
  made["rules"] = sentence.rules;
  made["scratch_bytes"] = sentence.scratch_bytes;
  made["neural"] = queries_dict(sentence.neural);
  return made;
}

nb::dict candidate_dict(const SentenceCandidate& candidate, const FeatureSet& set, bool explain) {
  nb::dict made;
  made["text"] = candidate.text;
  made["score"] = candidate.score;
  made["features"] = named(candidate.features, set);
  made["target_tokens"] = candidate.target_tokens;
  made["target_spans"] = characters_of(candidate.text, candidate.target_spans);
  made["alignment"] = candidate.links;
  made["unknown"] = candidate.unknown;
  if (explain) {
    nb::list rules;
    for (const RuleUse& rule : candidate.rules) rules.append(rule_dict(rule, set));
    made["rules"] = rules;
  }
  return made;
}

nb::dict line_dict(const TranslatedLine& line, const FeatureSet& set, bool explain) {
  nb::dict made;
  made["source"] = line.source;
  made["text"] = line.text;
  nb::list alternatives;
  for (const auto& each : line.alternatives) {
    nb::dict alternative;
    alternative["text"] = each.text;
    alternative["score"] = each.score;
    alternative["features"] = named(each.features, set);
    alternatives.append(alternative);
  }
  made["alternatives"] = alternatives;
  std::vector<TextSpan> source_spans, target_spans;
  for (const TranslatedSentence& each : line.sentences) {
    source_spans.push_back(each.source_span);
    target_spans.push_back(each.target_span);
  }
  source_spans = in_characters(line.source, source_spans);
  target_spans = in_characters(line.text, target_spans);
  nb::list sentences;
  for (size_t i = 0; i < line.sentences.size(); ++i) {
    const TranslatedSentence& each = line.sentences[i];
    nb::dict sentence;
    sentence["source"] = each.source;
    sentence["source_span"] = pair_of(source_spans[i]);
    sentence["target_span"] = pair_of(target_spans[i]);
    sentence["source_tokens"] = each.source_tokens;
    sentence["source_spans"] = characters_of(each.source, each.source_spans);
    sentence["narrowed"] = each.narrowed;
    sentence["protected_in"] = each.given;
    sentence["protected_out"] = each.given_found;
    sentence["neural"] = queries_dict(each.neural);
    sentence["terms"] = each.terms;
    nb::list candidates;
    for (const SentenceCandidate& candidate : each.candidates)
      candidates.append(candidate_dict(candidate, set, explain));
    sentence["candidates"] = candidates;
    sentences.append(sentence);
  }
  made["sentences"] = sentences;
  return made;
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

DecodeRequest request_of(const nb::dict& options, TranslateRequest* text = nullptr) {
  DecodeRequest request;
  for (auto [key, value] : options) {
    const std::string name = nb::cast<std::string>(key);
    if (text && name == "markup") {
      text->markup = nb::cast<bool>(value);
      continue;
    }
    if (text && name == "max_sentence_words") {
      text->max_sentence_words = nb::cast<uint32_t>(value);
      continue;
    }
    if (name == "decoder")
      request.algorithm = algorithm_of(nb::cast<std::string>(value));
    else if (name == "kbest")
      request.kbest = nb::cast<uint32_t>(value);
    else if (name == "distinct")
      request.distinct = nb::cast<bool>(value);
    else if (name == "explain")
      request.explain = nb::cast<bool>(value);
    else if (name == "origins")
      request.origins = nb::cast<size_t>(value);
    else if (name == "count_origins")
      request.count_origins = nb::cast<bool>(value);
    else if (name == "pop_limit")
      request.options.pop_limit = nb::cast<uint32_t>(value);
    else if (name == "max_span")
      request.options.max_span = nb::cast<uint32_t>(value);
    else if (name == "rules_per_side")
      request.options.rules_per_side = nb::cast<uint32_t>(value);
    else if (name == "distortion_limit")
      request.options.distortion_limit = nb::cast<uint32_t>(value);
    else if (name == "stack_size")
      request.options.stack_size = nb::cast<uint32_t>(value);
    else if (name == "stack_threshold")
      request.options.stack_threshold = nb::cast<double>(value);
    else if (name == "scratch_bytes")
      request.options.scratch_bytes = nb::cast<size_t>(value);
    else if (name == "max_seconds")
      request.options.max_seconds = nb::cast<double>(value);
    else
      throw ConfigError(name, "is not an option of the decoders");
  }
  validate(request.options);
  return request;
}

// Why a translation cannot be had.
void add_obstacles(nb::dict& made, const Forced& forced) {
  made["missing"] = forced.missing;
  made["prefix"] = forced.prefix;
  made["pieces"] = pairs_of(forced.pieces);
  nb::list relaxations;
  for (const Relaxation& each : forced.relaxations) relaxations.append(nb::make_tuple(each.option, each.value));
  made["relaxations"] = relaxations;
}

nb::list decode_sentences(const Decoder& decoder, const nb::list& sentences, const nb::dict& options,
                          const nb::list& walls, const nb::list& zones, size_t threads, nb::object progress) {
  const DecodeRequest request = request_of(options);
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

// The request's terms, which come before the model's, if it has any.
std::optional<Glossary> own_terms(const TextTranslator& translator, const nb::bytes& glossary) {
  if (glossary.size() == 0) return std::nullopt;
  return Glossary(std::string(view(glossary)) + "\n" + translator.glossary_text(), translator.tools().source);
}

nb::list line_dicts(std::span<const TranslatedLine> lines, const TextTranslator& translator, bool explain) {
  nb::list made;
  for (const TranslatedLine& each : lines) made.append(line_dict(each, translator.decoder().features(), explain));
  return made;
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

}  // namespace

TranslateRequest translate_request(const nb::dict& options) {
  TranslateRequest request;
  request.decode = request_of(options, &request);
  return request;
}

void register_translate(nb::module_& module) {
  module.def(
      "read_weights", [](const nb::bytes& text) { return read_weights(view(text)); }, nb::arg("text"),
      "The names and values of weights.txt.");

  nb::class_<Decoder>(module, "Decoder", "Searches for the best translations of sentences of words.")
      .def_static(
          "from_grammar",
          [](const nb::bytes& grammar, const Weights& weights, const Models& models) {
            const std::string_view text = view(grammar);
            nb::gil_scoped_release release;
            return std::make_unique<Decoder>(std::make_shared<GrammarFile>(text),
                                             open_language_models(files_in("."), models, Trust::verify_hashes),
                                             weights);
          },
          nb::arg("grammar"), nb::arg("weights"), nb::arg("models") = Models(),
          "Rules from a grammar in the interchange format; models are names of features and paths of lm.bin files.")
      .def_static(
          "from_index",
          [](std::shared_ptr<Index> index, const Weights& weights, const Models& models, const std::string& matching) {
            nb::gil_scoped_release release;
            ExtractOptions options;
            options.matching = matching_of(matching);
            return std::make_unique<Decoder>(std::make_shared<BitextRules>(std::move(index), options),
                                             open_language_models(files_in("."), models, Trust::verify_hashes),
                                             weights);
          },
          nb::arg("index"), nb::arg("weights"), nb::arg("models") = Models(), nb::arg("matching") = "exact")
      .def("decode", &decode_sentences, nb::arg("sentences"), nb::arg("options"), nb::arg("walls") = nb::list(),
           nb::arg("zones") = nb::list(), nb::arg("threads") = 1, nb::arg("progress") = nb::none())
      .def(
          "force",
          [](const Decoder& self, const nb::list& sentence, const std::vector<std::string>& translation,
             const nb::dict& options) {
            const SourceSentence source = sentence_of(sentence);
            DecodeRequest request = request_of(options);
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

  nb::class_<TextTranslator>(module, "TextTranslator", "Raw text in, raw text out.")
      .def_static(
          "open",
          [](const std::string& directory, const std::string& source_tokenizer, const std::string& target_tokenizer,
             const Models& language_models, const Weights& weights, const std::string& matching, bool trust,
             uint32_t correction_weight, const std::string& grammar) {
            ModelParts parts{source_tokenizer, target_tokenizer, language_models, weights, grammar};
            if (trust) parts.trust = Trust::skip_hashes;
            parts.live.correction_weight = correction_weight;
            parts.extract.matching = matching_of(matching);
            OpenModel model;
            {
              nb::gil_scoped_release release;
              model = open_model(files_in(directory), parts);
            }
            return std::make_pair(std::move(model.translator), std::move(model.index));
          },
          nb::arg("directory"), nb::arg("source_tokenizer"), nb::arg("target_tokenizer"), nb::arg("language_models"),
          nb::arg("weights"), nb::arg("matching") = "exact", nb::arg("trust") = false, nb::arg("correction_weight") = 1,
          nb::arg("grammar") = "",
          "The translator of a model directory, and its index, to which pairs may be added; with a grammar's path "
          "none.")
      .def(
          "with_glossary",
          [](const TextTranslator& self, const nb::bytes& text) { return self.with_glossary(view(text)); },
          nb::arg("text"), "The same translator with these terms for every request.")
      .def(
          "glossary_conflicts",
          [](const TextTranslator& self, const nb::bytes& text) {
            const Glossary glossary(view(text), self.tools().source);
            nb::list made;
            for (const Glossary::Conflict& each : glossary.conflicts())
              made.append(nb::make_tuple(each.inside, each.term, each.other, each.line, each.other_line));
            return made;
          },
          nb::arg("text"))
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
      .def(
          "force",
          [](const TextTranslator& self, const std::string& source, const std::string& target,
             const nb::dict& options) {
            TranslateRequest request;
            request.decode = request_of(options, &request);
            Monitor monitor = make_monitor(nb::none());
            Interrupt interrupt(monitor);
            request.decode.interrupt = &interrupt;
            ForcedText forced;
            {
              nb::gil_scoped_release release;
              forced = force(self, source, target, request);
            }
            nb::dict made;
            made["source_tokens"] = forced.source_tokens;
            made["target_tokens"] = forced.target_tokens;
            add_obstacles(made, forced.forced);
            nb::list candidates;
            for (const Candidate& each : forced.forced.decoded.candidates)
              candidates.append(candidate_dict(each, self.decoder().features(), true));
            made["candidates"] = candidates;
            return made;
          },
          nb::arg("source"), nb::arg("target"), nb::arg("options"))
      .def(
          "pair",
          [](const TextTranslator& self, uint64_t stable_id) -> nb::object {
            const auto found = self.decoder().rules().pair(stable_id);
            if (!found) return nb::none();
            return nb::make_tuple(found->source, found->target, found->links);
          },
          nb::arg("stable_id"), "Words of both sides and links of a training pair, or None.")
      .def(
          "word_spans",
          [](const TextTranslator& self, const nb::bytes& text, size_t words, bool target) -> nb::object {
            const Tokenizer& tokenizer = target ? self.tools().target : self.tools().source;
            require_text(view(text));
            const auto spans = token_spans(tokenizer, view(text), words);
            return spans ? nb::object(characters_of(view(text), *spans)) : nb::none();
          },
          nb::arg("text"), nb::arg("words"), nb::arg("target"),
          "Where so many words stand in the text they were made of, in characters; None if it has another number.");

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

}  // namespace dragoman::bind
