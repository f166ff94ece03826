#include "translate/line_job.h"

#include <algorithm>
#include <utility>

#include "translate/pieces.h"
#include "translate/sentence_gap.h"

namespace dragoman::translate {

LineJob::LineJob(const TextTranslator& translator, std::string_view line, uint64_t line_number,
                 const TranslateRequest& request, const Glossary& glossary)
    : translator_(translator),
      rules_(request.decode.rules ? request.decode.rules : translator.decoder().pin()),
      prepared_(prepare(translator.tools(), *rules_, line, line_number, request.markup, glossary,
                        request.max_sentence_words)),
      joiner_(translator.tools(), rules_->target_words()) {
  translated_.alternatives.push_back({});
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
  TranslatedSentence finished;
  finished.source = sentence.source;
  finished.source_tokens = sentence.words.surfaces;
  finished.source_spans = sentence.words.spans;
  finished.source_span = sentence.span;
  finished.narrowed = std::exchange(narrowed_, false);
  finished.neural = std::exchange(neural_, {});
  for (const GivenText& given : sentence.words.given) finished.given += !given.texts.empty();
  if (!candidates_.empty()) {
    finished.given_kept = static_cast<uint32_t>(candidates_[0].given.size());
    for (const GivenUse& use : candidates_[0].given)
      if (const GivenText& given = sentence.words.given[use.token]; !given.term.empty())
        finished.terms.emplace_back(given.term, given.texts[use.translation].text);
  }
  for (DecodedCandidate& candidate : candidates_)
    finished.candidates.push_back(joiner_.join(sentence, std::move(candidate)));
  candidates_.clear();
  return finished;
}

void LineJob::append(TranslatedSentence&& sentence, TextSpan span, size_t most) {
  const std::string_view gap = std::string_view(prepared_.text).substr(copied_, span.begin - copied_);
  const TextTools& tools = translator_.tools();
  translated_.sentences.push_back(std::move(sentence));
  const auto& candidates = translated_.sentences.back().candidates;
  std::vector<TranslatedLine::Alternative> joined;
  for (auto [i, j] : best_pairs(scores_of(translated_.alternatives), scores_of(candidates), most)) {
    const TranslatedLine::Alternative& before = translated_.alternatives[i];
    const SentenceCandidate& after = candidates[j];
    const bool first = translated_.sentences.size() == 1;
    joined.push_back({before.text, before.score + after.score, sum(before.features, after.features)});
    joined.back().text += first ? gap : sentence_gap(tools.target, before.text, gap, after.text);
    joined.back().text += after.text;
  }
  // The best of all are the best of each put together.
  const size_t end = joined[0].text.size();
  translated_.sentences.back().target_span = {end - candidates[0].text.size(), end};
  translated_.alternatives = std::move(joined);
  copied_ = span.end;
}

TranslatedLine LineJob::finish() {
  for (auto& alternative : translated_.alternatives) alternative.text.append(prepared_.text, copied_);
  translated_.text = translated_.alternatives[0].text;
  translated_.source = std::move(prepared_.text);
  return std::move(translated_);
}

}  // namespace dragoman::translate
