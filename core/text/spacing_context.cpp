#include "text/spacing_context.h"

#include <algorithm>

#include "base/hash.h"
#include "text/case_shape.h"
#include "text/spaced_line.h"

namespace dragoman::text {
namespace {

constexpr SpacingShape given_shape{SpacingClass::placeholder, 0};

SourceSpace space_of(bool joined, bool expected) {
  if (joined) return expected ? SourceSpace::joined : SourceSpace::joined_strangely;
  return expected ? SourceSpace::spaced_strangely : SourceSpace::spaced;
}

// A copy of these is spaced as the original was; with a comma or a bracket, odd spaces are mistakes.
bool keeps_spacing(SpacingClass kind) {
  switch (kind) {
    case SpacingClass::placeholder:
    case SpacingClass::open_tag:
    case SpacingClass::close_tag:
    case SpacingClass::hyphen:
    case SpacingClass::infix:
    case SpacingClass::prefix:
      return true;
    default:
      return false;
  }
}

bool is_dash(std::string_view word) { return word == "-" || word == "–" || word == "—" || word == "‐" || word == "‑"; }

uint64_t as_number(SourceSpace space) { return static_cast<uint64_t>(space); }
uint64_t as_number(SpacingShape shape) { return static_cast<uint64_t>(shape.kind); }

}  // namespace

std::vector<SpacedSource> read_source_spaces(const Spacing& rules, Tokens written) {
  std::vector<SpacedSource> read;
  bool all_apart = false;
  for (const SpacedToken& token : read_spacing(rules, written)) {
    const SourceSpace before = read.empty() ? SourceSpace::none : space_of(token.joined, token.expected);
    all_apart = all_apart || (token.shape.kind == SpacingClass::close && before == SourceSpace::spaced_strangely);
    read.push_back({hash_bytes(word_form(token.text)), before, is_dash(token.text)});
  }
  if (all_apart)
    for (SpacedSource& token : read)
      if (token.before == SourceSpace::spaced_strangely) token.before = SourceSpace::none;
  return read;
}

SpacingContext::SpacingContext(const Spacing& rules, std::span<const SpacedPiece> pieces, std::span<const Link> links,
                               std::span<const SpacedSource> source) {
  std::vector<size_t> piece_of;  // by target position
  std::vector<std::optional<uint32_t>> copied(pieces.size());
  for (size_t i = 0; i < pieces.size(); ++i) {
    const SpacedPiece& piece = pieces[i];
    if (piece.word.empty())
      places_.push_back({given_shape, 0});
    else
      places_.push_back({shape_of_escaped(rules, piece.word), hash_bytes(piece.word)});
    piece_of.resize(std::max<size_t>(piece_of.size(), piece.target.end), i);
    if (piece.stands_for && *piece.stands_for < source.size()) copied[i] = piece.stands_for;
  }
  std::vector<std::vector<uint32_t>> pieces_of(source.size());
  for (const Link& link : links) {
    if (link.source >= source.size() || link.target >= piece_of.size()) continue;
    const size_t piece = piece_of[link.target];
    pieces_of[link.source].push_back(static_cast<uint32_t>(piece));
    const bool same =
        source[link.source].word == places_[piece].word || (source[link.source].dash && is_dash(pieces[piece].word));
    if (!copied[piece] && same) copied[piece] = link.source;
    if (source[link.source].quote != QuoteRole::alone && places_[piece].shape.kind == SpacingClass::quote) {
      const uint32_t next = link.source + 1;
      places_[piece].quote = {source[link.source].quote, is_joined(source[link.source].before),
                              next < source.size() && is_joined(source[next].before)};
    }
  }
  pair_unlinked_quotes(source);
  for (size_t at = 1; at < source.size(); ++at)
    for (const uint32_t piece : pieces_of[at])
      if (piece > 0 && std::ranges::find(pieces_of[at - 1], piece - 1) != pieces_of[at - 1].end())
        places_[piece].beside = source[at].before;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (!copied[i]) continue;
    const uint32_t from = *copied[i];
    if (i > 0) places_[i].right = source[from].before;
    if (i + 1 < pieces.size() && from + 1 < source.size()) places_[i + 1].left = source[from + 1].before;
  }
}

void SpacingContext::pair_unlinked_quotes(std::span<const SpacedSource> source) {
  const auto wanted =
      std::ranges::count_if(source, [](const SpacedSource& token) { return token.quote != QuoteRole::alone; });
  if (wanted == 0) return;
  std::vector<Place*> marks;
  for (Place& place : places_)
    if (place.shape.kind == SpacingClass::quote) marks.push_back(&place);
  if (static_cast<ptrdiff_t>(marks.size()) != wanted) return;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (marks[i]->quote.role != QuoteRole::alone) continue;
    const auto earlier = std::count_if(marks.begin(), marks.begin() + static_cast<ptrdiff_t>(i),
                                       [&](const Place* mark) { return mark->word == marks[i]->word; });
    const bool opens = earlier % 2 == 0;
    marks[i]->quote = {opens ? QuoteRole::opens : QuoteRole::closes, !opens, opens};
  }
}

bool SpacingContext::is_open(size_t piece) const {
  const Place& here = places_[piece];
  const SpacingClass left = places_[piece - 1].shape.kind, right = here.shape.kind;
  if (settled(piece)) return false;
  return mark_weight(left) > 0 || mark_weight(right) > 0 || left != right || is_strange(here.beside);
}

std::optional<bool> SpacingContext::settled(size_t piece) const {
  const Place& here = places_[piece];
  const Place& before = places_[piece - 1];
  auto is_wordlike = [](SpacingShape shape) {
    return shape.kind == SpacingClass::word || shape.kind == SpacingClass::number ||
           shape.kind == SpacingClass::placeholder;
  };
  if (here.shape.kind == SpacingClass::open && here.right == SourceSpace::spaced && is_wordlike(before.shape))
    return false;
  if (before.shape.kind == SpacingClass::open && here.left == SourceSpace::joined) return true;
  if (before.quote.role == QuoteRole::opens && before.quote.joined_after) return true;
  if (here.quote.role == QuoteRole::closes && here.quote.joined_before) return true;
  if (here.quote.role == QuoteRole::opens && !here.quote.joined_before && is_wordlike(before.shape)) return false;
  if (before.quote.role == QuoteRole::closes && !before.quote.joined_after && is_wordlike(here.shape)) return false;
  return std::nullopt;
}

bool SpacingContext::usual(size_t piece, bool expected) const {
  const Place& here = places_[piece];
  if (is_strange(here.right) && keeps_spacing(here.shape.kind)) return is_joined(here.right);
  if (is_strange(here.left) && keeps_spacing(places_[piece - 1].shape.kind)) return is_joined(here.left);
  return expected;
}

SpacingContext::Features SpacingContext::features(size_t piece, bool expected) const {
  const Place& here = places_[piece];
  const Place& before = places_[piece - 1];
  const uint64_t further = piece > 1 ? as_number(places_[piece - 2].shape) : 99;
  const uint64_t kinds = as_number(before.shape) << 8 | as_number(here.shape);
  Features features;
  features.add({kinds, expected});
  features.add({before.word, as_number(here.shape)});
  features.add({here.word, as_number(before.shape)});
  features.add({before.word, here.word});
  features.add({as_number(here.beside), kinds, expected});
  features.add({as_number(here.right), as_number(here.shape), expected});
  features.add({as_number(here.left), as_number(before.shape), expected});
  features.add({as_number(here.right), here.word});
  features.add({as_number(here.left), before.word});
  features.add({further, before.word, as_number(here.shape)});
  features.add({further, before.word, here.word, as_number(here.beside)});
  return features;
}

}  // namespace dragoman::text
