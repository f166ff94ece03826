#include "text/spaced_line.h"

#include <string>

namespace dragoman::text {

SpacingShape shape_of_escaped(const Spacing& rules, std::string_view text) {
  if (text.find(escape_mark) == std::string_view::npos) return rules.shape_of(text);
  std::string plain;
  append_unescaped(plain, text);
  return rules.shape_of(plain);
}

std::vector<SpacedToken> read_spacing(const Spacing& rules, Tokens written) {
  std::vector<SpacedToken> line;
  std::vector<Mark> marks;  // before each token
  line.reserve(written.size());
  Mark said = Mark::none;
  for (const std::string_view surface : written) {
    MarkedToken token = parse_marks(surface);
    if (token.text.empty()) token = {.text = surface};  // nothing but marks is no mark
    line.push_back({token.text, shape_of_escaped(rules, token.text)});
    marks.push_back(token.before != Mark::none ? token.before : said);
    said = token.after;
  }
  SpacingWalk walk(rules);
  for (size_t i = 0; i < line.size(); ++i) {
    line[i].expected = walk.reach(line[i].shape, i + 1 < line.size() ? &line[i + 1].shape : nullptr);
    if (i > 0) line[i].joined = marks[i] == Mark::none ? line[i].expected : marks[i] == Mark::join;
    walk.settle(line[i].joined);
  }
  return line;
}

}  // namespace dragoman::text
