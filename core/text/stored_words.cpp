#include "text/stored_words.h"

#include "base/utf8.h"

namespace dragoman::text {
namespace {

bool has_blanks(std::string_view text) {
  // The five from \t to \r lie side by side. No branches, so that many bytes are looked at together.
  bool blanks = false;
  for (const char c : text) blanks |= (c == ' ') | (static_cast<unsigned char>(c - '\t') < 5);
  return blanks;
}

}  // namespace

void require_words(const Container& container, const std::string& prefix, std::string_view strings,
                   const PackedArray& offsets) {
  if (find_invalid_utf8(strings) != std::string_view::npos) container.fail(prefix + ".strings", "is not UTF-8");
  if (has_blanks(strings)) container.fail(prefix + ".strings", "has blanks inside words");
  uint64_t last = offsets[0];
  bool right = last == 0;
  for (uint64_t i = 1; i < offsets.size() && right; ++i) {
    const uint64_t end = offsets[i];
    right = end > last && end <= strings.size() && begins_character(strings[last]);
    last = end;
  }
  if (!right || last != strings.size()) container.fail(prefix + ".offsets", "does not divide the strings into words");
}

}  // namespace dragoman::text
