// How the output layer lies in a file: rows of words by class, nodes of a tree from the root down. What is no division
// of the words, or no tree, is a ConfigError.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/format.h"

namespace dragoman::nlm {

// The order of output rows: by class, by id within.
struct OutputRows {
  std::vector<uint32_t> words;  // by row
  std::vector<uint32_t> row_of_word, class_of_word, class_begin;

  // The class of every id, -1 for those that are never predicted.
  static OutputRows of(std::span<const int32_t> class_of_word, uint32_t classes);
};

// Numbers nodes so that parents come first, and turns the tree round: who is above whom.
struct OutputTree {
  std::vector<uint32_t> nodes;  // by new number
  std::vector<uint32_t> node_parent, word_parent;

  // Two children a node, as model_writer.h describes them.
  static OutputTree of(std::span<const int32_t> children, uint32_t words);
};

}  // namespace dragoman::nlm
