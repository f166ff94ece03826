#include "text/lines.h"

#include "base/kernels.h"

namespace dragoman::text {

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  lines.reserve(base_kernels().count_byte(text.data(), text.size(), '\n') + 1);
  for (size_t at = 0; at < text.size();) {
    size_t end = text.find('\n', at);
    const size_t next = end == std::string_view::npos ? text.size() : end + 1;
    if (end == std::string_view::npos) end = text.size();
    if (end > at && text[end - 1] == '\r') --end;
    lines.push_back(text.substr(at, end - at));
    at = next;
  }
  return lines;
}

size_t count_words(std::string_view line) {
  size_t words = 0;
  for_each_word(line, [&](std::string_view) { ++words; });
  return words;
}

}  // namespace dragoman::text
