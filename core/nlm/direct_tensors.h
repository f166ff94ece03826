// Direct n-grams (thesis 4.8) from the tensors that training leaves.
#pragma once

#include "nlm/direct_ngrams.h"
#include "nlm/model_description.h"
#include "nlm/output_layout.h"
#include "nlm/tensor_reader.h"

namespace dragoman::nlm {

DirectTable direct_table(TensorReader& reader, const ModelDescription& description, const Header& header,
                         const OutputRows& rows);

}  // namespace dragoman::nlm
