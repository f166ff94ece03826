// Sentence pairs as word ids. Both sides keep their words in one flat array, a sentence being a span of it; memory is
// four bytes a word plus the strings of the two vocabularies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/namespaces.h"
#include "text/id_text.h"

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

Side read_side(const IdText& text);
// Throws InputError unless both texts have as many sentences.
Bitext read_bitext(const IdText& source, const IdText& target);

}  // namespace dragoman::align
