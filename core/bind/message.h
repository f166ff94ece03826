// Containers as bytes of Python: what processes of a cluster send each other.
#pragma once

#include <string_view>

#include "base/buffer.h"
#include "bind/bind.h"

namespace dragoman::bind {

// Throws FormatError unless the bytes are a whole container of this kind.
inline Container message(const nb::bytes& data, std::string_view kind) {
  std::vector<std::byte> owned(data.size());
  if (!owned.empty()) std::memcpy(owned.data(), data.c_str(), data.size());
  return Container::parse(Buffer::own(std::move(owned)), kind);
}

}  // namespace dragoman::bind
