#include "align/linking.h"

#include "align/shard_text.h"
#include "align/training_options.h"
#include "align/training_step.h"
#include "base/errors.h"

namespace dragoman::align {
namespace {

class LinkVisitor : public PairVisitor {
 public:
  LinkVisitor(const ModelParameters& parameters, Decoding decoding, Symmetrization how, LinkTable& table)
      : parameters_(parameters), decoding_(decoding), how_(how), table_(table) {}

  void visit(size_t, PairMatrix& matrix) override {
    inference_.links(parameters_, decoding_, matrix, forward_, backward_);
    Links links = symmetrize(forward_, backward_, matrix.source_words, matrix.target_words, how_);
    table_.add(links);
  }

 private:
  const ModelParameters& parameters_;
  const Decoding decoding_;
  const Symmetrization how_;
  LinkTable& table_;
  Inference inference_;
  Links forward_, backward_;
};

bool linkable(const Bitext& bitext, size_t pair) {
  const size_t source = bitext.source.length(pair), target = bitext.target.length(pair);
  return source > 0 && target > 0 && source <= UINT16_MAX && target <= UINT16_MAX && source * target <= max_cells;
}

std::vector<LinkTable> empty_tables(size_t shards, ArrayMemory* memory) {
  std::vector<LinkTable> tables;
  for (size_t shard = 0; shard < shards; ++shard) tables.emplace_back(memory);
  return tables;
}

// Links of all shards of a sweep, by shard.
std::vector<LinkTable> linked(Sweep& sweep, const PairTable& table, const ModelParameters& parameters,
                              Decoding decoding, Symmetrization how, ArrayMemory* memory, size_t threads,
                              Monitor& monitor) {
  std::vector<LinkTable> tables = empty_tables(sweep.shards(), memory);
  sweep.run(table, nullptr, threads, monitor,
            [&](size_t shard) { return std::make_unique<LinkVisitor>(parameters, decoding, how, tables[shard]); });
  return tables;
}

}  // namespace

Linking::Linking(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how)
    : bitext_(bitext),
      model_(model),
      decoding_(decoding),
      how_(how),
      sweep_(
          bitext, [&](size_t pair) { return linkable(bitext, pair); }, TrainingOptions().shard_cells),
      tables_(empty_tables(sweep_.shards(), bitext.memory())) {}

void Linking::link(size_t threads, Monitor& monitor) {
  monitor.start(bitext_.size());
  tables_ = linked(sweep_, model_.table, model_.parameters, decoding_, how_, bitext_.memory(), threads, monitor);
}

std::vector<std::byte> Linking::text(size_t first, size_t last) const {
  return ShardText::pack(bitext_, sweep_, first, last);
}

void Linking::add(const Container& message) {
  const auto first = message.record<uint64_t>("first");
  const auto begins = message.array<uint64_t>("begins");
  const auto code = message.array<uint8_t>("code");
  size_t next = 0;
  Links links;
  for (size_t shard = first; next + 1 < begins.size(); ++shard) {
    if (shard >= shards()) message.fail("begins", "has more shards than there are");
    tables_[shard] = LinkTable(bitext_.memory());
    for (uint32_t pair : sweep_.pairs(shard)) {
      if (next + 1 >= begins.size() || begins[next] > begins[next + 1] || begins[next + 1] > code.size())
        message.fail("begins", "is not in order");
      links.clear();
      const bool sound = decode_links(code.subspan(begins[next], begins[next + 1] - begins[next]),
                                      static_cast<uint32_t>(bitext_.source.length(pair)),
                                      static_cast<uint32_t>(bitext_.target.length(pair)),
                                      [&](uint32_t source, uint32_t target) { links.push_back({source, target}); });
      if (!sound) message.fail("code", "links words that are not there");
      tables_[shard].add(links);
      ++next;
    }
  }
}

LinkTable Linking::finish() {
  LinkTable all(bitext_.memory());
  Links none;
  auto fill_up = [&](size_t pair) {
    while (all.size() < pair) all.add(none);
  };
  for (size_t shard = 0; shard < shards(); ++shard) {
    const auto pairs = sweep_.pairs(shard);
    if (tables_[shard].size() != pairs.size()) throw InputError(0, "not all shards are linked");
    for (size_t n = 0; n < pairs.size(); ++n) {
      fill_up(pairs[n]);
      all.append(tables_[shard], n);
    }
    tables_[shard] = LinkTable(bitext_.memory());
  }
  fill_up(bitext_.size());
  return all;
}

LinkTable align_bitext(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how,
                       size_t threads, Monitor& monitor) {
  Linking linking(bitext, model, decoding, how);
  linking.link(threads, monitor);
  return linking.finish();
}

std::vector<std::byte> link_shards(const Container& pairs, const Container& step, const Container& text,
                                   Decoding decoding, Symmetrization how, size_t threads, Monitor& monitor) {
  const TrainingStep model = TrainingStep::parse(pairs, step);
  const ShardText shards = ShardText::parse(text, model.source_frequencies.size(), model.target_frequencies.size());
  for (size_t pair = 0; pair < shards.bitext.size(); ++pair)
    if (!linkable(shards.bitext, pair)) text.fail("source.begins", "has a sentence that is not linked");
  Sweep sweep(shards.bitext, shards.begins);
  monitor.start(shards.bitext.size());
  std::vector<uint64_t> begins{0};
  std::vector<uint8_t> code;
  for (const LinkTable& table :
       linked(sweep, model.table, model.parameters, decoding, how, array_memory(), threads, monitor))
    for (size_t n = 0; n < table.size(); ++n) {
      const auto of_pair = table.code(n);
      code.insert(code.end(), of_pair.begin(), of_pair.end());
      begins.push_back(code.size());
    }
  ContainerWriter writer(Linking::kind);
  writer.add_record("first", uint64_t{shards.first});
  writer.add("begins", begins);
  writer.add("code", code);
  return writer.bytes();
}

}  // namespace dragoman::align
