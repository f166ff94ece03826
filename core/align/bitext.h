// Sentence pairs as word ids. Both sides keep their words in one flat array, a sentence being a span of it; that is
// four bytes a word plus the strings of the two vocabularies. What training makes of a text lies where the text lies:
// in memory, or in a scratch space.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/array.h"
#include "base/namespaces.h"
#include "text/id_text.h"

namespace dragoman::align {

struct Side {
  Vocabulary vocabulary = Vocabulary::from_words({});
  Array<WordId> words;
  Array<uint64_t> begins;  // sentence n is [begins[n], begins[n + 1])

  explicit Side(ArrayMemory* memory = array_memory()) : words(memory), begins(1, 0, memory) {}

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
  ArrayMemory* memory() const { return memory_of(source.words); }
};

Side read_side(const IdText& text, ArrayMemory* memory = array_memory());
// Throws InputError unless both texts have as many sentences.
Bitext read_bitext(const IdText& source, const IdText& target, ArrayMemory* memory = array_memory());

}  // namespace dragoman::align
