// One walk over the sentence pairs with the translation probabilities of all their cells at hand: the frame of every
// E-step and of decoding. The pairs are cut into shards of a few million cells. Within a shard the cells are filled
// row by row of the pair table (a source word's row is spread into a dense array once, then gathered for all its
// tokens), the visitor turns each pair's matrices into posteriors in place, and those are summed row by row into the
// counts. No cell keeps a pointer into the table, so memory does not grow with the text; a cell costs about two
// nanoseconds beside the visitor's own work.
#pragma once

#include <functional>
#include <memory>

#include "align/bitext.h"
#include "align/pair_matrix.h"
#include "align/pair_table.h"
#include "base/monitor.h"

namespace dragoman::align {

// A model's work on the pairs of one shard, in order.
class PairVisitor {
 public:
  virtual ~PairVisitor() = default;
  virtual void visit(size_t pair, PairMatrix& matrix) = 0;
  // After the shard's last pair: hand over what was summed.
  virtual void finish() {}
};

class Sweep {
 public:
  // Pairs for which `wanted` holds, cut into shards of at most about `shard_cells`, or, if that is 0, of what suits the
  // text: every shard walks the rows of its words, which grow with the text, so their number should not. A cell takes
  // eight bytes of scratch memory in each thread.
  Sweep(const Bitext& bitext, const std::function<bool(size_t pair)>& wanted, size_t shard_cells);
  // All pairs, in shards that were cut before: shard n is [begins[n], begins[n + 1]).
  Sweep(const Bitext& bitext, std::vector<size_t> begins);
  ~Sweep();

  size_t shards() const { return begins_.size() - 1; }
  // The visited pairs of a shard, ascending.
  std::span<const uint32_t> pairs(size_t shard) const {
    return std::span(pairs_).subspan(begins_[shard], begins_[shard + 1] - begins_[shard]);
  }

  using MakeVisitor = std::function<std::unique_ptr<PairVisitor>(size_t shard)>;
  // Sums posteriors into `counts` if given.
  void run(const PairTable& table, PairCounts* counts, size_t threads, Monitor& monitor, const MakeVisitor& make);

 private:
  struct Worker;

  const Bitext& bitext_;
  std::vector<uint32_t> pairs_;
  std::vector<size_t> begins_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace dragoman::align
