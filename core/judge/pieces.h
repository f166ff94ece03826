// The pieces of words that a judge reads: frequent words are one piece, rarer ones several. A piece at the beginning of
// a word begins with a space, and a word is cut into the longest pieces from its beginning on. learn_pieces.h finds
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::judge {

using PieceId = uint32_t;
// What stands for characters that no piece has, for the ends of a sentence, and for places that something else fills.
inline constexpr PieceId unknown_piece = 0, end_piece = 1, begin_piece = 2, hole_piece = 3, first_real_piece = 4;
inline constexpr size_t longest_piece = 64;  // bytes

class Pieces {
 public:
  Pieces() = default;
  // The texts of all, whatever those of the first four are. Throws ConfigError for one that is empty, too long, or
  // there twice.
  explicit Pieces(std::vector<std::string> texts);
  Pieces(const Pieces&) = delete;
  Pieces(Pieces&&) = default;
  Pieces& operator=(Pieces&&) = default;

  uint32_t size() const { return static_cast<uint32_t>(texts_.size()); }
  const std::vector<std::string>& texts() const { return texts_; }
  // Appends the pieces of a word.
  void encode(std::string_view word, std::vector<PieceId>& ids) const;

 private:
  std::vector<std::string> texts_;
  std::unordered_map<std::string_view, PieceId> ids_;  // of the texts, which stay where they are
};

}  // namespace dragoman::judge
