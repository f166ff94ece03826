#include "extract/overlay_log.h"

#include <cstring>
#include <optional>

#include "base/errors.h"
#include "base/hash.h"

namespace dragoman {
namespace {

constexpr char magic[9] = "DRGMLIVE";
constexpr uint32_t log_version = 1;
constexpr uint32_t marker = 0x474f4c44;
constexpr size_t record_head = 16;

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

std::optional<LogRecord> parse(std::string_view payload) {
  if (payload.size() < 9) return std::nullopt;
  LogRecord record{};
  const auto kind = static_cast<uint8_t>(payload[0]);
  if (kind < 1 || kind > 2) return std::nullopt;
  record.kind = static_cast<LogRecord::Kind>(kind);
  record.stable_id = get<uint64_t>(payload, 1);
  size_t at = 9;
  auto read = [&](std::string& text) {
    if (payload.size() - at < 4) return false;
    const auto size = get<uint32_t>(payload, at);
    at += 4;
    if (payload.size() - at < size) return false;
    text = payload.substr(at, size);
    at += size;
    return true;
  };
  if (!read(record.id)) return std::nullopt;
  if (record.kind == LogRecord::Kind::addition)
    for (std::string* text : {&record.source_text, &record.target_text, &record.source, &record.target, &record.written,
                              &record.links, &record.origin})
      if (!read(*text)) return std::nullopt;
  return record;
}

// The record at this place, if there is a whole one.
std::optional<LogRecord> record_at(std::string_view log, uint64_t at, uint64_t& end) {
  if (log.size() - at < record_head || get<uint32_t>(log, at) != marker) return std::nullopt;
  const uint64_t size = get<uint32_t>(log, at + 4);
  if (log.size() - at - record_head < size) return std::nullopt;
  const std::string_view payload = log.substr(at + record_head, size);
  if (hash_bytes(payload, size) != get<uint64_t>(log, at + 8)) return std::nullopt;
  end = at + record_head + size;
  return parse(payload);
}

}  // namespace

std::string encode_header(const LogHeader& header) {
  std::string bytes(magic, 8);
  put(bytes, log_version);
  put(bytes, uint32_t{0});
  put(bytes, header.index);
  put(bytes, hash_bytes(bytes));
  return bytes;
}

LogHeader read_header(std::string_view log, const std::string& name) {
  if (log.size() < LogHeader::size || log.substr(0, 8) != std::string_view(magic, 8))
    throw FormatError(name, 0,
                      "is not a log of added pairs; restore it from a copy or delete it to lose what was added");
  if (get<uint32_t>(log, 8) > log_version)
    throw FormatError(name, 8, "was written by a newer version of Dragoman; update Dragoman");
  if (get<uint64_t>(log, 24) != hash_bytes(log.substr(0, 24)))
    throw FormatError(name, 24, "has a damaged header; restore it from a copy or delete it to lose what was added");
  return {get<uint64_t>(log, 16)};
}

void append_record(std::string& log, const LogRecord& record) {
  std::string payload;
  payload += static_cast<char>(record.kind);
  put(payload, record.stable_id);
  put_string(payload, record.id);
  if (record.kind == LogRecord::Kind::addition)
    for (const std::string* text : {&record.source_text, &record.target_text, &record.source, &record.target,
                                    &record.written, &record.links, &record.origin})
      put_string(payload, *text);
  if (payload.size() > UINT32_MAX / 2) throw InputError(0, "the pair is too long");
  put(log, marker);
  put(log, static_cast<uint32_t>(payload.size()));
  put(log, hash_bytes(payload, payload.size()));
  log += payload;
}

LogReading read_records(std::string_view log, uint64_t offset) {
  LogReading reading;
  reading.end = offset;
  uint64_t at = offset;
  while (at < log.size()) {
    uint64_t end = 0;
    if (auto record = record_at(log, at, end)) {
      reading.damaged += at - reading.end;
      reading.entries.push_back({std::move(*record), at});
      at = reading.end = end;
      continue;
    }
    // Whole records may follow what is not one.
    const char first = static_cast<char>(marker & 255);
    const size_t next = log.find(first, at + 1);
    if (next == std::string_view::npos) break;
    at = next;
  }
  return reading;
}

std::vector<LiveChange> changes_of(const LogReading& reading) {
  std::vector<LiveChange> changes;
  for (const LogEntry& entry : reading.entries) {
    const LogRecord& record = entry.record;
    if (record.kind == LogRecord::Kind::addition) {
      changes.push_back(
          LiveIndex::addition(record.stable_id, record.source, record.target, record.written, record.links));
    } else {
      LiveChange change;
      change.removal = true;
      change.stable_id = record.stable_id;
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

}  // namespace dragoman
