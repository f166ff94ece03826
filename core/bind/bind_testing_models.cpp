// Parts of models by themselves, in `_core.testing`: neural models, indexes that learn, pools of tuning.
#include <algorithm>

#include "base/errors.h"
#include "bind/bleu_row.h"
#include "bind/buffer_argument.h"
#include "bind/testing.h"
#include "index/live_index.h"
#include "nlm/affiliation.h"
#include "nlm/neural_model.h"
#include "nlm/session.h"
#include "tune/candidates.h"
#include "tune/line_search.h"

namespace dragoman::bind {
namespace {

using namespace nlm;
using namespace tune;

// ln P of words after contexts, `batch` of them at a time.
nb::bytes logprobs(const NeuralModel& model, nb::handle contexts, nb::handle words, nb::handle positions,
                   const std::vector<std::string>& source, size_t batch) {
  const auto context_ids = BufferArgument(contexts, "contexts").values<WordId>("contexts");
  const auto word_ids = BufferArgument(words, "words").values<WordId>("words");
  std::vector<uint32_t> places(word_ids.size());
  if (!positions.is_none()) places = BufferArgument(positions, "positions").values<uint32_t>("positions");
  const uint32_t width = model.order() - 1;
  if (context_ids.size() != word_ids.size() * width || places.size() != word_ids.size())
    throw ConfigError("contexts", "must have order - 1 words for each word that is asked about");
  if (model.reads_source() && source.empty())
    throw InputError(0, "this model reads the source sentence: give it with the words");
  std::vector<float> scores(word_ids.size());
  {
    nb::gil_scoped_release release;
    Session session(model);
    std::vector<WordId> source_ids;
    for (const std::string& word : source) source_ids.push_back(model.find_source(word));
    session.begin(source_ids);
    std::vector<Query> queries;
    for (size_t i = 0; i < word_ids.size(); ++i)
      queries.push_back({context_ids.data() + i * width, word_ids[i], places[i]});
    if (batch == 0) batch = queries.size();
    for (size_t at = 0; at < queries.size(); at += batch)
      session.score(std::span(queries).subspan(at, std::min(batch, queries.size() - at)), scores.data() + at);
  }
  return bytes_of(scores);
}

std::vector<uint64_t> stable_ids(const LiveIndex& index) {
  const auto snapshot = index.snapshot();
  std::vector<uint64_t> ids;
  for (uint32_t segment = 0; segment < snapshot->segments(); ++segment)
    for (uint64_t number = 0; number < snapshot->bitext(segment).sentences(); ++number)
      if (!snapshot->part(segment).removed(number)) ids.push_back(snapshot->bitext(segment).stable_id(number));
  return ids;
}

Candidates candidates_of(const std::vector<uint32_t>& sentences, const std::vector<std::vector<float>>& values,
                         const std::vector<BleuRow>& bleu) {
  if (sentences.size() != values.size() || sentences.size() != bleu.size())
    throw InputError(0, "candidates need a sentence, values and statistics each");
  Candidates candidates;
  candidates.features = values.empty() ? 0 : static_cast<uint32_t>(values[0].size());
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].size() != candidates.features)
      throw InputError(i + 1, "candidates have different numbers of features");
    candidates.sentences.push_back(sentences[i]);
    candidates.values.insert(candidates.values.end(), values[i].begin(), values[i].end());
    candidates.bleu.push_back(counts_of<uint32_t>(bleu[i]));
  }
  return candidates;
}

}  // namespace

void register_testing_models(nb::module_& module) {
  module.def(
      "affiliations",
      [](const Links& links, uint32_t source_size, uint32_t target_size) {
        for (const Link& link : links)
          if (link.source >= source_size || link.target >= target_size)
            throw InputError(0, "a link points outside its sentence pair of " + std::to_string(source_size) + " and " +
                                    std::to_string(target_size) + " words");
        return affiliations(links, source_size, target_size);
      },
      nb::arg("links"), nb::arg("source_size"), nb::arg("target_size"),
      "The source position each target word is affiliated with.");
  module.def(
      "logprobs", &logprobs, nb::arg("model"), nb::arg("contexts"), nb::arg("words"), nb::arg("positions") = nb::none(),
      nb::arg("source") = std::vector<std::string>(), nb::arg("batch") = 0,
      "Natural logarithms as float32, for int32 arrays of contexts (nearest word first) and words; positions are "
      "those of the source sentence the words are affiliated with.");
  module.def("stable_ids", &stable_ids, nb::arg("index"), "Of all pairs, in no order.");
  module.def("candidates", &candidates_of, nb::arg("sentences"), nb::arg("values"), nb::arg("bleu"));
  module.def(
      "best_statistics",
      [](const Pool& pool, const std::vector<double>& weights) { return row_of(pool.counts(weights)); },
      nb::arg("pool"), nb::arg("weights"), "BLEU statistics of each sentence's best candidate, added up.");
  module.def(
      "line_search",
      [](const Pool& pool, const std::vector<double>& weights, const std::vector<double>& direction) {
        const LineOptimum optimum = line_search(pool, weights, direction);
        return std::make_pair(optimum.step, optimum.bleu);
      },
      nb::arg("pool"), nb::arg("weights"), nb::arg("direction"), "The best step from these weights, and its BLEU.");
}

}  // namespace dragoman::bind
