// The candidates of one round as columns: what the decoder adds to the pool, and what is stored so that tuning can go
// on later. File: a container of kind "candidates" with sections shape (features), sentences, values, bleu.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/container.h"
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
  // Those of lines that were decoded by themselves, the first of which has this number among all.
  void append(const Candidates& other, uint32_t first_sentence);

  // The file appears whole or not at all.
  void save(const std::string& path) const;
  // The same bytes in memory.
  std::vector<std::byte> pack() const;
  // Throws FormatError for what is no such file or has columns of different lengths.
  static Candidates open(const Container& container);
  static Candidates open(const std::string& path) { return open(Container::open(path, kind)); }
  static constexpr std::string_view kind = "candidates";

 private:
  void add_to(ContainerWriter& writer) const;
};

// How many of them are new. Throws InputError where they belong to another pool.
size_t add(Pool& pool, const Candidates& candidates);

}  // namespace dragoman::tune
