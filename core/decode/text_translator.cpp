#include "decode/text_translator.h"

#include <algorithm>
#include <map>

#include "base/parallel.h"
#include "base/process.h"
#include "base/utf8.h"
#include "corpus/case_restorer.h"
#include "corpus/lines.h"

namespace dragoman::decode {
namespace {

using Features = std::vector<std::pair<FeatureId, double>>;

Features sum(const Features& left, const Features& right) {
  std::map<FeatureId, double> total(left.begin(), left.end());
  for (const auto& [id, value] : right) total[id] += value;
  return {total.begin(), total.end()};
}

// The `most` best sums of one of each list, both best first.
std::vector<std::pair<size_t, size_t>> best_pairs(std::span<const double> left, std::span<const double> right,
                                                  size_t most) {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < left.size() && i < most; ++i)
    for (size_t j = 0; j < right.size() && (i + 1) * (j + 1) <= most; ++j) pairs.emplace_back(i, j);
  std::ranges::stable_sort(pairs, std::greater(),
                           [&](const auto& pair) { return left[pair.first] + right[pair.second]; });
  if (pairs.size() > most) pairs.resize(most);
  return pairs;
}

void shift(Span& span, uint32_t source_or_target) {
  span.begin += source_or_target;
  span.end += source_or_target;
}

// A candidate for two pieces of a sentence that lie side by side; the second begins at source position `at`.
Candidate concatenated(const Candidate& left, const Candidate& right, uint32_t at) {
  Candidate made = left;
  const uint32_t target = static_cast<uint32_t>(left.words.size());
  made.words.insert(made.words.end(), right.words.begin(), right.words.end());
  made.kinds.insert(made.kinds.end(), right.kinds.begin(), right.kinds.end());
  for (uint32_t each : right.affiliations) made.affiliations.push_back(each + at);
  for (auto [s, t] : right.links) made.links.emplace_back(s + at, t + target);
  for (GivenUse use : right.given) {
    use.token += at;
    shift(use.target, target);
    made.given.push_back(use);
  }
  for (RuleUse rule : right.rules) {
    shift(rule.source, at);
    shift(rule.target, target);
    for (Span& gap : rule.source_gaps) shift(gap, at);
    for (Span& gap : rule.target_gaps) shift(gap, target);
    made.rules.push_back(std::move(rule));
  }
  made.score += right.score;
  made.search_score += right.search_score;
  made.features = sum(left.features, right.features);
  return made;
}

template <class Item>
std::vector<double> scores_of(const std::vector<Item>& items) {
  std::vector<double> scores;
  for (const Item& each : items) scores.push_back(each.score);
  return scores;
}

SourceSentence piece_of(const PreparedSentence& sentence, uint32_t begin, uint32_t end) {
  SourceSentence piece;
  piece.tokens.assign(sentence.tokens.begin() + begin, sentence.tokens.begin() + end);
  for (const Zone& zone : sentence.constraints.zones)
    if (zone.begin >= begin && zone.end <= end && zone.begin < zone.end)
      piece.constraints.zones.push_back({zone.begin - begin, zone.end - begin});
  for (const Wall& wall : sentence.constraints.walls)
    if (wall.position > begin && wall.position < end)
      piece.constraints.walls.push_back({wall.position - begin, wall.begin > begin ? wall.begin - begin : 0,
                                         wall.end == UINT32_MAX ? wall.end : wall.end - begin});
  return piece;
}

}  // namespace

TextTranslator::TextTranslator(std::shared_ptr<const Decoder> decoder, const std::string& source_language,
                               const std::string& target_language, std::optional<Casing> source_casing,
                               std::optional<Casing> target_casing)
    : decoder_(std::move(decoder)),
      shared_text_(std::make_shared<const SourceText>(source_language, target_language)),
      text_(*shared_text_),
      source_casing_(std::move(source_casing)),
      target_casing_(std::move(target_casing)) {
  if (!target_casing_ && !text_.raw()) target_casing_ = Casing::build(decoder_->rules().target_words(), CaseCounts());
}

std::shared_ptr<TextTranslator> TextTranslator::with_decoder(std::shared_ptr<const Decoder> decoder) const {
  auto made = std::make_shared<TextTranslator>(*this);
  made->decoder_ = std::move(decoder);
  return made;
}

std::shared_ptr<TextTranslator> TextTranslator::with_glossary(std::string_view text) const {
  auto made = std::make_shared<TextTranslator>(*this);
  made->glossary_ = std::make_shared<const Glossary>(text, text_.source_tokenizer());
  made->glossary_text_ = text;
  return made;
}

SentenceCandidate TextTranslator::write(const PreparedSentence& sentence, Candidate&& candidate,
                                        const RuleSource& rules) const {
  SentenceCandidate made;
  made.score = candidate.score;
  made.features = std::move(candidate.features);
  made.links = std::move(candidate.links);
  made.rules = std::move(candidate.rules);
  made.target_tokens = std::move(candidate.words);
  std::vector<std::string>& tokens = made.target_tokens;

  // What comes out as it went in, whatever casing thinks of it.
  std::vector<const std::string*> exact(tokens.size(), nullptr);
  std::vector<const std::string*> written(tokens.size(), nullptr);  // at the first word of a given translation
  std::vector<bool> inside(tokens.size(), false);                   // its other words
  for (const GivenUse& use : candidate.given) {
    const GivenText& given = sentence.given[use.token];
    if (given.as_token) {
      exact[use.target.begin] = &given.texts[0];
      continue;
    }
    written[use.target.begin] = &given.texts[use.translation];
    for (uint32_t at = use.target.begin + 1; at < use.target.end; ++at) inside[at] = true;
  }
  for (size_t at = 0; at < tokens.size(); ++at)
    if (candidate.kinds[at] == RuleKind::pass_through) {
      made.unknown.push_back(static_cast<uint32_t>(at));
      exact[at] = &sentence.surfaces[candidate.affiliations[at]];
    }

  std::vector<std::string> cased = tokens;
  if (!text_.raw()) {
    const std::vector<std::string_view> target(tokens.begin(), tokens.end());
    const std::vector<std::string_view> source(sentence.surfaces.begin(), sentence.surfaces.end());
    std::vector<CaseLink> links;
    for (auto [s, t] : made.links) links.push_back({s, t});
    // Words that were learned since have forms of their own.
    const Casing casing = target_casing_->extended(rules.target_words());
    const Casing* source_casing = source_casing_ ? &*source_casing_ : nullptr;
    cased = CaseRestorer(casing, source_casing).restore(target, links, source);
  }
  // Given translations take the place of one word each until the text is joined.
  std::string line;
  std::vector<std::pair<size_t, const std::string*>> holes;  // the place among the words of the line, and the text
  size_t words = 0;
  for (size_t at = 0; at < cased.size(); ++at) {
    if (exact[at]) cased[at] = *exact[at];
    if (inside[at]) continue;
    if (!line.empty()) line += ' ';
    if (written[at]) holes.emplace_back(words, written[at]);
    const std::string_view token = written[at] ? hole_text : std::string_view(cased[at]);
    line += token;
    for_each_word(token, [&](std::string_view) { ++words; });
  }
  std::vector<ByteSpan> places;
  text_.target_tokenizer().append_detokenized(made.text, line, holes.empty() ? nullptr : &places);
  for (size_t i = holes.size(); i-- > 0;) {
    const ByteSpan place = places[holes[i].first];
    made.text.replace(place.begin, place.end - place.begin, *holes[i].second);
  }
  tokens = std::move(cased);
  return made;
}

TranslatedSentence TextTranslator::translate_sentence(const PreparedSentence& sentence,
                                                      const TranslateRequest& request) const {
  TranslatedSentence made;
  made.source = sentence.source;
  made.source_tokens = sentence.surfaces;
  std::vector<Candidate> candidates;
  for (size_t piece = 0; piece < sentence.cuts.size(); ++piece) {
    const uint32_t begin = sentence.cuts[piece];
    const uint32_t size = static_cast<uint32_t>(sentence.tokens.size());
    const uint32_t end = piece + 1 < sentence.cuts.size() ? sentence.cuts[piece + 1] : size;
    DecodeRequest decode = request.decode;
    // Pieces share the time.
    decode.options.max_seconds *= static_cast<double>(end - begin) / size;
    DecodedSentence decoded = decoder_->decode(piece_of(sentence, begin, end), decode);
    made.narrowed = made.narrowed || decoded.narrowed;
    made.neural.add(decoded.neural);
    if (piece == 0) {
      candidates = std::move(decoded.candidates);
      continue;
    }
    std::vector<Candidate> joined;
    const size_t most = std::max(1u, request.decode.kbest);
    for (auto [i, j] : best_pairs(scores_of(candidates), scores_of(decoded.candidates), most))
      joined.push_back(concatenated(candidates[i], decoded.candidates[j], begin));
    candidates = std::move(joined);
  }
  for (const GivenText& given : sentence.given) made.given += !given.texts.empty();
  if (!candidates.empty()) {
    made.given_found = static_cast<uint32_t>(candidates[0].given.size());
    for (const GivenUse& use : candidates[0].given)
      if (const GivenText& given = sentence.given[use.token]; !given.term.empty())
        made.terms.emplace_back(given.term, given.texts[use.translation]);
  }
  for (Candidate& each : candidates) made.candidates.push_back(write(sentence, std::move(each), *request.decode.rules));
  return made;
}

TranslatedLine TextTranslator::translate(std::string_view line, uint64_t line_number, const TranslateRequest& given,
                                         const Glossary& glossary) const {
  TranslateRequest request = given;
  if (!request.decode.rules) request.decode.rules = decoder_->pin();
  const PreparedLine prepared = text_.prepare(line, line_number, request.markup, glossary, request.max_sentence_words);
  TranslatedLine made;
  made.alternatives.push_back({});
  uint64_t copied = 0;
  auto copy_until = [&](uint64_t end) {
    for (auto& each : made.alternatives) each.text.append(prepared.text, copied, end - copied);
    copied = end;
  };
  for (const PreparedSentence& sentence : prepared.sentences) {
    copy_until(sentence.span.begin);
    made.sentences.push_back(translate_sentence(sentence, request));
    const auto& candidates = made.sentences.back().candidates;
    std::vector<TranslatedLine::Alternative> joined;
    const size_t most = std::max(1u, request.decode.kbest);
    for (auto [i, j] : best_pairs(scores_of(made.alternatives), scores_of(candidates), most))
      joined.push_back({made.alternatives[i].text + candidates[j].text,
                        made.alternatives[i].score + candidates[j].score,
                        sum(made.alternatives[i].features, candidates[j].features)});
    made.alternatives = std::move(joined);
    copied = sentence.span.end;
  }
  copy_until(prepared.text.size());
  made.text = made.alternatives[0].text;
  return made;
}

PairTokens TextTranslator::tokenize_pair(std::string_view source, std::string_view target) const {
  require_text(source);
  require_text(target);
  auto line = [&](const Tokenizer& tokenizer, std::string_view text, Form form) {
    std::string flat(text), made;
    std::ranges::replace(flat, '\n', ' ');
    std::ranges::replace(flat, '\r', ' ');
    std::vector<Token> tokens;
    tokenizer.tokenize(flat, tokens);
    tokenizer.append_tokens(made, flat, tokens, {form, true});
    return made;
  };
  const Form form = text_.raw() ? Form::surface : Form::model;
  return {line(text_.source_tokenizer(), source, form), line(text_.target_tokenizer(), target, form),
          line(text_.target_tokenizer(), target, Form::surface)};
}

ForcedText TextTranslator::force(std::string_view source, std::string_view target,
                                 const TranslateRequest& request) const {
  require_text(source);
  require_text(target);
  ForcedText made;
  SourceSentence sentence;
  const PreparedLine prepared = text_.prepare(source, 1, false, {}, 0);
  for (const PreparedSentence& each : prepared.sentences)
    for (const SourceToken& token : each.tokens) {
      made.source_tokens.push_back(token.text);
      sentence.tokens.push_back(token);
    }
  made.target_tokens = text_.target_words(target);
  DecodeRequest decode = request.decode;
  decode.explain = true;
  made.forced = decode::force(*decoder_, sentence, made.target_tokens, decode);
  return made;
}

std::vector<TranslatedLine> TextTranslator::translate_all(std::span<const std::string> lines, uint64_t first_line,
                                                          const TranslateRequest& request, const Glossary& glossary,
                                                          size_t threads, Monitor& monitor) const {
  std::vector<TranslatedLine> results(lines.size());
  TranslateRequest pinned = request;
  if (!pinned.decode.rules) pinned.decode.rules = decoder_->pin();
  monitor.start(lines.size());
  for_each_shard(lines.size(), threads ? threads : default_threads(), monitor, [&](size_t shard) {
    results[shard] = translate(lines[shard], first_line + shard, pinned, glossary);
    monitor.add(1);
  });
  return_free_memory();
  return results;
}

}  // namespace dragoman::decode
