// Classes and trees over the words of a vocabulary: classes of equal mass (frequency binning, thesis 4.4); Huffman's
// tree, which makes the expected path to a word as short as a binary tree can (thesis 4.4.3); and a tree of classes
// that were merged step by step, with Huffman's in each class: there words have joined one by one, and a path through
// all these steps would be as long as the class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/brown.h"
#include "nlm/format.h"

namespace dragoman::nlm {

// `counts` by word id. Words in order of frequency fill classes of about equal total frequency, none of them empty;
// there are fewer than asked for where words are. -1 for ids that are not predicted.
std::vector<int32_t> frequency_classes(std::span<const uint64_t> counts, uint32_t classes);

// Children of every node, two each, the root first: a node, or -1 - word. Words that do not occur count as if they
// occurred once. Ties are decided by word ids, so a vocabulary has one tree.
std::vector<int32_t> huffman_tree(std::span<const uint64_t> counts);

// The same, of merged classes.
std::vector<int32_t> class_tree(std::span<const uint64_t> counts, const BrownHierarchy& hierarchy);

}  // namespace dragoman::nlm
