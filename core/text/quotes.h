// Quotation marks: which words are some, which belong together, and what a language writes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"

namespace dragoman::text {

bool is_quotation_mark(std::string_view word);

enum class QuoteRole : uint8_t { alone, opens, closes };

// A quotation mark of a line.
struct Quote {
  uint32_t position;
  QuoteRole role = QuoteRole::alone;
  uint32_t partner = 0;  // position of the other one, unless alone
  uint32_t depth = 0;    // in how many other quotations it stands
};

// The marks of a line of words, in order. Straight marks open and close in turn; of others the sign says which it is,
// as far as it does: “ closes what „ has opened, and » opens where « closes.
std::vector<Quote> find_quotes(std::span<const std::string_view> words);

// Whether a mark is written alike in all languages: " ' `
bool is_straight(std::string_view mark);

// Adds pairs of single marks, but for those that cross another pair; says anew in how many others each stands.
void add_single_quotes(std::vector<Quote>& quotes, std::span<const Span> pairs);

// How a mark is written in another language: a straight one stays, and so does `; any other becomes the language's own.
std::string_view quote_in(std::string_view language, std::string_view mark, const Quote& quote);

}  // namespace dragoman::text
