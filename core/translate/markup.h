// Instructions inside the text, when they are asked for:
//   <t to="house|home">maison</t>   translate so, one of these
//   <keep>Rue de la Paix</keep>     keep as it is
//   <zone>...</zone>                translate in one piece: nothing from outside comes in between
//   <wall/>                         do not reorder across this place
// In `to`, &amp; &lt; &gt; &quot; and &#124; stand for themselves. Other tags are text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "text/splitter.h"

namespace dragoman::translate {

struct Instruction {
  enum class Kind { translate, keep, zone, wall };
  Kind kind;
  TextSpan span;                     // of the text without markup
  std::vector<std::string> targets;  // of translate
};

struct MarkedText {
  std::string text;
  std::vector<Instruction> instructions;  // in order of where they begin, outer ones first
};

// Throws InputError with the line's number for markup that is not closed, closed twice, or nested where it cannot be.
MarkedText read_markup(std::string_view line, uint64_t line_number);

}  // namespace dragoman::translate
