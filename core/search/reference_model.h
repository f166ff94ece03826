// Forced decoding as a language model: it allows the words of one given translation in their order and nothing else,
// so both decoders find the best derivation of that translation, or none. A fragment's state is how many words it has
// and at which places of the translation they stand: a bit for each place it could begin. What the search finds on the
// way is noted where wanted: how far from each place of the translation some part of the source leads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "search/language_model.h"

namespace dragoman::search {

class ReferenceModel : public LanguageModel {
 public:
  // reach[place], if there is one, becomes the end of the longest stretch of words from there that was found; only one
  // thread may then decode.
  explicit ReferenceModel(std::vector<std::string> words, std::vector<uint32_t>* reach = nullptr);

  uint32_t find(std::string_view word) const override;
  uint32_t unknown() const override { return INT32_MAX; }
  uint32_t sentence_end() const override { return INT32_MAX - 1; }
  size_t context_bytes() const override { return sizeof(uint64_t); }
  size_t fragment_bytes() const override { return sizeof(uint64_t) * (1 + blocks()); }
  std::unique_ptr<LanguageModelSession> begin(std::span<const std::string_view> source) const override;

  const std::vector<std::string>& words() const { return words_; }
  // Bits for the places 0 to size.
  size_t blocks() const { return words_.size() / 64 + 1; }
  uint32_t id_at(size_t place) const { return ids_[place]; }
  void note(size_t place, uint64_t length) const {
    if (reach_ && place + length <= words_.size())
      (*reach_)[place] = std::max((*reach_)[place], static_cast<uint32_t>(place + length));
  }

 private:
  std::vector<std::string> words_;
  std::vector<uint32_t> ids_;  // equal words have equal ids
  std::vector<uint32_t>* reach_;
};

}  // namespace dragoman::search
