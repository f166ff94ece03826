#include "tests/fuzz/sections.h"

#include <algorithm>
#include <cstring>

#include "base/container.h"

namespace dragoman::fuzz {
namespace {

// See base/container.h.
constexpr size_t head_size = 64, entry_size = 64, kind_at = 16, kind_size = 16, count_at = 40, name_size = 24;
constexpr size_t most_sections = 200;

template <class Number>
Number number_at(std::span<const std::byte> bytes, size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string name_at(std::span<const std::byte> bytes, size_t at, size_t size) {
  const char* begin = reinterpret_cast<const char*>(bytes.data()) + at;
  return {begin, std::find(begin, begin + size - 1, '\0')};
}

}  // namespace

std::optional<Sections> Sections::read(std::span<const std::byte> file) {
  if (file.size() < head_size) return std::nullopt;
  Sections sections;
  sections.kind = name_at(file, kind_at, kind_size);
  const size_t room = (file.size() - head_size) / entry_size;
  const size_t count = std::min({size_t{number_at<uint32_t>(file, count_at)}, room, most_sections});
  for (size_t i = 0; i < count; ++i) {
    const size_t at = head_size + i * entry_size;
    const std::string name = name_at(file, at, name_size);
    const auto same = [&](const auto& other) { return other.first == name; };
    if (name.empty() || std::ranges::any_of(sections.all, same)) continue;
    const uint64_t offset = std::min<uint64_t>(number_at<uint64_t>(file, at + name_size), file.size());
    const uint64_t size = std::min(number_at<uint64_t>(file, at + name_size + 8), file.size() - offset);
    const auto bytes = file.subspan(offset, size);
    sections.all.emplace_back(name, Bytes(bytes.begin(), bytes.end()));
  }
  if (sections.kind.empty() || sections.all.empty()) return std::nullopt;
  return sections;
}

Bytes Sections::sealed() const {
  ContainerWriter writer(kind);
  for (const auto& [name, bytes] : all) writer.add(name, bytes);
  return writer.bytes();
}

}  // namespace dragoman::fuzz
