// The one file format of a model directory: a 64-byte header, a table of named sections, and the sections, each
// 64-byte aligned, little-endian, hashed, and followed by at least 8 zero bytes so that a reader of packed bits may
// load a whole word at the end.
//
//   header   magic[8] endian_check:u32 version:u32 kind[16] file_size:u64 section_count:u32 reserved:u32
//            payload_hash:u64 reserved:u64
//   table    section_count entries of 64 bytes: name[24] offset:u64 size:u64 hash:u64 reserved[16]
//   sections in table order
//
// payload_hash covers the table, the table holds the hash of every section, and padding must be zero, so a change of
// any byte of the file is seen. Reading costs one pass over the file for the hashes; `trust` skips that pass and
// nothing else: every size and offset is still checked before it is used.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/buffer.h"
#include "base/errors.h"

namespace dragoman {

inline constexpr uint32_t container_version = 1;

enum class Trust : bool { verify_hashes, skip_hashes };

struct Section {
  std::string name;
  uint64_t offset;
  std::span<const std::byte> bytes;
};

class Container {
 public:
  // Throws FormatError unless the bytes are a whole container of this kind.
  static Container open(const std::string& path, std::string_view kind, Trust trust = Trust::verify_hashes);
  static Container parse(std::shared_ptr<const Buffer> buffer, std::string_view kind,
                         Trust trust = Trust::verify_hashes);
  // Any kind, for whoever wants to see what it is.
  static Container open_any(const std::string& path, Trust trust = Trust::verify_hashes);
  static Container parse_any(std::shared_ptr<const Buffer> buffer, Trust trust = Trust::verify_hashes);

  const std::string& kind() const { return kind_; }
  // Throws FormatError if it is of another kind.
  void require_kind(std::string_view kind) const;
  const std::string& name() const { return buffer_->name(); }
  const std::vector<Section>& sections() const { return sections_; }
  uint64_t file_size() const { return buffer_->bytes().size(); }
  // What keeps the views below alive.
  const std::shared_ptr<const Buffer>& buffer() const { return buffer_; }

  bool has(std::string_view section) const { return find(section) != nullptr; }
  std::span<const std::byte> bytes(std::string_view section) const { return require(section).bytes; }

  // A section as an array; its size must be a multiple of the element's, and equal to `count` elements if given.
  template <class T>
  std::span<const T> array(std::string_view section) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const Section& entry = require(section);
    if (entry.bytes.size() % sizeof(T) != 0) fail(entry, "has a size that is no multiple of its element's");
    return {reinterpret_cast<const T*>(entry.bytes.data()), entry.bytes.size() / sizeof(T)};
  }
  template <class T>
  std::span<const T> array(std::string_view section, uint64_t count) const {
    auto values = array<T>(section);
    if (values.size() != count) fail(require(section), "does not hold the number of elements it should");
    return values;
  }
  // A section that is one fixed struct.
  template <class T>
  T record(std::string_view section) const {
    return array<T>(section, 1)[0];
  }

  // Says that a section's content cannot be right.
  [[noreturn]] void fail(std::string_view section, const std::string& what) const { fail(require(section), what); }

 private:
  Container() = default;
  const Section* find(std::string_view name) const;
  const Section& require(std::string_view name) const;
  [[noreturn]] void fail(const Section& section, const std::string& what) const;

  std::shared_ptr<const Buffer> buffer_;
  std::string kind_;
  std::vector<Section> sections_;
};

// Collects sections, then writes them to a temporary file that is synced and renamed over `path`. Sections given as
// views must stay alive until write().
class ContainerWriter {
 public:
  explicit ContainerWriter(std::string_view kind);

  void add(std::string_view name, std::span<const std::byte> bytes);
  template <class T>
  void add(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(name, std::as_bytes(values));
  }
  template <class T, class Allocator>
  void add(std::string_view name, const std::vector<T, Allocator>& values) {
    add(name, std::as_bytes(std::span<const T>(values)));
  }
  template <class T>
  void add_record(std::string_view name, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    records_.push_back(std::make_unique<std::vector<std::byte>>(sizeof(T)));
    std::memcpy(records_.back()->data(), &value, sizeof(T));
    add(name, std::span<const std::byte>(*records_.back()));
  }

  void write(const std::string& path) const;
  // The same bytes in memory, for tests and for systems without files.
  std::vector<std::byte> bytes() const;

 private:
  struct Pending {
    std::string name;
    std::span<const std::byte> bytes;
  };
  // Sends the whole file to `sink` in order.
  template <class Sink>
  void emit(Sink&& sink) const;

  std::string kind_;
  std::vector<Pending> pending_;
  std::vector<std::unique_ptr<std::vector<std::byte>>> records_;
};

}  // namespace dragoman
