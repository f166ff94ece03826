// nlm.bin, a neural language model on disk (thesis chapter 4): fixed records, enumerations and names of sections.
//
// Word ids are those of core/lm on both sides: 0 nothing, 1 <unk>, 2 <s>, 3 </s>, words from 4 by falling frequency.
// Ids 0 and 2 are never predicted. All scores inside a model are natural logarithms.
//
//   p         = max(0, hidden_bias + sum_j C_j input[w_j] + sum_k S_k source_input[s_{a+k}])
//   class     ln P(w) = class_logit(c) - ln sum_c' exp class_logit(c') + word_logit(w) - ln sum_{w' in c} exp
//   word_logit flat      ln P(w) = word_logit(w) - ln sum_w' exp word_logit(w') tree      ln P(w) = sum over the nodes
//   above w of ln sigmoid(+-node_logit), + for the second child
//
// with logits weights . p + bias, plus the weights of direct n-grams that match the context (direct_ngrams.h). What a
// model leaves out of this sum when it is asked is its Normalisation.
//
// Sections: header; words.* and source_words.* (strings); info (JSON text, verbatim); matrices input, source_input,
// class_weights, word_weights, node_weights, each with <name>.scales where its precision has them; vectors of f32
// context, hidden_bias, source_context, class_bias, word_bias, node_bias; u32 class_begin, row_of_word, class_of_word,
// node_parent, word_parent; direct.*.
//
// A matrix is rows of `stride` elements, zero beyond `dimension`. Output rows of words are not in order of ids but
// grouped by class, so that a class is one stretch of memory: class c owns rows class_begin[c] to class_begin[c + 1].
// A flat model is one class. In a tree, parents come before children; node_parent and word_parent hold twice the
// parent's number, plus 1 for its second child.
#pragma once

#include <cstdint>
#include <string_view>

#include "lm/ngram_trie.h"

namespace dragoman::nlm {

using lm::first_real_word;
using lm::sentence_begin;
using lm::sentence_end;
using lm::unknown_word;
inline constexpr WordId no_word = Vocabulary::separator;

inline constexpr uint32_t format_version = 1;
inline constexpr std::string_view file_kind = "nlm";
inline constexpr uint32_t max_order = lm::max_order;
inline constexpr uint32_t max_dimension = 8192;
inline constexpr uint32_t max_source_window = 32;
// Rows are padded to a multiple of this many elements: a cache line of bytes, so that kernels need no tails.
inline constexpr uint32_t stride_unit = 64;
// An id that has no output row.
inline constexpr uint32_t no_row = UINT32_MAX;

enum class Output : uint32_t { classes, tree, flat };
enum class Precision : uint32_t { f32, f16, int8, int4 };
// exact: probabilities. self: the class factor is exact, the factor of the word in its class (of a flat model: all of
// it) is used as it is, which is right as far as training made the model normalise itself. none: no factor is exact.
enum class Normalisation : uint32_t { exact, self, none };

struct Header {
  uint32_t version;
  Output output;
  Normalisation normalisation;
  uint32_t order;
  uint32_t dimension;
  uint32_t stride;
  uint32_t words;         // ids, reserved ones included
  uint32_t source_words;  // 0 unless the model reads the source
  uint32_t source_window;
  uint32_t full_context;  // matrices instead of diagonals
  uint32_t full_source_context;
  Precision input_precision;
  Precision output_precision;
  uint32_t classes;          // 1 for a flat model, 0 for a tree
  uint32_t direct_contexts;  // 0 without direct n-grams
  uint32_t direct_buckets;
  uint32_t direct_words;
  uint32_t direct_classes;
  uint32_t direct_bits;  // of a weight: 2 to 8, or 32 for floats
  uint32_t reserved[13];
};
static_assert(sizeof(Header) == 128);

inline constexpr uint32_t stride_of(uint32_t dimension) {
  return (dimension + stride_unit - 1) / stride_unit * stride_unit;
}

}  // namespace dragoman::nlm
