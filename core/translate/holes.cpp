#include "translate/holes.h"

#include <algorithm>

#include "text/entities.h"

namespace dragoman::translate {

HoledText::HoledText(const MarkedText& marked, bool entities) : marked_(marked), entities_(entities) {
  for (const Instruction& instruction : marked.instructions) {
    if (instruction.kind != Instruction::Kind::translate && instruction.kind != Instruction::Kind::keep) continue;
    copy(instruction.span.begin);
    holes_.push_back({{text_.size(), text_.size() + hole_text.size()}, instruction.span, &instruction});
    replace(instruction.span, hole_text);
  }
  copy(marked.text.size());
}

void HoledText::replace(TextSpan written, std::string_view text) {
  changes_.push_back({{text_.size(), text_.size() + text.size()}, written});
  text_ += text;
  copied_ = written.end;
}

void HoledText::copy(uint64_t end) {
  const std::string_view line = std::string_view(marked_.text).substr(0, end);
  for (size_t at = entities_ ? line.find('&', copied_) : line.npos; at != std::string_view::npos;
       at = line.find('&', at + 1)) {
    const auto entity = text::word_entity_at(line, at);
    if (!entity) continue;
    text_ += line.substr(copied_, at - copied_);
    replace({at, entity->end}, entity->text);
  }
  text_ += line.substr(copied_);
  copied_ = end;
}

std::span<const Hole> HoledText::holes(TextSpan span) const {
  const auto first = std::ranges::lower_bound(holes_, span.begin, {}, [](const Hole& hole) { return hole.span.begin; });
  const auto last = std::ranges::upper_bound(holes_, span.end, {}, [](const Hole& hole) { return hole.span.end; });
  return first < last ? std::span<const Hole>(first, last) : std::span<const Hole>();
}

uint64_t HoledText::moved(uint64_t at, Where from, Where to) const {
  const auto next =
      std::ranges::upper_bound(changes_, at, {}, [&](const Change& change) { return (change.*from).end; });
  if (next == changes_.begin()) return at;
  const Change& before = next[-1];
  return at - (before.*from).end + (before.*to).end;
}

}  // namespace dragoman::translate
