// A line of written tokens with its marks read: how each token stands beside the one before it.
#pragma once

#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "text/lines.h"
#include "text/spacing.h"
#include "text/token_text.h"

namespace dragoman::text {

struct SpacedToken {
  std::string_view text;  // without marks, still escaped
  SpacingShape shape;
  bool expected = false;  // to be joined to the token before, by the habits of the language
  bool joined = false;    // to it indeed
};

SpacingShape shape_of_escaped(const Spacing& rules, std::string_view text);

std::vector<SpacedToken> read_spacing(const Spacing& rules, Tokens written);

}  // namespace dragoman::text
