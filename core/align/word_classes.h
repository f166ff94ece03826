// Words that begin alike form a class: a stand-in for the lemma that needs no knowledge of the language.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "text/vocabulary.h"

namespace dragoman::align {

// Characters that words of a class share, and how many observations the class is worth to one of its words.
inline constexpr size_t class_prefix = 4;
inline constexpr float prior_strength = 50;

struct WordClasses {
  std::vector<uint32_t> of_word;    // by word id
  std::vector<uint32_t> begins{0};  // members of class c are [begins[c], begins[c + 1]) of:
  std::vector<WordId> members;
  std::vector<float> share_of_class;  // a word's share of its class's occurrences

  size_t size() const { return begins.size() - 1; }
};

// Classes of the first `prefix` characters.
WordClasses prefix_classes(const Vocabulary& vocabulary, std::span<const uint32_t> frequencies, size_t prefix);

}  // namespace dragoman::align
