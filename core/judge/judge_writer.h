// Writes judge.bin from tensors by name: `embedding`; encoder.0.attention.query.weight and .bias, and so for key,
// value and out; encoder.0.attention_norm.weight and .bias; decoder.0.cross and cross_norm likewise;
// encoder.0.feedforward.in and .out; encoder.0.feedforward_norm; encoder_norm and decoder_norm.
#pragma once

#include <string>
#include <vector>

#include "judge/format.h"
#include "nlm/tensor_reader.h"

namespace dragoman::judge {

// `header` needs no version and no number of pieces. Throws ConfigError for what does not fit together.
void write_judge(Header header, const std::vector<std::string>& pieces, const nlm::Tensors& tensors,
                 const std::string& path);

}  // namespace dragoman::judge
