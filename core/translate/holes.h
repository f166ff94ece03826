// A text with holes: spans whose translations are given, each of which is one word of its own, whatever was inside and
// whatever stands around it. In the text that sentences and tokens are looked for in, a placeholder stands for each. It
// is known by its place alone: the same characters elsewhere are text. And where a letter, an apostrophe or a space is
// written as an entity of HTML (caf&eacute;, l&#39;eau), it stands there itself.
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
  // The text it is made from must outlive it. `entities`: those inside of text are read.
  HoledText(const MarkedText& marked, bool entities);

  const std::string& text() const { return text_; }
  // Those that lie in a span of the text with holes.
  std::span<const Hole> holes(TextSpan span) const;
  std::string_view source(const Hole& hole) const {
    return std::string_view(marked_.text).substr(hole.written.begin, hole.written.size());
  }
  // From places in the text as it was written to places here, and back.
  uint64_t place(uint64_t written) const { return moved(written, &Change::written, &Change::span); }
  uint64_t written(uint64_t place) const { return moved(place, &Change::span, &Change::written); }
  TextSpan written(TextSpan span) const { return {written(span.begin), written(span.end)}; }

 private:
  // A span that is written otherwise.
  struct Change {
    TextSpan span, written;
  };
  using Where = TextSpan Change::*;
  uint64_t moved(uint64_t at, Where from, Where to) const;
  void replace(TextSpan written, std::string_view text);
  // Up to there, with what entities mean.
  void copy(uint64_t end);

  const MarkedText& marked_;
  bool entities_;
  std::string text_;
  uint64_t copied_ = 0;          // of the text as it was written
  std::vector<Change> changes_;  // in order, and apart
  std::vector<Hole> holes_;
};

}  // namespace dragoman::translate
