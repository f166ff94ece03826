// Words and their ids, by falling frequency (ties by bytes), so that frequent words have small ids. Two ids are
// reserved: `separator` ends a sentence and sorts before every word, `unknown` stands for words that are not here.
// On disk: strings back to back, packed offsets, and an open-addressing table of ids, so that opening builds nothing
// and a look-up costs one hash and about 1.5 probes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/container.h"
#include "base/hash.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "base/packed_table.h"
#include "text/word_overlay.h"

namespace dragoman::text {

using WordId = uint32_t;

class Vocabulary {
 public:
  static constexpr WordId separator = 0;
  static constexpr WordId unknown = 1;
  static constexpr WordId first_word = 2;

  // Ids by falling count.
  static Vocabulary build(std::vector<std::pair<std::string, uint64_t>> counts);
  // Ids in the order given; the words must differ, but for the first `hidden` ones: those are names of what is no word
  // of any text, and are never found.
  static Vocabulary from_words(std::span<const std::string_view> words, size_t hidden = 0);
  // Sections `<prefix>.strings`, `.offsets`, `.table`, `.size` and, if any words were learned, `.learned`; throws
  // FormatError if they do not fit together.
  static Vocabulary open(const Container& container, const std::string& prefix);
  // The vocabulary must outlive writer.write(). An overlay is not written.
  void add_to(ContainerWriter& writer, const std::string& prefix) const;

  // This vocabulary with the first `count` words of an overlay after its own, written as was known at a version.
  Vocabulary extended(std::shared_ptr<const WordOverlay> overlay, WordId count, uint64_t version) const;
  // The same words, written as these memories alone say, by their numbers.
  Vocabulary written_by(std::shared_ptr<const std::vector<bool>> memories) const;

  // Number of ids, reserved ones included; valid ids are below it.
  WordId size() const { return size_ + overlay_size_; }
  // Ids below this are the vocabulary's own, those from here on an overlay's.
  WordId own_size() const { return size_; }
  // Whether the word came with a pair that was added after training (also after such pairs were compacted), so that
  // language models cannot be expected to know it.
  bool learned(WordId id) const;
  // How an overlay's word is written; "" if that is not known, and for the vocabulary's own words.
  std::string_view written_form(WordId id) const;
  WordId find(std::string_view word) const;
  // "" for the separator, "<unk>" for the unknown word.
  std::string_view word(WordId id) const;
  // One id per space-separated word.
  std::vector<WordId> ids(std::string_view line) const;

 private:
  Vocabulary() = default;

  // Present only when built here, absent when mapped.
  struct Owned {
    std::string strings;
    PackedWriter offsets;
    PackedTableWriter table;
  };
  std::shared_ptr<const Owned> owned_;
  std::shared_ptr<const Buffer> buffer_;

  WordId size_ = first_word;
  std::shared_ptr<const WordOverlay> overlay_;
  WordId overlay_size_ = 0;
  uint64_t overlay_version_ = 0;
  std::shared_ptr<const std::vector<bool>> applied_;  // memories; none where all apply
  std::span<const WordId> learned_;                   // own words that were learned, rising
  std::string_view strings_;
  PackedArray offsets_;  // size_ - first_word + 1 of them
  PackedTable table_;
};

// Counts words of space-separated lines; parts are merged by add().
class WordCounts {
 public:
  void count(std::string_view line);
  void add(const WordCounts& other);
  std::vector<std::pair<std::string, uint64_t>> take();

 private:
  std::unordered_map<std::string, uint64_t, StringHash, std::equal_to<>> counts_;
};

}  // namespace dragoman::text
