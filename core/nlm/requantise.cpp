// A model in other precisions, or for another use: matrices are written anew, everything else as it is.
#include <map>
#include <optional>

#include "nlm/direct_ngrams.h"
#include "nlm/matrix.h"
#include "nlm/model_writer.h"
#include "nlm/neural_model.h"

namespace dragoman::nlm {

void write_requantised(const NeuralModel& model, const Requantisation& wanted, const std::string& path) {
  Header header = model.header();
  if (header.output == Output::tree && wanted.normalisation != Normalisation::exact)
    throw ConfigError("normalisation", "a tree is normalised by itself");
  if (wanted.output_precision == Precision::int4) throw ConfigError("output_precision", "int4 is for input words only");
  if (wanted.direct_bits != 32 && (wanted.direct_bits < 2 || wanted.direct_bits > 8))
    throw ConfigError("direct_bits", "must be 2 to 8, or 32 for floats");
  header.input_precision = wanted.input_precision;
  header.output_precision = wanted.output_precision;
  header.normalisation = wanted.normalisation;
  ContainerWriter writer(file_kind);
  std::map<std::string, EncodedMatrix> matrices;
  auto encode = [&](const std::string& name, const MatrixView& view, Precision precision) {
    if (!view.data) return;
    matrices[name] = encode_matrix(precision, view.rows, view.stride,
                                   [&](uint32_t row, float* values) { view.decode(row, values); });
  };
  encode("input", model.input(), wanted.input_precision);
  encode("source_input", model.source_input(), wanted.input_precision);
  encode("class_weights", model.class_weights(), wanted.output_precision);
  encode("word_weights", model.word_weights(), wanted.output_precision);
  encode("node_weights", model.node_weights(), wanted.output_precision);
  std::optional<DirectSections> direct;
  if (!model.direct().empty()) direct.emplace(model.direct(), header.words, header.classes, wanted.direct_bits, header);
  for (const Section& section : model.file().sections()) {
    const std::string base = section.name.substr(0, section.name.find(".scales"));
    if (section.name == "header" || section.name.starts_with("direct.") || matrices.contains(base)) continue;
    writer.add(section.name, section.bytes);
  }
  for (const auto& [name, matrix] : matrices) matrix.add_to(writer, name);
  if (direct) direct->add_to(writer);
  writer.add_record("header", header);
  writer.write(path);
}

}  // namespace dragoman::nlm
