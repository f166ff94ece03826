#include "translate/holes.h"

#include <algorithm>

namespace dragoman::translate {

HoledText::HoledText(const MarkedText& marked) : marked_(marked) {
  uint64_t copied = 0;
  for (const Instruction& instruction : marked.instructions) {
    if (instruction.kind != Instruction::Kind::translate && instruction.kind != Instruction::Kind::keep) continue;
    text_.append(marked.text, copied, instruction.span.begin - copied);
    holes_.push_back({{text_.size(), text_.size() + hole_text.size()}, instruction.span, &instruction});
    text_ += hole_text;
    copied = instruction.span.end;
  }
  text_.append(marked.text, copied, std::string::npos);
}

std::span<const Hole> HoledText::holes(TextSpan span) const {
  const auto first = std::ranges::lower_bound(holes_, span.begin, {}, [](const Hole& hole) { return hole.span.begin; });
  const auto last = std::ranges::upper_bound(holes_, span.end, {}, [](const Hole& hole) { return hole.span.end; });
  return first < last ? std::span<const Hole>(first, last) : std::span<const Hole>();
}

uint64_t HoledText::moved(uint64_t at, Where from, Where to) const {
  const auto next = std::ranges::upper_bound(holes_, at, {}, [&](const Hole& hole) { return (hole.*from).end; });
  if (next == holes_.begin()) return at;
  const Hole& before = next[-1];
  return at - (before.*from).end + (before.*to).end;
}

}  // namespace dragoman::translate
