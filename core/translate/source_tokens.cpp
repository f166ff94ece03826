#include "translate/source_tokens.h"

#include "text/quotes.h"

namespace dragoman::translate {
namespace {

class TokenMaker {
 public:
  TokenMaker(const TextTools& tools, const Vocabulary& known, const HoledText& text, TextSpan sentence,
             const Glossary& glossary)
      : tools_(tools),
        known_(known),
        whole_(text),
        glossary_(glossary),
        sentence_(sentence),
        text_(std::string_view(text.text()).substr(sentence.begin, sentence.size())),
        holes_(text.holes(sentence)) {
    std::vector<TextSpan> whole;
    for (const Hole& hole : holes_) whole.push_back(inside(hole.span));
    tools.source.tokenize(text_, whole, tokens_);
    surfaces_ = token_strings(tools.source, text_, tokens_, Form::written);
    models_ = token_strings(tools.source, text_, tokens_, tools.word_form());
    bare_ = token_strings(tools.source, text_, tokens_, Form::word);
    if (tools.source_accents)
      for (size_t i = 0; i < tokens_.size(); ++i)
        if (!tokens_[i].is_protected && known.find(models_[i]) == Vocabulary::unknown)
          if (const std::string_view same = known_word(models_[i]); !same.empty()) models_[i] = same;
  }

  SourceTokens make() && {
    for (size_t at = 0; at < tokens_.size();) {
      const Hole* hole = next_hole_ < holes_.size() ? &holes_[next_hole_] : nullptr;
      const Glossary::Term* term = glossary_.empty() ? nullptr : glossary_.find(bare_, at);
      if (hole && inside(hole->span).begin == tokens_[at].begin) {
        add(at, at);
        fill(*hole);
        ++next_hole_;
        ++at;
      } else if (term && !(hole && inside(hole->span).begin <= tokens_[at + term->source.size() - 1].begin)) {
        // A term does not reach over a span that has a translation of its own.
        add(at, at + term->source.size() - 1);
        translate_so(*term);
        at += term->source.size();
      } else {
        add(at, at);
        if (tokens_[at].is_protected && !tools_.raw) protect(at);
        ++at;
      }
    }
    return std::move(made_);
  }

 private:
  // A word that the model knows instead of this one: the same but for accents, or another quotation mark.
  std::string_view known_word(std::string_view word) const {
    if (!is_quotation_mark(word)) return tools_.source_accents->find(known_, word);
    return known_.find("\"") == Vocabulary::unknown ? std::string_view() : "\"";
  }

  TextSpan inside(TextSpan span) const { return {span.begin - sentence_.begin, span.end - sentence_.begin}; }

  // One token of those from `first` to `last`.
  void add(size_t first, size_t last) {
    std::string surface = surfaces_[first];
    SourceToken token{models_[first]};
    for (size_t i = first + 1; i <= last; ++i) {
      surface += ' ' + surfaces_[i];
      token.text += ' ' + models_[i];
    }
    const TextSpan place{tokens_[first].begin, tokens_[last].end};
    const TextSpan written = whole_.written(place.shifted(sentence_.begin));
    const uint64_t begin = whole_.written(sentence_.begin);
    made_.tokens.push_back(std::move(token));
    made_.surfaces.push_back(std::move(surface));
    made_.places.push_back(place);
    made_.spans.push_back({written.begin - begin, written.end - begin});
    made_.given.emplace_back();
    made_.is_protected.push_back(false);
  }

  void give(const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
      std::vector<Token> tokens;
      tools_.target.tokenize(target, tokens);
      if (tokens.empty()) continue;
      WrittenText text{one_line(target), token_strings(tools_.target, target, tokens, Form::written), {}};
      for (const Token& token : tokens) text.spans.push_back({token.begin, token.end});
      made_.tokens.back().translations.push_back(token_strings(tools_.target, target, tokens, tools_.word_form()));
      made_.given.back().texts.push_back(std::move(text));
    }
  }

  void fill(const Hole& hole) {
    std::string source = one_line(whole_.source(hole));
    std::string escaped;
    append_escaped(escaped, source);
    const MarkedToken token = parse_marks(made_.surfaces.back());
    made_.surfaces.back() = with_marks(token.before, escaped, token.after);
    made_.tokens.back().text = escaped;
    made_.tokens.back().hole = true;
    if (hole.instruction->kind == Instruction::Kind::translate) give(hole.instruction->targets);
    // Kept as it is, as is what was to become something without words.
    if (made_.tokens.back().translations.empty()) {
      const TextSpan all{0, source.size()};
      made_.given.back().texts = {{std::move(source), {escaped}, {all}}};
    }
  }

  void translate_so(const Glossary::Term& term) {
    const TextSpan place = made_.places.back();
    give(term.targets.empty() ? std::vector<std::string>{std::string(text_.substr(place.begin, place.size()))}
                              : term.targets);
    std::string& words = made_.given.back().term;
    for (const std::string& word : term.source) words += (words.empty() ? "" : " ") + word;
  }

  void protect(size_t at) {
    made_.is_protected.back() = true;
    made_.tokens.back().translations = {{models_[at]}};
    made_.given.back() = {true, {{surfaces_[at], {surfaces_[at]}, {}}}};
  }

  const TextTools& tools_;
  const Vocabulary& known_;
  const HoledText& whole_;
  const Glossary& glossary_;
  const TextSpan sentence_;
  const std::string_view text_;
  const std::span<const Hole> holes_;
  std::vector<Token> tokens_;
  std::vector<std::string> surfaces_, models_, bare_;
  size_t next_hole_ = 0;
  SourceTokens made_;
};

}  // namespace

SourceTokens source_tokens(const TextTools& tools, const Vocabulary& known, const HoledText& text, TextSpan sentence,
                           const Glossary& glossary) {
  return TokenMaker(tools, known, text, sentence, glossary).make();
}

}  // namespace dragoman::translate
