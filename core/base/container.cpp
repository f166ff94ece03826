#include "base/container.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/atomic_file.h"
#include "base/hash.h"

namespace dragoman {
namespace {

static_assert(std::endian::native == std::endian::little, "model files are mapped in place and are little-endian");

constexpr std::array<char, 8> magic = {'D', 'R', 'A', 'G', 'O', 'M', 'A', 'N'};
constexpr uint32_t endian_check = 0x01020304;
constexpr uint64_t alignment = 64;
constexpr uint64_t tail_padding = 8;
// Far more than any file has; looking for a section takes time for each.
constexpr uint32_t most_sections = 1024;

struct Header {
  std::array<char, 8> magic;
  uint32_t endian_check;
  uint32_t version;
  std::array<char, 16> kind;
  uint64_t file_size;
  uint32_t section_count;
  uint32_t reserved0;
  uint64_t payload_hash;
  uint64_t reserved1;
};
static_assert(sizeof(Header) == 64);

struct Entry {
  std::array<char, 24> name;
  uint64_t offset;
  uint64_t size;
  uint64_t hash;
  std::array<uint64_t, 2> reserved;
};
static_assert(sizeof(Entry) == 64);

// Names are zero-padded and must leave room for one zero.
template <size_t N>
std::array<char, N> fixed_name(std::string_view name) {
  if (name.empty() || name.size() >= N)
    throw ConfigError("section name", "'" + std::string(name) + "' has a bad length");
  std::array<char, N> fixed{};
  std::copy(name.begin(), name.end(), fixed.begin());
  return fixed;
}

template <size_t N>
bool read_name(const std::array<char, N>& fixed, std::string& name) {
  auto zero = std::find(fixed.begin(), fixed.end(), '\0');
  if (zero == fixed.begin() || zero == fixed.end()) return false;
  if (!std::all_of(zero, fixed.end(), [](char c) { return c == '\0'; })) return false;
  name.assign(fixed.begin(), zero);
  return std::all_of(name.begin(), name.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

uint64_t padded_end(uint64_t end) { return (end + tail_padding + alignment - 1) / alignment * alignment; }

const char* const rebuild = "; copy it again from a good source or build it again";

}  // namespace

Container Container::open(const std::string& path, std::string_view kind, Trust trust) {
  return parse(Buffer::map(path), kind, trust);
}

Container Container::open_any(const std::string& path, Trust trust) { return parse_any(Buffer::map(path), trust); }

Container Container::parse(std::shared_ptr<const Buffer> buffer, std::string_view kind, Trust trust) {
  Container container = parse_any(std::move(buffer), trust);
  container.require_kind(kind);
  return container;
}

void Container::require_kind(std::string_view kind) const {
  if (kind_ != kind)
    throw FormatError(
        name(), offsetof(Header, kind),
        "holds '" + kind_ + "' where '" + std::string(kind) + "' is expected; the files of the model were mixed up");
}

Container Container::parse_any(std::shared_ptr<const Buffer> buffer, Trust trust) {
  Container container;
  container.buffer_ = std::move(buffer);
  const std::span<const std::byte> file = container.buffer_->bytes();
  auto refuse = [&](uint64_t offset, const std::string& what) { throw FormatError(container.name(), offset, what); };

  Header header;
  if (file.size() < sizeof header) refuse(0, std::string("is too short to be a Dragoman file") + rebuild);
  std::memcpy(&header, file.data(), sizeof header);
  if (header.magic != magic) refuse(0, "is not a Dragoman file");
  if (header.endian_check != endian_check)
    refuse(offsetof(Header, endian_check), std::string("has a damaged header") + rebuild);
  if (header.version > container_version) {
    refuse(offsetof(Header, version), "has format version " + std::to_string(header.version) +
                                          ", newer than this program reads (" + std::to_string(container_version) +
                                          "); update Dragoman");
  }
  if (header.version == 0 || header.reserved0 != 0 || header.reserved1 != 0 || !read_name(header.kind, container.kind_))
    refuse(0, std::string("has a damaged header") + rebuild);
  if (header.file_size != file.size()) {
    refuse(offsetof(Header, file_size), "is " + std::to_string(file.size()) + " bytes long where its header says " +
                                            std::to_string(header.file_size) + "; it was cut off or mixed up" +
                                            rebuild);
  }
  const uint64_t table_end = sizeof header + uint64_t{header.section_count} * sizeof(Entry);
  if (header.section_count > most_sections || table_end > file.size())
    refuse(offsetof(Header, section_count), std::string("has a damaged header") + rebuild);
  if (hash_bytes(file.data() + sizeof header, table_end - sizeof header) != header.payload_hash)
    refuse(sizeof header, std::string("has a damaged section table") + rebuild);

  // Sections lie in table order with nothing but zeros between them.
  auto zeros = [&](uint64_t begin, uint64_t end) {
    for (uint64_t at = begin; at < end; ++at) {
      if (file[at] != std::byte{0}) refuse(at, std::string("has bytes where padding belongs") + rebuild);
    }
  };
  uint64_t end = padded_end(table_end - tail_padding);
  zeros(table_end, std::min<uint64_t>(end, file.size()));
  for (uint32_t i = 0; i < header.section_count; ++i) {
    const uint64_t at = sizeof header + i * sizeof(Entry);
    Entry entry;
    std::memcpy(&entry, file.data() + at, sizeof entry);
    Section section;
    if (!read_name(entry.name, section.name) || entry.reserved != std::array<uint64_t, 2>{} || entry.offset != end ||
        entry.offset > file.size() || entry.size > file.size() - entry.offset || container.has(section.name)) {
      refuse(at, std::string("has a damaged section table") + rebuild);
    }
    section.offset = entry.offset;
    section.bytes = file.subspan(entry.offset, entry.size);
    end = padded_end(entry.offset + entry.size);
    if (end > file.size()) refuse(at, std::string("has a damaged section table") + rebuild);
    zeros(entry.offset + entry.size, end);
    if (trust == Trust::verify_hashes && hash_bytes(section.bytes.data(), section.bytes.size()) != entry.hash)
      refuse(entry.offset, "has a damaged section '" + section.name + "'" + rebuild);
    container.sections_.push_back(std::move(section));
  }
  if (end != file.size()) refuse(end, std::string("has bytes after its last section") + rebuild);
  return container;
}

const Section* Container::find(std::string_view name) const {
  for (const Section& section : sections_) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

const Section& Container::require(std::string_view name) const {
  const Section* section = find(name);
  if (!section) throw FormatError(this->name(), 0, "has no section '" + std::string(name) + "'" + rebuild);
  return *section;
}

void Container::fail(const Section& section, const std::string& what) const {
  throw FormatError(name(), section.offset, "section '" + section.name + "' " + what + rebuild);
}

ContainerWriter::ContainerWriter(std::string_view kind) : kind_(kind) { fixed_name<16>(kind); }

void ContainerWriter::add(std::string_view name, std::span<const std::byte> bytes) {
  fixed_name<24>(name);
  if (pending_.size() == most_sections) throw ConfigError("section name", "there are too many");
  for (const Pending& other : pending_) {
    if (other.name == name) throw ConfigError("section name", "'" + other.name + "' is used twice");
  }
  pending_.push_back({std::string(name), bytes});
}

template <class Sink>
void ContainerWriter::emit(Sink&& sink) const {
  std::vector<Entry> table;
  const uint64_t table_end = sizeof(Header) + pending_.size() * sizeof(Entry);
  uint64_t end = padded_end(table_end - tail_padding);
  for (const Pending& section : pending_) {
    table.push_back({fixed_name<24>(section.name),
                     end,
                     section.bytes.size(),
                     hash_bytes(section.bytes.data(), section.bytes.size()),
                     {}});
    end = padded_end(end + section.bytes.size());
  }
  Header header{magic,
                endian_check,
                container_version,
                fixed_name<16>(kind_),
                end,
                static_cast<uint32_t>(table.size()),
                0,
                hash_bytes(table.data(), table.size() * sizeof(Entry)),
                0};

  static constexpr std::array<std::byte, 2 * alignment> zeros{};
  uint64_t at = 0;
  auto put = [&](std::span<const std::byte> bytes) {
    sink(bytes);
    at += bytes.size();
  };
  auto pad_to = [&](uint64_t offset) { put(std::span(zeros).first(offset - at)); };
  put(std::as_bytes(std::span(&header, 1)));
  put(std::as_bytes(std::span(table)));
  for (size_t i = 0; i < pending_.size(); ++i) {
    pad_to(table[i].offset);
    put(pending_[i].bytes);
  }
  pad_to(end);
}

void ContainerWriter::write(const std::string& path) const {
  AtomicFile file(path);
  emit([&](std::span<const std::byte> bytes) { file.write(bytes); });
  file.commit();
}

std::vector<std::byte> ContainerWriter::bytes() const {
  std::vector<std::byte> all;
  emit([&](std::span<const std::byte> bytes) { all.insert(all.end(), bytes.begin(), bytes.end()); });
  return all;
}

}  // namespace dragoman
