// What reads like words and is none: numbers below zero, the short options of programs, the letters that number a list,
// apostrophes that stand for what was left out ('90s, 5'11), a hyphen alone in brackets. They come out as they went in.
#pragma once

#include <span>
#include <string_view>

#include "base/interval.h"
#include "base/namespaces.h"
#include "text/token.h"

namespace dragoman::translate {

enum class LiteralKind { none, number, text };

struct Literal {
  LiteralKind kind = LiteralKind::none;
  size_t last = 0;  // token
};

// The literal that begins with a token of the line, if one does. Of a number the sign is the first token.
Literal literal_at(std::string_view line, std::span<const Token> tokens, size_t at);

}  // namespace dragoman::translate
