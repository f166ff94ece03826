#include "nlm/text_scores.h"

#include <algorithm>
#include <numbers>

#include "base/parallel.h"
#include "base/utf8.h"
#include "nlm/affiliation.h"
#include "nlm/session.h"
#include "text/lines.h"
#include "text/pharaoh.h"

namespace dragoman::nlm {
namespace {

void check_lines(size_t lines, size_t expected, const char* what) {
  if (lines != expected)
    throw InputError(0, "the text has " + std::to_string(expected) + " lines and its " + what + " " +
                            std::to_string(lines) + "; they must fit line by line");
}

}  // namespace

lm::TextScores score_text(const NeuralModel& model, std::string_view text, const SourceLines* source, bool per_token,
                          size_t threads, Monitor& monitor) {
  if (model.reads_source() && !source)
    throw InputError(0, "this model reads the source sentence: give the source text and the links too");
  if (!model.reads_source() && source)
    throw InputError(0, "this model does not read the source sentence: leave out the source text and the links");
  require_text(text);
  const std::vector<std::string_view> lines = split_lines(text);
  std::vector<std::string_view> source_lines, link_lines;
  if (source) {
    require_text(source->source);
    require_text(source->links);
    source_lines = split_lines(source->source);
    link_lines = split_lines(source->links);
    check_lines(source_lines.size(), lines.size(), "source");
    check_lines(link_lines.size(), lines.size(), "links");
  }
  lm::TextScores scores;
  scores.sentences.resize(lines.size());
  constexpr size_t shards = 64;
  std::vector<std::vector<lm::TokenScore>> tokens(shards);
  const uint32_t width = model.order() - 1;
  monitor.start(lines.size());
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const Interval<size_t> range = shard_range(lines.size(), shards, shard);
    if (range.begin == range.end) return;
    Session session(model);
    session.begin();
    std::vector<WordId> words, source_words;
    std::vector<Query> queries;
    std::vector<float> log_probs;
    for (size_t i = range.begin; i < range.end; ++i) {
      if (monitor.cancelled()) return;
      // The words backwards after padding, so that what precedes a word lies behind it, the nearest first.
      words.assign(width, sentence_begin);
      for_each_word(lines[i], [&](std::string_view word) { words.push_back(model.find(word)); });
      words.push_back(sentence_end);
      const size_t count = words.size() - width;
      Links links;
      std::vector<uint32_t> positions(count, 0);
      if (source) {
        source_words.clear();
        for_each_word(source_lines[i], [&](std::string_view word) { source_words.push_back(model.find_source(word)); });
        parse_pharaoh(link_lines[i], i + 1, links, source_words.size(), count - 1);
        positions = affiliations(links, static_cast<uint32_t>(source_words.size()), static_cast<uint32_t>(count - 1));
        // The end goes with the last source word.
        positions.push_back(source_words.empty() ? 0 : static_cast<uint32_t>(source_words.size() - 1));
        session.begin(source_words);
      }
      std::ranges::reverse(words);
      queries.clear();
      for (size_t at = 0; at < count; ++at) {
        const WordId* place = words.data() + (count - 1 - at);
        queries.push_back({place + 1, *place, positions[at]});
      }
      log_probs.resize(count);
      session.score(queries, log_probs.data());
      lm::SentenceScore& sentence = scores.sentences[i];
      for (size_t at = 0; at < count; ++at) {
        const double log10_prob = double{log_probs[at]} / std::numbers::ln10;
        const bool unknown = queries[at].word == unknown_word;
        ++sentence.tokens;
        sentence.log10_prob += log10_prob;
        if (unknown) {
          ++sentence.unknown;
          sentence.log10_prob_unknown += log10_prob;
        }
        if (per_token)
          tokens[shard].push_back({static_cast<float>(log10_prob), static_cast<uint8_t>(model.order()), unknown});
      }
      monitor.add(1);
    }
  });
  for (auto& part : tokens) scores.tokens.insert(scores.tokens.end(), part.begin(), part.end());
  return scores;
}

}  // namespace dragoman::nlm
