// Goes on with a translation that somebody has begun to type.
//
// If the model's own translation begins with what was typed, what is left of it is the best way to go on. Otherwise the
// sentence at hand is searched for the best translations that begin so (search/prefix_walk.h); sentences after it are
// translated as always. What was typed is never changed: what comes back is to be put behind it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "translate/text_translator.h"
#include "translate/translated.h"

namespace dragoman::translate {

// At most as many as `kbest` of the request says, best first and all different. Neither text may hold line ends.
std::vector<std::string> complete(const TextTranslator& translator, std::string_view source, std::string_view prefix,
                                  const TranslateRequest& request, const Glossary& glossary);

}  // namespace dragoman::translate
