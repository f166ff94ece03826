#include "translate/line_job.h"

#include <algorithm>
#include <map>

namespace dragoman::translate {
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

// A candidate for two pieces of a sentence that lie side by side; the second begins at source position `at`.
Candidate concatenated(const Candidate& left, const Candidate& right, uint32_t at) {
  Candidate made = left;
  const uint32_t target = static_cast<uint32_t>(left.words.size());
  made.words.insert(made.words.end(), right.words.begin(), right.words.end());
  made.kinds.insert(made.kinds.end(), right.kinds.begin(), right.kinds.end());
  for (uint32_t each : right.affiliations) made.affiliations.push_back(each + at);
  for (auto [s, t] : right.links) made.links.push_back({s + at, t + target});
  for (GivenUse use : right.given) {
    use.token += at;
    use.target = use.target.shifted(target);
    made.given.push_back(use);
  }
  for (RuleUse rule : right.rules) {
    rule.source = rule.source.shifted(at);
    rule.target = rule.target.shifted(target);
    for (Span& gap : rule.source_gaps) gap = gap.shifted(at);
    for (Span& gap : rule.target_gaps) gap = gap.shifted(target);
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
  for (const Span& zone : sentence.constraints.zones)
    if (zone.begin >= begin && zone.end <= end && zone.begin < zone.end)
      piece.constraints.zones.push_back({zone.begin - begin, zone.end - begin});
  for (const Wall& wall : sentence.constraints.walls)
    if (wall.position > begin && wall.position < end)
      piece.constraints.walls.push_back({wall.position - begin, wall.begin > begin ? wall.begin - begin : 0,
                                         wall.end == UINT32_MAX ? wall.end : wall.end - begin});
  return piece;
}

}  // namespace

LineJob::LineJob(const TextTranslator& translator, std::string_view line, uint64_t line_number,
                 const TranslateRequest& request, const Glossary& glossary)
    : translator_(translator),
      rules_(request.decode.rules ? request.decode.rules : translator.decoder().pin()),
      prepared_(
          translator.source_text().prepare(line, line_number, request.markup, glossary, request.max_sentence_words)) {
  made_.alternatives.push_back({});
}

uint32_t LineJob::advance(const DecodeRequest& given) {
  const PreparedSentence& sentence = prepared_.sentences[sentence_];
  const uint32_t begin = sentence.cuts[piece_];
  const uint32_t size = static_cast<uint32_t>(sentence.tokens.size());
  const uint32_t end = piece_ + 1 < sentence.cuts.size() ? sentence.cuts[piece_ + 1] : size;
  check(given.interrupt);
  DecodeRequest request = given;
  request.rules = rules_;
  // Pieces share the time.
  if (size > 0) request.options.max_seconds *= static_cast<double>(end - begin) / size;
  DecodedSentence decoded = translator_.decoder().decode(piece_of(sentence, begin, end), request);
  narrowed_ = narrowed_ || decoded.narrowed;
  neural_.add(decoded.neural);
  const size_t most = std::max(1u, given.kbest);
  if (piece_ == 0) {
    candidates_ = std::move(decoded.candidates);
  } else {
    std::vector<Candidate> joined;
    for (auto [i, j] : best_pairs(scores_of(candidates_), scores_of(decoded.candidates), most))
      joined.push_back(concatenated(candidates_[i], decoded.candidates[j], begin));
    candidates_ = std::move(joined);
  }
  if (++piece_ == sentence.cuts.size()) {
    append(finished_sentence(sentence), sentence.span, most);
    ++sentence_;
    piece_ = 0;
  }
  return end - begin;
}

TranslatedSentence LineJob::finished_sentence(const PreparedSentence& sentence) {
  TranslatedSentence made;
  made.source = sentence.source;
  made.source_tokens = sentence.surfaces;
  made.narrowed = std::exchange(narrowed_, false);
  made.neural = std::exchange(neural_, {});
  for (const GivenText& given : sentence.given) made.given += !given.texts.empty();
  if (!candidates_.empty()) {
    made.given_found = static_cast<uint32_t>(candidates_[0].given.size());
    for (const GivenUse& use : candidates_[0].given)
      if (const GivenText& given = sentence.given[use.token]; !given.term.empty())
        made.terms.emplace_back(given.term, given.texts[use.translation]);
  }
  for (Candidate& each : candidates_) made.candidates.push_back(translator_.write(sentence, std::move(each), *rules_));
  candidates_.clear();
  return made;
}

void LineJob::copy_until(uint64_t end) {
  for (auto& each : made_.alternatives) each.text.append(prepared_.text, copied_, end - copied_);
  copied_ = end;
}

void LineJob::append(TranslatedSentence&& sentence, TextSpan span, size_t most) {
  copy_until(span.begin);
  made_.sentences.push_back(std::move(sentence));
  const auto& candidates = made_.sentences.back().candidates;
  std::vector<TranslatedLine::Alternative> joined;
  for (auto [i, j] : best_pairs(scores_of(made_.alternatives), scores_of(candidates), most))
    joined.push_back({made_.alternatives[i].text + candidates[j].text,
                      made_.alternatives[i].score + candidates[j].score,
                      sum(made_.alternatives[i].features, candidates[j].features)});
  made_.alternatives = std::move(joined);
  copied_ = span.end;
}

TranslatedLine LineJob::finish() {
  copy_until(prepared_.text.size());
  made_.text = made_.alternatives[0].text;
  return std::move(made_);
}

}  // namespace dragoman::translate
