#include "translate/text_translator.h"

#include <algorithm>

#include "base/parallel.h"
#include "base/process.h"
#include "base/utf8.h"
#include "text/case_restorer.h"
#include "text/lines.h"
#include "translate/line_job.h"

namespace dragoman::translate {

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
    // Words that were learned since have forms of their own.
    const Casing casing = target_casing_->extended(rules.target_words());
    const Casing* source_casing = source_casing_ ? &*source_casing_ : nullptr;
    cased = CaseRestorer(casing, source_casing).restore(target, made.links, source);
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
  std::vector<TextSpan> places;
  text_.target_tokenizer().append_detokenized(made.text, line, holes.empty() ? nullptr : &places);
  for (size_t i = holes.size(); i-- > 0;) {
    const TextSpan place = places[holes[i].first];
    made.text.replace(place.begin, place.end - place.begin, *holes[i].second);
  }
  tokens = std::move(cased);
  return made;
}

TranslatedLine TextTranslator::translate(std::string_view line, uint64_t line_number, const TranslateRequest& request,
                                         const Glossary& glossary) const {
  LineJob job(*this, line, line_number, request, glossary);
  while (!job.done()) job.advance(request.decode);
  return job.finish();
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
  made.forced = search::force(*decoder_, sentence, made.target_tokens, decode);
  return made;
}

std::vector<TranslatedLine> TextTranslator::translate_all(std::span<const std::string> lines, uint64_t first_line,
                                                          const TranslateRequest& request, const Glossary& glossary,
                                                          size_t threads, Monitor& monitor) const {
  std::vector<TranslatedLine> results(lines.size());
  TranslateRequest pinned = request;
  if (!pinned.decode.rules) pinned.decode.rules = decoder_->pin();
  Interrupt interrupt(monitor);
  pinned.decode.interrupt = &interrupt;
  monitor.start(lines.size());
  for_each_shard(lines.size(), threads ? threads : default_threads(), monitor, [&](size_t shard) {
    results[shard] = translate(lines[shard], first_line + shard, pinned, glossary);
    monitor.add(1);
  });
  return_free_memory();
  return results;
}

}  // namespace dragoman::translate
