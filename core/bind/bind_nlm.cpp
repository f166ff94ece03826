// Neural language models: writing, opening, scoring; word classes and trees.
#include <map>

#include "bind/buffer_argument.h"
#include "bind/options.h"
#include "bind/results.h"
#include "nlm/affiliation.h"
#include "nlm/brown.h"
#include "nlm/corpus_ids.h"
#include "nlm/model_writer.h"
#include "nlm/neural_model.h"
#include "nlm/session.h"
#include "nlm/text_scores.h"
#include "nlm/word_trees.h"

namespace dragoman::bind {
namespace {

using namespace nlm;

constexpr Option<ModelDescription> description_table[] = {
    option<&ModelDescription::order>("order"),
    option<&ModelDescription::dimension>("dimension"),
    option<&ModelDescription::words>("words"),
    option<&ModelDescription::output, output_of>("output"),
    {"normalised",
     [](ModelDescription& description, nb::handle value) {
       description.normalisation = nb::isinstance<nb::str>(value) ? normalisation_of(nb::cast<std::string>(value))
                                   : nb::cast<bool>(value)        ? Normalisation::exact
                                                                  : Normalisation::self;
     }},
    {"source_words",
     [](ModelDescription& description, nb::handle value) {
       description.source_words = nb::cast<std::vector<std::string>>(value);
       description.reads_source = true;
     }},
    option<&ModelDescription::source_window>("source_window"),
    {"input_precision",
     [](ModelDescription& description, nb::handle value) {
       description.input_precision = precision_of("input_precision", nb::cast<std::string>(value));
     }},
    {"output_precision",
     [](ModelDescription& description, nb::handle value) {
       description.output_precision = precision_of("output_precision", nb::cast<std::string>(value));
     }},
    option<&ModelDescription::direct_bits>("direct_bits"),
    option<&ModelDescription::info>("info"),
};

void write_neural_model(const std::string& path, const nb::dict& meta, const nb::dict& tensors) {
  const auto description = read_options(meta, description_table, "a neural model's description");
  std::map<std::string, std::unique_ptr<BufferArgument>> held;
  Tensors views;
  for (auto [key, value] : tensors) {
    const std::string name = nb::cast<std::string>(key);
    held[name] = std::make_unique<BufferArgument>(value, name);
    views[name] = held[name]->bytes();
  }
  nb::gil_scoped_release release;
  write_model(description, views, path);
}

nb::dict described(const NeuralModel& model) {
  const Header& header = model.header();
  nb::dict description;
  description["order"] = header.order;
  description["dimension"] = header.dimension;
  description["output"] = std::string(name_of(header.output));
  description["normalisation"] = std::string(name_of(header.normalisation));
  description["words"] = header.words;
  description["classes"] = header.output == Output::classes ? header.classes : 0;
  description["largest_class"] = header.output == Output::classes ? model.largest_class() : 0;
  description["contexts"] = header.full_context ? "full" : "diagonal";
  description["source_words"] = header.source_words;
  description["source_window"] = header.source_window;
  description["input_precision"] = std::string(name_of(header.input_precision));
  description["output_precision"] = std::string(name_of(header.output_precision));
  description["direct_contexts"] = header.direct_contexts;
  description["direct_words"] = header.direct_words;
  description["direct_classes"] = header.direct_classes;
  description["direct_bits"] = header.direct_bits;
  description["bytes"] = model.file().file_size();
  description["info"] = std::string(model.info());
  return description;
}

std::span<const WordId> word_ids(const BufferArgument& held) {
  if (held.bytes().size() % sizeof(WordId)) throw ConfigError("ids", "must be int32");
  return {reinterpret_cast<const WordId*>(held.bytes().data()), held.bytes().size() / sizeof(WordId)};
}

void register_word_classes(nb::module_& module) {
  module.def(
      "brown_classes",
      [](nb::handle ids, uint32_t size, uint32_t classes, size_t threads, nb::object progress) {
        const BufferArgument held(ids, "ids");
        const std::span<const WordId> text = word_ids(held);
        Monitor monitor = make_monitor(std::move(progress));
        std::vector<int32_t> class_of;
        {
          nb::gil_scoped_release release;
          class_of = brown_classes({text}, size, classes, threads, monitor);
        }
        return bytes_of(class_of);
      },
      nb::arg("ids"), nb::arg("size"), nb::arg("classes"), nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
      "The class of every id (int32), -1 for those that are never predicted.");
  module.def(
      "frequency_classes",
      [](nb::handle counts, uint32_t classes) {
        return bytes_of(frequency_classes(BufferArgument(counts, "counts").values<uint64_t>("counts"), classes));
      },
      nb::arg("counts"), nb::arg("classes"), "The class of every id (int32) by frequency alone.");
  module.def(
      "huffman_tree",
      [](nb::handle counts) {
        return bytes_of(huffman_tree(BufferArgument(counts, "counts").values<uint64_t>("counts")));
      },
      nb::arg("counts"), "Children of the nodes (int32, two each): a node, or -1 - word; node 0 is the root.");
  module.def(
      "brown_tree",
      [](nb::handle ids, nb::handle counts, uint32_t classes, size_t threads, nb::object progress) {
        const BufferArgument held(ids, "ids"), held_counts(counts, "counts");
        const std::span<const WordId> text = word_ids(held);
        const auto frequencies = held_counts.values<uint64_t>("counts");
        Monitor monitor = make_monitor(std::move(progress));
        std::vector<int32_t> tree;
        {
          nb::gil_scoped_release release;
          const auto size = static_cast<uint32_t>(frequencies.size());
          tree = class_tree(frequencies, brown_hierarchy({text}, size, classes, threads, monitor));
        }
        return bytes_of(tree);
      },
      nb::arg("ids"), nb::arg("counts"), nb::arg("classes"), nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
      "The same of a tree in which classes are merged as Brown's clustering goes on, with Huffman's tree in each.");
}

void register_neural_model(nb::module_& module) {
  nb::class_<NeuralModel>(module, "NeuralModel", "A neural language model, mapped from a file.")
      .def(
          "__init__",
          [](NeuralModel* self, const std::string& path, bool trust) {
            new (self) NeuralModel(NeuralModel::open(path, trust_of(trust)));
          },
          nb::arg("path"), nb::arg("trust") = false)
      .def_prop_ro("order", &NeuralModel::order)
      .def_prop_ro("reads_source", &NeuralModel::reads_source)
      .def("describe", &described)
      .def(
          "find", [](const NeuralModel& self, const std::string& word) { return self.find(word); }, nb::arg("word"))
      .def(
          "with_normalisation",
          [](const NeuralModel& self, const std::string& name) {
            return self.with_normalisation(normalisation_of(name));
          },
          nb::arg("name"))
      .def(
          "score_text",
          [](const NeuralModel& self, const nb::bytes& text, std::optional<nb::bytes> source,
             std::optional<nb::bytes> links, bool per_token, size_t threads, nb::object progress) {
            auto lines = view(text);
            if (source.has_value() != links.has_value())
              throw InputError(0, "the source text and the links go together: give both or neither");
            SourceLines both;
            if (source) both = {view(*source), view(*links)};
            Monitor monitor = make_monitor(std::move(progress));
            lm::TextScores scores;
            {
              nb::gil_scoped_release release;
              scores = score_text(self, lines, source ? &both : nullptr, per_token, threads, monitor);
            }
            return scores_tuple(scores);
          },
          nb::arg("text"), nb::arg("source") = nb::none(), nb::arg("links") = nb::none(), nb::arg("per_token") = false,
          nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
          "As LanguageModel.score_text; models that read the source need its lines and the links too.")
      .def(
          "write_requantised",
          [](const NeuralModel& self, const std::string& path, const std::string& input_precision,
             const std::string& output_precision, uint32_t direct_bits, const std::string& normalisation) {
            const Requantisation wanted{precision_of("input_precision", input_precision),
                                        precision_of("output_precision", output_precision), direct_bits,
                                        normalisation_of(normalisation)};
            nb::gil_scoped_release release;
            write_requantised(self, wanted, path);
          },
          nb::arg("path"), nb::arg("input_precision"), nb::arg("output_precision"), nb::arg("direct_bits"),
          nb::arg("normalisation"));
}

}  // namespace

void register_nlm(nb::module_& module) {
  module.def("write_neural_model", &write_neural_model, nb::arg("path"), nb::arg("meta"), nb::arg("tensors"),
             "Writes nlm.bin; core/nlm/model_writer.h names the tensors and their shapes.");
  module.def(
      "nlm_encode",
      [](lm::TextEncoder& text, uint64_t max_words, uint64_t min_count) {
        CorpusIds corpus;
        {
          nb::gil_scoped_release release;
          corpus = limit_vocabulary(text.finish(), max_words, min_count);
        }
        return nb::make_tuple(corpus.words, bytes_of(corpus.counts), to_bytes(std::as_bytes(std::span(corpus.ids))));
      },
      nb::arg("text"), nb::arg("max_words") = 0, nb::arg("min_count") = 1,
      "Words from id 4 on, counts by id (uint64), and the text as ids (int32), each sentence from <s> to </s>.");
  module.def(
      "text_affiliations",
      [](const StoredLinks& links, const IdText& source, const IdText& target) {
        std::vector<int32_t> places;
        {
          nb::gil_scoped_release release;
          places = affiliations(links, source, target);
        }
        return bytes_of(places);
      },
      nb::arg("links"), nb::arg("source"), nb::arg("target"),
      "The source position (int32) each target word of a text is affiliated with, sentence after sentence.");
  register_word_classes(module);
  register_neural_model(module);
}

}  // namespace dragoman::bind
