#include "translate/markup.h"

#include <algorithm>
#include <optional>

#include "base/errors.h"

namespace dragoman::translate {
namespace {

using Kind = Instruction::Kind;

struct Tag {
  Kind kind;
  bool closes = false;
  std::string_view value;
  size_t size = 0;
};

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::translate:
      return "t";
    case Kind::keep:
      return "keep";
    case Kind::zone:
      return "zone";
    default:
      return "wall";
  }
}

// The instruction that begins at text[0], which is '<'; nothing for other tags.
std::optional<Tag> read_tag(std::string_view text, uint64_t line) {
  for (Kind kind : {Kind::keep, Kind::zone, Kind::translate}) {
    const std::string closing = "</" + std::string(name_of(kind)) + ">";
    if (text.starts_with(closing)) return Tag{kind, true, {}, closing.size()};
  }
  if (text.starts_with("<keep>")) return Tag{Kind::keep, false, {}, 6};
  if (text.starts_with("<zone>")) return Tag{Kind::zone, false, {}, 6};
  if (text.starts_with("<wall/>")) return Tag{Kind::wall, false, {}, 7};
  constexpr std::string_view opening = "<t to=\"";
  if (!text.starts_with(opening)) return std::nullopt;
  const size_t end = text.find('"', opening.size());
  if (end == std::string_view::npos || text.substr(end, 2) != "\">")
    throw InputError(line, "the markup <t to=\"...\"> has no closing quote and bracket");
  return Tag{Kind::translate, false, text.substr(opening.size(), end - opening.size()), end + 2};
}

std::vector<std::string> targets_of(std::string_view value) {
  static constexpr std::pair<std::string_view, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#124;", '|'}};
  std::vector<std::string> targets(1);
  for (size_t at = 0; at < value.size();) {
    const auto entity =
        std::ranges::find_if(entities, [&](const auto& e) { return value.substr(at).starts_with(e.first); });
    if (entity != std::end(entities)) {
      targets.back() += entity->second;
      at += entity->first.size();
    } else if (value[at] == '|') {
      targets.emplace_back();
      ++at;
    } else {
      targets.back() += value[at++];
    }
  }
  std::erase_if(targets, [](const std::string& target) { return target.find_first_not_of(' ') == std::string::npos; });
  return targets;
}

}  // namespace

MarkedText read_markup(std::string_view line, uint64_t line_number) {
  MarkedText marked;
  std::vector<size_t> open;  // places in marked.instructions
  auto refuse = [&](const std::string& what) { throw InputError(line_number, "the markup " + what); };
  for (size_t at = 0; at < line.size();) {
    const auto tag = line[at] == '<' ? read_tag(line.substr(at), line_number) : std::nullopt;
    if (!tag) {
      marked.text += line[at++];
      continue;
    }
    at += tag->size;
    const std::string name(name_of(tag->kind));
    const uint64_t here = marked.text.size();
    if (tag->closes) {
      if (open.empty() || marked.instructions[open.back()].kind != tag->kind)
        refuse("</" + name + "> closes nothing that is open here");
      marked.instructions[open.back()].span.end = here;
      open.pop_back();
      continue;
    }
    if (!open.empty() && marked.instructions[open.back()].kind != Kind::zone)
      refuse("<" + name + "> cannot stand inside <" + std::string(name_of(marked.instructions[open.back()].kind)) +
             ">");
    Instruction instruction{tag->kind, {here, here}, {}};
    if (tag->kind == Kind::translate) {
      instruction.targets = targets_of(tag->value);
      if (instruction.targets.empty()) refuse("<t to=\"\"> names no translation; use <keep> to keep the text");
    }
    if (tag->kind != Kind::wall) open.push_back(marked.instructions.size());
    marked.instructions.push_back(std::move(instruction));
  }
  if (!open.empty()) refuse("<" + std::string(name_of(marked.instructions[open.back()].kind)) + "> is not closed");
  // What surrounds nothing says nothing.
  std::erase_if(marked.instructions, [](const Instruction& instruction) {
    return instruction.kind != Kind::wall && instruction.span.begin == instruction.span.end;
  });
  return marked;
}

}  // namespace dragoman::translate
