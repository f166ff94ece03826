// A text with holes: spans whose translations are given, each of which is one word of its own, whatever was inside and
// whatever stands around it. In the text that sentences and tokens are looked for in, a placeholder stands for each. It
// is known by its place alone: the same characters elsewhere are text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/interval.h"
#include "base/namespaces.h"
#include "translate/markup.h"

namespace dragoman::translate {

// How a hole looks to whatever goes by the looks of words.
inline constexpr std::string_view hole_text = "{d0}";

struct Hole {
  TextSpan span;     // in the text with holes
  TextSpan written;  // in the text as it was written
  const Instruction* instruction;
};

class HoledText {
 public:
  // The text it is made from must outlive it.
  explicit HoledText(const MarkedText& marked);

  const std::string& text() const { return text_; }
  // Those that lie in a span of the text with holes.
  std::span<const Hole> holes(TextSpan span) const;
  std::string_view source(const Hole& hole) const {
    return std::string_view(marked_.text).substr(hole.written.begin, hole.written.size());
  }
  // From places in the text as it was written to places here, and back.
  uint64_t place(uint64_t written) const { return moved(written, &Hole::written, &Hole::span); }
  uint64_t written(uint64_t place) const { return moved(place, &Hole::span, &Hole::written); }
  TextSpan written(TextSpan span) const { return {written(span.begin), written(span.end)}; }

 private:
  using Where = TextSpan Hole::*;
  uint64_t moved(uint64_t at, Where from, Where to) const;

  const MarkedText& marked_;
  std::string text_;
  std::vector<Hole> holes_;  // in order, and apart
};

}  // namespace dragoman::translate
