// Sentence pairs as word ids. Both sides keep their words in one flat array, a sentence being a span of it; memory is
// four bytes a word plus the strings of the two vocabularies.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "text/vocabulary.h"

namespace dragoman::align {

struct Side {
  Vocabulary vocabulary = Vocabulary::from_words({});
  std::vector<WordId> words;
  std::vector<uint64_t> begins{0};  // sentence n is [begins[n], begins[n + 1])

  size_t size() const { return begins.size() - 1; }
  size_t length(size_t sentence) const { return begins[sentence + 1] - begins[sentence]; }
  std::span<const WordId> sentence(size_t n) const { return {words.data() + begins[n], length(n)}; }
  // Occurrences of every word id.
  std::vector<uint32_t> frequencies() const;
};

struct Bitext {
  Side source;
  Side target;

  size_t size() const { return source.size(); }
};

// Lines of space-separated words, the two texts with equal numbers of lines. Throws InputError where a text is not
// UTF-8, holds NUL, or the numbers of lines differ.
Bitext read_bitext(std::string_view source, std::string_view target, size_t threads, Monitor& monitor);

// Throws InputError unless both texts have as many lines.
void require_equal_lines(size_t source, size_t target);

// The same words under the ids of vocabularies that exist already; words they lack become Vocabulary::unknown.
Side read_side(std::string_view text, const Vocabulary& vocabulary);

}  // namespace dragoman::align
