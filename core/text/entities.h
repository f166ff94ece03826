// Letters, apostrophes and spaces inside of text that are written as entities of HTML, in text that is no document:
// caf&eacute;, l&#39;eau, 10&nbsp;kg. All other entities are signs of their own, which stay as they are
// (protected_span.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace dragoman::text {

struct WordEntity {
  std::string text;
  size_t end;  // of the entity, in the line
};

// What begins at the & that stands there: a letter beside another one, an apostrophe between two, or a space between
// what is none, outside of tags.
std::optional<WordEntity> word_entity_at(std::string_view line, size_t at);

}  // namespace dragoman::text
