#include "translate/joiner.h"

#include <algorithm>
#include <tuple>

#include "base/errors.h"
#include "base/utf8.h"
#include "text/case_restorer.h"
#include "text/single_quotes.h"
#include "text/spacing_restorer.h"
#include "text/unicode.h"

namespace dragoman::translate {
namespace {

// As `a.m.`, `etc.` and `5.` do; an ellipsis, or a full stop by itself, is no such word.
bool ends_in_point(std::string_view word) {
  return word.size() > 1 && word.ends_with('.') && word[word.size() - 2] != '.';
}

// Short texts are rather names or headings, in which the point of Corp. ends nothing.
constexpr uint32_t shortest_sentence = 5;

// Whether a sentence ends with the point of an abbreviation.
bool ends_with_abbreviation(const PreparedSentence& sentence) {
  if (sentence.size() < shortest_sentence || sentence.words.tokens.back().given()) return false;
  const std::string_view last = parse_marks(sentence.words.surfaces.back()).text;
  return ends_in_point(last) && is_upper(decode_utf8(sentence.source, 0).value);
}

// Whether a text ends with a letter or digit.
bool lacks_end(std::string_view text) {
  size_t at = text.size();
  while (at > 0 && !begins_character(text[--at])) {
  }
  if (text.empty()) return false;
  const char32_t last = decode_utf8(text, at).value;
  return is_letter(category(last)) || is_digit(last);
}

}  // namespace

Joiner::Joiner(const TextTools& tools, const Vocabulary& target_words) : tools_(tools) {
  if (!tools.raw) casing_ = tools.target_casing->extended(target_words);
}

std::vector<Joiner::Piece> Joiner::pieces_of(const PreparedSentence& sentence,
                                             const DecodedCandidate& candidate) const {
  std::vector<Piece> pieces;
  auto next = candidate.given.begin();
  for (uint32_t at = 0; at < candidate.words.size();) {
    Piece piece{{at, at + 1}};
    if (next != candidate.given.end() && next->target.begin == at) {
      piece.source = next->token;
      const GivenText& given = sentence.words.given[next->token];
      piece.token = given.as_token;
      piece.text = &given.texts[next->translation];
      if (!piece.token) piece.target.end = next->target.end;
      ++next;
    }
    at = piece.target.end;
    pieces.push_back(piece);
  }
  return pieces;
}

void Joiner::space(const PreparedSentence& sentence, const DecodedCandidate& candidate,
                   std::vector<Piece>& pieces) const {
  if (!tools_.spacing_is_apart()) return;
  // A mark is spaced as the one that is written, whatever the rule has.
  std::vector<std::string> words = candidate.words;
  write_quotes(sentence, candidate, words);
  std::vector<SpacedPiece> spaced;
  for (const Piece& piece : pieces)
    spaced.push_back({piece.verbatim() ? std::string_view() : words[piece.target.begin], piece.target, piece.source});
  const Spacing& rules = tools_.target.spacing();
  const SpacingContext context(rules, spaced, candidate.links, sentence.spaces);
  const auto marks = spacing_marks(rules, tools_.target_spacing, context);
  for (size_t i = 0; i < pieces.size(); ++i) std::tie(pieces[i].before, pieces[i].after) = marks[i];
}

// Quotation marks that are linked to some of the source take their place, in the marks of the language.
void Joiner::write_quotes(const PreparedSentence& sentence, const DecodedCandidate& candidate,
                          std::vector<std::string>& words) const {
  for (const Quote& quote : sentence.quotes)
    for (const Link& link : candidate.links) {
      const std::string& word = candidate.words[link.target];
      if (link.source != quote.position || !(is_quotation_mark(word) || is_single_mark(word))) continue;
      const MarkedToken token = parse_marks(words[link.target]);
      const std::string_view mark = parse_marks(sentence.words.surfaces[quote.position]).text;
      words[link.target] = with_marks(token.before, quote_in(tools_.target.language(), mark, quote), token.after);
    }
}

std::vector<std::string> Joiner::written_words(const PreparedSentence& sentence, const DecodedCandidate& candidate,
                                               std::span<const Piece> pieces) const {
  std::vector<std::string> words = candidate.words;
  auto marked = [](const Piece& piece, std::string_view word) { return with_marks(piece.before, word, piece.after); };
  for (const Piece& piece : pieces)
    if (!piece.verbatim()) words[piece.target.begin] = marked(piece, words[piece.target.begin]);
  if (casing_) {
    std::vector<std::string_view> target(words.begin(), words.end());
    const std::vector<std::string>& surfaces = sentence.words.surfaces;
    const std::vector<std::string_view> source(surfaces.begin(), surfaces.end());
    for (const GivenUse& use : candidate.given)
      if (const SourceToken& token = sentence.words.tokens[use.token]; token.hole && token.translations.empty())
        target[use.target.begin] = hole_text;
    const Casing* source_casing = tools_.source_casing ? &*tools_.source_casing : nullptr;
    words = CaseRestorer(*casing_, source_casing).restore(target, candidate.links, source);
  }
  // Words of models that keep marks in them have those of the source.
  auto copy = [&](const Piece& piece, std::string_view surface) {
    return tools_.spacing_is_apart() ? marked(piece, parse_marks(surface).text) : std::string(surface);
  };
  auto passed_on = [&](const Piece& piece, uint32_t source) {
    const std::string& number = sentence.words.numbers[source];
    return number.empty() ? copy(piece, sentence.words.surfaces[source]) : marked(piece, number);
  };
  for (const Piece& piece : pieces) {
    const uint32_t at = piece.target.begin;
    if (piece.verbatim())
      std::ranges::copy(piece.text->tokens, words.begin() + at);
    else if (piece.token)
      words[at] = copy(piece, piece.text->text);
    else if (candidate.kinds[at] == RuleKind::pass_through)
      words[at] = passed_on(piece, candidate.affiliations[at]);
  }
  // At last, for marks that the model has never seen pass through.
  write_quotes(sentence, candidate, words);
  return words;
}

void Joiner::write(const PreparedSentence& sentence, std::span<const Piece> pieces, SentenceCandidate& joined) const {
  std::vector<TextPiece> texts;
  std::string_view last;
  for (const Piece& piece : pieces) {
    if (piece.verbatim()) {
      last = piece.text->text;
      texts.push_back({last, true, piece.before, piece.after});
      continue;
    }
    const std::string_view token = joined.target_tokens[piece.target.begin];
    const std::string_view word = parse_marks(token).text;
    // The point of an abbreviation is the full stop of the sentence too, which then takes no place in the text.
    const bool written_already = !tools_.raw && word == "." && ends_in_point(last);
    texts.push_back({written_already ? std::string_view() : token});
    last = word;
  }
  std::vector<TextSpan> places;
  tools_.target.append_joined(joined.text, texts, places);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!pieces[i].verbatim()) {
      joined.target_spans.push_back(places[i]);
      continue;
    }
    for (const TextSpan& span : pieces[i].text->spans) joined.target_spans.push_back(span.shifted(places[i].begin));
  }
  // Of a last word that is no abbreviation the full stop is part.
  if (!tools_.raw && !joined.target_spans.empty() && ends_with_abbreviation(sentence) && lacks_end(joined.text) &&
      tools_.target.rules().spaces_words()) {
    joined.text += '.';
    joined.target_spans.back().end = joined.text.size();
  }
}

SentenceCandidate Joiner::join(const PreparedSentence& sentence, DecodedCandidate&& candidate) const {
  // A rule covers each source word, and words with given translations have no other rules; but nobody would miss what
  // is not there.
  const auto wanted = std::ranges::count_if(sentence.words.tokens, &SourceToken::given);
  if (static_cast<size_t>(wanted) != candidate.given.size())
    throw InputError(0, "a given translation was lost, which is a fault of this program; please report it");
  return join_completion(sentence, std::move(candidate));
}

SentenceCandidate Joiner::join_completion(const PreparedSentence& sentence, DecodedCandidate&& candidate) const {
  SentenceCandidate joined;
  std::vector<Piece> pieces = pieces_of(sentence, candidate);
  space(sentence, candidate, pieces);
  joined.target_tokens = written_words(sentence, candidate, pieces);
  for (size_t at = 0; at < candidate.kinds.size(); ++at)
    if (candidate.kinds[at] == RuleKind::pass_through) joined.unknown.push_back(static_cast<uint32_t>(at));
  write(sentence, pieces, joined);
  joined.score = candidate.score;
  joined.features = std::move(candidate.features);
  joined.links = std::move(candidate.links);
  joined.rules = std::move(candidate.rules);
  write_sides(tools_, joined.rules);
  return joined;
}

void write_sides(const TextTools& tools, std::vector<RuleUse>& rules) {
  auto written = [](const Tokenizer& tokenizer, std::string_view words) {
    std::string text;
    tokenizer.append_detokenized(text, words);
    return text;
  };
  for (RuleUse& rule : rules) {
    rule.source_side = written(tools.source, rule.source_side);
    rule.target_side = written(tools.target, rule.target_side);
  }
}

}  // namespace dragoman::translate
