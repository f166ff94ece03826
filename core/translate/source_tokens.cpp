#include "translate/source_tokens.h"

#include <algorithm>
#include <optional>

#include "text/number_format.h"
#include "text/quotes.h"
#include "text/single_quotes.h"
#include "text/unicode.h"
#include "translate/literals.h"

namespace dragoman::translate {
namespace {

// Words before what is written like a decimal number and is none.
constexpr std::string_view version_words[] = {"version",   "release", "section", "chapter",  "figure",
                                              "table",     "step",    "article", "appendix", "page",
                                              "paragraph", "v",       "v.",      "ver.",     "no."};

class TokenMaker {
 public:
  TokenMaker(const TextTools& tools, const RuleSource& rules, const HoledText& text, TextSpan sentence,
             const Glossary& glossary)
      : tools_(tools),
        rules_(rules),
        known_(rules.source_words()),
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
    word_at_.resize(tokens_.size());
    if (tools.source_accents)
      for (size_t i = 0; i < tokens_.size(); ++i)
        if (!tokens_[i].is_protected && !knows(models_[i]))
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
      } else if (const size_t last = unknown_number_end(at); last > at) {
        add(at, last);
        carry_over(target_number(at, last));
        at = last + 1;
      } else if (const Literal literal = literal_of(at); literal.kind != LiteralKind::none) {
        const bool number = literal.kind == LiteralKind::number;
        const size_t end = number ? unknown_number_end(literal.last) : literal.last;
        add(at, end);
        carry_over(number ? signed_number(at, end) : written(at, end));
        at = end + 1;
      } else {
        add(at, at);
        if (tokens_[at].is_protected && !tools_.raw)
          protect(at);
        else if (tools_.spacing_is_apart())
          words_.numbers.back() = target_number(at, at);
        ++at;
      }
    }
    if (tools_.spacing_is_apart()) add_single_quotes();
    return std::move(words_);
  }

 private:
  void add_single_quotes() {
    for (const Span& pair : find_single_quotes(text_, tokens_)) {
      const Span words{word_at_[pair.begin], word_at_[pair.end - 1] + 1};
      auto stands_alone = [&](uint32_t word) {
        return !words_.tokens[word].given() && is_single_mark(words_.tokens[word].text);
      };
      if (stands_alone(words.begin) && stands_alone(words.end - 1)) words_.single_quotes.push_back(words);
    }
  }

  // What the text has as a whole, the rules know how to translate.
  Literal literal_of(size_t at) {
    if (!tools_.spacing_is_apart()) return {};
    const Literal literal = literal_at(text_, tokens_, at);
    if (literal.kind == LiteralKind::none) return literal;
    if (next_hole_ < holes_.size() && inside(holes_[next_hole_].span).begin < tokens_[literal.last].end) return {};
    if (!whole_is_known_) {
      std::vector<WordId> words;
      for (const std::string& word : models_) words.push_back(known_.find(word));
      whole_is_known_ = std::ranges::find(words, Vocabulary::unknown) == words.end() && rules_.has_phrase(words);
    }
    return *whole_is_known_ ? Literal() : literal;
  }

  std::string written(size_t first, size_t last) const {
    std::string escaped;
    append_escaped(escaped, text_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin));
    return escaped;
  }
  std::string signed_number(size_t sign, size_t last) const {
    const std::string number = target_number(sign + 1, last);
    return number.empty() ? written(sign, last) : written(sign, sign) + number;
  }

  // A word that the model knows instead of this one: the same but for accents, or another quotation mark.
  std::string_view known_word(std::string_view word) const {
    if (!is_quotation_mark(word))
      return tools_.source_accents->find(known_, word, [&](WordId id) { return rules_.is_known(id); });
    return knows("\"") ? "\"" : std::string_view();
  }
  bool knows(std::string_view word) const {
    const WordId id = known_.find(word);
    return id != Vocabulary::unknown && rules_.is_known(id);
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
    for (size_t i = first; i <= last; ++i) word_at_[i] = static_cast<uint32_t>(words_.tokens.size());
    words_.tokens.push_back(std::move(token));
    words_.surfaces.push_back(std::move(surface));
    words_.places.push_back(place);
    words_.spans.push_back({written.begin - begin, written.end - begin});
    words_.given.emplace_back();
    words_.is_protected.push_back(false);
    words_.numbers.emplace_back();
  }

  void give(const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
      std::vector<Token> tokens;
      tools_.target.tokenize(target, tokens);
      if (tokens.empty()) continue;
      WrittenText text{one_line(target), token_strings(tools_.target, target, tokens, Form::written), {}};
      for (const Token& token : tokens) text.spans.push_back({token.begin, token.end});
      words_.tokens.back().translations.push_back(token_strings(tools_.target, target, tokens, tools_.word_form()));
      words_.given.back().texts.push_back(std::move(text));
    }
  }

  void fill(const Hole& hole) {
    std::string source = one_line(whole_.source(hole));
    std::string escaped;
    append_escaped(escaped, source);
    const MarkedToken token = parse_marks(words_.surfaces.back());
    words_.surfaces.back() = with_marks(token.before, escaped, token.after);
    words_.tokens.back().text = escaped;
    words_.tokens.back().hole = true;
    if (hole.instruction->kind == Instruction::Kind::translate) give(hole.instruction->targets);
    // Kept as it is, as is what was to become something without words.
    if (words_.tokens.back().translations.empty()) {
      const TextSpan all{0, source.size()};
      words_.given.back().texts = {{std::move(source), {escaped}, {all}}};
    }
  }

  void translate_so(const Glossary::Term& term) {
    const TextSpan place = words_.places.back();
    give(term.targets.empty() ? std::vector<std::string>{std::string(text_.substr(place.begin, place.size()))}
                              : term.targets);
    std::string& words = words_.given.back().term;
    for (const std::string& word : term.source) words += (words.empty() ? "" : " ") + word;
  }

  void protect(size_t at) {
    words_.is_protected.back() = true;
    words_.tokens.back().translations = {{models_[at]}};
    words_.given.back() = {true, {{surfaces_[at], {surfaces_[at]}, {}}}};
  }

  bool is_number_at(size_t at) const {
    return at < tokens_.size() && !tokens_[at].is_protected && bare_[at][0] >= '0' && bare_[at][0] <= '9';
  }
  bool is_one_space_before(size_t at) const {
    const uint64_t end = tokens_[at - 1].end;
    return tokens_[at].begin > end && decode_utf8(text_, end).bytes == tokens_[at].begin - end;
  }

  // The last token of a number that is written with spaces and that the rules do not know as a whole, or `first`. All
  // the digits in a row are one number, or none of them is.
  size_t unknown_number_end(size_t first) const {
    if (!tools_.spacing_is_apart() || !is_number_at(first)) return first;
    if (first > 0 && (bare_[first - 1] == "+" || (is_number_at(first - 1) && is_one_space_before(first)))) return first;
    size_t last = first;
    while (is_number_at(last + 1) && is_one_space_before(last + 1)) ++last;
    if (last == first || target_number(first, last).empty()) return first;
    if (next_hole_ < holes_.size() && inside(holes_[next_hole_].span).begin <= tokens_[last].begin) return first;
    std::vector<WordId> words;
    for (size_t i = first; i <= last; ++i) words.push_back(known_.find(models_[i]));
    return std::ranges::find(words, Vocabulary::unknown) == words.end() && rules_.has_phrase(words) ? first : last;
  }

  // Tokens as a number of the target language, escaped; empty if they are none, or the same.
  std::string target_number(size_t first, size_t last) const {
    std::string escaped;
    const std::string_view written = text_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin);
    if (!is_number_at(first) || (may_be_version(written) && follows_name(first))) return escaped;
    if (const auto number = number_in(tools_.target.language(), tools_.source.language(), written))
      append_escaped(escaped, *number);
    return escaped;
  }

  // Whether a name stands before it, or a word that what is numbered has: Python 3.11, section 3.11. A capital at the
  // beginning says nothing of words that are written small elsewhere.
  bool follows_name(size_t at) const {
    if (at == 0) return false;
    const std::string& word = bare_[at - 1];
    if (std::ranges::find(version_words, word) != std::end(version_words)) return true;
    if (!is_upper(decode_utf8(text_, tokens_[at - 1].begin).value)) return false;
    if (at > 1 || !tools_.source_casing) return true;
    const WordId id = tools_.source_casing->find(word, word);
    std::string form;
    if (id != Vocabulary::unknown) tools_.source_casing->append_form(form, id, word);
    return form.empty() || form != word;
  }

  // `text` is escaped.
  void carry_over(const std::string& text) {
    words_.tokens.back().translations = {{text}};
    words_.given.back() = {true, {{text, {text}, {}}}};
  }

  const TextTools& tools_;
  const RuleSource& rules_;
  const Vocabulary& known_;
  const HoledText& whole_;
  const Glossary& glossary_;
  const TextSpan sentence_;
  const std::string_view text_;
  const std::span<const Hole> holes_;
  std::vector<Token> tokens_;
  std::vector<std::string> surfaces_, models_, bare_;
  std::vector<uint32_t> word_at_;  // by token
  std::optional<bool> whole_is_known_;
  size_t next_hole_ = 0;
  SourceTokens words_;
};

}  // namespace

SourceTokens source_tokens(const TextTools& tools, const RuleSource& known, const HoledText& text, TextSpan sentence,
                           const Glossary& glossary) {
  return TokenMaker(tools, known, text, sentence, glossary).make();
}

}  // namespace dragoman::translate
