// The links of a whole text by a trained model, shard by shard, here on threads or elsewhere.
#pragma once

#include "align/bitext.h"
#include "align/sweep.h"
#include "align/symmetrize.h"
#include "align/trained_model.h"
#include "base/container.h"
#include "base/monitor.h"

namespace dragoman::align {

class Linking {
 public:
  static constexpr std::string_view kind = "alignment-links";

  Linking(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how);

  size_t shards() const { return sweep_.shards(); }
  // All shards in this process.
  void link(size_t threads, Monitor& monitor);
  // The same elsewhere: the text of some shards, and what comes of it (link_shards).
  std::vector<std::byte> text(size_t first, size_t last) const;
  // Throws FormatError for what is no such message, or does not fit the text.
  void add(const Container& links);
  // The links of every pair; throws InputError unless all shards are linked.
  LinkTable finish();

 private:
  const Bitext& bitext_;
  const TrainedModel& model_;
  const Decoding decoding_;
  const Symmetrization how_;
  Sweep sweep_;
  std::vector<LinkTable> tables_;  // by shard
};

// Links of all pairs of the text the model was trained on, in this process.
LinkTable align_bitext(const Bitext& bitext, const TrainedModel& model, Decoding decoding, Symmetrization how,
                       size_t threads, Monitor& monitor);

// Links of some shards of a text elsewhere, as the messages say.
std::vector<std::byte> link_shards(const Container& pairs, const Container& step, const Container& text,
                                   Decoding decoding, Symmetrization how, size_t threads, Monitor& monitor);

}  // namespace dragoman::align
