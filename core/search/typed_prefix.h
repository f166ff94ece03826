// The beginning of a translation as somebody has typed it so far, in the model's words.
#pragma once

#include <string>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::search {

struct TypedPrefix {
  // Words that are followed by a space, and so are whole.
  std::vector<std::string> words;
  // What stands after the last space, in words, of which the last may be half a word. Where words end in it is not
  // certain: whoever goes on typing may make one of two.
  std::vector<std::string> tail;
};

}  // namespace dragoman::search
