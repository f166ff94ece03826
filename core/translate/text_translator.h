// Raw text to raw text in one call: instructions, sentences, tokens and terms (source_text.h), decoding, casing, and
// joining. Nothing is lost on the way: what lies between sentences is copied, unknown words pass through, protected
// tokens come out as they went in, and every line in gives one line out. Immutable and shared by threads: other
// weights, rules or terms make another translator, which shares all that is mapped.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/link.h"
#include "base/monitor.h"
#include "base/namespaces.h"
#include "index/live_index.h"
#include "search/decoder.h"
#include "search/forced.h"
#include "text/casing.h"
#include "translate/source_text.h"

namespace dragoman::translate {

struct TranslateRequest {
  DecodeRequest decode;
  bool markup = false;
  // Sentences longer than this are cut, at punctuation where there is any; 0 never cuts.
  uint32_t max_sentence_words = 100;
};

// One way to translate a sentence; token positions are those of source_tokens and target_tokens.
struct SentenceCandidate {
  std::string text;
  std::vector<std::string> target_tokens;  // as written
  double score;
  std::vector<std::pair<FeatureId, double>> features;
  Links links;
  std::vector<RuleUse> rules;
  std::vector<uint32_t> unknown;  // target positions of words that passed through
};

struct TranslatedSentence {
  std::string source;
  std::vector<std::string> source_tokens;
  std::vector<SentenceCandidate> candidates;  // best first
  bool narrowed = false;
  uint32_t given = 0;        // spans with given translations and protected tokens on the source side
  uint32_t given_found = 0;  // of them on the target side, best candidate
  ModelQueries neural;
  // Terms of the glossary that the best candidate obeys, and how each is written there.
  std::vector<std::pair<std::string, std::string>> terms;
};

struct TranslatedLine {
  std::string text;
  std::vector<TranslatedSentence> sentences;
  // The best ways to translate the whole line, `text` first: its text, score and features.
  struct Alternative {
    std::string text;
    double score;
    std::vector<std::pair<FeatureId, double>> features;
  };
  std::vector<Alternative> alternatives;
};

// Why, or why not, this translation.
struct ForcedText {
  std::vector<std::string> source_tokens, target_tokens;  // model forms
  Forced forced;
};

// A sentence pair as the model has it: space-separated tokens; and the target tokens as they were written.
struct PairTokens {
  std::string source, target, written;
};

class TextTranslator {
 public:
  // The casings may be missing: then words are written as the model has them, but for sentence starts. In raw mode
  // (tokenizer "none") nothing is done to case.
  TextTranslator(std::shared_ptr<const Decoder> decoder, const std::string& source_language,
                 const std::string& target_language, std::optional<Casing> source_casing,
                 std::optional<Casing> target_casing);

  const Decoder& decoder() const { return *decoder_; }
  const SourceText& source_text() const { return text_; }
  // The index its rules come from, to which pairs may be added; nullptr where they come from elsewhere.
  const std::shared_ptr<LiveIndex>& live_index() const { return live_index_; }
  // Terms that hold for every request, and their text.
  const Glossary& glossary() const { return *glossary_; }
  const std::string& glossary_text() const { return glossary_text_; }
  // Only before it is shared.
  void set_live_index(std::shared_ptr<LiveIndex> index) { live_index_ = std::move(index); }
  // The same translator with another decoder of the same words, or with these terms.
  std::shared_ptr<TextTranslator> with_decoder(std::shared_ptr<const Decoder> decoder) const;
  std::shared_ptr<TextTranslator> with_glossary(std::string_view text) const;

  // Lines must hold no line ends. line_number, from 1, is for errors.
  TranslatedLine translate(std::string_view line, uint64_t line_number, const TranslateRequest& request,
                           const Glossary& glossary) const;
  PairTokens tokenize_pair(std::string_view source, std::string_view target) const;
  // Takes the source as one sentence.
  ForcedText force(std::string_view source, std::string_view target, const TranslateRequest& request) const;
  std::vector<TranslatedLine> translate_all(std::span<const std::string> lines, uint64_t first_line,
                                            const TranslateRequest& request, const Glossary& glossary, size_t threads,
                                            Monitor& monitor) const;

 private:
  friend class LineJob;
  SentenceCandidate write(const PreparedSentence& sentence, Candidate&& candidate, const RuleSource& rules) const;

  std::shared_ptr<const Decoder> decoder_;
  std::shared_ptr<LiveIndex> live_index_;
  std::shared_ptr<const Glossary> glossary_ = std::make_shared<const Glossary>();
  std::string glossary_text_;
  // Translators that differ in their decoder share it.
  std::shared_ptr<const SourceText> shared_text_;
  const SourceText& text_;
  std::optional<Casing> source_casing_, target_casing_;
};

}  // namespace dragoman::translate
