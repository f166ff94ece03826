// sources.bin: blocks that are stored and blocks that are compressed.
#include <algorithm>

#include "index/sources.h"
#include "index/sources_builder.h"
#include "tests/fuzz/target.h"

namespace dragoman::fuzz {

using namespace index;

namespace {

// DEFLATE with fixed codes that knows one trick: three bytes that are all the same as the one before.
class Deflate {
 public:
  static std::string of(std::string_view plain, std::string_view) {
    Deflate stream;
    stream.put(1, 1);
    stream.put(1, 2);
    for (size_t at = 0; at < plain.size();) {
      const auto same = [&](char c) { return c == plain[at - 1]; };
      if (at > 0 && at + 3 <= plain.size() && std::ranges::all_of(plain.substr(at, 3), same)) {
        stream.code(1, 7);
        stream.code(0, 5);
        at += 3;
      } else {
        const auto byte = static_cast<unsigned char>(plain[at++]);
        byte < 144 ? stream.code(0x30u + byte, 8) : stream.code(0x190u + byte - 144, 9);
      }
    }
    stream.code(0, 7);
    return stream.out_;
  }

 private:
  void put(uint32_t bits, uint32_t count) {
    for (; count > 0; --count, bits >>= 1, ++used_) {
      if (used_ % 8 == 0) out_ += '\0';
      out_.back() = static_cast<char>(out_.back() | (bits & 1) << used_ % 8);
    }
  }
  void code(uint32_t bits, uint32_t count) {
    while (count > 0) put(bits >> --count & 1, 1);
  }

  std::string out_;
  uint32_t used_ = 0;
};

std::vector<Bytes> seeds() {
  std::vector<Bytes> files;
  for (bool compressed : {false, true}) {
    Random random(5);
    SourcesBuilder builder(compressed ? SourcesBuilder::Compress(Deflate::of) : SourcesBuilder::Compress());
    for (uint64_t i = 0; i < 150; ++i) {
      SourceRecord record;
      record.stable_id = 3 * i + random() % 3;
      record.file = random() % 2 ? "a.tmx" : "b.txt";
      record.line = random() % 4 ? i + 1 : 0;
      record.unit = random() % 3 ? "" : "u" + std::to_string(i);
      record.id = random() % 4 ? derived_id(static_cast<IdForm>(random() % 3), record) : "own" + std::to_string(i % 9);
      record.source = std::string(random() % 200, 's');
      record.target = std::string(random() % 200, 't') + std::to_string(i);
      for (uint64_t n = random() % 3; n > 0; --n) record.attributes.emplace_back("k" + std::to_string(n), "value");
      builder.add(record);
    }
    files.push_back(builder.bytes());
  }
  return files;
}

void use(Bytes file) {
  const size_t bytes = file.size();
  const Sources sources(Container::parse(Buffer::own(std::move(file), "file"), Sources::kind));
  for (uint64_t block = 0; block < std::min<uint64_t>(sources.blocks(), 50); ++block)
    attempt([&] {
      size_t held = 0;
      for (const SourceRecord& record : sources.read_block(block)) {
        held += sizeof record + record.id.size() + record.file.size() + record.unit.size();
        held += record.source.size() + record.target.size() + record.attributes.size() * sizeof record.attributes[0];
      }
      // As much as DEFLATE could make of the file, and a record for each pair of a block.
      require(held < (bytes << 10) + (size_t{8} << 20), "a block larger than the file can account for");
    });
  for (uint64_t id = 0; id < 500; id += 31) attempt([&] { sources.get(id); });
  for (const char* id : {"own3", "own8", "a.tmx:7", "b.txt:u9", "u4", "", "nobody"}) attempt([&] { sources.find(id); });
}

}  // namespace

const Target sources_target{"sources", seeds, use};

}  // namespace dragoman::fuzz
