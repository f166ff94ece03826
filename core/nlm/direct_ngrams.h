// Direct n-gram features (thesis 4.8): weights of frequent n-grams, added to the logits of the words and classes that
// end them. For normalising, a context must give all its successors, so the store goes from contexts to lists.
//
// A context is a hash: its upper part chooses a bucket of about eight contexts, 16 bits of its lower part are kept as a
// fingerprint. Each context owns a stretch of word records and one of class records, (number, weight code) packed back
// to back and sorted by number; where stretches end is written in unary, and a bucket knows where its own begin. So an
// n-gram costs about 3 bytes for its word, 2 for its class, and 4 for each context.
//
// A context that is not stored is taken for one that is with probability 8 / 65536. It then has the other's features,
// in the logits and in the normaliser alike, so that probabilities still sum to 1. Two stored contexts that look the
// same would share everything; the one with fewer successors is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/container.h"
#include "base/packed_array.h"
#include "nlm/format.h"

namespace dragoman::nlm {

// Records [begin, end) of one context.
struct DirectList {
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct DirectLists {
  DirectList words, classes;
};

struct DirectRecord {
  uint32_t id;  // output row or class
  float weight;
};

// Hashes of the contexts of 1, 2, ... words back: each from the one before.
inline constexpr uint64_t direct_seed = 0x64697265637421ull;
uint64_t direct_hash(uint64_t shorter, WordId further_back);

class DirectNgrams {
 public:
  DirectNgrams() = default;
  // Throws FormatError unless the sections fit the header.
  DirectNgrams(const Container& file, const Header& header);

  bool empty() const { return contexts_ == 0; }
  // The lists of all contexts that end here: words[0] is the nearest. `count` lists are written, empty where nothing is
  // stored.
  void find(const WordId* words, uint32_t count, DirectLists* lists) const;

  DirectRecord word(uint32_t index) const { return record(words_, word_values_, index); }
  DirectRecord class_(uint32_t index) const { return record(classes_, class_values_, index); }
  // The first record of a list whose row is not below this one.
  uint32_t first_word_from(DirectList list, uint32_t row) const { return first_from(words_, list, row); }
  // The weight a list gives to a row or class; 0 if none.
  float word_weight(DirectList list, uint32_t row) const;
  float class_weight(DirectList list, uint32_t id) const;

  uint32_t bits() const { return bits_; }

 private:
  friend class DirectSections;
  struct Bucket {
    uint32_t context, word, class_;
  };
  struct Records {
    PackedArray records;
    uint32_t id_bits = 0;
    uint64_t id_mask = 0;
    uint32_t count = 0;
    std::span<const uint64_t> ends;  // a 0 for each record, a 1 after each context's last
  };
  DirectRecord record(const Records& of, const float* values, uint32_t index) const;
  static Records open_records(const Container& file, const std::string& name, uint32_t count, uint32_t contexts,
                              uint32_t id_limit, uint32_t bits);
  static DirectList list_at(const Records& of, uint32_t context, uint32_t first_record, uint32_t skip);
  static uint32_t first_from(const Records& of, DirectList list, uint32_t id);

  uint32_t contexts_ = 0, buckets_ = 0, bits_ = 0;
  std::span<const Bucket> bucket_;
  std::span<const uint16_t> prints_;
  Records words_, classes_;
  const float* word_values_ = nullptr;
  const float* class_values_ = nullptr;
};

// What is stored, before it is packed. List i is words[word_begin[i]] to words[word_begin[i + 1]], sorted by id.
struct DirectTable {
  std::vector<uint64_t> hashes;  // of the contexts
  std::vector<uint64_t> word_begin{0}, class_begin{0};
  std::vector<DirectRecord> words, classes;
};

// Sections of a file; the bytes stay here until writer.write().
class DirectSections {
 public:
  // Counts and widths go into the header.
  DirectSections(const DirectTable& table, uint32_t rows, uint32_t classes, uint32_t bits, Header& header);
  // The same contexts and lists with weights of another width.
  DirectSections(const DirectNgrams& from, uint32_t rows, uint32_t classes, uint32_t bits, Header& header);
  void add_to(ContainerWriter& writer) const;

 private:
  std::vector<uint32_t> buckets;  // three numbers each
  std::vector<uint16_t> prints;
  std::vector<uint64_t> word_ends, class_ends;
  std::optional<PackedWriter> words, classes;
  std::vector<float> word_values, class_values;  // of weight codes; empty for floats
};

}  // namespace dragoman::nlm
