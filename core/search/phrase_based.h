// The phrase-based decoder (thesis 2.6.1; Koehn 2004): hypotheses translate one source phrase after another in the
// order of the target side; those that cover equally many words share a stack. A stack is filled by cube pruning
// (Huang and Chiang 2007) from the groups of hypotheses with equal coverage in smaller stacks and the phrases that fit
// there. What is queued has its phrase's own estimate; the language models are asked when it comes to the front.
#pragma once

#include "base/namespaces.h"
#include "search/search_task.h"

namespace dragoman::search {

SearchResult search_phrase_based(const SearchTask& task);

}  // namespace dragoman::search
