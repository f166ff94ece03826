// Tuning and the statistics of evaluation: whole k-best pools and lists of translations.
#include "base/errors.h"
#include "bind/bleu_row.h"
#include "bind/message.h"
#include "evaluate/bootstrap.h"
#include "translate/text_translator.h"
#include "tune/collect.h"
#include "tune/likelihood.h"
#include "tune/mert.h"
#include "tune/mira.h"

namespace dragoman::bind {
namespace {

using namespace tune;

using TextLines = std::vector<std::string>;

// The references of each line: one, and what further texts have there, which must be as long.
std::vector<BleuReference> prepare(const TextLines& references, const std::vector<TextLines>& further,
                                   BleuTokens tokens, bool lowercase) {
  for (const TextLines& text : further)
    if (text.size() != references.size())
      throw InputError(0, "one text of references has " + std::to_string(references.size()) + " lines and another " +
                              std::to_string(text.size()) + "; they must correspond line by line");
  std::vector<BleuReference> prepared;
  std::vector<std::string_view> of_line;
  for (size_t i = 0; i < references.size(); ++i) {
    of_line.assign(1, references[i]);
    for (const TextLines& text : further) of_line.push_back(text[i]);
    prepared.emplace_back(of_line, tokens, lowercase);
  }
  return prepared;
}

std::vector<BleuRow> statistics(const TextLines& translations, const TextLines& references, bool lowercase,
                                const std::string& tokenize, const std::vector<TextLines>& further) {
  const BleuTokens tokens = bleu_tokens_named(tokenize);
  if (translations.size() != references.size())
    throw InputError(0, "there are " + std::to_string(translations.size()) + " translations and " +
                            std::to_string(references.size()) + " references");
  const auto prepared = prepare(references, further, tokens, lowercase);
  std::vector<BleuRow> rows;
  for (size_t i = 0; i < translations.size(); ++i) rows.push_back(row_of(prepared[i].compare(translations[i])));
  return rows;
}

nb::tuple collected(const translate::TextTranslator& translator, const TextLines& lines, const TextLines& references,
                    const std::vector<TextLines>& further, const nb::dict& options,
                    const std::vector<std::string>& features, bool lowercase, const std::string& tokenize,
                    size_t threads, nb::object progress) {
  const BleuTokens tokens = bleu_tokens_named(tokenize);
  const translate::TranslateRequest request = translate_request(options);
  Monitor monitor = make_monitor(std::move(progress));
  Round round;
  {
    nb::gil_scoped_release release;
    const auto prepared = prepare(references, further, tokens, lowercase);
    round = collect(translator, lines, prepared, request, features, threads, monitor);
  }
  return nb::make_tuple(std::move(round.candidates), row_of(round.best), round.narrowed);
}

template <class Work>
std::pair<std::vector<double>, double> tuned(nb::object progress, Work work) {
  Monitor monitor = make_monitor(std::move(progress));
  nb::gil_scoped_release release;
  auto [weights, bleu] = work(monitor);
  return {std::move(weights), bleu};
}

void register_pool(nb::module_& module) {
  nb::class_<Candidates>(module, "Candidates", "Candidates of one round: feature values and BLEU statistics.")
      .def_static(
          "open",
          [](const std::string& path) {
            nb::gil_scoped_release release;
            return Candidates::open(path);
          },
          nb::arg("path"))
      .def(
          "save",
          [](const Candidates& self, const std::string& path) {
            nb::gil_scoped_release release;
            self.save(path);
          },
          nb::arg("path"))
      .def_static(
          "parse", [](const nb::bytes& data) { return Candidates::open(message(data, Candidates::kind)); },
          nb::arg("data"))
      .def("pack", [](const Candidates& self) { return bytes_of(self.pack()); })
      .def(
          "append",
          [](Candidates& self, const Candidates& other, uint32_t first_sentence) {
            self.append(other, first_sentence);
          },
          nb::arg("other"), nb::arg("first_sentence"), "Candidates of lines that were decoded by themselves.")
      .def("__len__", &Candidates::size);

  nb::class_<Pool>(module, "TuningPool", "All candidates of all rounds, each once.")
      .def(nb::init<size_t, size_t>(), nb::arg("sentences"), nb::arg("features"))
      .def("__len__", [](const Pool& self) { return self.size(); })
      .def(
          "add", [](Pool& self, const Candidates& candidates) { return add(self, candidates); }, nb::arg("candidates"),
          "How many of the candidates were new.")
      .def(
          "mert",
          [](const Pool& self, const std::vector<double>& weights, uint32_t starts, uint32_t directions, uint64_t seed,
             size_t threads, nb::object progress, const std::vector<uint32_t>& fixed) {
            const MertOptions options{starts, directions, seed, fixed};
            return tuned(std::move(progress),
                         [&](Monitor& monitor) { return mert(self, weights, options, threads, monitor); });
          },
          nb::arg("weights"), nb::arg("starts"), nb::arg("directions"), nb::arg("seed"), nb::arg("threads") = 1,
          nb::arg("progress") = nb::none(), nb::arg("fixed") = std::vector<uint32_t>(),
          "Weights of the features that are fixed, by number, stay as they are.")
      .def(
          "likelihood",
          [](const Pool& self, const std::vector<double>& weights, nb::object progress) {
            return tuned(std::move(progress), [&](Monitor& monitor) { return likelihood(self, weights, monitor); });
          },
          nb::arg("weights"), nb::arg("progress") = nb::none())
      .def(
          "mira",
          [](const Pool& self, const std::vector<double>& weights, uint32_t passes, uint32_t shuffles, double clip,
             double decay, uint64_t seed, size_t threads, nb::object progress) {
            const MiraOptions options{passes, shuffles, clip, decay, seed};
            return tuned(std::move(progress),
                         [&](Monitor& monitor) { return mira(self, weights, options, threads, monitor); });
          },
          nb::arg("weights"), nb::arg("passes"), nb::arg("shuffles"), nb::arg("clip"), nb::arg("decay"),
          nb::arg("seed"), nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

}  // namespace

void register_tune(nb::module_& module) {
  register_pool(module);
  module.def("bleu_statistics", &statistics, nb::arg("translations"), nb::arg("references"), nb::arg("lowercase"),
             nb::arg("tokenize") = "13a", nb::arg("further") = std::vector<TextLines>(),
             "For each line its BLEU statistics in sacreBLEU's order; further texts are more references of it.");
  module.def(
      "bleu_tokenizer", [](const std::string& language) { return name_of(bleu_tokens_of(text::Language(language))); },
      nb::arg("language"), "Which of none, 13a, zh and char suits a language.");
  module.def(
      "bleu_score", [](const BleuRow& row) { return bleu_score(counts_of<int64_t>(row)); }, nb::arg("statistics"),
      "BLEU of added-up statistics, 0 to 1.");
  module.def(
      "bootstrap_bleu",
      [](const std::vector<std::vector<BleuRow>>& systems, uint32_t samples, uint64_t seed, nb::object progress) {
        Monitor monitor = make_monitor(std::move(progress));
        nb::gil_scoped_release release;
        std::vector<std::vector<SentenceBleu>> converted;
        for (const auto& rows : systems) {
          converted.emplace_back();
          for (const BleuRow& row : rows) converted.back().push_back(counts_of<uint32_t>(row));
        }
        return evaluate::bootstrap_bleu(converted, samples, seed, monitor);
      },
      nb::arg("systems"), nb::arg("samples"), nb::arg("seed"), nb::arg("progress") = nb::none(),
      "BLEU of each system on test sets drawn with replacement, the same draws for all.");
  module.def("collect_candidates", &collected, nb::arg("translator"), nb::arg("lines"), nb::arg("references"),
             nb::arg("further"), nb::arg("options"), nb::arg("features"), nb::arg("lowercase"),
             nb::arg("tokenize") = "13a", nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
             "Decodes lines into candidates; also the statistics of the best ones, and searches cut short.");
}

}  // namespace dragoman::bind
