#include "text/lines.h"

#include <string>

#include "base/errors.h"
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

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for_each_word(line, [&](std::string_view word) { words.push_back(word); });
  return words;
}

void require_equal_lines(uint64_t source, uint64_t target) {
  if (source != target)
    throw InputError(0, "the source has " + std::to_string(source) + " lines and the target " + std::to_string(target) +
                            "; both need one sentence per line, in the same order");
}

void require_equal_lines(uint64_t source, uint64_t target, uint64_t links) {
  if (source != target || source != links)
    throw InputError(0, "source, target and links must have as many lines as each other, but have " +
                            std::to_string(source) + ", " + std::to_string(target) + " and " + std::to_string(links));
}

}  // namespace dragoman::text
