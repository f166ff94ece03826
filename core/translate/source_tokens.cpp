#include "translate/source_tokens.h"

#include <algorithm>
#include <optional>

#include "base/utf8.h"
#include "index/lexicon.h"
#include "text/case_shape.h"
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
    single_quotes_ = find_single_quotes(text_, tokens_);
    word_at_.resize(tokens_.size());
    parts_.resize(tokens_.size());
    read_case();
    if (tools.unknown_words) replace_unknown();
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
      } else if (const size_t last = unknown_range_end(at); last > at) {
        add(at, last);
        carry_over(target_range(at, last));
        at = last + 1;
      } else if (const Literal literal = literal_of(at); literal.kind != LiteralKind::none) {
        const bool number = literal.kind == LiteralKind::number;
        const size_t end = number ? unknown_number_end(literal.last) : literal.last;
        add(at, end);
        carry_over(number ? signed_number(at, end) : escaped(at, end));
        at = end + 1;
      } else if (!parts_[at].empty()) {
        add_parts(at);
        ++at;
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
    for (const Span& pair : single_quotes_) {
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
    // A mark that quotes stands for nothing left out.
    if (std::ranges::any_of(single_quotes_, [&](const Span& pair) { return at == pair.begin || at + 1 == pair.end; }))
      return {};
    if (is_filled(literal.last)) return {};
    if (!whole_is_known_) whole_is_known_ = is_known(0, tokens_.size() - 1);
    return *whole_is_known_ ? Literal() : literal;
  }

  std::string escaped(size_t first, size_t last) const {
    std::string text;
    append_escaped(text, text_.substr(tokens_[first].begin, tokens_[last].end - tokens_[first].begin));
    return text;
  }
  std::string signed_number(size_t sign, size_t last) const {
    const std::string number = target_number(sign + 1, last);
    return number.empty() ? escaped(sign, last) : escaped(sign, sign) + number;
  }

  // Words that the model knows instead of those that it does not: the same but for accents, another quotation mark, and
  // then other forms and the parts of compounds, but in a sentence of another language: of its words few are known.
  void replace_unknown() {
    std::vector<size_t> unknown;
    size_t words = 0;
    const bool is_translation = tools_.spacing_is_apart() && is_target_text();
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].is_protected) continue;
      words += is_cased_word(models_[at]);
      if (knows(models_[at])) continue;
      if (is_translation && is_cased_word(models_[at])) continue;
      if (take_same_word(at)) continue;
      if (is_cased_word(models_[at])) unknown.push_back(at);
    }
    if (!tools_.spacing_is_apart() || (unknown.size() > few_unknown && 2 * unknown.size() > words)) return;
    for (const size_t at : unknown) take_other_word(at);
  }
  // Whether it looks like text of the target language: more of its words are known there alone than here.
  bool is_target_text() const {
    size_t here = 0, there = 0;
    for (size_t at = 0; at < tokens_.size(); ++at) {
      if (tokens_[at].is_protected || !is_cased_word(models_[at])) continue;
      if (knows(models_[at]))
        ++here;
      else
        there += rules_.target_words().find(models_[at]) != Vocabulary::unknown;
    }
    return there > few_unknown && there > here;
  }
  bool take_same_word(size_t at) {
    std::string& word = models_[at];
    std::string_view same;
    if (!is_quotation_mark(word))
      same = tools_.unknown_words->without_accents(known_, word, [&](WordId id) { return rules_.is_known(id); });
    else if (knows("\""))
      same = "\"";
    if (!same.empty()) word = same;
    return !same.empty();
  }
  void take_other_word(size_t at) {
    std::string& word = models_[at];
    if (characters_of(written(at)) != characters_of(word)) return;
    const TokenCase letters = case_of(written(at));
    const bool in_capitals = letters.is_all_upper() && !has_small_;
    // No iPhone, and no NATO.
    if (!letters.is_lower() && !(letters.begins_upper && letters.upper == 1) && !in_capitals) return;
    // One name after the other: Marc Spitzer.
    if (letters.begins_upper && has_small_ && at > first_word_ + 1 && case_of(written(at - 1)).begins_upper) return;
    const bool says_case = at > first_word_ && has_small_ && has_capital_;
    std::vector<StandIn> known = tools_.unknown_words->find(
        known_, word, says_case ? std::optional(letters.begins_upper) : std::nullopt,
        [&](WordId id) { return rules_.is_known(id) && is_translated(id); }, [&](WordId id) { return is_name(id); });
    if (known.size() == 1)
      word = known.front().word;
    else
      parts_[at] = std::move(known);
  }
  // Whether the training text translates a word more often than it leaves it out.
  bool is_translated(WordId word) const { return rules_.word_probability(word, Lexicon::null_word) < 0.5; }
  // Whether it is mostly copied, as a word that the target language writes with a capital.
  bool is_name(WordId word) const {
    const std::string_view name = known_.word(word);
    const WordId same = rules_.target_words().find(name);
    if (same == Vocabulary::unknown || rules_.word_probability(word, same) < 0.5) return false;
    std::string form;
    tools_.target_casing->append_form(form, same, name);
    return case_of(form).begins_upper;
  }
  std::string_view written(size_t at) const {
    return text_.substr(tokens_[at].begin, tokens_[at].end - tokens_[at].begin);
  }
  // What the case of words is judged by: the first word, and whether there is a capital after it.
  void read_case() {
    while (first_word_ < tokens_.size() && !case_of(written(first_word_)).is_word()) ++first_word_;
    if (first_word_ == tokens_.size()) return;
    const TokenCase all = case_of(text_), rest = case_of(text_.substr(tokens_[first_word_].end));
    has_small_ = all.upper < all.letters;
    has_capital_ = rest.upper > 0;
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
    for (size_t i = first; i <= last; ++i) word_at_[i] = static_cast<uint32_t>(words_.tokens.size());
    append(std::move(token), std::move(surface), {tokens_[first].begin, tokens_[last].end});
  }
  void append(SourceToken token, std::string surface, TextSpan place) {
    const TextSpan written = whole_.written(place.shifted(sentence_.begin));
    const uint64_t begin = whole_.written(sentence_.begin);
    words_.tokens.push_back(std::move(token));
    words_.surfaces.push_back(std::move(surface));
    words_.places.push_back(place);
    words_.spans.push_back({written.begin - begin, written.end - begin});
    words_.given.emplace_back();
    words_.is_protected.push_back(false);
    words_.numbers.emplace_back();
  }

  // A token for each part of a compound, spaced as if they were words. Those that are written with a capital when they
  // stand alone have one.
  void add_parts(size_t at) {
    const auto begin = word_at_[at] = static_cast<uint32_t>(words_.tokens.size());
    const MarkedToken whole = parse_marks(surfaces_[at]);
    const std::string_view word = models_[at];
    for (const StandIn& part : parts_[at]) {
      const TextSpan place{place_of_letter(at, characters_of(word.substr(0, part.span.begin))),
                           place_of_letter(at, characters_of(word.substr(0, part.span.end)))};
      const bool is_first = place.begin == tokens_[at].begin, is_last = place.end == tokens_[at].end;
      std::string piece;
      append_escaped(piece, text_.substr(place.begin, place.size()));
      if (part.capital && !is_first) {
        std::string noun;
        append_capitalized(noun, piece, DottedI::one_letter);
        piece = std::move(noun);
      }
      append({std::string(part.word)},
             with_marks(is_first ? whole.before : Mark::none, piece, is_last ? whole.after : Mark::none), place);
    }
    words_.compounds.push_back({begin, static_cast<uint32_t>(words_.tokens.size())});
  }
  // The byte of the text where a letter of a token begins.
  uint64_t place_of_letter(size_t at, size_t letters) const {
    uint64_t place = tokens_[at].begin;
    for (; letters > 0; --letters) place += decode_utf8(text_, place).bytes;
    return place;
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
    return is_filled(last) || is_known(first, last) ? first : last;
  }
  // The last token of 12-15, 3/4 or 2012–2013, which the rules do not know as a whole, or `first`.
  size_t unknown_range_end(size_t first) const {
    if (!tools_.spacing_is_apart() || !is_number_at(first)) return first;
    size_t last = first;
    while (is_range_sign(last + 1) && is_number_at(last + 2) && tokens_[last + 2].joined) last += 2;
    return last == first || is_filled(last) || is_known(first, last) ? first : last;
  }
  bool is_range_sign(size_t at) const {
    constexpr std::string_view signs[] = {"-", "–", "—", "‑", "/"};
    return at < tokens_.size() && tokens_[at].joined && std::ranges::find(signs, written(at)) != std::end(signs);
  }
  // Whether a translation is given for a token, or for one before it.
  bool is_filled(size_t at) const {
    return next_hole_ < holes_.size() && inside(holes_[next_hole_].span).begin <= tokens_[at].begin;
  }
  bool is_known(size_t first, size_t last) const {
    std::vector<WordId> words;
    for (size_t i = first; i <= last; ++i) words.push_back(known_.find(models_[i]));
    return std::ranges::find(words, Vocabulary::unknown) == words.end() && rules_.has_phrase(words);
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

  // Numbers and the signs between them, escaped.
  std::string target_range(size_t first, size_t last) const {
    std::string range;
    for (size_t at = first; at <= last; ++at) {
      const std::string number = target_number(at, at);
      range += number.empty() ? escaped(at, at) : number;
    }
    return range;
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
  std::vector<Span> single_quotes_;  // of tokens
  std::vector<uint32_t> word_at_;    // by token
  std::optional<bool> whole_is_known_;
  std::vector<std::vector<StandIn>> parts_;  // of compounds; none of other tokens
  // So many unknown words say nothing about the language.
  static constexpr size_t few_unknown = 3;
  size_t first_word_ = 0;
  bool has_small_ = false, has_capital_ = false;
  size_t next_hole_ = 0;
  SourceTokens words_;
};

}  // namespace

SourceTokens source_tokens(const TextTools& tools, const RuleSource& known, const HoledText& text, TextSpan sentence,
                           const Glossary& glossary) {
  return TokenMaker(tools, known, text, sentence, glossary).make();
}

}  // namespace dragoman::translate
