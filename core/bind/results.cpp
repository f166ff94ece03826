#include "bind/results.h"

#include "base/character_spans.h"

namespace dragoman::bind {

using namespace search;
using namespace translate;

nb::list characters_of(std::string_view text, std::span<const TextSpan> spans) {
  nb::list made;
  for (const TextSpan& span : in_characters(text, spans)) made.append(nb::make_tuple(span.begin, span.end));
  return made;
}

nb::dict counts_dict(const IndexCounts& counts) {
  nb::dict made;
  made["sentences"] = counts.sentences;
  made["source_tokens"] = counts.source_tokens;
  made["target_tokens"] = counts.target_tokens;
  made["links"] = counts.links;
  return made;
}

nb::tuple near_tuple(const NearPairs& found) {
  nb::list pairs;
  for (const NearPair& each : found.pairs)
    pairs.append(nb::make_tuple(each.stable_id, each.distance, each.words, each.kept, each.alike));
  return nb::make_tuple(pairs, found.complete);
}

nb::tuple scores_tuple(const lm::TextScores& scores) {
  nb::list sentences, tokens;
  for (const lm::SentenceScore& each : scores.sentences)
    sentences.append(nb::make_tuple(each.log10_prob, each.log10_prob_unknown, each.tokens, each.unknown));
  for (const lm::TokenScore& each : scores.tokens)
    tokens.append(nb::make_tuple(each.log10_prob, each.ngram_length, each.unknown));
  return nb::make_tuple(sentences, tokens);
}

namespace {

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

nb::dict written_candidate(const SentenceCandidate& candidate, const FeatureSet& set, bool explain) {
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

}  // namespace

nb::dict candidate_dict(const DecodedCandidate& candidate, const FeatureSet& set, bool explain) {
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
  for (const DecodedCandidate& each : sentence.candidates) candidates.append(candidate_dict(each, set, explain));
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
      candidates.append(written_candidate(candidate, set, explain));
    sentence["candidates"] = candidates;
    sentences.append(sentence);
  }
  made["sentences"] = sentences;
  return made;
}

void add_obstacles(nb::dict& made, const Forced& forced) {
  made["missing"] = forced.missing;
  made["prefix"] = forced.prefix;
  made["pieces"] = pairs_of(forced.pieces);
  nb::list relaxations;
  for (const Relaxation& each : forced.relaxations) relaxations.append(nb::make_tuple(each.option, each.value));
  made["relaxations"] = relaxations;
}

}  // namespace dragoman::bind
