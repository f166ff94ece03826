// What tests of language models share: slow obvious models, a map of n-grams that backs off as the definition says, and
// random text.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "lm/arpa_reader.h"
#include "lm/arpa_writer.h"
#include "lm/compact.h"
#include "lm/estimate.h"
#include "lm/language_model.h"
#include "tests/check.h"

namespace dragoman::lm::tests {

using Words = std::vector<WordId>;

struct Entry {
  double log10_prob;
  double log10_backoff;
  uint32_t count;
};

// Every n-gram of a trie under its words, oldest first.
inline std::map<Words, Entry> entries_of(const NgramTrie& trie) {
  std::map<Words, Entry> entries;
  std::vector<Words> above;
  for (size_t k = 0; k < trie.levels.size(); ++k) {
    const NgramLevel& level = trie.levels[k];
    std::vector<Words> words(level.size());
    const Array<uint32_t> parents = k > 0 ? trie.parents(k) : Array<uint32_t>();
    for (uint32_t i = 0; i < level.size(); ++i) {
      if (k == 0) {
        words[i] = {i};
      } else {
        words[i] = above[level.context[i]];
        words[i].push_back(above[parents[i]].back());
        CHECK(std::equal(words[i].begin() + 1, words[i].end(), above[parents[i]].begin()));
      }
      entries[words[i]] = {level.log10_prob[i], level.log10_backoff.empty() ? 0 : level.log10_backoff[i],
                           level.count.empty() ? 0 : level.count[i]};
    }
    above = std::move(words);
  }
  return entries;
}

// log10 p(word | history) by the definition of backing off.
inline double slow_score(const std::map<Words, Entry>& entries, uint32_t order, Words history, WordId word) {
  if (history.size() + 1 > order) history.erase(history.begin(), history.end() - (order - 1));
  double backoff = 0;
  for (;; history.erase(history.begin())) {
    Words whole = history;
    whole.push_back(word);
    if (auto entry = entries.find(whole); entry != entries.end()) return backoff + entry->second.log10_prob;
    if (auto entry = entries.find(history); entry != entries.end()) backoff += entry->second.log10_backoff;
  }
}

inline std::string random_text(std::mt19937_64& random, size_t lines, size_t vocabulary, size_t longest = 9) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) {
    for (uint64_t words = random() % (longest + 1); words > 0; --words) {
      // Squared, so that some words are frequent.
      const double draw = static_cast<double>(random() % 1000) / 1000;
      text += "w" + std::to_string(static_cast<size_t>(draw * draw * static_cast<double>(vocabulary))) + " ";
    }
    text += "\n";
  }
  return text;
}

inline NgramTrie estimated(const std::string& text, EstimateOptions options) {
  TextEncoder encoder;
  encoder.add(text);
  Monitor monitor;
  return estimate(encoder.finish(), options, monitor).trie;
}

inline std::vector<std::byte> compacted(const NgramTrie& trie, uint32_t bits) {
  Monitor monitor;
  return make_compact(trie, {bits, bits}, monitor);
}

inline LanguageModel opened(std::vector<std::byte> bytes, Trust trust = Trust::verify_hashes) {
  return LanguageModel::parse(Container::parse(Buffer::own(std::move(bytes)), "lm", trust));
}

inline std::string arpa_of(const NgramTrie& trie) {
  std::string text;
  Monitor monitor;
  write_arpa(trie, [&](std::string_view piece) { text += piece; }, monitor);
  return text;
}

inline NgramTrie read_arpa(std::string_view text) {
  ArpaReader reader;
  reader.add(text);
  Monitor monitor;
  return reader.finish(monitor);
}

inline bool near(double a, double b, double tolerance = 2e-5) { return std::fabs(a - b) <= tolerance; }

// Scores of random sentences with states, against the slow ones; and the sums of contexts.
inline void check_scores(const NgramTrie& trie, std::mt19937_64& random, bool normalised) {
  const auto entries = entries_of(trie);
  const LanguageModel model = opened(compacted(trie, 0));
  const auto words = static_cast<WordId>(trie.words.size());
  for (int sentence = 0; sentence < 20; ++sentence) {
    const bool begins = random() % 4 != 0;
    State state = begins ? model.begin_state() : model.null_state();
    Words history;
    if (begins) history.push_back(sentence_begin);
    for (int i = 0; i < 12; ++i) {
      if (normalised && i % 4 == 3) {
        double sum = 0;
        for (WordId word = unknown_word; word < words; ++word) {
          State ignored;
          if (word != sentence_begin)
            sum += std::pow(10.0, static_cast<double>(model.score(state, word, ignored).log10_prob));
        }
        CHECK(near(sum, 1, 1e-4));
      }
      const auto span = words - unknown_word;
      WordId word = unknown_word + static_cast<WordId>(random() % (random() % 2 ? span : std::min<WordId>(span, 8)));
      if (word == sentence_begin) word = sentence_end;
      State next;
      const WordScore score = model.score(state, word, next);
      CHECK(near(score.log10_prob, slow_score(entries, trie.order(), history, word)));
      history.push_back(word);
      // No context longer than needed: the longest suffix that somebody continues or that weighs something.
      uint32_t needed = 0;
      for (uint32_t length = 1; length < trie.order() && length <= history.size(); ++length) {
        const Words suffix(history.end() - length, history.end());
        auto entry = entries.find(suffix);
        if (entry == entries.end()) break;
        bool matters = entry->second.log10_backoff != 0;
        for (auto it = entry; !matters && it != entries.end(); ++it) {
          if (it->first.size() < length || !std::equal(suffix.begin(), suffix.end(), it->first.begin())) break;
          matters = it->first.size() == length + 1;
        }
        if (matters) needed = length;
      }
      CHECK(next.length == needed);
      state = next;
    }
  }
}

}  // namespace dragoman::lm::tests
