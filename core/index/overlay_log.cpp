#include "index/overlay_log.h"

#include <array>
#include <optional>
#include <utility>

#include "base/errors.h"
#include "base/hash.h"
#include "base/utf8.h"

namespace dragoman::index {
namespace {

constexpr char magic[9] = "DRGMLIVE";
constexpr uint32_t marker = 0x474f4c44;
constexpr std::string_view marker_bytes = "DLOG";
constexpr size_t record_head = 16, payload_head = 9;

template <class Number>
void put(std::string& out, Number value) {
  for (size_t i = 0; i < sizeof value; ++i) out += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 255);
}

template <class Number>
Number get(std::string_view bytes, size_t at) {
  uint64_t value = 0;
  for (size_t i = 0; i < sizeof(Number); ++i) value |= uint64_t{static_cast<uint8_t>(bytes[at + i])} << (8 * i);
  return static_cast<Number>(value);
}

void put_string(std::string& out, std::string_view text) {
  put(out, static_cast<uint32_t>(text.size()));
  out += text;
}

// In the kind of a record that ends what was appended together.
constexpr uint8_t last_bit = 0x80;

// The strings of a record in their order; of what is no addition the first alone.
template <class Record>
auto strings_of(Record& record) {
  return std::array{&record.id,     &record.source_text, &record.target_text, &record.source,
                    &record.target, &record.written,     &record.links,       &record.origin};
}
size_t string_count(LogRecord::Kind kind) { return kind == LogRecord::Kind::addition ? 8 : 1; }

// The kind that a payload says it is, as a version has it.
std::optional<LogRecord::Kind> kind_of(std::string_view payload, uint32_t version) {
  const auto byte = static_cast<uint8_t>(payload[0]);
  const uint8_t kind = version < 3 ? byte : byte & ~last_bit;
  const auto most = version < 3 ? LogRecord::Kind::removal : LogRecord::Kind::unnaming;
  if (kind < 1 || kind > static_cast<uint8_t>(most)) return std::nullopt;
  return static_cast<LogRecord::Kind>(kind);
}

bool ends_change(std::string_view payload, uint32_t version) {
  return version < 3 || (static_cast<uint8_t>(payload[0]) & last_bit) != 0;
}

// Whether the sizes in a payload add up to its own. Looks at no text, so that asking costs the same for any size.
bool adds_up(std::string_view payload, uint32_t version) {
  if (payload.size() < payload_head) return false;
  const auto kind = kind_of(payload, version);
  if (!kind) return false;
  size_t at = payload_head;
  for (size_t i = 0; i < string_count(*kind); ++i) {
    if (payload.size() - at < 4) return false;
    const size_t size = get<uint32_t>(payload, at);
    at += 4;
    if (payload.size() - at < size) return false;
    at += size;
  }
  return at == payload.size();
}

// Of a payload that adds up.
LogRecord parse(std::string_view payload, uint32_t version) {
  LogRecord record{};
  record.kind = *kind_of(payload, version);
  record.stable_id = get<uint64_t>(payload, 1);
  const auto strings = strings_of(record);
  size_t at = payload_head;
  for (size_t i = 0; i < string_count(record.kind); ++i) {
    const size_t size = get<uint32_t>(payload, at);
    *strings[i] = payload.substr(at + 4, size);
    at += 4 + size;
  }
  return record;
}

LiveChange change_of(const LogRecord& record) {
  if (record.kind == LogRecord::Kind::addition) {
    LiveChange addition =
        LiveIndex::addition(record.stable_id, record.source, record.target, record.written, record.links);
    addition.memory = memory_of_name(record.id);
    for (const char c : addition.memory)
      if (static_cast<unsigned char>(c) < ' ') throw InputError(0, "the name of a memory has no control characters");
    return addition;
  }
  LiveChange change;
  change.removal = true;
  change.stable_id = record.stable_id;
  return change;
}

// Whether a record says something that can be done. A right hash does not mean that we wrote it.
bool makes_sense(const LogRecord& record) {
  for (const std::string* text : strings_of(record))
    if (find_invalid_utf8(*text) != std::string_view::npos) return false;
  try {
    change_of(record);
  } catch (const InputError&) {
    return false;
  }
  return true;
}

uint64_t payload_hash(std::string_view payload, uint32_t version) {
  return hash_bytes(payload, version == 1 ? payload.size() : 0);
}

// The payload at this place, if there is a head whose sizes agree.
std::optional<std::string_view> payload_at(std::string_view log, uint64_t at, uint32_t version) {
  if (log.size() < at || log.size() - at < record_head || get<uint32_t>(log, at) != marker) return std::nullopt;
  const uint64_t size = get<uint32_t>(log, at + 4);
  if (log.size() - at - record_head < size) return std::nullopt;
  const std::string_view payload = log.substr(at + record_head, size);
  return adds_up(payload, version) ? std::optional(payload) : std::nullopt;
}

bool has_right_hash(std::string_view log, uint64_t at, std::string_view payload, uint32_t version) {
  return payload_hash(payload, version) == get<uint64_t>(log, at + 8);
}

}  // namespace

std::string encode_header(const LogHeader& header) {
  std::string bytes(magic, 8);
  put(bytes, header.version);
  put(bytes, uint32_t{0});
  put(bytes, header.index);
  put(bytes, hash_bytes(bytes));
  return bytes;
}

LogHeader read_header(std::string_view log, const std::string& name) {
  if (log.size() < LogHeader::size || log.substr(0, 8) != std::string_view(magic, 8))
    throw FormatError(name, 0,
                      "is not a log of added pairs; restore it from a copy or delete it to lose what was added");
  const auto version = get<uint32_t>(log, 8);
  if (version > log_version) throw FormatError(name, 8, "was written by a newer version of Dragoman; update Dragoman");
  if (version == 0 || get<uint64_t>(log, 24) != hash_bytes(log.substr(0, 24)))
    throw FormatError(name, 24, "has a damaged header; restore it from a copy or delete it to lose what was added");
  return {get<uint64_t>(log, 16), version};
}

void append_record(std::string& log, const LogRecord& record, uint32_t version, bool last) {
  if (version < 3 && record.kind == LogRecord::Kind::unnaming)
    throw InputError(0, "a log of this version has one name for a pair; compact the model first");
  std::string payload;
  payload += static_cast<char>(static_cast<uint8_t>(record.kind) | (version < 3 || !last ? 0 : last_bit));
  put(payload, record.stable_id);
  const auto strings = strings_of(record);
  for (size_t i = 0; i < string_count(record.kind); ++i) put_string(payload, *strings[i]);
  if (payload.size() > UINT32_MAX / 2) throw InputError(0, "the pair is too long");
  put(log, marker);
  put(log, static_cast<uint32_t>(payload.size()));
  put(log, payload_hash(payload, version));
  log += payload;
}

LogReading read_records(std::string_view log, uint64_t offset, uint32_t version) {
  // What was read, of which the last records may lack the one that makes them count.
  LogReading reading, counting;
  reading.end = counting.end = offset;
  size_t entries = 0;
  for (uint64_t at = offset; at < log.size();) {
    const auto payload = payload_at(log, at, version);
    if (!payload) {
      // Whole records may follow what is not one.
      const size_t next = log.find(marker_bytes, at + 1);
      if (next == std::string_view::npos) break;
      at = next;
      continue;
    }
    // A record whose sizes agree is where it says it is, whatever happened to its text, so that no byte is hashed
    // twice.
    const uint64_t begin = std::exchange(at, at + record_head + payload->size());
    if (!has_right_hash(log, begin, *payload, version)) continue;
    counting.damaged += begin - counting.end;
    counting.end = at;
    LogRecord record = parse(*payload, version);
    if (makes_sense(record))
      reading.entries.push_back({std::move(record), begin});
    else
      ++counting.refused;
    if (!ends_change(*payload, version)) continue;
    entries = reading.entries.size();
    reading.end = counting.end;
    reading.damaged = counting.damaged;
    reading.refused = counting.refused;
  }
  reading.entries.erase(reading.entries.begin() + static_cast<ptrdiff_t>(entries), reading.entries.end());
  return reading;
}

std::optional<LogRecord> read_record(std::string_view log, uint64_t offset, uint32_t version) {
  const auto payload = payload_at(log, offset, version);
  if (!payload || !has_right_hash(log, offset, *payload, version)) return std::nullopt;
  LogRecord record = parse(*payload, version);
  return makes_sense(record) ? std::optional(std::move(record)) : std::nullopt;
}

std::vector<LiveChange> changes_of(const LogReading& reading) {
  std::vector<LiveChange> changes;
  for (const LogEntry& entry : reading.entries)
    if (entry.record.kind != LogRecord::Kind::unnaming) changes.push_back(change_of(entry.record));
  return changes;
}

}  // namespace dragoman::index
