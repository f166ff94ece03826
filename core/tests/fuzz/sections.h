// A container taken apart without asking whether it is right, and put together again so that it is.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace dragoman::fuzz {

using Bytes = std::vector<std::byte>;

struct Sections {
  std::string kind;
  std::vector<std::pair<std::string, Bytes>> all;

  // Nothing if there is no table to go by. Sections that reach outside the bytes are cut.
  static std::optional<Sections> read(std::span<const std::byte> file);
  // With right sizes and hashes.
  Bytes sealed() const;
};

}  // namespace dragoman::fuzz
