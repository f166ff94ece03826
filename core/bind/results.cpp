#include "bind/results.h"

#include "base/character_spans.h"

namespace dragoman::bind {

using namespace search;
using namespace translate;

nb::list characters_of(std::string_view text, std::span<const TextSpan> spans) {
  nb::list pairs;
  for (const TextSpan& span : in_characters(text, spans)) pairs.append(nb::make_tuple(span.begin, span.end));
  return pairs;
}

nb::dict counts_dict(const IndexCounts& counts) {
  nb::dict fields;
  fields["sentences"] = counts.sentences;
  fields["source_tokens"] = counts.source_tokens;
  fields["target_tokens"] = counts.target_tokens;
  fields["links"] = counts.links;
  return fields;
}

nb::tuple near_tuple(const NearPairs& nearest) {
  nb::list pairs;
  for (const NearPair& pair : nearest.pairs)
    pairs.append(nb::make_tuple(pair.stable_id, pair.distance, pair.words, pair.kept, pair.alike));
  return nb::make_tuple(pairs, nearest.complete);
}

nb::tuple scores_tuple(const lm::TextScores& scores) {
  nb::list sentences, tokens;
  for (const lm::SentenceScore& sentence : scores.sentences)
    sentences.append(
        nb::make_tuple(sentence.log10_prob, sentence.log10_prob_unknown, sentence.tokens, sentence.unknown));
  for (const lm::TokenScore& token : scores.tokens)
    tokens.append(nb::make_tuple(token.log10_prob, token.ngram_length, token.unknown));
  return nb::make_tuple(sentences, tokens);
}

namespace {

nb::dict named(const std::vector<std::pair<FeatureId, double>>& features, const FeatureSet& set) {
  nb::dict values;
  for (const auto& [id, value] : features) values[set.name(id).c_str()] = value;
  return values;
}

nb::tuple pair_of(const Span& span) { return nb::make_tuple(span.begin, span.end); }

nb::list pairs_of(const std::vector<Span>& spans) {
  nb::list pairs;
  for (const Span& span : spans) pairs.append(pair_of(span));
  return pairs;
}

nb::tuple pair_of(const TextSpan& span) { return nb::make_tuple(span.begin, span.end); }

nb::dict rule_dict(const RuleUse& rule, const FeatureSet& set) {
  nb::dict fields;
  fields["kind"] = std::string(rule_kind_name(rule.kind));
  fields["source_span"] = pair_of(rule.source);
  fields["target_span"] = pair_of(rule.target);
  fields["source_gaps"] = pairs_of(rule.source_gaps);
  fields["target_gaps"] = pairs_of(rule.target_gaps);
  fields["source"] = rule.source_side;
  fields["target"] = rule.target_side;
  fields["features"] = named(rule.features, set);
  nb::list origins;
  for (const RuleOrigin& origin : rule.origins) {
    nb::dict origin_fields;
    origin_fields["stable_id"] = origin.stable_id;
    origin_fields["source_span"] = pair_of(origin.source);
    origin_fields["target_span"] = pair_of(origin.target);
    origin_fields["source_gaps"] = pairs_of(origin.source_gaps);
    origin_fields["target_gaps"] = pairs_of(origin.target_gaps);
    origin_fields["weight"] = origin.weight;
    origins.append(origin_fields);
  }
  fields["origins"] = origins;
  fields["origin_count"] = rule.origin_count;
  return fields;
}

// Empty without a neural model.
nb::dict queries_dict(const ModelQueries& queries) {
  nb::dict fields;
  if (queries.words == 0) return fields;
  auto share = [](uint64_t part, uint64_t all) {
    return all ? static_cast<double>(part) / static_cast<double>(all) : 0;
  };
  fields["queries"] = queries.words;
  fields["cached_words"] = share(queries.known_words, queries.words);
  fields["cached_contexts"] = share(queries.known_contexts, queries.contexts);
  return fields;
}

nb::dict written_candidate(const SentenceCandidate& candidate, const FeatureSet& set, bool explain) {
  nb::dict fields;
  fields["text"] = candidate.text;
  fields["score"] = candidate.score;
  fields["features"] = named(candidate.features, set);
  fields["target_tokens"] = candidate.target_tokens;
  fields["target_spans"] = characters_of(candidate.text, candidate.target_spans);
  fields["alignment"] = candidate.links;
  fields["unknown"] = candidate.unknown;
  if (explain) {
    nb::list rules;
    for (const RuleUse& rule : candidate.rules) rules.append(rule_dict(rule, set));
    fields["rules"] = rules;
  }
  return fields;
}

}  // namespace

nb::dict candidate_dict(const DecodedCandidate& candidate, const FeatureSet& set, bool explain) {
  nb::dict fields;
  fields["words"] = candidate.words;
  fields["score"] = candidate.score;
  fields["search_score"] = candidate.search_score;
  fields["features"] = named(candidate.features, set);
  fields["links"] = candidate.links;
  if (explain) {
    nb::list rules;
    for (const RuleUse& rule : candidate.rules) rules.append(rule_dict(rule, set));
    fields["rules"] = rules;
  }
  return fields;
}

nb::dict sentence_dict(const DecodedSentence& sentence, const FeatureSet& set, bool explain) {
  nb::list candidates;
  for (const DecodedCandidate& candidate : sentence.candidates)
    candidates.append(candidate_dict(candidate, set, explain));
  nb::dict fields;
  fields["candidates"] = candidates;
  fields["narrowed"] = sentence.narrowed;
  fields["pops"] = sentence.pops;
  fields["scored"] = sentence.scored;
  fields["rules"] = sentence.rules;
  fields["scratch_bytes"] = sentence.scratch_bytes;
  fields["neural"] = queries_dict(sentence.neural);
  return fields;
}

nb::dict line_dict(const TranslatedLine& line, const FeatureSet& set, bool explain) {
  nb::dict fields;
  fields["source"] = line.source;
  fields["text"] = line.text;
  nb::list alternatives;
  for (const auto& alternative : line.alternatives) {
    nb::dict alternative_fields;
    alternative_fields["text"] = alternative.text;
    alternative_fields["score"] = alternative.score;
    alternative_fields["features"] = named(alternative.features, set);
    alternatives.append(alternative_fields);
  }
  fields["alternatives"] = alternatives;
  std::vector<TextSpan> source_spans, target_spans;
  for (const TranslatedSentence& sentence : line.sentences) {
    source_spans.push_back(sentence.source_span);
    target_spans.push_back(sentence.target_span);
  }
  source_spans = in_characters(line.source, source_spans);
  target_spans = in_characters(line.text, target_spans);
  nb::list sentences;
  for (size_t i = 0; i < line.sentences.size(); ++i) {
    const TranslatedSentence& sentence = line.sentences[i];
    nb::dict sentence_fields;
    sentence_fields["source"] = sentence.source;
    sentence_fields["source_span"] = pair_of(source_spans[i]);
    sentence_fields["target_span"] = pair_of(target_spans[i]);
    sentence_fields["source_tokens"] = sentence.source_tokens;
    sentence_fields["source_spans"] = characters_of(sentence.source, sentence.source_spans);
    sentence_fields["narrowed"] = sentence.narrowed;
    sentence_fields["protected_in"] = sentence.given;
    sentence_fields["protected_out"] = sentence.given_kept;
    sentence_fields["neural"] = queries_dict(sentence.neural);
    sentence_fields["terms"] = sentence.terms;
    nb::list candidates;
    for (const SentenceCandidate& candidate : sentence.candidates)
      candidates.append(written_candidate(candidate, set, explain));
    sentence_fields["candidates"] = candidates;
    sentences.append(sentence_fields);
  }
  fields["sentences"] = sentences;
  return fields;
}

void add_obstacles(nb::dict& fields, const Forced& forced) {
  fields["missing"] = forced.missing;
  fields["prefix"] = forced.prefix;
  fields["pieces"] = pairs_of(forced.pieces);
  nb::list relaxations;
  for (const Relaxation& relaxation : forced.relaxations)
    relaxations.append(nb::make_tuple(relaxation.option, relaxation.value));
  fields["relaxations"] = relaxations;
}

}  // namespace dragoman::bind
