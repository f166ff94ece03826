#include "translate/complete.h"

#include <algorithm>

#include "base/utf8.h"
#include "translate/joiner.h"
#include "translate/pieces.h"
#include "translate/sentence_gap.h"
#include "translate/translate.h"

namespace dragoman::translate {
namespace {

constexpr std::string_view spaces = " \t";

bool ends_in_space(std::string_view text) { return text.empty() || spaces.find(text.back()) != std::string_view::npos; }

// What was typed, apart from sentences that are done.
struct TypedSentence {
  size_t number;  // of the source sentence that it translates
  std::string_view text;
};

TypedSentence typed_sentence(const TextTools& tools, std::string_view prefix, size_t sentences) {
  if (tools.raw || sentences == 1) return {0, prefix};
  // After a space, something is needed that a sentence may begin with.
  const std::string probe = std::string(prefix) + (ends_in_space(prefix) ? "Aa" : "");
  const std::vector<TextSpan> spans = tools.target_splitter.split(probe);
  if (spans.empty()) return {0, prefix};
  const size_t number = std::min(spans.size(), sentences) - 1;
  return {number, prefix.substr(std::min<size_t>(spans[number].begin, prefix.size()))};
}

TypedPrefix typed_words(const TextTools& tools, std::string_view text) {
  std::vector<Token> tokens;
  tools.target.tokenize(text, tokens);
  std::vector<std::string> words = token_strings(tools.target, text, tokens, tools.word_form());
  size_t whole = tokens.size();
  if (!tokens.empty() && tokens.back().end == text.size())
    while (whole > 0 && (whole == tokens.size() || tokens[whole - 1].end == tokens[whole].begin)) --whole;
  TypedPrefix prefix;
  prefix.words.assign(words.begin(), words.begin() + static_cast<ptrdiff_t>(whole));
  prefix.tail.assign(words.begin() + static_cast<ptrdiff_t>(whole), words.end());
  return prefix;
}

size_t characters(std::string_view text) { return static_cast<size_t>(std::ranges::count_if(text, begins_character)); }

// Where the text of a candidate goes on behind what was typed.
size_t typed_end(const SentenceCandidate& joined, uint32_t typed, std::string_view part) {
  if (typed == 0 || joined.target_spans.size() < typed) return 0;
  const TextSpan span = joined.target_spans[typed - 1];
  if (part.empty()) return span.end;
  size_t at = span.begin;
  for (size_t left = characters(part); at < span.end; ++at)
    if (begins_character(joined.text[at]) && left-- == 0) break;
  return at;
}

class Completer {
 public:
  Completer(const TextTranslator& translator, std::string_view source, std::string_view prefix,
            const TranslateRequest& request, const Glossary& glossary)
      : translator_(translator),
        prefix_(prefix),
        request_(request),
        most_(std::max(1u, request.decode.kbest)),
        prepared_(prepare(translator.tools(), *request.decode.rules, source, 1, request.markup, glossary,
                          request.max_sentence_words)),
        own_(translate(translator, source, 1, request, glossary)) {}

  std::vector<std::string> run() {
    take_own();
    if (completions_.size() < most_ && !prepared_.sentences.empty()) search();
    if (completions_.empty()) completions_.emplace_back();
    return std::move(completions_);
  }

 private:
  void take(std::string&& rest) {
    if (completions_.size() < most_ && std::ranges::find(completions_, rest) == completions_.end())
      completions_.push_back(std::move(rest));
  }

  void take_own() {
    if (!own_.text.starts_with(prefix_)) return;
    for (const auto& alternative : own_.alternatives)
      if (alternative.text.starts_with(prefix_)) take(alternative.text.substr(prefix_.size()));
  }

  void search() {
    const TextTools& tools = translator_.tools();
    const auto [number, text] = typed_sentence(tools, prefix_, prepared_.sentences.size());
    const PreparedSentence& sentence = prepared_.sentences[number];
    const TypedPrefix typed = typed_words(tools, text);
    if (typed.words.empty() && typed.tail.empty()) {
      for (const SentenceCandidate& candidate : own_.sentences[number].candidates)
        take(with_later(candidate.text, number));
      return;
    }
    const Joiner joiner(tools, request_.decode.rules->target_words());
    const SourceSentence piece = piece_of(tools, sentence, 0, sentence.size());
    for (DecodedCandidate& candidate : translator_.decoder().complete(piece, typed, request_.decode).candidates) {
      const std::string part =
          candidate.typed_part ? candidate.words[candidate.typed - 1].substr(0, candidate.typed_part) : "";
      const uint32_t words = candidate.typed;
      const SentenceCandidate joined = joiner.join_completion(sentence, std::move(candidate));
      take(with_later(joined.text.substr(typed_end(joined, words, part)), number));
    }
  }

  // What follows in this sentence, with the translations of those after it.
  std::string with_later(std::string_view rest, size_t number) const {
    if (ends_in_space(prefix_)) rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(spaces)));
    std::string text(rest);
    const TextTools& tools = translator_.tools();
    for (size_t next = number + 1; next < prepared_.sentences.size(); ++next) {
      const uint64_t begin = prepared_.sentences[next - 1].span.end, end = prepared_.sentences[next].span.begin;
      const std::string_view gap = std::string_view(prepared_.text).substr(begin, end - begin);
      const std::string& after = own_.sentences[next].candidates[0].text;
      text += sentence_gap(tools.target, std::string(prefix_) + text, gap, after);
      text += after;
    }
    return text.append(prepared_.text, prepared_.sentences.back().span.end);
  }

  const TextTranslator& translator_;
  const std::string_view prefix_;
  const TranslateRequest& request_;
  const size_t most_;
  const PreparedLine prepared_;
  const TranslatedLine own_;
  std::vector<std::string> completions_;
};

}  // namespace

std::vector<std::string> complete(const TextTranslator& translator, std::string_view source, std::string_view prefix,
                                  const TranslateRequest& request, const Glossary& glossary) {
  require_text(prefix);
  TranslateRequest pinned = request;
  // Every key asks for the same sentence again.
  if (!pinned.decode.rules) pinned.decode.rules = translator.decoder().pin_recent();
  return Completer(translator, source, prefix, pinned, glossary).run();
}

}  // namespace dragoman::translate
