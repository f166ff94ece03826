// Word alignment: training, the stored model, symmetrization. Texts and links come as numbers or as lines.
#include <nanobind/stl/shared_ptr.h>

#include "align/alignment_model.h"
#include "align/bitext.h"
#include "align/linking.h"
#include "align/symmetrize.h"
#include "align/training.h"
#include "base/errors.h"
#include "bind/corpus_arguments.h"
#include "text/lines.h"
#include "text/pharaoh.h"

namespace dragoman::bind {
namespace {

using namespace align;

nb::bytes pharaoh(const LinkTable& table) {
  std::string text;
  {
    nb::gil_scoped_release release;
    Links links;
    for (size_t n = 0; n < table.size(); ++n) {
      table.read(n, links);
      append_pharaoh(text, links);
      text += '\n';
    }
  }
  return bytes_of(text);
}

std::vector<Links> parse_links(std::string_view text) {
  std::vector<Links> all;
  for (std::string_view line : split_lines(text)) {
    all.emplace_back();
    parse_pharaoh(line, all.size(), all.back());
  }
  return all;
}

nb::tuple train_alignment(const nb::object& source, const nb::object& target, const std::string& model,
                          const std::string& smoothing, size_t ibm1_iterations, size_t iterations, float min_count,
                          const std::string& decoding, const std::string& how, size_t threads, bool keep_model,
                          nb::object progress, std::shared_ptr<ScratchSpace> scratch) {
  TrainingOptions options{
      model_named(model), smoothing_named(smoothing), ibm1_iterations, iterations, min_count, threads};
  const Decoding decode = decoding_named(decoding);
  const Symmetrization symmetrization = symmetrization_named(how);
  Monitor monitor = make_monitor(std::move(progress));
  const IdText source_text = text_argument(source), target_text = text_argument(target);
  std::optional<StoredLinks> links;
  std::unique_ptr<AlignmentModel> packed;
  std::vector<double> log_likelihoods;
  {
    nb::gil_scoped_release release;
    const Bitext bitext = read_bitext(source_text, target_text, array_memory(scratch.get()));
    const TrainedModel trained = train(bitext, options, monitor);
    links.emplace(align_bitext(bitext, trained, decode, symmetrization, threads, monitor), scratch);
    if (keep_model) packed = std::make_unique<AlignmentModel>(AlignmentModel::pack(bitext, trained));
    log_likelihoods = trained.log_likelihoods;
  }
  nb::object kept = packed ? nb::cast(std::move(*packed)) : nb::none();
  return nb::make_tuple(kept, std::move(*links), log_likelihoods);
}

nb::dict parameters(const AlignmentModel& model) {
  const ModelParameters& values = model.parameters();
  auto weights = [](const JumpTable& jumps) {
    return std::vector<float>(jumps.weights().begin(), jumps.weights().end());
  };
  nb::dict described;
  described["model"] = std::string(model_name(values.kind));
  described["pairs"] = model.pairs();
  described["bytes"] = model.bytes();
  described["source_words"] = model.source().size() - Vocabulary::first_word;
  described["target_words"] = model.target().size() - Vocabulary::first_word;
  described["jumps_forward"] = weights(values.hmm_forward.jumps);
  described["jumps_backward"] = weights(values.hmm_backward.jumps);
  described["null_share"] = values.hmm_forward.null_share;
  described["tension_forward"] = values.diagonal_forward.tension;
  described["tension_backward"] = values.diagonal_backward.tension;
  described["diagonal_null_share"] = values.diagonal_forward.null_share;
  return described;
}

std::pair<float, float> probabilities(const AlignmentModel& model, const std::optional<std::string>& source,
                                      const std::optional<std::string>& target) {
  const WordId from = source ? model.source().find(*source) : Vocabulary::separator;
  const WordId to = target ? model.target().find(*target) : Vocabulary::separator;
  return model.probabilities(from, to);
}

nb::tuple posteriors(const AlignmentModel& model, const std::string& source, const std::string& target) {
  PairPosteriors pair = model.posteriors(source, target);
  return nb::make_tuple(pair.source_words, pair.target_words, pair.forward, pair.backward, pair.null_forward,
                        pair.null_backward);
}

nb::bytes symmetrize_lines(const nb::bytes& forward, const nb::bytes& backward, const std::string& how) {
  const Symmetrization symmetrization = symmetrization_named(how);
  LinkTable table;
  {
    auto forward_text = view(forward), backward_text = view(backward);
    nb::gil_scoped_release release;
    const auto one = parse_links(forward_text), other = parse_links(backward_text);
    require_equal_lines(one.size(), other.size());
    for (size_t n = 0; n < one.size(); ++n) {
      size_t source_words = 0, target_words = 0;
      for (const Links* links : {&one[n], &other[n]})
        for (Link link : *links) {
          source_words = std::max<size_t>(source_words, link.source + 1u);
          target_words = std::max<size_t>(target_words, link.target + 1u);
        }
      if (source_words * target_words > max_cells)
        throw InputError(n + 1, "links reach too far for a sentence; check that this is a file of links");
      Links links = symmetrize(one[n], other[n], source_words, target_words, symmetrization);
      table.add(links);
    }
  }
  return pharaoh(table);
}

}  // namespace

void register_align(nb::module_& module) {
  nb::class_<AlignmentModel>(module, "AlignmentModel", "A trained aligner; immutable and shared by threads.")
      .def_static(
          "open",
          [](const std::string& path, bool trust) {
            nb::gil_scoped_release release;
            return AlignmentModel::open(path, trust_of(trust));
          },
          nb::arg("path"), nb::arg("trust") = false)
      .def_static(
          "parse",
          [](const nb::bytes& data) {
            auto text = view(data);
            std::vector<std::byte> owned(text.size());
            if (!owned.empty()) std::memcpy(owned.data(), text.data(), text.size());
            return AlignmentModel::parse(Buffer::own(std::move(owned)), Trust::verify_hashes);
          },
          nb::arg("data"))
      .def(
          "save",
          [](const AlignmentModel& model, const std::string& path) {
            nb::gil_scoped_release release;
            model.save(path);
          },
          nb::arg("path"))
      .def(
          "align",
          [](const AlignmentModel& model, const nb::bytes& source, const nb::bytes& target, const std::string& decoding,
             const std::string& how, size_t threads, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            const Decoding decode = decoding_named(decoding);
            const Symmetrization symmetrization = symmetrization_named(how);
            LinkTable links;
            {
              auto source_text = view(source), target_text = view(target);
              nb::gil_scoped_release release;
              links = model.align(source_text, target_text, decode, symmetrization, threads, monitor);
            }
            return pharaoh(links);
          },
          nb::arg("source"), nb::arg("target"), nb::arg("decoding"), nb::arg("symmetrize"), nb::arg("threads") = 1,
          nb::arg("progress") = nb::none())
      .def(
          "without",
          [](const AlignmentModel& model, const std::vector<std::string>& source,
             const std::vector<std::string>& target) {
            nb::gil_scoped_release release;
            return model.without({source.begin(), source.end()}, {target.begin(), target.end()});
          },
          nb::arg("source"), nb::arg("target"), "The same model without these words of either side.")
      .def("parameters", &parameters)
      .def("probabilities", &probabilities, nb::arg("source").none(), nb::arg("target").none())
      .def("posteriors", &posteriors, nb::arg("source"), nb::arg("target"));

  module.def("train_alignment", &train_alignment, nb::arg("source"), nb::arg("target"), nb::arg("model"),
             nb::arg("smoothing"), nb::arg("ibm1_iterations"), nb::arg("iterations"), nb::arg("min_count"),
             nb::arg("decoding"), nb::arg("symmetrize"), nb::arg("threads"), nb::arg("keep_model") = true,
             nb::arg("progress") = nb::none(), nb::arg("scratch") = nb::none());
  module.def("symmetrize", &symmetrize_lines, nb::arg("forward"), nb::arg("backward"), nb::arg("how"));
}

}  // namespace dragoman::bind
