#include "nlm/direct_ngrams.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "base/finite.h"
#include "base/hash.h"
#include "base/prefetch.h"
#include "lm/quantise.h"

namespace dragoman::nlm {
namespace {

constexpr uint32_t contexts_per_bucket = 8;
constexpr uint32_t float_bits = 32;
// A bucket has eight contexts or so, of hashes that are spread evenly: no file that was written has so many in one.
// They are gone through one by one.
constexpr uint32_t most_in_bucket = 256;
constexpr float largest_weight = 1e6f;

uint32_t bucket_of(uint64_t hash, uint32_t buckets) { return static_cast<uint32_t>((hash >> 32) * buckets >> 32); }
uint16_t print_of(uint64_t hash) { return static_cast<uint16_t>(hash); }

void append_ends(std::vector<uint64_t>& ends, uint64_t& bit, uint64_t records) {
  bit += records;
  ends.resize(bit / 64 + 1);
  ends[bit / 64] |= uint64_t{1} << bit % 64;
  ++bit;
}

// Packs the lists of the contexts in this order.
struct Packing {
  Packing(const std::vector<DirectRecord>& records, uint32_t id_limit, uint32_t bits) : bits_(bits) {
    id_bits_ = bits_for(id_limit);
    if (bits != float_bits) {
      std::vector<float> weights;
      for (const DirectRecord& record : records) weights.push_back(record.weight);
      book_ = lm::Codebook::learn(weights, bits);
    }
  }
  uint64_t pack(const DirectRecord& record) const {
    const uint64_t code = bits_ == float_bits ? std::bit_cast<uint32_t>(record.weight) : book_.code(record.weight);
    return record.id | code << id_bits_;
  }
  uint32_t width() const { return id_bits_ + bits_; }
  std::vector<float> values() const { return bits_ == float_bits ? std::vector<float>() : book_.values(); }

 private:
  uint32_t id_bits_, bits_;
  lm::Codebook book_;
};

}  // namespace

uint64_t direct_hash(uint64_t shorter, WordId further_back) { return mix(shorter ^ (uint64_t{further_back} + 1)); }

DirectNgrams::Records DirectNgrams::open_records(const Container& file, const std::string& name, uint32_t count,
                                                 uint32_t contexts, uint32_t id_limit, uint32_t bits) {
  Records records;
  records.count = count;
  records.id_bits = bits_for(id_limit);
  records.id_mask = (uint64_t{1} << records.id_bits) - 1;
  records.records = PackedArray(file, name, count, records.id_bits + bits);
  records.ends = file.array<uint64_t>(name + ".ends", (uint64_t{count} + contexts) / 64 + 1);
  return records;
}

DirectNgrams::DirectNgrams(const Container& file, const Header& header)
    : contexts_(header.direct_contexts), buckets_(header.direct_buckets), bits_(header.direct_bits) {
  if (contexts_ == 0) return;
  if (buckets_ == 0 || (bits_ != float_bits && (bits_ < 2 || bits_ > 8)))
    file.fail("header", "describes impossible direct n-grams");
  bucket_ = {
      reinterpret_cast<const Bucket*>(file.array<uint32_t>("direct.buckets", 3 * (uint64_t{buckets_} + 1)).data()),
      size_t{buckets_} + 1};
  const Bucket end{contexts_, header.direct_words, header.direct_classes};
  for (size_t i = 0; i < bucket_.size(); ++i) {
    const Bucket& next = i < buckets_ ? bucket_[i + 1] : end;
    if (bucket_[i].context > next.context || bucket_[i].word > next.word || bucket_[i].class_ > next.class_)
      file.fail("direct.buckets", "is not in order");
    if (next.context - bucket_[i].context > most_in_bucket)
      file.fail("direct.buckets", "has a bucket that is too full");
  }
  prints_ = file.array<uint16_t>("direct.prints", contexts_);
  words_ = open_records(file, "direct.words", header.direct_words, contexts_, header.words, bits_);
  classes_ = open_records(file, "direct.classes", header.direct_classes, contexts_, header.classes, bits_);
  if (bits_ != float_bits) {
    word_values_ = file.array<float>("direct.word_values", uint64_t{1} << bits_).data();
    class_values_ = file.array<float>("direct.class_values", uint64_t{1} << bits_).data();
  }
}

DirectRecord DirectNgrams::record(const Records& of, const float* values, uint32_t index) const {
  const uint64_t packed = of.records[index];
  const auto code = static_cast<uint32_t>(packed >> of.id_bits);
  const float weight = values ? values[code] : std::bit_cast<float>(code);
  return {static_cast<uint32_t>(packed & of.id_mask), finite(weight, largest_weight)};
}

// The list of the context that comes `skip` after this one, whose first record is known.
DirectList DirectNgrams::list_at(const Records& of, uint32_t context, uint32_t first_record, uint32_t skip) {
  uint64_t bit = uint64_t{context} + first_record;
  uint64_t begin = bit;
  for (uint32_t left = skip + 1; left > 0; --left) {
    begin = bit;
    size_t at = bit / 64;
    if (at >= of.ends.size()) return {};
    uint64_t word = of.ends[at] >> bit % 64 << bit % 64;
    while (word == 0)
      if (++at < of.ends.size())
        word = of.ends[at];
      else
        return {};
    bit = at * 64 + static_cast<uint64_t>(std::countr_zero(word)) + 1;
  }
  // As many contexts as ones have gone by; damaged bytes give a list that is wrong but within the records.
  const uint64_t ones = uint64_t{context} + skip;
  if (begin < ones || bit < ones + 1 || bit - ones - 1 > of.count) return {};
  // Numbers in a list differ.
  if (bit - 1 - begin > of.id_mask + 1) return {};
  return {static_cast<uint32_t>(begin - ones), static_cast<uint32_t>(bit - ones - 1)};
}

void DirectNgrams::find(const WordId* words, uint32_t count, DirectLists* lists) const {
  uint64_t hashes[max_order];
  uint64_t hash = direct_seed;
  for (uint32_t i = 0; i < count; ++i) {
    hashes[i] = hash = direct_hash(hash, words[i]);
    // Far apart in memory: let all lines come at once.
    prefetch(&bucket_[bucket_of(hash, buckets_)]);
  }
  for (uint32_t i = 0; i < count; ++i) prefetch(prints_.data() + bucket_[bucket_of(hashes[i], buckets_)].context);
  for (uint32_t i = 0; i < count; ++i) {
    lists[i] = {};
    const uint32_t bucket = bucket_of(hashes[i], buckets_);
    const Bucket& here = bucket_[bucket];
    const uint32_t end = bucket_[bucket + 1].context;
    const uint16_t print = print_of(hashes[i]);
    for (uint32_t at = here.context; at < end; ++at)
      if (prints_[at] == print) {
        lists[i] = {list_at(words_, here.context, here.word, at - here.context),
                    list_at(classes_, here.context, here.class_, at - here.context)};
        break;
      }
  }
}

uint32_t DirectNgrams::first_from(const Records& of, DirectList list, uint32_t id) {
  while (list.begin < list.end) {
    const uint32_t middle = list.begin + (list.end - list.begin) / 2;
    if ((of.records[middle] & of.id_mask) < id)
      list.begin = middle + 1;
    else
      list.end = middle;
  }
  return list.begin;
}

float DirectNgrams::word_weight(DirectList list, uint32_t row) const {
  const uint32_t at = first_from(words_, list, row);
  if (at == list.end) return 0;
  const DirectRecord first = word(at);
  return first.id == row ? first.weight : 0;
}

float DirectNgrams::class_weight(DirectList list, uint32_t id) const {
  const uint32_t at = first_from(classes_, list, id);
  if (at == list.end) return 0;
  const DirectRecord first = class_(at);
  return first.id == id ? first.weight : 0;
}

DirectSections::DirectSections(const DirectTable& table, uint32_t words_limit, uint32_t classes_limit, uint32_t bits,
                               Header& header) {
  auto successors = [&](size_t i) {
    return table.word_begin[i + 1] - table.word_begin[i] + table.class_begin[i + 1] - table.class_begin[i];
  };
  uint32_t bucket_count = static_cast<uint32_t>(table.hashes.size() / contexts_per_bucket + 1);
  std::vector<uint32_t> order(table.hashes.size());
  std::iota(order.begin(), order.end(), 0u);
  // Long lists last in their bucket: nobody has to skip them.
  std::ranges::sort(order, [&](uint32_t left, uint32_t right) {
    const uint32_t a = bucket_of(table.hashes[left], bucket_count), b = bucket_of(table.hashes[right], bucket_count);
    if (a != b) return a < b;
    if (successors(left) != successors(right)) return successors(left) < successors(right);
    return left < right;
  });
  // Of contexts that look the same, the last one in its bucket has the longest list.
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < order.size(); ++i) {
    bool hidden = successors(order[i]) == 0;
    for (size_t j = i + 1; j < order.size() && !hidden; ++j) {
      if (bucket_of(table.hashes[order[j]], bucket_count) != bucket_of(table.hashes[order[i]], bucket_count)) break;
      hidden = print_of(table.hashes[order[j]]) == print_of(table.hashes[order[i]]);
    }
    if (!hidden) kept.push_back(order[i]);
  }
  uint64_t word_total = 0, class_total = 0;
  for (uint32_t i : kept) {
    word_total += table.word_begin[i + 1] - table.word_begin[i];
    class_total += table.class_begin[i + 1] - table.class_begin[i];
  }
  const Packing word_packing(table.words, words_limit, bits), class_packing(table.classes, classes_limit, bits);
  words.emplace(word_total, word_packing.width());
  classes.emplace(class_total, class_packing.width());
  uint32_t bucket = 0, context = 0;
  uint64_t word_at = 0, class_at = 0, word_bit = 0, class_bit = 0;
  auto open_until = [&](uint32_t wanted) {
    for (; bucket <= wanted; ++bucket)
      for (uint64_t number : {uint64_t{context}, word_at, class_at}) buckets.push_back(static_cast<uint32_t>(number));
  };
  for (uint32_t i : kept) {
    open_until(bucket_of(table.hashes[i], bucket_count));
    prints.push_back(print_of(table.hashes[i]));
    for (uint64_t at = table.word_begin[i]; at < table.word_begin[i + 1]; ++at)
      words->set(word_at++, word_packing.pack(table.words[at]));
    for (uint64_t at = table.class_begin[i]; at < table.class_begin[i + 1]; ++at)
      classes->set(class_at++, class_packing.pack(table.classes[at]));
    append_ends(word_ends, word_bit, table.word_begin[i + 1] - table.word_begin[i]);
    append_ends(class_ends, class_bit, table.class_begin[i + 1] - table.class_begin[i]);
    ++context;
  }
  open_until(bucket_count);
  word_ends.resize((word_total + context) / 64 + 1);
  class_ends.resize((class_total + context) / 64 + 1);
  word_values = word_packing.values();
  class_values = class_packing.values();
  header.direct_contexts = context;
  header.direct_buckets = context ? bucket_count : 0;
  header.direct_words = static_cast<uint32_t>(word_total);
  header.direct_classes = static_cast<uint32_t>(class_total);
  header.direct_bits = context ? bits : 0;
}

DirectSections::DirectSections(const DirectNgrams& from, uint32_t words_limit, uint32_t classes_limit, uint32_t bits,
                               Header& header) {
  std::vector<DirectRecord> word_records, class_records;
  for (uint32_t i = 0; i < from.words_.count; ++i) word_records.push_back(from.word(i));
  for (uint32_t i = 0; i < from.classes_.count; ++i) class_records.push_back(from.class_(i));
  const Packing word_packing(word_records, words_limit, bits), class_packing(class_records, classes_limit, bits);
  words.emplace(word_records.size(), word_packing.width());
  classes.emplace(class_records.size(), class_packing.width());
  for (size_t i = 0; i < word_records.size(); ++i) words->set(i, word_packing.pack(word_records[i]));
  for (size_t i = 0; i < class_records.size(); ++i) classes->set(i, class_packing.pack(class_records[i]));
  for (const auto& bucket : from.bucket_) buckets.insert(buckets.end(), {bucket.context, bucket.word, bucket.class_});
  prints.assign(from.prints_.begin(), from.prints_.end());
  word_ends.assign(from.words_.ends.begin(), from.words_.ends.end());
  class_ends.assign(from.classes_.ends.begin(), from.classes_.ends.end());
  word_values = word_packing.values();
  class_values = class_packing.values();
  header.direct_bits = bits;
}

void DirectSections::add_to(ContainerWriter& writer) const {
  if (prints.empty()) return;
  writer.add("direct.buckets", buckets);
  writer.add("direct.prints", prints);
  writer.add("direct.words", words->bytes());
  writer.add("direct.words.ends", word_ends);
  writer.add("direct.classes", classes->bytes());
  writer.add("direct.classes.ends", class_ends);
  if (word_values.empty()) return;
  writer.add("direct.word_values", word_values);
  writer.add("direct.class_values", class_values);
}

}  // namespace dragoman::nlm
