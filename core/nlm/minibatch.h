// The words between two changes of the weights, sorted by class, so that the words of a class are one stretch of rows;
// and where each different word of their contexts occurs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/network.h"
#include "nlm/training_text.h"

namespace dragoman::nlm {

// Different words of one side's contexts: of each word and place the rows in which it stands there.
class Occurrences {
 public:
  // So that find() for so many contexts of words below `vocabulary` takes no more memory.
  void reserve(size_t contexts, uint32_t places, uint32_t vocabulary);
  void find(std::span<const WordId> contexts, uint32_t places, uint32_t vocabulary);

  const std::vector<WordId>& words() const { return words_; }
  std::span<const uint32_t> rows(size_t word, uint32_t place) const {
    const uint32_t* begin = begin_.data() + word * places_ + place;
    return {rows_.data() + begin[0], rows_.data() + begin[1]};
  }
  // Of each place of the contexts the number of its word.
  const std::vector<uint32_t>& numbers() const { return numbers_; }

 private:
  static constexpr uint32_t none = UINT32_MAX;
  uint32_t places_ = 0;
  std::vector<uint32_t> number_;  // by word id, none for those that do not occur
  std::vector<WordId> words_;
  std::vector<uint32_t> numbers_, begin_, rows_;
};

struct Minibatch {
  // Rows [begin, end) are words of one class.
  struct Group {
    uint32_t number, begin, end;
  };

  std::vector<uint32_t> classes;   // by row
  std::vector<uint32_t> in_class;  // by row: which word of the class
  std::vector<Group> groups;
  std::vector<WordId> contexts, sources;  // row after row
  Occurrences in_contexts, in_sources;

  uint32_t size() const { return static_cast<uint32_t>(classes.size()); }
};

// Rows of a text, or given word by word.
class MinibatchMaker {
 public:
  MinibatchMaker(const NetworkShape& shape, const ClassedWords& words);

  // Positions of a text, in any order; what they predict must be words.
  void make(const IdStream& text, std::span<const uint64_t> positions, Minibatch& batch);
  // The same in parts, one after another: all rows' classes, the contexts of rows [begin, end), and where the words of
  // a side occur. Parts allocate nothing once the minibatch has room for its rows.
  void reserve(size_t rows, Minibatch& batch);
  void sort(const IdStream& text, std::span<const uint64_t> positions, Minibatch& batch);
  void read(const IdStream& text, std::span<const uint64_t> positions, size_t begin, size_t end,
            Minibatch& batch) const;
  void find_contexts(Minibatch& batch) const;
  void find_sources(Minibatch& batch) const;
  void make(std::span<const WordId> words, std::span<const WordId> contexts, std::span<const WordId> sources,
            Minibatch& batch);

 private:
  // Fills classes, words and groups; order_ says which given row comes at which place.
  void sort(std::span<const WordId> words, Minibatch& batch);

  const NetworkShape& shape_;
  const ClassedWords& words_;
  std::vector<uint32_t> order_, begin_;
  std::vector<WordId> predicted_;
};

}  // namespace dragoman::nlm
