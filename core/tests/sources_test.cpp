// Where pairs came from: round trips, look-ups, and bytes that were tampered with; DEFLATE of every kind of block.
#include "index/sources.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "base/inflate.h"
#include "base/namespaces.h"
#include "index/sources_builder.h"
#include "tests/check.h"

namespace dragoman {
using namespace text;
using namespace index;
using namespace rules;
namespace {

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::string inflated(const std::vector<std::byte>& in, size_t size) {
  std::vector<std::byte> out(size);
  if (!inflate(in, out)) return "refused";
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

// A stored block by hand: what a compressor without compression writes.
std::string stored(std::string_view plain, std::string_view) {
  std::string block;
  block += '\x01';
  for (uint32_t value : {static_cast<uint32_t>(plain.size()), ~static_cast<uint32_t>(plain.size())}) {
    block += static_cast<char>(value & 255);
    block += static_cast<char>(value >> 8 & 255);
  }
  return block + std::string(plain);
}

std::vector<SourceRecord> records(std::mt19937_64& random, size_t count) {
  std::vector<SourceRecord> pairs;
  uint64_t id = 0;
  for (size_t i = 0; i < count; ++i) {
    SourceRecord record;
    record.stable_id = id += 1 + random() % 3;
    record.file = random() % 2 ? "a.tmx" : "b.txt";
    record.line = random() % 4 ? i + 1 : 0;
    record.unit = random() % 3 ? "" : "u" + std::to_string(i);
    record.id = derived_id(static_cast<IdForm>(random() % 3), record);
    if (random() % 4 == 0) record.id = "own" + std::to_string(random() % 9);
    record.source = std::string(random() % 400, 's');
    record.target = std::string(random() % 400, 't');
    for (uint64_t n = random() % 3; n > 0; --n) record.attributes.emplace_back("k" + std::to_string(n), "value");
    pairs.push_back(std::move(record));
  }
  return pairs;
}

Sources open(std::vector<std::byte> bytes, Trust trust) {
  return Sources(Container::parse(Buffer::own(std::move(bytes)), Sources::kind, trust));
}

bool same(const SourceRecord& a, const SourceRecord& b) {
  return a.stable_id == b.stable_id && a.id == b.id && a.source == b.source && a.target == b.target &&
         a.file == b.file && a.line == b.line && a.unit == b.unit && a.attributes == b.attributes;
}

}  // namespace

TEST(inflate_of_known_streams) {
  CHECK(inflated(bytes_of({0x4b, 0x4c, 0x4a, 0x06, 0x00}), 3) == "abc");           // fixed codes
  CHECK(inflated(bytes_of({0x4b, 0x4c, 0x04, 0x01, 0x00}), 6) == "aaaaaa");        // a copy of what it just wrote
  CHECK(inflated(bytes_of({0x01, 0x02, 0x00, 0xfd, 0xff, 'h', 'i'}), 2) == "hi");  // stored
  CHECK(inflated(bytes_of({0x01, 0x02, 0x00, 0xfc, 0xff, 'h', 'i'}), 2) == "refused");
  CHECK(inflated(bytes_of({0x07}), 0) == "refused");        // no such kind of block
  CHECK(inflated(bytes_of({0x4b, 0x4c}), 3) == "refused");  // cut off
  CHECK(inflated(bytes_of({}), 0) == "refused");
  CHECK(inflated(bytes_of({0x4b, 0x4c, 0x4a, 0x06, 0x00}), 2) == "refused");  // more than there is room for
  CHECK(inflated(bytes_of({0x4b, 0x4c, 0x4a, 0x06, 0x00}), 4) == "refused");  // less than was promised
}

TEST(inflate_stays_in_bounds) {
  std::mt19937_64 random(7);
  std::vector<std::byte> out(1000);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> in(1 + random() % 60);
    for (std::byte& byte : in) byte = static_cast<std::byte>(random());
    // Most beginnings are refused at once; begin with a block of either kind of code.
    in[0] = static_cast<std::byte>((static_cast<int>(in[0]) & ~7) | (random() % 2 ? 3 : 5));
    accepted += inflate(in, std::span(out).first(random() % out.size()));
  }
  CHECK(accepted < 20000);
}

TEST(sources_round_trip) {
  std::mt19937_64 random(8);
  for (size_t count : {0u, 1u, 300u}) {
    const auto given = records(random, count);
    SourcesBuilder builder(stored);
    for (const SourceRecord& record : given) builder.add(record);
    const Sources sources = open(builder.bytes(), Trust::verify_hashes);
    CHECK(sources.pairs() == count);
    size_t at = 0;
    for (uint64_t block = 0; block < sources.blocks(); ++block)
      for (const SourceRecord& record : sources.read_block(block)) CHECK(same(record, given[at++]));
    CHECK(at == count);
    for (const SourceRecord& record : given) {
      const auto copy = sources.get(record.stable_id);
      CHECK(copy && same(*copy, record));
      bool listed = false;
      for (uint64_t id : sources.find(record.id)) listed = listed || id == record.stable_id;
      CHECK(listed);
    }
    CHECK(!sources.get(UINT64_MAX));
    CHECK(!sources.get(0));
  }
}

TEST(sources_come_in_order) {
  SourcesBuilder builder;
  SourceRecord record;
  record.stable_id = 5;
  builder.add(record);
  CHECK_THROWS(builder.add(record), InputError);
  record.stable_id = UINT64_MAX;
  CHECK_THROWS(builder.add(record), InputError);
}

TEST(damaged_sources_stay_in_bounds) {
  std::mt19937_64 random(9);
  SourcesBuilder builder;
  for (const SourceRecord& record : records(random, 200)) builder.add(record);
  const std::vector<std::byte> good = builder.bytes();
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<std::byte> bad = good;
    for (uint64_t n = 1 + random() % 3; n > 0; --n)
      bad[random() % (random() % 2 ? bad.size() : std::min<size_t>(bad.size(), 2000))] ^=
          static_cast<std::byte>(1 + random() % 255);
    try {
      const Sources sources = open(std::move(bad), Trust::skip_hashes);
      for (uint64_t block = 0; block < std::min<uint64_t>(sources.blocks(), 100); ++block) sources.read_block(block);
      sources.get(random() % 500);
      sources.find("own" + std::to_string(random() % 9));
    } catch (const FormatError&) {
      ++refused;
    }
  }
  CHECK(refused > 100);
}

}  // namespace dragoman
