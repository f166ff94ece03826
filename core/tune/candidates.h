// The candidates of one round as columns: what the decoder adds to the pool, and what is stored so that tuning can go
// on later. File: a container of kind "candidates" with sections shape (features), sentences, values, bleu.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "tune/pool.h"

namespace dragoman::tune {

struct Candidates {
  uint32_t features = 0;  // numbers of a row
  std::vector<uint32_t> sentences;
  std::vector<float> values;  // rows of one number per feature
  std::vector<SentenceBleu> bleu;

  size_t size() const { return sentences.size(); }
  void append(Candidates&& other);

  // The file appears whole or not at all.
  void save(const std::string& path) const;
  // Throws FormatError for what is no such file or has columns of different lengths.
  static Candidates open(const std::string& path);
};

// How many of them are new. Throws InputError where they belong to another pool.
size_t add(Pool& pool, const Candidates& candidates);

}  // namespace dragoman::tune
