#include "judge/pieces.h"

#include <algorithm>

#include "base/errors.h"
#include "base/utf8.h"

namespace dragoman::judge {
namespace {

size_t character_bytes(std::string_view text, size_t at) {
  const size_t begin = at++;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) ++at;
  return at - begin;
}

}  // namespace

Pieces::Pieces(std::vector<std::string> texts) : texts_(std::move(texts)) {
  if (texts_.size() <= first_real_piece) throw ConfigError("pieces", "must be more than the reserved ones");
  for (PieceId id = first_real_piece; id < size(); ++id) {
    if (texts_[id].empty() || texts_[id].size() > longest_piece)
      throw ConfigError("pieces", "must have from 1 to " + std::to_string(longest_piece) + " bytes each");
    if (!ids_.emplace(texts_[id], id).second) throw ConfigError("pieces", "'" + texts_[id] + "' is there twice");
  }
}

void Pieces::encode(std::string_view word, std::vector<PieceId>& ids) const {
  std::string text;
  text.reserve(word.size() + 1);
  text += ' ';
  text += word;
  bool knows = true;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at, longest_piece);
    size_t length = rest.size();
    auto piece = ids_.end();
    for (; length > 0; --length)
      if ((piece = ids_.find(rest.substr(0, length))) != ids_.end()) break;
    if (length > 0) {
      ids.push_back(piece->second);
    } else {
      // Several unknown characters are one unknown piece; the space before a word goes with its first character.
      if (knows) ids.push_back(unknown_piece);
      length = at == 0 && text.size() > 1 ? 1 + character_bytes(text, 1) : character_bytes(text, at);
    }
    knows = piece != ids_.end();
    at += length;
  }
}

}  // namespace dragoman::judge
