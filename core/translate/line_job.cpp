#include "translate/line_job.h"

#include <algorithm>
#include <utility>

#include "translate/pieces.h"

namespace dragoman::translate {

LineJob::LineJob(const TextTranslator& translator, std::string_view line, uint64_t line_number,
                 const TranslateRequest& request, const Glossary& glossary)
    : translator_(translator),
      rules_(request.decode.rules ? request.decode.rules : translator.decoder().pin()),
      prepared_(prepare(translator.tools(), rules_->source_words(), line, line_number, request.markup, glossary,
                        request.max_sentence_words)),
      joiner_(translator.tools(), rules_->target_words()) {
  made_.alternatives.push_back({});
}

uint32_t LineJob::advance(const DecodeRequest& given) {
  const PreparedSentence& sentence = prepared_.sentences[sentence_];
  const uint32_t begin = sentence.cuts[piece_];
  const uint32_t size = sentence.size();
  const uint32_t end = piece_ + 1 < sentence.cuts.size() ? sentence.cuts[piece_ + 1] : size;
  check(given.interrupt);
  DecodeRequest request = given;
  request.rules = rules_;
  // Pieces share the time.
  if (size > 0) request.options.max_seconds *= static_cast<double>(end - begin) / size;
  DecodedSentence decoded = translator_.decoder().decode(piece_of(translator_.tools(), sentence, begin, end), request);
  narrowed_ = narrowed_ || decoded.narrowed;
  neural_.add(decoded.neural);
  const size_t most = std::max(1u, given.kbest);
  if (piece_ == 0) {
    candidates_ = std::move(decoded.candidates);
  } else {
    std::vector<DecodedCandidate> joined;
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
  made.source_tokens = sentence.words.surfaces;
  made.source_spans = sentence.words.spans;
  made.source_span = sentence.span;
  made.narrowed = std::exchange(narrowed_, false);
  made.neural = std::exchange(neural_, {});
  for (const GivenText& given : sentence.words.given) made.given += !given.texts.empty();
  if (!candidates_.empty()) {
    made.given_found = static_cast<uint32_t>(candidates_[0].given.size());
    for (const GivenUse& use : candidates_[0].given)
      if (const GivenText& given = sentence.words.given[use.token]; !given.term.empty())
        made.terms.emplace_back(given.term, given.texts[use.translation].text);
  }
  for (DecodedCandidate& each : candidates_) made.candidates.push_back(joiner_.join(sentence, std::move(each)));
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
  // The best of all are the best of each put together.
  made_.sentences.back().target_span = {made_.alternatives[0].text.size(), joined[0].text.size()};
  made_.alternatives = std::move(joined);
  copied_ = span.end;
}

TranslatedLine LineJob::finish() {
  copy_until(prepared_.text.size());
  made_.text = made_.alternatives[0].text;
  made_.source = std::move(prepared_.text);
  return std::move(made_);
}

}  // namespace dragoman::translate
