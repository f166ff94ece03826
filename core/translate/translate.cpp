#include "translate/translate.h"

#include "base/parallel.h"
#include "base/process.h"
#include "base/utf8.h"
#include "translate/joiner.h"
#include "translate/line_job.h"

namespace dragoman::translate {

TranslatedLine translate(const TextTranslator& translator, std::string_view line, uint64_t line_number,
                         const TranslateRequest& request, const Glossary& glossary) {
  LineJob job(translator, line, line_number, request, glossary);
  while (!job.done()) job.advance(request.decode);
  return job.finish();
}

std::vector<TranslatedLine> translate_all(const TextTranslator& translator, std::span<const std::string> lines,
                                          uint64_t first_line, const TranslateRequest& request,
                                          const Glossary& glossary, size_t threads, Monitor& monitor) {
  std::vector<TranslatedLine> results(lines.size());
  TranslateRequest pinned = request;
  if (!pinned.decode.rules) pinned.decode.rules = translator.decoder().pin();
  Interrupt interrupt(monitor);
  pinned.decode.interrupt = &interrupt;
  monitor.start(lines.size());
  for_each_shard(lines.size(), threads ? threads : default_threads(), monitor, [&](size_t shard) {
    results[shard] = translate(translator, lines[shard], first_line + shard, pinned, glossary);
    monitor.add(1);
  });
  return_free_memory();
  return results;
}

ForcedText force(const TextTranslator& translator, std::string_view source, std::string_view target,
                 const TranslateRequest& request) {
  require_text(source);
  require_text(target);
  const TextTools& tools = translator.tools();
  DecodeRequest decode = request.decode;
  decode.explain = true;
  if (!decode.rules) decode.rules = translator.decoder().pin();
  ForcedText text;
  SourceSentence sentence;
  for (const PreparedSentence& prepared : prepare(tools, *decode.rules, source, 1, false, {}, 0).sentences)
    for (const SourceToken& token : prepared.words.tokens) {
      text.source_tokens.push_back(token.text);
      sentence.tokens.push_back(token);
    }
  text.target_tokens = words_of(tools.target, target, tools.word_form());
  text.forced = search::force(translator.decoder(), sentence, text.target_tokens, decode);
  for (DecodedCandidate& candidate : text.forced.decoded.candidates) write_sides(tools, candidate.rules);
  return text;
}

}  // namespace dragoman::translate
