// The hierarchical decoder (thesis 2.6.2; Chiang 2007): CKY with cube pruning. Cells are source spans; a cell's
// hypotheses are taken, best first, from cubes of (rule, hypothesis of its first gap, hypothesis of its second gap), no
// more than the pop limit, and those with equal language model states become one node. Spans beyond max_span are
// joined from left to right by glue rules, S -> X and S -> S X. O(n * max_span^3) cubes for n words, and pop_limit
// hypotheses a cell.
#pragma once

#include "base/namespaces.h"
#include "search/search_task.h"

namespace dragoman::search {

SearchResult search_hierarchical(const SearchTask& task);

}  // namespace dragoman::search
