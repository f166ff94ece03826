// judge.bin: a small network that reads a sentence and a finished translation of it, and says how probable the
// translation is (Vaswani et al. 2017, with norms before the layers). Fixed records and the order of its parts.
//
//   encoder   x = embedding * sqrt(dimension) + position; for each layer x += attention(norm(x)),
//             x += feedforward(norm(x)); then a norm
//   decoder   the same over what comes before each piece, with x += cross(norm(x), encoded) between the two
//   ln P(piece | pieces before, source) = logit - ln sum exp(logits), with logits embedding . norm(x)
//   backward  perhaps a second decoder, which reads the pieces from the last to the first; the judge's opinion is then
//             the mean of both
//
// Sections: header; pieces (texts, each behind its length of one byte); narrow, the rows of all matrices that read
// `dimension` values: embedding, then for each layer of the encoder, the decoder and the second decoder, query, key, value
// and out of the attention, in decoders also of the cross attention, and what widens; wide, rows of `feedforward` values: what
// narrows again, layer by layer; each with .scales where they are bytes; vectors of f32, in the order in which Layout
// hands them out.
#pragma once

#include <cstdint>
#include <string_view>

#include "nlm/format.h"

namespace dragoman::judge {

using nlm::Precision;

inline constexpr std::string_view file_kind = "judge";
inline constexpr uint32_t format_version = 1;
inline constexpr uint32_t size_unit = 64;  // of the dimensions
inline constexpr uint32_t max_dimension = 2048, max_feedforward = 8192, max_layers = 32, max_pieces = 1u << 20;

struct Header {
  uint32_t version;
  uint32_t dimension;
  uint32_t heads;
  uint32_t feedforward;
  uint32_t encoder_layers;
  uint32_t decoder_layers;
  uint32_t pieces;
  Precision precision;  // f32 or int8
  uint32_t backward_layers;  // 0 where there is no second decoder
  uint32_t reserved[7];
};
static_assert(sizeof(Header) == 64);

// What is impossible about it, or nullptr.
const char* fault_of(const Header& header);

}  // namespace dragoman::judge
