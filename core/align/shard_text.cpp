#include "align/shard_text.h"

#include "base/errors.h"

namespace dragoman::align {
namespace {

void append_sentence(Side& side, std::span<const WordId> words) {
  side.words.insert(side.words.end(), words.begin(), words.end());
  side.begins.push_back(side.words.size());
}

Side parse_side(const Container& message, const std::string& name, size_t vocabulary) {
  Side side;
  const auto words = message.array<WordId>(name + ".words");
  const auto begins = message.array<uint64_t>(name + ".begins");
  side.words.assign(words.begin(), words.end());
  side.begins.assign(begins.begin(), begins.end());
  for (WordId word : words)
    if (word >= vocabulary) message.fail(name + ".words", "holds a word beyond the vocabulary");
  if (begins.empty() || begins.front() != 0 || begins.back() != words.size() ||
      !std::is_sorted(begins.begin(), begins.end()))
    message.fail(name + ".begins", "is not in order");
  return side;
}

}  // namespace

std::vector<std::byte> ShardText::pack(const Bitext& bitext, const Sweep& sweep, size_t first, size_t last) {
  if (first > last || last > sweep.shards()) throw InputError(0, "there are no such shards");
  Bitext text;
  std::vector<uint64_t> begins{0};
  for (size_t shard = first; shard < last; ++shard) {
    for (uint32_t pair : sweep.pairs(shard)) {
      append_sentence(text.source, bitext.source.sentence(pair));
      append_sentence(text.target, bitext.target.sentence(pair));
    }
    begins.push_back(text.size());
  }
  ContainerWriter writer(kind);
  writer.add_record("first", uint64_t{first});
  writer.add("shards", begins);
  writer.add("source.words", text.source.words);
  writer.add("source.begins", text.source.begins);
  writer.add("target.words", text.target.words);
  writer.add("target.begins", text.target.begins);
  return writer.bytes();
}

ShardText ShardText::parse(const Container& message, size_t source_words, size_t target_words) {
  ShardText text;
  text.first = message.record<uint64_t>("first");
  text.bitext = {parse_side(message, "source", source_words), parse_side(message, "target", target_words)};
  const auto begins = message.array<uint64_t>("shards");
  text.begins.assign(begins.begin(), begins.end());
  if (text.bitext.target.size() != text.bitext.size()) message.fail("target.begins", "has another number of sentences");
  if (begins.empty() || begins.front() != 0 || begins.back() != text.bitext.size() ||
      !std::is_sorted(begins.begin(), begins.end()))
    message.fail("shards", "is not in order");
  return text;
}

}  // namespace dragoman::align
