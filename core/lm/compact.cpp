#include "lm/compact.h"

#include <bit>
#include <cstring>
#include <deque>

#include "base/container.h"
#include "base/errors.h"
#include "base/packed_array.h"
#include "lm/format.h"
#include "lm/part_plan.h"
#include "lm/quantise.h"

namespace dragoman::lm {
namespace {

// Bits set one after another; values up to 57 bits.
class BitWriter {
 public:
  BitWriter(uint64_t bits, ArrayMemory* memory)
      : bytes_((bits + 7) / 8 + sizeof(uint64_t), memory), used_((bits + 7) / 8) {}
  void put(uint64_t value, uint32_t width) {
    uint64_t word;
    std::memcpy(&word, bytes_.data() + at_ / 8, sizeof word);
    word |= value << at_ % 8;
    std::memcpy(bytes_.data() + at_ / 8, &word, sizeof word);
    at_ += width;
  }
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(used_); }

 private:
  Array<std::byte> bytes_;
  uint64_t used_;
  uint64_t at_ = 0;
};

uint32_t stored_bits(uint32_t option) { return option == 0 ? float_bits : option; }

// Calls visit(parent, child, label) for the children of one node of level k - 1.
template <class Visit>
void for_each_label(const NgramTrie& trie, size_t k, uint32_t parent, Visit&& visit) {
  const NgramLevel& above = trie.levels[k - 1];
  const NgramLevel& level = trie.levels[k];
  // The context's siblings begin at the first child of the parent's context. At the second level the label is the word.
  const uint32_t base = k == 1 ? 0 : trie.levels[k - 2].first_child[above.context[parent]];
  for (uint32_t child = above.first_child[parent]; child < above.first_child[parent + 1]; ++child)
    visit(child, level.context[child] - base);
}

// Width of the pointers from bigrams to trigrams; 0 where they would weigh too much.
uint32_t bigram_child_bits(const NgramTrie& trie) {
  if (trie.order() < 3 || trie.levels[1].size() * 12 > trie.ngrams()) return 0;
  return bits_for(trie.levels[2].size());
}

std::vector<PartPlan> plan_level(const NgramTrie& trie, size_t k) {
  const NgramLevel& above = trie.levels[k - 1];
  if (k == 1) return {{bits_for(trie.words.size() - 1), trie.levels[1].size()}};
  LabelLengths lengths{};
  for (uint32_t parent = 0; parent < above.size(); ++parent)
    for_each_label(trie, k, parent, [&](uint32_t, uint32_t label) { ++lengths[std::bit_width(label)]; });
  if (k == 2 && bigram_child_bits(trie) > 0) {
    uint32_t longest = 1;
    for (uint32_t bits = 1; bits < lengths.size(); ++bits)
      if (lengths[bits] > 0) longest = bits;
    return {{longest, trie.levels[2].size()}};
  }
  return plan_parts(lengths, above.size());
}

// Back-offs with no_extension where nothing is lost: the n-gram is no context and weighs nothing.
Array<float> marked_backoffs(const NgramTrie& trie, size_t k) {
  Array<float> backoffs(trie.levels[k].log10_backoff, trie.memory());
  std::vector<bool> is_context(backoffs.size());
  for (uint32_t context : trie.levels[k + 1].context) is_context[context] = true;
  for (size_t i = 0; i < backoffs.size(); ++i) {
    if (backoffs[i] == 0) backoffs[i] = is_context[i] ? 0.0f : no_extension;
  }
  return backoffs;
}

class Compactor {
 public:
  Compactor(const NgramTrie& trie, const CompactOptions& options, Monitor& monitor)
      : trie_(trie), options_(options), monitor_(monitor), writer_("lm") {}

  ContainerWriter& run() {
    header_.version = format_version;
    header_.order = trie_.order();
    header_.prob_bits = stored_bits(options_.prob_bits);
    header_.backoff_bits = stored_bits(options_.backoff_bits);
    header_.words = trie_.words.size();
    header_.has_classes = trie_.classes.has_value();
    header_.bigram_child_bits = bigram_child_bits(trie_);
    trie_.words.add_to(writer_, "words");
    unigrams();
    Array<uint32_t> parents(trie_.levels[0].size(), trie_.memory());
    for (uint32_t i = 0; i < parents.size(); ++i) parents[i] = i;
    for (size_t k = 1; k < trie_.order(); ++k) {
      monitor_.poll();
      parents = level(k, parents);
    }
    writer_.add("parts", parts_);
    if (trie_.classes) {
      trie_.classes->words.add_to(writer_, "class");
      writer_.add("class.ids", trie_.classes->class_of);
      writer_.add("class.emissions", trie_.classes->log10_emission);
    }
    writer_.add_record("header", header_);
    return writer_;
  }

 private:
  void unigrams() {
    const NgramLevel& level = trie_.levels[0];
    const bool alone = trie_.order() == 1;
    const Array<float> backoffs = alone ? Array<float>(level.size(), no_extension) : marked_backoffs(trie_, 0);
    auto& records = unigrams_;
    records.resize(level.size() + 1);
    for (size_t i = 0; i < level.size(); ++i)
      records[i] = {level.log10_prob[i], backoffs[i], alone ? 0 : level.first_child[i]};
    records.back() = {0, no_extension, alone ? 0 : level.first_child.back()};
    writer_.add("unigrams", records);
  }

  // Takes the order the level above has in the file, as indices in the trie, and returns that of this level.
  Array<uint32_t> level(size_t k, const Array<uint32_t>& parents) {
    const NgramLevel& nodes = trie_.levels[k];
    const bool highest = k + 1 == trie_.order();
    const Array<float> backoffs = highest ? Array<float>() : marked_backoffs(trie_, k);
    Codebook prob_book;
    Codebook backoff_book;
    const std::string prefix = level_name(k);
    if (options_.prob_bits > 0) {
      prob_book = Codebook::learn(nodes.log10_prob, options_.prob_bits);
      writer_.add(prefix + "probs", floats_.emplace_back(prob_book.values()));
    }
    if (options_.backoff_bits > 0 && !highest) {
      backoff_book = Codebook::learn(backoffs, options_.backoff_bits, &no_extension);
      writer_.add(prefix + "backoffs", floats_.emplace_back(backoff_book.values()));
    }
    const uint32_t prob_bits = header_.prob_bits;
    const uint32_t backoff_bits = highest ? 0 : header_.backoff_bits;
    const uint32_t child_bits = k == 1 ? header_.bigram_child_bits : 0;
    // Whether parents are to be listed, because nobody points here.
    const bool listed = k > 1 && !(k == 2 && header_.bigram_child_bits > 0);

    Array<uint32_t> order(trie_.memory());
    order.reserve(nodes.size());
    uint32_t shorter = 0;  // labels of at most this many bits are in earlier parts; no label is for the first
    bool first = true;
    size_t number = 0;
    for (const PartPlan& plan : plan_level(trie_, k)) {
      const std::string part_prefix = prefix + std::to_string(number++) + ".";
      const uint32_t record_bits = plan.label_bits + prob_bits + backoff_bits + child_bits;
      BitWriter& records = records_.emplace_back((plan.count + (child_bits > 0)) * record_bits, trie_.memory());
      BitWriter& tops = records_.emplace_back(PartView::tops_for(plan.count) * plan.label_bits, trie_.memory());
      const size_t begin = order.size();
      const ParentsShape shape = ParentsShape::best(plan.count, parents.size());
      ParentsWriter sequence(plan.count, shape, trie_.memory());
      for (uint32_t p = 0; p < parents.size(); ++p) {
        for_each_label(trie_, k, parents[p], [&](uint32_t child, uint32_t label) {
          const auto bits = static_cast<uint32_t>(std::bit_width(label));
          if (bits > plan.label_bits || (!first && bits <= shorter)) return;
          records.put(label, plan.label_bits);
          if ((order.size() - begin) % (1u << PartView::top_shift) == 0) tops.put(label, plan.label_bits);
          const float prob = nodes.log10_prob[child];
          records.put(options_.prob_bits == 0 ? std::bit_cast<uint32_t>(prob) : prob_book.code(prob), prob_bits);
          if (!highest)
            records.put(options_.backoff_bits == 0 ? std::bit_cast<uint32_t>(backoffs[child])
                                                   : backoff_book.code(backoffs[child]),
                        backoff_bits);
          if (child_bits > 0) records.put(nodes.first_child[child], child_bits);
          if (listed) sequence.add(p);
          order.push_back(child);
        });
      }
      if (child_bits > 0) {
        for (uint32_t width : {plan.label_bits, prob_bits, backoff_bits}) records.put(0, width);
        records.put(nodes.first_child.back(), child_bits);
      }
      writer_.add(part_prefix + "records", records.bytes());
      writer_.add(part_prefix + "tops", tops.bytes());
      if (listed) {
        sequence.finish();
        parents_.push_back(std::move(sequence));
        parents_.back().add_to(writer_, part_prefix);
      }
      parts_.push_back({static_cast<uint32_t>(k), plan.label_bits, order.size() - begin, listed ? shape.low_bits : 0,
                        listed ? shape.sample_shift : 0});
      shorter = plan.label_bits;
      first = false;
    }
    return order;
  }

  // The sequence of parents of one part, in the making.
  class ParentsWriter {
   public:
    ParentsWriter(uint64_t nodes, const ParentsShape& shape, ArrayMemory* memory)
        : shape_(shape), lines_(shape.lines * ParentsView::line_words, memory), lows_(nodes * shape.low_bits, memory) {
      samples_.reserve(shape.samples);
    }
    void add(uint32_t parent) {
      const uint32_t bucket = parent >> shape_.low_bits;
      while (zeros_ < bucket) zero();
      one();
      if (shape_.low_bits > 0) lows_.put(parent & ((uint32_t{1} << shape_.low_bits) - 1), shape_.low_bits);
    }
    void finish() {
      while (zeros_ < shape_.buckets) zero();
      // Whatever is left of the last line counts as ones, so that no zero is found there.
      while (at_ < shape_.lines * ParentsView::line_bits) one();
      if (shape_.buckets == 0) samples_.push_back(0);
      samples_.push_back(static_cast<uint32_t>(shape_.lines - 1));
    }
    void add_to(ContainerWriter& writer, const std::string& prefix) const {
      writer.add(prefix + "lines", lines_);
      writer.add(prefix + "samples", samples_);
      writer.add(prefix + "lows", lows_.bytes());
    }

   private:
    void open_line() {
      if (at_ % ParentsView::line_bits == 0) lines_[at_ / ParentsView::line_bits * ParentsView::line_words] = zeros_;
    }
    void zero() {
      open_line();
      if (zeros_ % (1u << shape_.sample_shift) == 0)
        samples_.push_back(static_cast<uint32_t>(at_ / ParentsView::line_bits));
      ++zeros_;
      ++at_;
    }
    void one() {
      open_line();
      const uint64_t bit = at_ % ParentsView::line_bits + 32;
      lines_[at_ / ParentsView::line_bits * ParentsView::line_words + bit / 64] |= uint64_t{1} << bit % 64;
      ++at_;
    }

    ParentsShape shape_;
    Array<uint64_t> lines_;
    std::vector<uint32_t> samples_;
    BitWriter lows_;
    uint32_t zeros_ = 0;
    uint64_t at_ = 0;
  };

  const NgramTrie& trie_;
  const CompactOptions& options_;
  Monitor& monitor_;
  ContainerWriter writer_;
  Header header_{};
  std::vector<PartRecord> parts_;
  std::vector<UnigramRecord> unigrams_;
  // What the sections point to until they are written.
  std::deque<std::vector<float>> floats_;
  std::deque<BitWriter> records_;
  std::deque<ParentsWriter> parents_;
};

}  // namespace

void check(const CompactOptions& options) {
  auto usable = [](uint32_t bits) { return bits == 0 || (bits >= 2 && bits <= 16); };
  if (!usable(options.prob_bits)) throw ConfigError("prob_bits", "must be from 2 to 16, or 0 for unquantised values");
  if (!usable(options.backoff_bits))
    throw ConfigError("backoff_bits", "must be from 2 to 16, or 0 for unquantised values");
}

uint64_t compact_bytes(const NgramTrie& trie, const CompactOptions& options) {
  uint64_t sections = 0;
  uint64_t bytes = 0;
  auto section = [&](uint64_t size) {
    ++sections;
    bytes += (size + 8 + 63) / 64 * 64;
  };
  section(sizeof(Header));
  ContainerWriter strings("lm");
  trie.words.add_to(strings, "words");
  if (trie.classes) {
    trie.classes->words.add_to(strings, "class");
    section(trie.classes->class_of.size() * sizeof(WordId));
    section(trie.classes->log10_emission.size() * sizeof(float));
  }
  // The vocabulary knows its own sections; a container of nothing else tells their size.
  const uint64_t string_sections = trie.classes ? 8 : 4;
  bytes += strings.bytes().size() - (sizeof_container_header + string_sections * 64 + 63) / 64 * 64;
  sections += string_sections;
  section((trie.levels[0].size() + 1) * sizeof(UnigramRecord));
  uint64_t parts = 0;
  for (size_t k = 1; k < trie.order(); ++k) {
    const bool highest = k + 1 == trie.order();
    if (options.prob_bits > 0) section(sizeof(float) << options.prob_bits);
    if (options.backoff_bits > 0 && !highest) section(sizeof(float) << options.backoff_bits);
    const uint64_t value_bits = stored_bits(options.prob_bits) + (highest ? 0 : stored_bits(options.backoff_bits));
    for (const PartPlan& plan : plan_level(trie, k)) {
      ++parts;
      const uint64_t child_bits = k == 1 ? bigram_child_bits(trie) : 0;
      section(((plan.count + (child_bits > 0)) * (plan.label_bits + value_bits + child_bits) + 7) / 8);
      section((PartView::tops_for(plan.count) * plan.label_bits + 7) / 8);
      if (k == 1 || (k == 2 && bigram_child_bits(trie) > 0)) continue;
      const ParentsShape shape = ParentsShape::best(plan.count, trie.levels[k - 1].size());
      section(shape.lines * 64);
      section(shape.samples * 4);
      section(shape.low_bytes);
    }
  }
  section(parts * sizeof(PartRecord));
  return bytes + (sizeof_container_header + sections * 64 + 63) / 64 * 64;
}

void write_compact(const NgramTrie& trie, const CompactOptions& options, const std::string& path, Monitor& monitor) {
  check(options);
  Compactor(trie, options, monitor).run().write(path);
}

std::vector<std::byte> make_compact(const NgramTrie& trie, const CompactOptions& options, Monitor& monitor) {
  check(options);
  return Compactor(trie, options, monitor).run().bytes();
}

}  // namespace dragoman::lm
