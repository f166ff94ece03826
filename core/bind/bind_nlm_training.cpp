// Training of neural language models: their text, the course of training, and the trainer.
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>

#include "bind/buffer_argument.h"
#include "bind/options.h"
#include "bind/results.h"
#include "nlm/brown.h"
#include "nlm/direct_features.h"
#include "nlm/model_writer.h"
#include "nlm/trainer.h"
#include "nlm/word_trees.h"

namespace dragoman::bind {
namespace {

using namespace nlm;

constexpr Option<NetworkTrainingOptions> network_training_table[] = {
    option<&NetworkTrainingOptions::order>("order"),
    option<&NetworkTrainingOptions::dimension>("dimension"),
    option<&NetworkTrainingOptions::full>("full"),
    option<&NetworkTrainingOptions::hidden_bias>("hidden_bias"),
    option<&NetworkTrainingOptions::source_window>("source_window"),
    option<&NetworkTrainingOptions::initial_deviation>("initial_deviation"),
    option<&NetworkTrainingOptions::noise_samples>("noise_samples"),
    option<&NetworkTrainingOptions::shared_noise>("shared_noise"),
    option<&NetworkTrainingOptions::direct_ngrams>("direct_ngrams"),
    option<&NetworkTrainingOptions::epochs>("epochs"),
    option<&NetworkTrainingOptions::minibatch>("minibatch"),
    option<&NetworkTrainingOptions::patience>("patience"),
    option<&NetworkTrainingOptions::learning_rate>("learning_rate"),
    option<&NetworkTrainingOptions::l2>("l2"),
    option<&NetworkTrainingOptions::dropout>("dropout"),
    option<&NetworkTrainingOptions::self_normalisation>("self_normalisation"),
    option<&NetworkTrainingOptions::seed>("seed"),
    option<&NetworkTrainingOptions::threads>("threads"),
    option<&NetworkTrainingOptions::checkpoint_seconds>("checkpoint_seconds"),
};

// The source side is given whole or not at all.
void make_text(TrainingText* self, lm::TextEncoder& target, uint64_t max_words, uint64_t min_count, double heldout,
               uint64_t seed, lm::TextEncoder* source, const StoredLinks* links, const IdText* source_text,
               const IdText* target_text) {
  if (source && !(links && source_text && target_text))
    throw ConfigError("source", "goes with links and both texts: give all of them or none");
  nb::gil_scoped_release release;
  CorpusIds ids = limit_vocabulary(target.finish(), max_words, min_count);
  std::optional<SourceText> other;
  if (source)
    other.emplace(limit_vocabulary(source->finish(), max_words, min_count), *links, *source_text, *target_text);
  new (self) TrainingText(std::move(ids), std::move(other), {.share = heldout, .seed = seed});
}

nb::dict epoch_row(const EpochReport& report) {
  nb::dict row;
  row["epoch"] = report.epoch;
  row["training_loss"] = report.training_loss;
  row["heldout_perplexity"] = report.heldout_perplexity;
  row["log_normaliser_mean"] = report.log_normaliser_mean;
  row["log_normaliser_deviation"] = report.log_normaliser_deviation;
  row["seconds"] = report.seconds;
  return row;
}

// Numbers of the core's that Python reads, or writes, where they lie; whoever has them keeps their owner.
template <class Values>
nb::object view_of(Values& values, bool writable = false) {
  static char nothing;
  auto* data = reinterpret_cast<char*>(const_cast<typename Values::value_type*>(values.data()));
  if (values.empty()) data = &nothing;
  return nb::steal(PyMemoryView_FromMemory(data, static_cast<Py_ssize_t>(values.size() * sizeof(values[0])),
                                           writable ? PyBUF_WRITE : PyBUF_READ));
}

nb::tuple stream_views(const IdStream& stream) {
  return nb::make_tuple(view_of(stream.ids), view_of(stream.source_ids), view_of(stream.centres));
}

// Classes by falling size, so that those of like size stand beside each other.
std::vector<int32_t> by_size(std::vector<int32_t> of_words) {
  std::vector<uint32_t> sizes;
  for (int32_t number : of_words) {
    if (number < 0) continue;
    if (static_cast<size_t>(number) >= sizes.size()) sizes.resize(static_cast<size_t>(number) + 1);
    ++sizes[static_cast<size_t>(number)];
  }
  std::vector<uint32_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater(), [&](uint32_t number) { return sizes[number]; });
  std::vector<int32_t> rank(sizes.size());
  for (size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<int32_t>(i);
  for (int32_t& number : of_words)
    if (number >= 0) number = rank[static_cast<size_t>(number)];
  return of_words;
}

void register_training_text(nb::module_& module) {
  nb::class_<TrainingText>(module, "TrainingText", "What a neural language model learns from, as ids.")
      .def("__init__", &make_text, nb::arg("target"), nb::kw_only(), nb::arg("max_words") = 0, nb::arg("min_count") = 1,
           nb::arg("heldout") = 0.02, nb::arg("seed") = 1, nb::arg("source").none() = nb::none(),
           nb::arg("links").none() = nb::none(), nb::arg("source_text").none() = nb::none(),
           nb::arg("target_text").none() = nb::none())
      .def_prop_ro("words", [](const TrainingText& self) { return self.words(); })
      .def_prop_ro("word_count", [](const TrainingText& self) { return self.words().size(); })
      .def_prop_ro("reads_source", &TrainingText::reads_source)
      .def_prop_ro("source_word_count", [](const TrainingText& self) { return self.source_words().size(); })
      .def_prop_ro("tokens", [](const TrainingText& self) { return self.train().tokens(); })
      .def_prop_ro("heldout_tokens", [](const TrainingText& self) { return self.heldout().tokens(); })
      .def(
          "brown_classes",
          [](const TrainingText& self, uint32_t classes, size_t threads, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            std::vector<int32_t> of_words;
            {
              nb::gil_scoped_release release;
              of_words = brown_classes(self.texts(), self.size(), classes, threads, monitor, self.scratch());
            }
            return bytes_of(of_words);
          },
          nb::arg("classes"), nb::arg("threads") = 1, nb::arg("progress") = nb::none())
      .def(
          "brown_tree",
          [](const TrainingText& self, uint32_t classes, size_t threads, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            std::vector<int32_t> tree;
            {
              nb::gil_scoped_release release;
              tree = class_tree(self.counts(),
                                brown_hierarchy(self.texts(), self.size(), classes, threads, monitor, self.scratch()));
            }
            return bytes_of(tree);
          },
          nb::arg("classes"), nb::arg("threads") = 1, nb::arg("progress") = nb::none())
      .def(
          "frequency_classes",
          [](const TrainingText& self, uint32_t classes) {
            return bytes_of(frequency_classes(self.counts(), classes));
          },
          nb::arg("classes"))
      .def_prop_ro("source_words", [](const TrainingText& self) { return self.source_words(); })
      .def_prop_ro("counts", [](const TrainingText& self) { return view_of(self.counts()); })
      .def_prop_ro("train", [](const TrainingText& self) { return stream_views(self.train()); })
      .def_prop_ro(
          "heldout", [](const TrainingText& self) { return stream_views(self.heldout()); },
          "Views of ids, source ids and centres, good as long as the text.");
  module.def(
      "classes_by_size",
      [](nb::handle classes) {
        return bytes_of(by_size(BufferArgument(classes, "classes").values<int32_t>("classes")));
      },
      nb::arg("classes"), "Classes of words, numbered by falling size.");
}

nb::dict direct_dict(const Trainer& trainer) {
  nb::dict buffers;
  if (!trainer.direct()) return buffers;
  Tensors views;
  const DirectTensors tensors(*trainer.direct(), trainer.words());
  tensors.add_to(views);
  for (const auto& [name, view] : views)
    buffers[name.c_str()] = nb::bytes(reinterpret_cast<const char*>(view.data()), view.size());
  return buffers;
}

// The course of training a network whose steps are done elsewhere, and which the core knows by its tables alone.
struct OtherNetwork {
  std::deque<ParameterTable> tables;
  std::optional<TrainingRun> run;
};

constexpr Option<TrainingSchedule> schedule_table[] = {
    option<&TrainingSchedule::epochs>("epochs"),
    option<&TrainingSchedule::minibatch>("minibatch"),
    option<&TrainingSchedule::patience>("patience"),
    option<&TrainingSchedule::learning_rate>("learning_rate"),
    option<&TrainingSchedule::seed>("seed"),
    option<&TrainingSchedule::checkpoint_seconds>("checkpoint_seconds"),
};

// An epoch of a run as Python walks through it.
class Walk {
 public:
  explicit Walk(TrainingRun& run) : run_(run), order_(run.begin_epoch()) {}

  // Positions of the next minibatch; none at the end.
  const std::vector<uint64_t>& next() {
    positions_.clear();
    if (!run_.epoch_is_done()) place_ = run_.choose(order_, run_.state().progress.place, positions_);
    return positions_;
  }
  void advance(double loss) { run_.advance(loss, place_); }

 private:
  TrainingRun& run_;
  TextOrder order_;
  uint64_t place_ = 0;
  std::vector<uint64_t> positions_;
};

nb::dict table_views(TrainingRun& run) {
  nb::dict views;
  for (const auto& [name, table] : run.tables())
    views[name.c_str()] =
        nb::make_tuple(table->rows, table->width, view_of(table->weights, true), view_of(table->squares, true));
  return views;
}

void register_run(nb::module_& module) {
  nb::class_<TrainingRun>(module, "TrainingRun", "The course of training, whoever does its steps.")
      .def_prop_ro("resumed", &TrainingRun::resumed)
      .def_prop_ro("finished", &TrainingRun::finished)
      .def_prop_ro("steps", &TrainingRun::steps)
      .def_prop_ro("number", &TrainingRun::number)
      .def_prop_ro("rate", &TrainingRun::rate)
      .def_prop_ro("is_due", &TrainingRun::is_due)
      .def_prop_ro("seconds", [](const TrainingRun& self) { return self.state().progress.seconds; })
      .def_prop_ro("best_epoch", [](const TrainingRun& self) { return self.state().progress.best_epoch + 1; })
      .def_prop_ro("best_perplexity", [](const TrainingRun& self) { return self.state().progress.best_perplexity; })
      .def_prop_ro("history",
                   [](const TrainingRun& self) {
                     nb::list rows;
                     for (const EpochReport& report : self.state().history) rows.append(epoch_row(report));
                     return rows;
                   })
      .def_prop_ro("tables", &table_views, "By name rows and their width, and writable views of weights and squares.")
      .def("save", &TrainingRun::save)
      .def("keep_nothing", &TrainingRun::keep_nothing)
      .def("end_epoch", &TrainingRun::end_epoch)
      .def(
          "finish_epoch",
          [](TrainingRun& self, double perplexity, double mean, double deviation) {
            return epoch_row(self.finish_epoch({perplexity, mean, deviation}));
          },
          nb::arg("perplexity"), nb::arg("log_normaliser_mean"), nb::arg("log_normaliser_deviation"))
      .def("load_best", &TrainingRun::load_best);
  nb::class_<Walk>(module, "TrainingWalk", "An epoch of a run, minibatch by minibatch.")
      .def(nb::init<TrainingRun&>(), nb::arg("run"), nb::keep_alive<1, 2>())
      .def(
          "next", [](Walk& self) { return bytes_of(self.next()); }, "Positions, none at the end of the epoch.")
      .def("advance", &Walk::advance, nb::arg("loss"), "The step is done, with such a summed loss.");
  nb::class_<OtherNetwork>(module, "OtherNetwork", "Tables that are learned elsewhere, and the course of it.")
      .def(
          "__init__",
          [](OtherNetwork* self, const TrainingText& text, const nb::dict& sizes, const nb::dict& options,
             const std::string& checkpoint, const std::string& owner) {
            auto network = std::make_unique<OtherNetwork>();
            LearnedTables named;
            for (auto [name, size] : sizes) {
              const auto [rows, width] = nb::cast<std::pair<uint32_t, uint32_t>>(size);
              named.emplace_back(nb::cast<std::string>(name), &network->tables.emplace_back(rows, width));
            }
            new (self) OtherNetwork{std::move(network->tables), std::nullopt};
            self->run.emplace(text, read_options(options, schedule_table, "training a network"),
                              Checkpoint(checkpoint, owner + std::to_string(text.hash())), std::move(named));
          },
          nb::arg("text"), nb::arg("tables"), nb::arg("options"), nb::arg("checkpoint"), nb::arg("owner"),
          nb::keep_alive<1, 2>())
      .def_prop_ro(
          "run", [](OtherNetwork& self) -> TrainingRun& { return *self.run; }, nb::rv_policy::reference_internal);
}

void register_trainer(nb::module_& module) {
  nb::class_<Trainer>(module, "NetworkTrainer", "Trains a class-factored network; goes on from a checkpoint.")
      .def(
          "__init__",
          [](Trainer* self, const TrainingText& text, nb::handle classes, const nb::dict& options,
             const std::string& checkpoint, const std::string& owner) {
            const NetworkTrainingOptions chosen = read_options(options, network_training_table, "training a network");
            const auto of_words = BufferArgument(classes, "classes").values<int32_t>("classes");
            if (of_words.size() != text.size()) throw ConfigError("classes", "must be there for every word");
            nb::gil_scoped_release release;
            new (self) Trainer(text, of_words, chosen, Checkpoint(checkpoint, owner + std::to_string(text.hash())));
          },
          nb::arg("text"), nb::arg("classes"), nb::arg("options"), nb::arg("checkpoint"), nb::arg("owner") = "",
          nb::keep_alive<1, 2>())
      .def_prop_ro("direct_ngrams", &direct_dict, "Tensors of direct n-grams, less their weights.")
      .def_prop_ro("run", &Trainer::run, nb::rv_policy::reference_internal)
      .def_prop_ro("parameters", &Trainer::parameters)
      .def(
          "measure",
          [](Trainer& self) {
            Monitor unwatched;
            nb::gil_scoped_release release;
            const HeldoutScores scores = self.measure(unwatched);
            return std::tuple(scores.perplexity, scores.normaliser_mean, scores.normaliser_deviation);
          },
          "Perplexity of held-out text, mean and deviation of log Z.")
      .def(
          "run_epoch",
          [](Trainer& self, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            EpochReport report;
            {
              nb::gil_scoped_release release;
              report = self.run_epoch(monitor);
            }
            return epoch_row(report);
          },
          nb::arg("progress") = nb::none(), "Trains to the end of an epoch and measures it.")
      .def(
          "write",
          [](Trainer& self, const std::string& path, const std::string& input_precision,
             const std::string& output_precision, uint32_t direct_bits, const std::string& info) {
            ModelDescription description;
            description.input_precision = precision_of("input_precision", input_precision);
            description.output_precision = precision_of("output_precision", output_precision);
            description.direct_bits = direct_bits;
            description.info = info;
            nb::gil_scoped_release release;
            self.write(std::move(description), path);
          },
          nb::arg("path"), nb::arg("input_precision"), nb::arg("output_precision"), nb::arg("direct_bits"),
          nb::arg("info"), "Writes nlm.bin; nothing can be trained afterwards.");
}

}  // namespace

void register_nlm_training(nb::module_& module) {
  register_training_text(module);
  register_run(module);
  register_trainer(module);
}

}  // namespace dragoman::bind
