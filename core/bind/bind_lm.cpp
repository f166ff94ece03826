// Back-off language models: estimation, ARPA, pruning, the compact form and scores of text.
#include <nanobind/stl/shared_ptr.h>

#include <algorithm>

#include "bind/bind.h"
#include "bind/results.h"
#include "bind/sending.h"
#include "lm/arpa_reader.h"
#include "lm/arpa_writer.h"
#include "lm/compact.h"
#include "lm/estimate.h"
#include "lm/language_model.h"
#include "lm/marks.h"
#include "lm/prune.h"
#include "lm/text_encoder.h"
#include "lm/text_scores.h"

namespace dragoman::bind {
namespace {

using namespace lm;

Estimate run_estimate(TextEncoder& text, uint32_t order, std::vector<uint64_t> min_counts,
                      const std::vector<double>& discount_fallback, bool keep_counts, size_t threads,
                      nb::object progress) {
  EstimateOptions options;
  options.order = order;
  options.min_counts = std::move(min_counts);
  if (discount_fallback.empty()) {
    options.discount_fallback.reset();
  } else if (discount_fallback.size() == 3) {
    options.discount_fallback = Discounts{discount_fallback[0], discount_fallback[1], discount_fallback[2]};
  } else {
    throw ConfigError("discount_fallback", "must be three numbers, or empty for none");
  }
  options.keep_counts = keep_counts;
  options.threads = threads;
  Monitor monitor = make_monitor(std::move(progress));
  nb::gil_scoped_release release;
  return estimate(text.finish(), options, monitor);
}

std::vector<uint64_t> ngram_counts(const NgramTrie& trie) {
  std::vector<uint64_t> counts;
  for (const NgramLevel& level : trie.levels) counts.push_back(level.size());
  if (!counts.empty()) --counts[0];  // id 0 is no word
  return counts;
}

void register_lm_text(nb::module_& module) {
  nb::class_<TextEncoder>(module, "LmText", "Training text of a language model, as it is read.")
      .def(
          "__init__",
          [](TextEncoder* self, double sample, uint64_t seed, std::shared_ptr<ScratchSpace> scratch) {
            new (self) TextEncoder({sample, seed}, std::move(scratch));
          },
          nb::arg("sample") = 1.0, nb::arg("seed") = 1, nb::arg("scratch") = nb::none())
      .def(
          "limit_to", [](TextEncoder& self, const nb::bytes& words) { self.limit_to(view(words)); }, nb::arg("words"))
      .def(
          "use_classes", [](TextEncoder& self, const nb::bytes& text) { self.use_classes(view(text)); },
          nb::arg("text"))
      .def(
          "add",
          [](TextEncoder& self, const nb::bytes& lines) {
            auto text = view(lines);
            nb::gil_scoped_release release;
            self.add(text);
          },
          nb::arg("lines"))
      .def(
          "add",
          [](TextEncoder& self, const IdText& text) {
            nb::gil_scoped_release release;
            self.add(text);
          },
          nb::arg("text"))
      .def_prop_ro("lines", &TextEncoder::lines);
}

void register_arpa_reader(nb::module_& module) {
  nb::class_<ArpaReader>(module, "ArpaReader", "An ARPA file, as it is read.")
      .def(nb::init<>())
      .def(
          "add",
          [](ArpaReader& self, const nb::bytes& piece) {
            auto text = view(piece);
            nb::gil_scoped_release release;
            self.add(text);
          },
          nb::arg("piece"))
      .def(
          "finish",
          [](ArpaReader& self, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            nb::gil_scoped_release release;
            Estimate model;
            model.trie = self.finish(monitor);
            return model;
          },
          nb::arg("progress") = nb::none());
}

void register_ngram_model(nb::module_& module) {
  nb::class_<Estimate>(module, "NgramModel", "An n-gram model in memory, before it is made compact.")
      .def_prop_ro("order", [](const Estimate& self) { return self.trie.order(); })
      .def_prop_ro("counts", [](const Estimate& self) { return ngram_counts(self.trie); })
      .def_prop_ro("discounts",
                   [](const Estimate& self) {
                     std::vector<std::vector<double>> rows;
                     for (const Discounts& row : self.discounts) rows.emplace_back(row.begin(), row.end());
                     return rows;
                   })
      .def_prop_ro("discounts_fallback", [](const Estimate& self) { return self.discounts_fallback; })
      .def(
          "write_arpa",
          [](const Estimate& self, const nb::object& sink, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            nb::gil_scoped_release release;
            write_arpa(self.trie, sending_to(sink), monitor);
          },
          nb::arg("sink"), nb::arg("progress") = nb::none())
      .def(
          "pruned_to_bytes",
          [](const Estimate& self, uint64_t bytes, uint32_t prob_bits, uint32_t backoff_bits, nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            nb::gil_scoped_release release;
            const CompactOptions options{prob_bits, backoff_bits};
            check(options);
            return Estimate{self.scratch, EntropyPruning(self.trie, monitor).within(bytes, options, monitor),
                            self.discounts, self.discounts_fallback};
          },
          nb::arg("bytes"), nb::arg("prob_bits") = 8, nb::arg("backoff_bits") = 8, nb::arg("progress") = nb::none(),
          "The model without the n-grams that matter least, such that its file has at most so many bytes.")
      .def(
          "write",
          [](const Estimate& self, const std::string& path, uint32_t prob_bits, uint32_t backoff_bits,
             nb::object progress) {
            Monitor monitor = make_monitor(std::move(progress));
            nb::gil_scoped_release release;
            write_compact(self.trie, {prob_bits, backoff_bits}, path, monitor);
          },
          nb::arg("path"), nb::arg("prob_bits") = 8, nb::arg("backoff_bits") = 8, nb::arg("progress") = nb::none());
}

void register_language_model(nb::module_& module) {
  nb::class_<lm::LanguageModel>(module, "LanguageModel", "A compact language model, mapped from a file.")
      .def(
          "__init__",
          [](lm::LanguageModel* self, const std::string& path, bool trust) {
            new (self) lm::LanguageModel(lm::LanguageModel::open(path, trust_of(trust)));
          },
          nb::arg("path"), nb::arg("trust") = false)
      .def_prop_ro("order", &lm::LanguageModel::order)
      .def_prop_ro("file_bytes", &lm::LanguageModel::bytes)
      .def_prop_ro("counts", &lm::LanguageModel::counts)
      .def_prop_ro("over_classes", &lm::LanguageModel::over_classes)
      .def(
          "score_text",
          [](const lm::LanguageModel& self, const nb::bytes& text, bool per_token, size_t threads,
             nb::object progress) {
            auto lines = view(text);
            Monitor monitor = make_monitor(std::move(progress));
            TextScores scores;
            {
              nb::gil_scoped_release release;
              scores = score_text(self, lines, per_token, threads, monitor);
            }
            return scores_tuple(scores);
          },
          nb::arg("text"), nb::arg("per_token") = false, nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
          "Per sentence: log10 probability, the unknown words' part of it, tokens, unknown words. Per token, if asked "
          "for: log10 probability, length of the n-gram found, whether unknown.");
}

}  // namespace

void register_lm(nb::module_& module) {
  register_lm_text(module);
  register_arpa_reader(module);
  register_ngram_model(module);
  register_language_model(module);
  module.def(
      "written_word",
      [](std::string_view word) {
        std::string written;
        append_word(written, word);
        return written;
      },
      nb::arg("word"), "A word of the text as files have it that name marks like <s> too.");
  module.def("lm_estimate", &run_estimate, nb::arg("text"), nb::arg("order"), nb::arg("min_counts"),
             nb::arg("discount_fallback"), nb::arg("keep_counts") = false, nb::arg("threads") = 1,
             nb::arg("progress") = nb::none());
}

}  // namespace dragoman::bind
