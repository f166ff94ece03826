// What stands between the translations of two sentences. It is what stands between the sentences themselves, but for
// spaces where one of the two languages writes none there: 你好。再见。 is "Hello. Goodbye." and the reverse. Where a
// space was forgotten there is one; three and more stand between columns, and stay.
#pragma once

#include <string_view>

#include "base/namespaces.h"
#include "text/tokenizer.h"

namespace dragoman::translate {

// `gap` stands between the sentences, `before` and `after` are what comes before and after it in the translation.
std::string_view sentence_gap(const Tokenizer& target, std::string_view before, std::string_view gap,
                              std::string_view after);

}  // namespace dragoman::translate
