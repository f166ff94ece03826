// What a network is, beside its tensors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "nlm/format.h"

namespace dragoman::nlm {

struct ModelDescription {
  uint32_t order = 5;
  uint32_t dimension = 0;
  Output output = Output::classes;
  Normalisation normalisation = Normalisation::exact;
  std::vector<std::string> words;  // from id 4
  bool reads_source = false;
  std::vector<std::string> source_words;
  uint32_t source_window = 0;
  Precision input_precision = Precision::f32;
  Precision output_precision = Precision::f32;
  uint32_t direct_bits = 32;
  std::string info;
};

}  // namespace dragoman::nlm
