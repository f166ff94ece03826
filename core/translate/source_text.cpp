#include "translate/source_text.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/lines.h"

namespace dragoman::translate {
namespace {

bool is_opening_tag(std::string_view token) {
  return token.size() > 2 && token[0] == '<' && token[1] != '/' && !token.ends_with("/>") && token.back() == '>';
}

std::string_view tag_name(std::string_view token) {
  token.remove_prefix(token.starts_with("</") ? 2 : 1);
  size_t end = 0;
  while (end < token.size() && token[end] != '>' && token[end] != ' ' && token[end] != '/' &&
         !token.substr(end).starts_with(escape_mark))
    ++end;
  return token.substr(0, end);
}

// Pairs of tags hold together: what is inside stays inside, between them.
void add_tag_zones(std::span<const std::string> tokens, const std::vector<bool>& is_protected,
                   Constraints& constraints) {
  std::vector<uint32_t> open;
  for (uint32_t at = 0; at < tokens.size(); ++at) {
    if (!is_protected[at]) continue;
    if (is_opening_tag(tokens[at])) {
      open.push_back(at);
    } else if (tokens[at].starts_with("</")) {
      // A tag that was never closed does not keep others from closing.
      const auto match = std::find_if(open.rbegin(), open.rend(),
                                      [&](uint32_t each) { return tag_name(tokens[each]) == tag_name(tokens[at]); });
      if (match == open.rend()) continue;
      const uint32_t begin = *match, end = at + 1;
      open.erase(match.base() - 1, open.end());
      constraints.zones.push_back({begin, end});
      if (end - begin > 2) constraints.walls.push_back({begin + 1, begin, end});
      constraints.walls.push_back({at, begin, end});
    }
  }
}

// Tags and instructions may overlap; of two zones that cross, the first stays.
void drop_crossing_zones(Constraints& constraints) {
  std::vector<Span> kept;
  for (const Span& zone : constraints.zones)
    if (std::ranges::none_of(kept, [&](const Span& other) {
          const bool apart = zone.end <= other.begin || other.end <= zone.begin;
          const bool nested = (zone.begin >= other.begin && zone.end <= other.end) ||
                              (other.begin >= zone.begin && other.end <= zone.end);
          return !apart && !nested;
        }))
      kept.push_back(zone);
  // A wall stands in a zone of its own or in the sentence.
  std::erase_if(constraints.walls, [&](const Wall& wall) {
    return wall.end != UINT32_MAX && std::ranges::none_of(kept, [&](const Span& zone) {
             return zone.begin == wall.begin && zone.end == wall.end;
           });
  });
  constraints.zones = std::move(kept);
}

// How good a place after this token is for cutting a sentence that is too long.
int cut_quality(std::string_view token) {
  const MarkedToken bare = parse_marks(token);
  if (bare.text == "." || bare.text == "!" || bare.text == "?" || bare.text == ";" || bare.text == "。") return 3;
  if (bare.text == ":" || bare.text == ")" || bare.text == "–" || bare.text == "—") return 2;
  return bare.text == "," || bare.text == "、" || bare.text == "，" ? 1 : 0;
}

void find_cuts(PreparedSentence& sentence, uint32_t max_words) {
  sentence.cuts = {0};
  const uint32_t size = static_cast<uint32_t>(sentence.tokens.size());
  uint32_t begin = 0;
  auto inside_zone = [&](uint32_t at) {
    return std::ranges::any_of(sentence.constraints.zones,
                               [&](const Span& zone) { return zone.begin < at && at < zone.end; });
  };
  while (max_words && size - begin > max_words) {
    uint32_t best = begin + max_words;
    int best_quality = -1;
    // The latest of the best places in the second half of what fits.
    for (uint32_t at = begin + max_words; at > begin + max_words / 2; --at) {
      const int quality = inside_zone(at) ? -1 : cut_quality(sentence.tokens[at - 1].text);
      if (quality > best_quality) best = at, best_quality = quality;
    }
    sentence.cuts.push_back(best);
    begin = best;
  }
  // A zone that had to be cut is no zone any more, and its walls are none.
  auto is_cut = [&](uint32_t from, uint32_t to) {
    return std::ranges::any_of(sentence.cuts, [&](uint32_t cut) { return from < cut && cut < to; });
  };
  std::erase_if(sentence.constraints.walls,
                [&](const Wall& wall) { return wall.end != UINT32_MAX && is_cut(wall.begin, wall.end); });
  std::erase_if(sentence.constraints.zones, [&](const Span& zone) { return is_cut(zone.begin, zone.end); });
}

std::string one_line(std::string_view text) {
  std::string made(text);
  std::ranges::replace(made, '\n', ' ');
  std::ranges::replace(made, '\r', ' ');
  return made;
}

}  // namespace

SourceText::SourceText(const std::string& source_language, const std::string& target_language)
    : source_(source_language),
      target_(target_language),
      splitter_(source_language == "none" ? "" : source_language),
      raw_(source_language == "none") {}

std::vector<std::string> SourceText::token_strings(std::string_view text, const std::vector<Token>& tokens,
                                                   TokenFormat format) const {
  std::string line;
  source_.append_tokens(line, text, tokens, format);
  std::vector<std::string> strings;
  strings.reserve(tokens.size());
  for_each_word(line, [&](std::string_view word) { strings.emplace_back(word); });
  return strings;
}

std::vector<std::string> SourceText::target_words(std::string_view text) const {
  std::vector<Token> tokens;
  target_.tokenize(text, tokens);
  std::string line;
  target_.append_tokens(line, text, tokens, {raw_ ? Form::surface : Form::model, true});
  std::vector<std::string> words;
  for_each_word(line, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

void SourceText::add_tokens(PreparedSentence& sentence, std::string_view text, std::span<const Hole> holes,
                            const Glossary& glossary, std::vector<uint32_t>& begins) const {
  std::vector<TextSpan> whole;
  for (const Hole& hole : holes)
    whole.push_back({hole.span.begin - sentence.span.begin, hole.span.end - sentence.span.begin});
  std::vector<Token> tokens;
  source_.tokenize(text, whole, tokens);
  const auto surfaces = token_strings(text, tokens, {Form::surface, true});
  const auto models = raw_ ? surfaces : token_strings(text, tokens, {Form::model, true});
  const auto bare = token_strings(text, tokens, {Form::model, false});
  std::vector<bool> is_protected;
  auto give = [&](const std::vector<std::string>& targets) {
    GivenText given;
    for (const std::string& target : targets) {
      auto words = target_words(target);
      if (words.empty()) continue;
      sentence.tokens.back().translations.push_back(std::move(words));
      given.texts.push_back(one_line(target));
    }
    sentence.given.back() = std::move(given);
  };
  size_t next_hole = 0;
  for (size_t at = 0; at < tokens.size();) {
    begins.push_back(static_cast<uint32_t>(tokens[at].begin));
    sentence.surfaces.push_back(surfaces[at]);
    sentence.tokens.push_back({models[at]});
    sentence.given.emplace_back();
    is_protected.push_back(false);
    if (next_hole < whole.size() && whole[next_hole].begin == tokens[at].begin) {
      const Hole& hole = holes[next_hole++];
      if (hole.instruction->kind == Instruction::Kind::translate) give(hole.instruction->targets);
      // Kept as it is, as is what was to become something without words.
      if (sentence.tokens.back().translations.empty()) {
        sentence.tokens.back().translations = {{std::string(hole_text)}};
        sentence.given.back().texts = {one_line(hole.source)};
      }
      sentence.surfaces.back().clear();
      append_escaped(sentence.surfaces.back(), hole.source);
      ++at;
      continue;
    }
    const Glossary::Term* term = glossary.empty() ? nullptr : glossary.find(bare, at);
    // A term does not reach over a span that has a translation of its own.
    if (term && next_hole < whole.size() && whole[next_hole].begin <= tokens[at + term->source.size() - 1].begin)
      term = nullptr;
    if (term) {
      const size_t last = at + term->source.size() - 1;
      const std::string_view span = text.substr(tokens[at].begin, tokens[last].end - tokens[at].begin);
      give(term->targets.empty() ? std::vector<std::string>{std::string(span)} : term->targets);
      for (const std::string& word : term->source)
        sentence.given.back().term += (sentence.given.back().term.empty() ? "" : " ") + word;
      for (size_t i = at + 1; i <= last; ++i) {
        sentence.surfaces.back() += ' ' + surfaces[i];
        sentence.tokens.back().text += ' ' + models[i];
      }
      at = last + 1;
      continue;
    }
    if (tokens[at].is_protected && !raw_) {
      is_protected.back() = true;
      sentence.tokens.back().translations = {{models[at]}};
      sentence.given.back() = {true, {surfaces[at]}};
    }
    ++at;
  }
  std::vector<std::string> texts;
  for (const SourceToken& token : sentence.tokens) texts.push_back(token.text);
  add_tag_zones(texts, is_protected, sentence.constraints);
}

void SourceText::add_zones(PreparedSentence& sentence, const std::vector<Instruction>& instructions,
                           const std::vector<uint32_t>& begins) const {
  // The first token that begins at or after a place.
  auto token_at = [&](uint64_t place) {
    const uint64_t inside = place <= sentence.span.begin ? 0 : place - sentence.span.begin;
    return static_cast<uint32_t>(std::ranges::lower_bound(begins, inside) - begins.begin());
  };
  for (const Instruction& each : instructions) {
    if (each.kind == Instruction::Kind::zone && each.span.begin < sentence.span.end &&
        each.span.end > sentence.span.begin) {
      const Span zone{token_at(each.span.begin), token_at(each.span.end)};
      if (zone.begin < zone.end) sentence.constraints.zones.push_back(zone);
    }
    if (each.kind == Instruction::Kind::wall && each.span.begin > sentence.span.begin &&
        each.span.begin < sentence.span.end)
      sentence.constraints.walls.push_back({token_at(each.span.begin)});
  }
}

PreparedLine SourceText::prepare(std::string_view line, uint64_t line_number, bool markup, const Glossary& glossary,
                                 uint32_t max_words) const {
  require_text(line, line_number);
  MarkedText marked{std::string(line), {}};
  if (markup) marked = read_markup(line, line_number);

  // Put placeholders where translations are given; other instructions move along.
  std::vector<Hole> holes;
  std::vector<Instruction> instructions = marked.instructions;
  std::vector<TextSpan> fixed;  // no sentence ends inside these
  PreparedLine prepared;
  uint64_t copied = 0;
  struct Move {
    uint64_t from;
    int64_t by;
  };
  std::vector<Move> moves;
  for (const Instruction& each : marked.instructions) {
    if (each.kind != Instruction::Kind::translate && each.kind != Instruction::Kind::keep) continue;
    prepared.text.append(marked.text, copied, each.span.begin - copied);
    const TextSpan span{prepared.text.size(), prepared.text.size() + hole_text.size()};
    holes.push_back({span, marked.text.substr(each.span.begin, each.span.end - each.span.begin), &each});
    fixed.push_back(span);
    prepared.text += hole_text;
    copied = each.span.end;
    moves.push_back({each.span.end, static_cast<int64_t>(prepared.text.size()) - static_cast<int64_t>(copied)});
  }
  prepared.text.append(marked.text, copied, std::string::npos);
  auto place = [&](uint64_t at) {
    int64_t by = 0;
    for (const Move& move : moves)
      if (move.from <= at) by = move.by;
    return static_cast<uint64_t>(static_cast<int64_t>(at) + by);
  };
  for (Instruction& each : instructions) {
    each.span = {place(each.span.begin), place(each.span.end)};
    if (each.kind == Instruction::Kind::zone) fixed.push_back(each.span);
  }
  // In order and apart, as the splitter wants them.
  std::ranges::sort(fixed, {}, &TextSpan::begin);
  std::vector<TextSpan> apart;
  for (const TextSpan& each : fixed) {
    if (!apart.empty() && each.begin < apart.back().end)
      apart.back().end = std::max(apart.back().end, each.end);
    else
      apart.push_back(each);
  }

  std::vector<TextSpan> spans;
  if (raw_) {
    if (prepared.text.find_first_not_of(" \t") != std::string::npos) spans.push_back({0, prepared.text.size()});
  } else {
    spans = splitter_.split(prepared.text, apart);
  }
  auto hole = holes.begin();
  for (const TextSpan& span : spans) {
    while (hole != holes.end() && hole->span.begin < span.begin) ++hole;
    const auto first = hole;
    while (hole != holes.end() && hole->span.end <= span.end) ++hole;
    const std::span<const Hole> here(first, hole);
    PreparedSentence sentence;
    sentence.span = span;
    const std::string_view text = std::string_view(prepared.text).substr(span.begin, span.end - span.begin);
    std::vector<uint32_t> begins;
    add_tokens(sentence, text, here, glossary, begins);
    if (sentence.tokens.empty()) continue;
    add_zones(sentence, instructions, begins);
    drop_crossing_zones(sentence.constraints);
    sentence.source = text;
    for (size_t i = here.size(); i-- > 0;)
      sentence.source.replace(here[i].span.begin - span.begin, hole_text.size(), here[i].source);
    find_cuts(sentence, max_words);
    prepared.sentences.push_back(std::move(sentence));
  }
  return prepared;
}

}  // namespace dragoman::translate
