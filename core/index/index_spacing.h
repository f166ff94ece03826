// Puts what the text shows of spaces beside the words: vocab.bin gets the section `target.spacing.weights`, with which
// the decoder's output is spaced (text/spacing_model.h).
#pragma once

#include <string>
#include <string_view>

#include "base/monitor.h"
#include "base/namespaces.h"
#include "index/index_casing.h"

namespace dragoman::index {

// `written` is the target side. The file is replaced whole. Throws InputError if the line counts differ or links point
// outside their sentences.
void add_spacing(const std::string& vocabulary_path, const IdText& written, std::string_view target_language,
                 const LinkedSource* source, std::string_view source_language, Monitor& monitor);

}  // namespace dragoman::index
