// The links of all pairs of a text, as a container of kind `links`: `meta`, the code of link.h pair after pair, and
// packed starts. About a byte a link.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/container.h"
#include "base/link.h"
#include "base/namespaces.h"
#include "base/packed_array.h"
#include "base/scratch.h"

namespace dragoman::text {

class IdText;

class StoredLinks {
 public:
  static constexpr std::string_view kind = "links";

  // The table may lie in a scratch space.
  explicit StoredLinks(LinkTable table, std::shared_ptr<ScratchSpace> scratch = nullptr);
  // Lines of Pharaoh links of the pairs of two texts. Throws InputError where numbers of lines differ or a link points
  // outside its pair.
  static StoredLinks parse(std::string_view lines, const IdText& source, const IdText& target);
  static StoredLinks open(const Container& container);
  static StoredLinks open(const std::string& path, Trust trust = Trust::verify_hashes) {
    return open(Container::open(path, kind, trust));
  }
  void add_to(ContainerWriter& writer) const;
  void write(const std::string& path) const;

  // What keeps mapped links; nullptr for those in memory.
  const std::shared_ptr<const Buffer>& buffer() const { return buffer_; }

  uint64_t pairs() const { return starts_.size() - 1; }
  // Of all pairs together.
  uint64_t links() const { return links_; }
  // The links of a pair of so many words, replacing what `links` holds. Throws InputError if they point outside it.
  void read(uint64_t pair, uint64_t source_length, uint64_t target_length, Links& links) const;
  // Appends a line of Pharaoh links without its end.
  void append_pharaoh(std::string& line, uint64_t pair) const;

 private:
  StoredLinks() = default;
  std::span<const uint8_t> code(uint64_t pair) const {
    return code_.subspan(starts_[pair], starts_[pair + 1] - starts_[pair]);
  }

  struct Owned {
    std::shared_ptr<ScratchSpace> scratch;
    LinkTable table;
    PackedWriter starts;
  };
  std::shared_ptr<const Owned> owned_;
  std::shared_ptr<const Buffer> buffer_;
  std::span<const uint8_t> code_;
  PackedArray starts_;
  uint64_t links_ = 0;
};

}  // namespace dragoman::text
