// Word alignment whose shards are worked on elsewhere: a training that hands out messages and takes what comes of them.
#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <optional>

#include "align/alignment_model.h"
#include "align/linking.h"
#include "align/shard_text.h"
#include "align/training.h"
#include "align/training_step.h"
#include "base/errors.h"
#include "bind/corpus_arguments.h"
#include "bind/message.h"

namespace dragoman::bind {
namespace {

using namespace align;

// Learns step by step, then links; both are done shard by shard.
class AlignmentTraining {
 public:
  AlignmentTraining(std::shared_ptr<ScratchSpace> scratch, Bitext bitext, const TrainingOptions& options,
                    Decoding decoding, Symmetrization how, Monitor& monitor)
      : scratch_(std::move(scratch)),
        bitext_(std::move(bitext)),
        decoding_(decoding),
        how_(how),
        training_(std::in_place, bitext_, options, monitor),
        steps_(training_->steps()) {
    pairs_ = training_->pairs();
    begin_linking();
  }

  AlignmentTraining(const AlignmentTraining&) = delete;
  AlignmentTraining& operator=(const AlignmentTraining&) = delete;

  size_t steps() const { return steps_; }
  bool learning() const { return training_.has_value(); }
  size_t shards() const { return learning() ? training_->shards() : linking_->shards(); }
  const std::vector<std::byte>& pairs() const { return pairs_; }
  std::vector<std::byte> step() const {
    return learning() ? training_->step() : TrainingStep::pack_step(model_->table, model_->parameters);
  }
  std::vector<std::byte> text(size_t first, size_t last) const {
    return learning() ? training_->text(first, last) : linking_->text(first, last);
  }
  void add(const nb::bytes& outcome) {
    if (learning()) {
      training_->add(message(outcome, Statistics::kind));
    } else {
      linking_->add(message(outcome, Linking::kind));
    }
  }
  void finish_step() {
    if (!learning()) return;
    Monitor monitor;
    training_->finish_step(monitor);
    begin_linking();
  }
  nb::tuple finish(bool keep_model) {
    if (learning()) throw InputError(0, "the links come when all steps of training are finished");
    nb::object kept = keep_model ? nb::cast(AlignmentModel::pack(bitext_, *model_)) : nb::none();
    return nb::make_tuple(kept, StoredLinks(linking_->finish(), scratch_), model_->log_likelihoods);
  }

 private:
  // When there is no more to learn.
  void begin_linking() {
    if (!training_->done()) return;
    model_.emplace(training_->finish());
    training_.reset();
    linking_.emplace(bitext_, *model_, decoding_, how_);
  }

  const std::shared_ptr<ScratchSpace> scratch_;
  const Bitext bitext_;
  const Decoding decoding_;
  const Symmetrization how_;
  std::optional<Training> training_;
  const size_t steps_;
  std::vector<std::byte> pairs_;
  std::optional<TrainedModel> model_;
  std::optional<Linking> linking_;
};

nb::bytes shard_statistics(const nb::bytes& pairs, const nb::bytes& step, const nb::bytes& text, size_t threads) {
  const Container table = message(pairs, TrainingStep::pairs_kind), now = message(step, TrainingStep::step_kind),
                  shards = message(text, ShardText::kind);
  Monitor monitor;
  std::vector<std::byte> statistics;
  {
    nb::gil_scoped_release release;
    statistics = work_on_shards(table, now, shards, threads, monitor);
  }
  return bytes_of(statistics);
}

nb::bytes shard_links(const nb::bytes& pairs, const nb::bytes& step, const nb::bytes& text, const std::string& decoding,
                      const std::string& how, size_t threads) {
  const Container table = message(pairs, TrainingStep::pairs_kind), now = message(step, TrainingStep::step_kind),
                  shards = message(text, ShardText::kind);
  const Decoding decode = decoding_named(decoding);
  const Symmetrization symmetrization = symmetrization_named(how);
  Monitor monitor;
  std::vector<std::byte> links;
  {
    nb::gil_scoped_release release;
    links = link_shards(table, now, shards, decode, symmetrization, threads, monitor);
  }
  return bytes_of(links);
}

}  // namespace

void register_align_shards(nb::module_& module) {
  nb::class_<AlignmentTraining>(module, "AlignmentTraining", "Learns and then links, with the shards done elsewhere.")
      .def(
          "__init__",
          [](AlignmentTraining* self, const nb::object& source, const nb::object& target, const std::string& model,
             const std::string& smoothing, size_t ibm1_iterations, size_t iterations, float min_count,
             const std::string& decoding, const std::string& how, size_t threads, nb::object progress,
             size_t shard_cells, std::shared_ptr<ScratchSpace> scratch) {
            const TrainingOptions options{
                model_named(model), smoothing_named(smoothing), ibm1_iterations, iterations, min_count, threads,
                shard_cells};
            const Decoding decode = decoding_named(decoding);
            const Symmetrization symmetrization = symmetrization_named(how);
            Monitor monitor = make_monitor(std::move(progress));
            const IdText source_text = text_argument(source), target_text = text_argument(target);
            nb::gil_scoped_release release;
            Bitext bitext = read_bitext(source_text, target_text, array_memory(scratch.get()));
            new (self)
                AlignmentTraining(std::move(scratch), std::move(bitext), options, decode, symmetrization, monitor);
          },
          nb::arg("source"), nb::arg("target"), nb::arg("model"), nb::arg("smoothing"), nb::arg("ibm1_iterations"),
          nb::arg("iterations"), nb::arg("min_count"), nb::arg("decoding"), nb::arg("symmetrize"), nb::arg("threads"),
          nb::arg("progress") = nb::none(), nb::arg("shard_cells") = 0, nb::arg("scratch") = nb::none())
      .def_prop_ro("learning", &AlignmentTraining::learning, "Whether shards are still learned from, or linked.")
      .def_prop_ro("steps", &AlignmentTraining::steps, "In how many steps it learns.")
      .def_prop_ro("shards", &AlignmentTraining::shards)
      .def(
          "pairs", [](const AlignmentTraining& self) { return bytes_of(self.pairs()); },
          "The word pairs, which stay the same.")
      .def(
          "step", [](const AlignmentTraining& self) { return bytes_of(self.step()); }, "What is known of them by now.")
      .def(
          "text",
          [](const AlignmentTraining& self, size_t first, size_t last) { return bytes_of(self.text(first, last)); },
          nb::arg("first"), nb::arg("last"), "The text of the shards from the first up to the last, without that.")
      .def("add", &AlignmentTraining::add, nb::arg("outcome"), "What came of some shards, in any order.")
      .def("finish_step", &AlignmentTraining::finish_step, nb::call_guard<nb::gil_scoped_release>(),
           "When all shards were added.")
      .def("finish", &AlignmentTraining::finish, nb::arg("keep_model") = true, "When all shards are linked.");
  module.def("alignment_statistics", &shard_statistics, nb::arg("pairs"), nb::arg("step"), nb::arg("text"),
             nb::arg("threads") = 1, "The E-step of some shards.");
  module.def("alignment_links", &shard_links, nb::arg("pairs"), nb::arg("step"), nb::arg("text"), nb::arg("decoding"),
             nb::arg("symmetrize"), nb::arg("threads") = 1, "The links of some shards.");
}

}  // namespace dragoman::bind
