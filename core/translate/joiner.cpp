#include "translate/joiner.h"

#include <algorithm>

#include "base/errors.h"
#include "text/case_restorer.h"

namespace dragoman::translate {

Joiner::Joiner(const TextTools& tools, const Vocabulary& target_words) : tools_(tools) {
  if (!tools.raw) casing_ = tools.target_casing->extended(target_words);
}

std::vector<std::string> Joiner::written_words(const PreparedSentence& sentence,
                                               const DecodedCandidate& candidate) const {
  std::vector<std::string> words = candidate.words;
  if (casing_) {
    std::vector<std::string_view> target(candidate.words.begin(), candidate.words.end());
    const std::vector<std::string>& surfaces = sentence.words.surfaces;
    const std::vector<std::string_view> source(surfaces.begin(), surfaces.end());
    for (const GivenUse& use : candidate.given)
      if (const SourceToken& token = sentence.words.tokens[use.token]; token.hole && token.translations.empty())
        target[use.target.begin] = hole_text;
    const Casing* source_casing = tools_.source_casing ? &*tools_.source_casing : nullptr;
    words = CaseRestorer(*casing_, source_casing).restore(target, candidate.links, source);
  }
  for (size_t at = 0; at < words.size(); ++at)
    if (candidate.kinds[at] == RuleKind::pass_through) words[at] = sentence.words.surfaces[candidate.affiliations[at]];
  return words;
}

void Joiner::write(const PreparedSentence& sentence, const std::vector<GivenUse>& given,
                   SentenceCandidate& made) const {
  std::vector<std::string>& tokens = made.target_tokens;
  std::vector<TextPiece> pieces;
  std::vector<const WrittenText*> texts;  // of pieces that were given
  auto next = given.begin();
  for (size_t at = 0; at < tokens.size();) {
    const WrittenText* text = nullptr;
    size_t end = at + 1;
    if (next != given.end() && next->target.begin == at) {
      const GivenText& wanted = sentence.words.given[next->token];
      if (wanted.as_token) {
        tokens[at] = wanted.texts[0].text;
      } else {
        text = &wanted.texts[next->translation];
        std::ranges::copy(text->tokens, tokens.begin() + static_cast<ptrdiff_t>(at));
        end = next->target.end;
      }
      ++next;
    }
    pieces.push_back(text ? TextPiece{text->text, true} : TextPiece{tokens[at]});
    texts.push_back(text);
    at = end;
  }
  std::vector<TextSpan> places;
  tools_.target.append_joined(made.text, pieces, places);
  for (size_t piece = 0; piece < pieces.size(); ++piece) {
    if (!texts[piece]) made.target_spans.push_back(places[piece]);
    if (texts[piece])
      for (const TextSpan& span : texts[piece]->spans) made.target_spans.push_back(span.shifted(places[piece].begin));
  }
}

SentenceCandidate Joiner::join(const PreparedSentence& sentence, DecodedCandidate&& candidate) const {
  // A rule covers each source word, and words with given translations have no other rules; but nobody would miss what
  // is not there.
  const auto wanted = std::ranges::count_if(sentence.words.tokens, &SourceToken::given);
  if (static_cast<size_t>(wanted) != candidate.given.size())
    throw InputError(0, "a given translation was lost, which is a fault of this program; please report it");
  SentenceCandidate made;
  made.target_tokens = written_words(sentence, candidate);
  for (size_t at = 0; at < candidate.kinds.size(); ++at)
    if (candidate.kinds[at] == RuleKind::pass_through) made.unknown.push_back(static_cast<uint32_t>(at));
  write(sentence, candidate.given, made);
  made.score = candidate.score;
  made.features = std::move(candidate.features);
  made.links = std::move(candidate.links);
  made.rules = std::move(candidate.rules);
  return made;
}

}  // namespace dragoman::translate
