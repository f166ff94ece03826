// Makes nlm.bin from trained tensors, or from another nlm.bin in other precisions. Names and shapes of the tensors:
//
//   input [V,D]; context [n-1,D] or [n-1,D,D] (row-major, C_j[out][in]); hidden_bias [D], optional
//   source_input [Vs,D]; source_context [2m+1,D] or [2m+1,D,D], of positions a-m to a+m: source models
//   class_of_word i32 [V], -1 for ids 0 and 2; class_weights [K,D]; class_bias [K]; word_weights [V,D]; word_bias [V]
//   word_weights [V,D]; word_bias [V]: flat models
//   node_children i32 [V-3,2]; node_weights [V-3,D]; node_bias [V-3]: trees. Node 0 is the root; a child is a node, or
//     word w as -1 - w; the second child has probability sigmoid(node logit)
//   direct_contexts i32 [C,n-1], the nearest word first, -1 beyond its length; direct_word_begin i64 [C+1],
//     direct_words i32, direct_word_weights; direct_class_begin i64 [C+1], direct_classes i32, direct_class_weights:
//     direct n-grams, optional, the last three of class models only
//
// Floats unless said otherwise; V counts ids, reserved ones included. Everything is checked: what cannot be right is a
// ConfigError that names the tensor.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors.h"
#include "nlm/format.h"
#include "nlm/model_description.h"
#include "nlm/tensor_reader.h"

namespace dragoman::nlm {

void write_model(const ModelDescription& description, const Tensors& tensors, const std::string& path);

class NeuralModel;

struct Requantisation {
  Precision input_precision, output_precision;
  uint32_t direct_bits;
  Normalisation normalisation;
};
void write_requantised(const NeuralModel& model, const Requantisation& wanted, const std::string& path);

// Names as the command line has them; throw ConfigError for others.
Precision precision_of(std::string_view option, std::string_view name);
Normalisation normalisation_of(std::string_view name);
Output output_of(std::string_view name);
std::string_view name_of(Precision precision);
std::string_view name_of(Normalisation normalisation);
std::string_view name_of(Output output);

}  // namespace dragoman::nlm
