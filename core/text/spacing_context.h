// What a sentence and its source say about the spaces between its tokens: everything but how the tokens before are
// spaced. The same for learning (spacing_trainer.h) and for writing (spacing_restorer.h). Linear in tokens and links.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "text/linear_model.h"
#include "text/lines.h"
#include "text/quotes.h"
#include "text/spacing.h"

namespace dragoman::text {

// How the place between two source tokens is written, as far as it is evidence.
enum class SourceSpace : uint8_t {
  none,
  joined,            // as the language's habits have it
  spaced,            // as they have it
  joined_strangely,  // against them
  spaced_strangely,
};

constexpr bool is_strange(SourceSpace space) { return space >= SourceSpace::joined_strangely; }
constexpr bool is_joined(SourceSpace space) {
  return space == SourceSpace::joined || space == SourceSpace::joined_strangely;
}

// A source token as the spacing of its translation sees it.
struct SpacedSource {
  uint64_t word;                           // hash
  SourceSpace before = SourceSpace::none;  // between it and the token before; none at the first
  bool dash = false;                       // of any length
  QuoteRole quote = QuoteRole::alone;      // of a straight mark of a pair
};

// Of tokens as they were written, with marks. In a line with a space before a full stop or a comma the other spaces say
// nothing either: somebody, or some program, has put them between all tokens.
std::vector<SpacedSource> read_source_spaces(const Spacing& rules, Tokens written);

// What is written in one piece: a word of the target, or a text that stands for a source token and is spaced like a
// placeholder.
struct SpacedPiece {
  std::string_view word;  // empty for a given text
  Interval<uint32_t> target;
  std::optional<uint32_t> stands_for = {};  // a source position
};

class SpacingContext {
 public:
  static constexpr size_t feature_count = 11;
  using Features = HashedFeatures<feature_count>;

  // Links outside the sentences are passed over.
  SpacingContext(const Spacing& rules, std::span<const SpacedPiece> pieces, std::span<const Link> links,
                 std::span<const SpacedSource> source);

  size_t size() const { return places_.size(); }
  SpacingShape shape(size_t piece) const { return places_[piece].shape; }
  // Whether there is anything to decide before this piece; between words a space is the rule.
  bool is_open(size_t piece) const;
  // What is certain before this piece, where it is: straight quotation marks that pair in the source stand with what
  // they enclose, a bracket that has its space there is no (s), and one that has none behind it gets none.
  std::optional<bool> settled(size_t piece) const;
  // What is usual before this piece where `expected` is the habit: what its source says, if the piece was copied.
  bool usual(size_t piece, bool expected) const;
  Features features(size_t piece, bool expected) const;

 private:
  // Of a piece that is linked to a straight quotation mark of a pair: the mark, and the spaces on both sides of it.
  struct LinkedQuote {
    QuoteRole role = QuoteRole::alone;
    bool joined_before = false, joined_after = false;
  };
  // A piece and the place before it.
  struct Place {
    SpacingShape shape;
    uint64_t word;
    SourceSpace beside = SourceSpace::none;  // between neighbours in the source that it and the piece before link to
    SourceSpace right = SourceSpace::none;   // before the source token that this piece copies
    LinkedQuote quote = {};
    SourceSpace left = SourceSpace::none;  // after the source token that the piece before copies
  };
  // As many marks as the source has pair as well where nothing links them: they open and close in turn.
  void pair_unlinked_quotes(std::span<const SpacedSource> source);

  std::vector<Place> places_;
};

}  // namespace dragoman::text
