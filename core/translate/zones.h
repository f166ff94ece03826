// What holds together in a sentence, and where it may be cut.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "search/constraints.h"
#include "search/decoder.h"
#include "text/quotes.h"

namespace dragoman::translate {

// Pairs of tags hold together: what is inside stays inside, between them.
void add_tag_zones(std::span<const SourceToken> tokens, const std::vector<bool>& is_protected,
                   Constraints& constraints);

// So do pairs of quotation marks and of brackets; a rule may have all of it.
void add_quote_zones(std::span<const Quote> quotes, Constraints& constraints);
// Nothing moves across an ellipsis, ? or ! inside of a sentence, nor across a <br> or &nbsp;. Zones are there already.
void add_mark_walls(std::span<const SourceToken> tokens, Constraints& constraints);
void add_bracket_zones(std::span<const Span> brackets, Constraints& constraints);

// Numbers that stand close together come out in their order, none before a word that keeps it from the one before, and
// so do placeholders that are filled in their order: %s, {}. In languages that put no spaces between words, numbers are
// free: they often turn clauses round.
void add_orders(std::span<const SourceToken> tokens, bool order_numbers, Constraints& constraints);

// Tags and instructions may overlap; of two zones that cross, the first stays.
void drop_crossing_zones(Constraints& constraints);

// Where pieces of at most max_words words begin, 0 first; one piece if max_words is 0. A zone that had to be cut is
// no zone any more.
std::vector<uint32_t> find_cuts(std::span<const SourceToken> tokens, uint32_t max_words, Constraints& constraints);

}  // namespace dragoman::translate
