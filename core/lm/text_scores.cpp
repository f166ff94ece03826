#include "lm/text_scores.h"

#include "base/parallel.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace dragoman::lm {

TextScores score_text(const LanguageModel& model, std::string_view text, bool per_token, size_t threads,
                      Monitor& monitor) {
  require_text(text);
  const std::vector<std::string_view> lines = split_lines(text);
  TextScores scores;
  scores.sentences.resize(lines.size());
  constexpr size_t shards = 64;
  std::vector<std::vector<TokenScore>> tokens(shards);
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const Interval<size_t> range = shard_range(lines.size(), shards, shard);
    for (size_t i = range.begin; i < range.end; ++i) {
      SentenceScore& sentence = scores.sentences[i];
      State states[2] = {model.begin_state(), {}};
      auto add = [&](WordId word) {
        const WordScore score = model.score(states[sentence.tokens % 2], word, states[1 - sentence.tokens % 2]);
        const bool unknown = word == unknown_word;
        ++sentence.tokens;
        sentence.log10_prob += score.log10_prob;
        if (unknown) {
          ++sentence.unknown;
          sentence.log10_prob_unknown += score.log10_prob;
        }
        if (per_token) tokens[shard].push_back({score.log10_prob, static_cast<uint8_t>(score.ngram_length), unknown});
      };
      for_each_word(lines[i], [&](std::string_view word) { add(model.find(word)); });
      add(sentence_end);
    }
  });
  for (auto& part : tokens) scores.tokens.insert(scores.tokens.end(), part.begin(), part.end());
  return scores;
}

}  // namespace dragoman::lm
