// The log of what was added to a model and removed from it since it was built (overlay/log of a model directory): only
// ever appended to, one record per change. A record carries its size and a hash, so that the tail a power cut left half
// written is known for what it is; after damage in the middle reading goes on at the next whole record, in one pass
// whatever the bytes are. This file knows bytes alone; who holds the file appends to it and syncs it.
//
//   header  magic[8] version:u32 reserved:u32 index:u64 hash:u64      index: payload hash of the bitext.bin it is about
//   record  marker:u32 size:u32 hash:u64 payload[size]
//   payload kind:u8 stable_id:u64, then strings, each size:u32 and bytes
//
// Records that were appended together count all or none: the last of them has the highest bit of its kind set, and what
// follows the last such record is a tail that a dying writer left. A pair may have several names: an addition of the
// same pair gives it one more, an unnaming takes one away, and a removal takes the pair with all its names. All of them
// begin with the name of the pair's memory, if that has one (memories.h).
//
// Logs of earlier versions have no such bit, so that every record counts by itself, and no unnamings; in version 1 the
// hash of a payload is seeded with its size, later with 0. A log stays what its header says: records are appended as
// its version has them, until compaction begins a new log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "index/live_index.h"

namespace dragoman::index {

struct LogRecord {
  enum class Kind : uint8_t { addition = 1, removal = 2, unnaming = 3 };
  Kind kind;
  uint64_t stable_id;
  std::string id;
  // Of an addition: texts as the user gave them, tokens as the model has them, the target tokens as written, links in
  // Pharaoh's form, and where the pair came from, when and with which others, as JSON.
  std::string source_text, target_text, source, target, written, links, origin;
};

inline constexpr uint32_t log_version = 3;

struct LogHeader {
  static constexpr size_t size = 32;
  uint64_t index;
  uint32_t version = log_version;
};

std::string encode_header(const LogHeader& header);
// Throws FormatError unless the bytes begin with the header of a log that this version reads.
LogHeader read_header(std::string_view log, const std::string& name);

// `last` of those that are appended together.
void append_record(std::string& log, const LogRecord& record, uint32_t version = log_version, bool last = true);

struct LogEntry {
  LogRecord record;
  uint64_t offset;  // of the record
};
struct LogReading {
  std::vector<LogEntry> entries;
  uint64_t end = 0;      // after the last record that counts
  uint64_t damaged = 0;  // bytes before `end` that are no records
  uint64_t refused = 0;  // records before `end` that are whole and cannot be indexed
};
// Reads records from `offset` on; what follows `end` is not, or not yet, whole.
LogReading read_records(std::string_view log, uint64_t offset, uint32_t version = log_version);
// The whole record that begins there, whatever was appended with it.
std::optional<LogRecord> read_record(std::string_view log, uint64_t offset, uint32_t version = log_version);

// What the records do to an index.
std::vector<LiveChange> changes_of(const LogReading& reading);

}  // namespace dragoman::index
