#include "translate/zones.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "text/token_text.h"

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

// A zone whose first and last word stay at its ends.
void add_pair(Span zone, Constraints& constraints) {
  constraints.zones.push_back(zone);
  constraints.walls.push_back({zone.begin + 1, zone.begin, zone.end, true});
  if (zone.size() > 2) constraints.walls.push_back({zone.end - 1, zone.begin, zone.end, true});
}

// Numbers that are further apart belong to different parts of the sentence, whose order is free.
constexpr uint32_t farthest_neighbour = 5;
// Numbers that are no further apart would soon stand side by side, if a word between them moved.
constexpr uint32_t nearest_neighbour = 4;

// %s, %-5d and {} stand for the next argument; %1$s, %(name)s, %1 and {0} say which, and %%s stands for none.
bool is_filled_in_order(std::string_view token) {
  if (token == "{}") return true;
  if (token.size() < 2 || token[0] != '%' || token[1] == '%' || token.find_first_of("$(") != std::string_view::npos)
    return false;
  return std::string_view("sdiufgcxXeEop@").find(token.back()) != std::string_view::npos;
}

// How good a place after this token is for cutting a sentence that is too long.
int cut_quality(const SourceToken& token) {
  if (token.hole) return 0;
  const MarkedToken bare = parse_marks(token.text);
  if (bare.text == "." || bare.text == "!" || bare.text == "?" || bare.text == ";" || bare.text == "。") return 3;
  if (bare.text == ":" || bare.text == ")" || bare.text == "–" || bare.text == "—") return 2;
  return bare.text == "," || bare.text == "、" || bare.text == "，" ? 1 : 0;
}

}  // namespace

void add_tag_zones(std::span<const SourceToken> tokens, const std::vector<bool>& is_protected,
                   Constraints& constraints) {
  std::vector<uint32_t> open;
  for (uint32_t at = 0; at < tokens.size(); ++at) {
    if (!is_protected[at]) continue;
    if (is_opening_tag(tokens[at].text)) {
      open.push_back(at);
    } else if (tokens[at].text.starts_with("</")) {
      // A tag that was never closed does not keep others from closing.
      const auto match = std::find_if(open.rbegin(), open.rend(), [&](uint32_t opening) {
        return tag_name(tokens[opening].text) == tag_name(tokens[at].text);
      });
      if (match == open.rend()) continue;
      const uint32_t begin = *match, end = at + 1;
      open.erase(match.base() - 1, open.end());
      constraints.zones.push_back({begin, end});
      if (end - begin > 2) constraints.walls.push_back({begin + 1, begin, end});
      constraints.walls.push_back({at, begin, end});
    }
  }
}

void add_quote_zones(std::span<const Quote> quotes, Constraints& constraints) {
  for (const Quote& quote : quotes)
    if (quote.role == QuoteRole::opens) add_pair({quote.position, quote.partner + 1}, constraints);
}

void add_bracket_zones(std::span<const Span> brackets, Constraints& constraints) {
  for (const Span& pair : brackets) add_pair(pair, constraints);
}

void add_mark_walls(std::span<const SourceToken> tokens, Constraints& constraints) {
  constexpr std::string_view marks[] = {"...", "…", "?", "!", "?!", "!?", "!!!", "???", "&nbsp;"};
  const Span whole{0, static_cast<uint32_t>(tokens.size())};
  for (uint32_t at = 0; at < tokens.size(); ++at) {
    const std::string_view text = parse_marks(tokens[at].text).text;
    if (std::ranges::find(marks, text) == std::end(marks) && !text.starts_with("<br")) continue;
    Span inner = whole;
    for (const Span& zone : constraints.zones)
      if (zone.begin <= at && at < zone.end && zone.size() < inner.size()) inner = zone;
    for (const uint32_t place : {at, at + 1})
      if (place > inner.begin && place < inner.end)
        constraints.walls.push_back({place, inner.begin, inner.size() == whole.size() ? UINT32_MAX : inner.end});
  }
}

void add_orders(std::span<const SourceToken> tokens, bool order_numbers, Constraints& constraints) {
  std::vector<uint32_t> placeholders, numbers;
  auto finish = [&](std::vector<uint32_t>& group) {
    if (group.size() > 1) constraints.ordered.push_back(group);
    group.clear();
  };
  for (uint32_t at = 0; at < tokens.size(); ++at) {
    const std::string_view text = parse_marks(tokens[at].text).text;
    if (is_filled_in_order(text)) placeholders.push_back(at);
    if (!order_numbers || tokens[at].hole || text.empty() || text[0] < '0' || text[0] > '9') continue;
    if (!numbers.empty() && at - numbers.back() > farthest_neighbour) finish(numbers);
    // What stands between two of them keeps them apart: 204 boys and 172 girls.
    if (!numbers.empty() && at - numbers.back() <= nearest_neighbour)
      for (uint32_t between = numbers.back() + 1; between < at; ++between) constraints.ordered.push_back({between, at});
    numbers.push_back(at);
  }
  finish(numbers);
  finish(placeholders);
}

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

std::vector<uint32_t> find_cuts(std::span<const SourceToken> tokens, uint32_t max_words, Constraints& constraints) {
  std::vector<uint32_t> cuts = {0};
  const uint32_t size = static_cast<uint32_t>(tokens.size());
  uint32_t begin = 0;
  auto inside_zone = [&](uint32_t at) {
    return std::ranges::any_of(constraints.zones, [&](const Span& zone) { return zone.begin < at && at < zone.end; });
  };
  while (max_words && size - begin > max_words) {
    uint32_t best = begin + max_words;
    int best_quality = -1;
    // The latest of the best places in the second half of what fits.
    for (uint32_t at = begin + max_words; at > begin + max_words / 2; --at) {
      const int quality = inside_zone(at) ? -1 : cut_quality(tokens[at - 1]);
      if (quality > best_quality) best = at, best_quality = quality;
    }
    cuts.push_back(best);
    begin = best;
  }
  // A zone that had to be cut is no zone any more, and its walls are none.
  auto is_cut = [&](uint32_t from, uint32_t to) {
    return std::ranges::any_of(cuts, [&](uint32_t cut) { return from < cut && cut < to; });
  };
  std::erase_if(constraints.walls,
                [&](const Wall& wall) { return wall.end != UINT32_MAX && is_cut(wall.begin, wall.end); });
  std::erase_if(constraints.zones, [&](const Span& zone) { return is_cut(zone.begin, zone.end); });
  return cuts;
}

}  // namespace dragoman::translate
