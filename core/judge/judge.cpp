#include "judge/judge.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "judge/layout.h"

namespace dragoman::judge {
namespace {

std::vector<std::string> texts_of(const Container& file, uint32_t count) {
  const auto bytes = file.bytes("pieces");
  std::vector<std::string> texts;
  for (size_t at = 0; at < bytes.size();) {
    const auto size = static_cast<size_t>(bytes[at++]);
    if (size > bytes.size() - at || texts.size() == count) file.fail("pieces", "does not end where it should");
    texts.emplace_back(reinterpret_cast<const char*>(bytes.data()) + at, size);
    at += size;
  }
  if (texts.size() != count) file.fail("pieces", "disagrees with the header about their number");
  return texts;
}

// Sums of the values of each row, times 128 and their scale.
std::vector<float> corrections_of(const nlm::MatrixView& matrix) {
  std::vector<float> corrections;
  if (matrix.precision != Precision::int8) return corrections;
  corrections.resize(nlm::padded(matrix.rows));
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    const auto* values = reinterpret_cast<const int8_t*>(matrix.row(row));
    int32_t sum = 0;
    for (uint32_t i = 0; i < matrix.stride; ++i) sum += values[i];
    corrections[row] = 128 * matrix.scales[row] * static_cast<float>(sum);
  }
  return corrections;
}

}  // namespace

std::shared_ptr<const Judge> Judge::open(const std::string& path, Trust trust) {
  return parse(Container::open(path, file_kind, trust));
}

std::shared_ptr<const Judge> Judge::parse(const Container& container) {
  container.require_kind(file_kind);
  const std::shared_ptr<Judge> judge(new Judge);
  judge->file_ = std::make_shared<const Container>(container);
  const Container& file = *judge->file_;
  const Header header = judge->header_ = file.record<Header>("header");
  if (header.version != format_version)
    file.fail("header", "is of a version this program does not know; update Dragoman or train the model again");
  if (const char* fault = fault_of(header)) file.fail("header", std::string("names an impossible size: ") + fault);
  try {
    judge->pieces_ = Pieces(texts_of(file, header.pieces));
  } catch (const ConfigError& error) {
    file.fail("pieces", error.what());
  }
  const Layout layout(header);
  judge->narrow_ = nlm::MatrixView::open(file, "narrow", header.precision, layout.narrow_rows, header.dimension);
  judge->wide_ = nlm::MatrixView::open(file, "wide", header.precision, layout.wide_rows, header.feedforward);
  judge->narrow_corrections_ = corrections_of(judge->narrow_);
  judge->wide_corrections_ = corrections_of(judge->wide_);
  judge->no_bias_.resize(nlm::padded(header.pieces));
  for (uint32_t wave = 0; wave < header.dimension / 2; ++wave)
    judge->wavelengths_.push_back(std::pow(10000.0, 2.0 * wave / header.dimension));
  const float* vectors = file.array<float>("vectors", layout.vector_floats).data();

  const auto linear = [&](const LinearPlace& place) {
    const auto& corrections = place.wide ? judge->wide_corrections_ : judge->narrow_corrections_;
    return Linear{place.wide ? &judge->wide_ : &judge->narrow_, place.first, place.rows, vectors + place.bias,
                  corrections.empty() ? nullptr : corrections.data() + place.first};
  };
  const auto norm = [&](const NormPlace& place) { return Norm{vectors + place.weight, vectors + place.bias}; };
  const auto attention = [&](const AttentionPlace& place) {
    return Attention{norm(place.norm), linear(place.query), linear(place.key), linear(place.value), linear(place.out)};
  };
  const auto layer = [&](const LayerPlace& place) {
    return Layer{attention(place.attention), attention(place.cross), norm(place.feedforward_norm), linear(place.widen),
                 linear(place.narrow)};
  };
  const auto stack = [&](const Layout::Stack& place) {
    Stack opened;
    std::ranges::transform(place.layers, std::back_inserter(opened.layers), layer);
    opened.norm = norm(place.norm);
    return opened;
  };
  judge->encoder_ = stack(layout.encoder);
  judge->decoder_ = stack(layout.decoder);
  judge->backward_ = stack(layout.backward);
  return judge;
}

std::vector<PieceId> Judge::encode(std::span<const std::string_view> words, Holes holes) const {
  std::vector<PieceId> ids;
  for (const std::string_view word : words)
    if (std::ranges::find(holes, word) != holes.end())
      ids.push_back(hole_piece);
    else
      pieces_.encode(word, ids);
  return ids;
}

}  // namespace dragoman::judge
