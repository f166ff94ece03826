#include "translate/prepared_line.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/brackets.h"
#include "text/single_quotes.h"
#include "translate/layout.h"
#include "translate/zones.h"

namespace dragoman::translate {
namespace {

// Zones and walls that were asked for.
void add_zones(const HoledText& text, const std::vector<Instruction>& instructions, TextSpan sentence,
               PreparedSentence& prepared) {
  // The first token that begins at or after a place.
  auto token_at = [&](uint64_t place) {
    const uint64_t inside = place <= sentence.begin ? 0 : place - sentence.begin;
    const auto& places = prepared.words.places;
    return static_cast<uint32_t>(std::ranges::lower_bound(places, inside, {}, &TextSpan::begin) - places.begin());
  };
  for (const Instruction& instruction : instructions) {
    const TextSpan span{text.place(instruction.span.begin), text.place(instruction.span.end)};
    if (instruction.kind == Instruction::Kind::zone && span.begin < sentence.end && span.end > sentence.begin) {
      const Span zone{token_at(span.begin), token_at(span.end)};
      if (zone.begin < zone.end) prepared.constraints.zones.push_back(zone);
    }
    if (instruction.kind == Instruction::Kind::wall && span.begin > sentence.begin && span.begin < sentence.end)
      prepared.constraints.walls.push_back({token_at(span.begin)});
  }
}

// Whether a sentence has single marks, and all of them quote.
bool only_quotes(std::span<const std::string_view> words, std::span<const Quote> quotes) {
  const auto singles = std::ranges::count_if(words, is_single_mark);
  return singles > 0 && singles == std::ranges::count_if(quotes, [&](const Quote& quote) {
                          return is_single_mark(words[quote.position]);
                        });
}

// What no sentence ends inside of, in order and apart, as the splitter wants it.
std::vector<TextSpan> fixed_spans(const HoledText& text, const std::vector<Instruction>& instructions) {
  std::vector<TextSpan> fixed;
  for (const Hole& hole : text.holes({0, text.text().size()})) fixed.push_back(hole.span);
  for (const Instruction& instruction : instructions)
    if (instruction.kind == Instruction::Kind::zone)
      fixed.push_back({text.place(instruction.span.begin), text.place(instruction.span.end)});
  std::ranges::sort(fixed, {}, &TextSpan::begin);
  std::vector<TextSpan> apart;
  for (const TextSpan& span : fixed) {
    if (!apart.empty() && span.begin < apart.back().end)
      apart.back().end = std::max(apart.back().end, span.end);
    else
      apart.push_back(span);
  }
  return apart;
}

std::vector<TextSpan> sentences_of(const TextTools& tools, const RuleSource& known, const HoledText& text,
                                   const std::vector<Instruction>& instructions) {
  if (!tools.raw) {
    const std::vector<TextSpan> fixed = fixed_spans(text, instructions);
    return without_layout(tools, known, text.text(), tools.splitter.split(text.text(), fixed), fixed);
  }
  if (text.text().find_first_not_of(" \t") == std::string::npos) return {};
  return {{0, text.text().size()}};
}

}  // namespace

PreparedLine prepare(const TextTools& tools, const RuleSource& known, std::string_view line, uint64_t line_number,
                     bool markup, const Glossary& glossary, uint32_t max_words) {
  require_text(line, line_number);
  MarkedText marked{std::string(line), {}};
  if (markup) marked = read_markup(line, line_number);
  const HoledText text(marked, !tools.raw);
  PreparedLine prepared;
  for (const TextSpan& span : sentences_of(tools, known, text, marked.instructions)) {
    PreparedSentence sentence;
    sentence.words = source_tokens(tools, known, text, span, glossary);
    if (sentence.size() == 0) continue;
    add_tag_zones(sentence.words.tokens, sentence.words.is_protected, sentence.constraints);
    add_zones(text, marked.instructions, span, sentence);
    for (const Span& compound : sentence.words.compounds) sentence.constraints.zones.push_back(compound);
    if (tools.spacing_is_apart()) {
      const std::vector<std::string>& surfaces = sentence.words.surfaces;
      sentence.spaces =
          read_source_spaces(tools.source.spacing(), std::vector<std::string_view>(surfaces.begin(), surfaces.end()));
    }
    if (tools.filter) {
      std::vector<std::string_view> words;
      for (const SourceToken& token : sentence.words.tokens)
        words.push_back(token.given() ? std::string_view() : token.text);
      sentence.quotes = find_quotes(words);
      add_single_quotes(sentence.quotes, sentence.words.single_quotes);
      sentence.single_quotes = only_quotes(words, sentence.quotes);
      for (const Quote& quote : sentence.quotes)
        if (is_straight(words[quote.position]) && !sentence.spaces.empty())
          sentence.spaces[quote.position].quote = quote.role;
      add_quote_zones(sentence.quotes, sentence.constraints);
      add_bracket_zones(find_brackets(words), sentence.constraints);
      add_mark_walls(sentence.words.tokens, sentence.constraints);
      add_orders(sentence.words.tokens, tools.target.rules().spaces_words(), sentence.constraints);
    }
    drop_crossing_zones(sentence.constraints);
    sentence.span = text.written(span);
    sentence.source = marked.text.substr(sentence.span.begin, sentence.span.size());
    sentence.cuts = find_cuts(sentence.words.tokens, max_words, sentence.constraints);
    prepared.sentences.push_back(std::move(sentence));
  }
  prepared.text = std::move(marked.text);
  return prepared;
}

}  // namespace dragoman::translate
