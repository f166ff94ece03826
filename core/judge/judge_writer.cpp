#include "judge/judge_writer.h"

#include <algorithm>

#include "judge/layout.h"
#include "judge/pieces.h"

namespace dragoman::judge {
namespace {

using nlm::EncodedMatrix;

class Filling {
 public:
  Filling(const Header& header, const nlm::Tensors& tensors)
      : header_(header), reader_(tensors), layout_(header), vectors_(layout_.vector_floats) {
    narrow_.emplace_back("embedding", header.pieces);
    add_stack("encoder", layout_.encoder, false);
    add_stack("decoder", layout_.decoder, true);
    add_stack("backward", layout_.backward, true);
  }

  void write(const std::vector<std::string>& pieces, const std::string& path) {
    const EncodedMatrix narrow = joined(narrow_, header_.dimension), wide = joined(wide_, header_.feedforward);
    reader_.all_used();
    std::string texts;
    for (const std::string& piece : pieces) {
      texts += static_cast<char>(piece.size());
      texts += piece;
    }
    ContainerWriter writer(file_kind);
    writer.add_record("header", header_);
    writer.add("pieces", std::as_bytes(std::span(texts)));
    narrow.add_to(writer, "narrow");
    wide.add_to(writer, "wide");
    writer.add("vectors", vectors_);
    writer.write(path);
  }

 private:
  using Rows = std::vector<std::pair<std::string, uint32_t>>;  // tensors with their rows

  void add_stack(const std::string& name, const Layout::Stack& stack, bool crosses) {
    for (size_t i = 0; i < stack.layers.size(); ++i)
      add_layer(name + "." + std::to_string(i), stack.layers[i], crosses);
    if (!stack.layers.empty()) add_norm(name + "_norm", stack.norm);
  }
  void add_layer(const std::string& name, const LayerPlace& place, bool crosses) {
    add_attention(name + ".attention", place.attention);
    if (crosses) add_attention(name + ".cross", place.cross);
    add_norm(name + ".feedforward_norm", place.feedforward_norm);
    add_linear(name + ".feedforward.in", place.widen);
    add_linear(name + ".feedforward.out", place.narrow);
  }
  void add_attention(const std::string& name, const AttentionPlace& place) {
    add_norm(name + "_norm", place.norm);
    add_linear(name + ".query", place.query);
    add_linear(name + ".key", place.key);
    add_linear(name + ".value", place.value);
    add_linear(name + ".out", place.out);
  }
  void add_linear(const std::string& name, const LinearPlace& place) {
    (place.wide ? wide_ : narrow_).emplace_back(name + ".weight", place.rows);
    add_vector(name + ".bias", place.rows, place.bias);
  }
  void add_norm(const std::string& name, const NormPlace& place) {
    add_vector(name + ".weight", header_.dimension, place.weight);
    add_vector(name + ".bias", header_.dimension, place.bias);
  }
  void add_vector(const std::string& name, uint32_t count, uint64_t at) {
    std::ranges::copy(reader_.values<float>(name, count), vectors_.begin() + static_cast<ptrdiff_t>(at));
  }
  EncodedMatrix joined(const Rows& tensors, uint32_t columns) {
    EncodedMatrix all;
    for (const auto& [name, rows] : tensors) {
      const EncodedMatrix part = reader_.matrix(name, header_.precision, rows, columns, columns);
      all.data.insert(all.data.end(), part.data.begin(), part.data.end());
      all.scales.insert(all.scales.end(), part.scales.begin(), part.scales.end());
    }
    return all;
  }

  const Header& header_;
  nlm::TensorReader reader_;
  Layout layout_;
  std::vector<float> vectors_;
  Rows narrow_, wide_;
};

}  // namespace

void write_judge(Header header, const std::vector<std::string>& pieces, const nlm::Tensors& tensors,
                 const std::string& path) {
  header.version = format_version;
  header.pieces = static_cast<uint32_t>(std::min<size_t>(pieces.size(), UINT32_MAX));
  if (const char* fault = fault_of(header)) throw ConfigError("shape", fault);
  Pieces{pieces};  // refuses what cannot be read again
  Filling(header, tensors).write(pieces, path);
}

}  // namespace dragoman::judge
