#include "judge/layout.h"

namespace dragoman::judge {
namespace {

class Walk {
 public:
  Walk(const Header& header, Layout& layout) : header_(header), layout_(layout) {}

  Layout::Stack stack(uint32_t layers, bool crosses) {
    Layout::Stack place;
    for (uint32_t i = 0; i < layers; ++i) place.layers.push_back(layer(crosses));
    if (layers) place.norm = norm();
    return place;
  }

 private:
  NormPlace norm() { return {floats(header_.dimension), floats(header_.dimension)}; }
  LinearPlace narrow(uint32_t rows) {
    const uint32_t first = layout_.narrow_rows;
    layout_.narrow_rows += rows;
    return {false, first, rows, floats(rows)};
  }
  LinearPlace wide(uint32_t rows) {
    const uint32_t first = layout_.wide_rows;
    layout_.wide_rows += rows;
    return {true, first, rows, floats(rows)};
  }
  AttentionPlace attention() {
    AttentionPlace place;
    place.norm = norm();
    for (LinearPlace* linear : {&place.query, &place.key, &place.value, &place.out})
      *linear = narrow(header_.dimension);
    return place;
  }
  LayerPlace layer(bool crosses) {
    LayerPlace place;
    place.attention = attention();
    if (crosses) place.cross = attention();
    place.feedforward_norm = norm();
    place.widen = narrow(header_.feedforward);
    place.narrow = wide(header_.dimension);
    return place;
  }
  uint64_t floats(uint32_t count) {
    const uint64_t begin = layout_.vector_floats;
    layout_.vector_floats += count;
    return begin;
  }

  const Header& header_;
  Layout& layout_;
};

}  // namespace

const char* fault_of(const Header& header) {
  const auto good = [](uint32_t size, uint32_t most) { return size > 0 && size <= most && size % size_unit == 0; };
  if (!good(header.dimension, max_dimension)) return "dimension must be a multiple of 64, at most 2048";
  if (!good(header.feedforward, max_feedforward)) return "feedforward must be a multiple of 64, at most 8192";
  if (header.heads < 1 || header.dimension % header.heads || header.dimension / header.heads % 32)
    return "heads must part the dimension into multiples of 32";
  if (header.encoder_layers < 1 || header.encoder_layers > max_layers || header.decoder_layers < 1 ||
      header.decoder_layers > max_layers)
    return "layers must be 1 to 32";
  if (header.backward_layers > max_layers) return "backward layers must be 0 to 32";
  if (header.pieces <= 4 || header.pieces > max_pieces) return "pieces must be 5 to 1048576";
  if (header.precision != Precision::f32 && header.precision != Precision::int8) return "precision must be f32 or int8";
  return nullptr;
}

Layout::Layout(const Header& header) {
  Walk walk(header, *this);
  narrow_rows = header.pieces;
  encoder = walk.stack(header.encoder_layers, false);
  decoder = walk.stack(header.decoder_layers, true);
  backward = walk.stack(header.backward_layers, true);
}

}  // namespace dragoman::judge
