// Classes and trees that need nothing but frequencies: classes of equal mass (frequency binning, thesis 4.4), and
// Huffman's tree, which makes the expected path to a word as short as a binary tree can (thesis 4.4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/format.h"

namespace dragoman::nlm {

// `counts` by word id. Words in order of frequency fill classes of about equal total frequency, none of them empty;
// there are fewer than asked for where words are. -1 for ids that are not predicted.
std::vector<int32_t> frequency_classes(std::span<const uint64_t> counts, uint32_t classes);

// Children of every node, two each, the root first: a node, or -1 - word. Words that do not occur count as if they
// occurred once. Ties are decided by word ids, so a vocabulary has one tree.
std::vector<int32_t> huffman_tree(std::span<const uint64_t> counts);

}  // namespace dragoman::nlm
