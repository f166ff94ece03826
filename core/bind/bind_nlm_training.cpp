// Training of neural language models: their text, and the trainer.
#include "bind/buffer_argument.h"
#include "bind/options.h"
#include "bind/results.h"
#include "nlm/brown.h"
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
          [](const TrainingText& self, uint32_t classes, size_t threads) {
            Monitor monitor = make_monitor(nb::none());
            std::vector<int32_t> of_words;
            {
              nb::gil_scoped_release release;
              of_words = brown_classes(self.texts(), self.size(), classes, threads, monitor, self.scratch());
            }
            return bytes_of(of_words);
          },
          nb::arg("classes"), nb::arg("threads") = 1)
      .def(
          "frequency_classes",
          [](const TrainingText& self, uint32_t classes) {
            return bytes_of(frequency_classes(self.counts(), classes));
          },
          nb::arg("classes"));
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
      .def_prop_ro("finished", &Trainer::finished)
      .def_prop_ro("parameters", &Trainer::parameters)
      .def_prop_ro("seconds", [](const Trainer& self) { return self.state().progress.seconds; })
      .def_prop_ro("best_epoch", [](const Trainer& self) { return self.state().progress.best_epoch + 1; })
      .def_prop_ro("best_perplexity", [](const Trainer& self) { return self.state().progress.best_perplexity; })
      .def_prop_ro("history",
                   [](const Trainer& self) {
                     nb::list rows;
                     for (const EpochReport& report : self.state().history) rows.append(epoch_row(report));
                     return rows;
                   })
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
  register_trainer(module);
}

}  // namespace dragoman::bind
