// What complete lists of the matches of frequent gapped patterns take, as programs that precompute them store:
// frequent_lists MODEL PHRASES TERNARY [SPAN] makes those of uXv over the PHRASES most frequent phrases and of uXvXw
// over the TERNARY most frequent ones, and prints patterns, matches, bytes and seconds of CPU as JSON.
//
// g++ -std=c++20 -O3 -DNDEBUG -Icore benchmarks/native/frequent_lists.cpp build/*/core/libdragoman_core.a -lpthread
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <unordered_map>
#include <vector>

#include "index/index.h"
#include "index/match.h"

namespace {

using namespace dragoman;
using namespace dragoman::index;
using text::Vocabulary;
using text::WordId;

constexpr uint32_t most_words = 5;
constexpr uint32_t none = UINT32_MAX;

struct Phrase {
  std::vector<WordId> words;
  uint64_t count;
};

// All phrases that begin with `words`, which the suffixes of these ranks share.
void add_phrases(const IndexedBitext& bitext, TextSpan ranks, uint64_t least, std::vector<WordId>& words,
                 std::vector<Phrase>& found) {
  const auto next_word = [&](uint64_t rank) { return bitext.source_or_separator(bitext.suffix(rank) + words.size()); };
  for (uint64_t begin = ranks.begin, end; begin < ranks.end; begin = end) {
    const WordId word = next_word(begin);
    for (end = begin + 1; end < ranks.end && next_word(end) == word;) ++end;
    if (word == Vocabulary::separator || end - begin < least) continue;
    words.push_back(word);
    found.push_back({words, end - begin});
    if (words.size() < most_words) add_phrases(bitext, {begin, end}, least, words, found);
    words.pop_back();
  }
}

std::vector<Phrase> frequent_phrases(const IndexedBitext& bitext, size_t most) {
  std::vector<Phrase> found;
  std::vector<WordId> words;
  // A bound that leaves enough, from above: the most frequent words alone often do.
  for (uint64_t least = bitext.source_tokens() / 64; found.size() < most && least > 1; least /= 4) {
    found.clear();
    add_phrases(bitext, {0, bitext.source_tokens()}, least, words, found);
  }
  std::stable_sort(found.begin(), found.end(), [](const Phrase& a, const Phrase& b) { return a.count > b.count; });
  found.resize(std::min(found.size(), most));
  return found;
}

// Phrases by their words: state << 32 | word gives the next state, and some states are the ends of phrases.
struct PhraseTrie {
  std::unordered_map<uint64_t, uint32_t> steps;
  std::vector<uint32_t> phrase_of{none};

  explicit PhraseTrie(const std::vector<Phrase>& phrases) {
    for (uint32_t id = 0; id < phrases.size(); ++id) {
      uint32_t state = 0;
      for (WordId word : phrases[id].words) {
        const auto [step, is_new] = steps.try_emplace(key(state, word), static_cast<uint32_t>(phrase_of.size()));
        if (is_new) phrase_of.push_back(none);
        state = step->second;
      }
      phrase_of[state] = id;
    }
  }
  static uint64_t key(uint32_t state, WordId word) { return uint64_t{state} << 32 | word; }
  // Visits the phrases that begin at a position, and where they end.
  template <class Visit>
  void for_each(const IndexedBitext& bitext, uint64_t begin, Visit&& visit) const {
    uint32_t state = 0;
    for (uint64_t at = begin;; ++at) {
      const auto step = steps.find(key(state, bitext.source_or_separator(at)));
      if (step == steps.end()) return;
      state = step->second;
      if (phrase_of[state] != none) visit(phrase_of[state], at + 1);
    }
  }
};

struct Occurrence {
  uint32_t phrase;
  uint64_t begin, end;
};

class Lists {
 public:
  Lists(size_t phrases, size_t ternary, uint64_t span)
      : phrases_(phrases),
        ternary_(ternary),
        span_(span),
        pairs_(phrases * phrases),
        triples_(ternary * ternary * ternary) {}

  // The matches in a sentence with these occurrences, in their order.
  void add(const std::vector<Occurrence>& here) {
    for (size_t i = 0; i < here.size(); ++i) {
      const uint64_t begin = here[i].begin;
      const auto follows = [&](const Occurrence& one, const Occurrence& other) {
        return other.begin > one.end && other.end <= begin + span_;
      };
      for (size_t j = i + 1; j < here.size() && here[j].begin < begin + span_; ++j) {
        if (!follows(here[i], here[j])) continue;
        const Match pair = make_match(begin, here[j].begin - begin);
        pairs_[here[i].phrase * phrases_ + here[j].phrase].push_back(pair);
        if (here[i].phrase >= ternary_ || here[j].phrase >= ternary_) continue;
        const size_t row = (here[i].phrase * ternary_ + here[j].phrase) * ternary_;
        for (size_t k = j + 1; k < here.size() && here[k].begin < begin + span_; ++k)
          if (here[k].phrase < ternary_ && follows(here[j], here[k]))
            triples_[row + here[k].phrase].push_back(pair | (here[k].begin - begin));
      }
    }
  }

  void print(double seconds) const {
    uint64_t patterns = 0, matches = 0;
    for (const auto* lists : {&pairs_, &triples_})
      for (const auto& list : *lists) patterns += !list.empty(), matches += list.size();
    std::printf("{\"phrases\": %zu, \"patterns\": %llu, \"matches\": %llu, \"bytes\": %llu, \"seconds\": %.2f}\n",
                phrases_, static_cast<unsigned long long>(patterns), static_cast<unsigned long long>(matches),
                static_cast<unsigned long long>(matches * sizeof(Match)), seconds);
  }

 private:
  const size_t phrases_, ternary_;
  const uint64_t span_;
  std::vector<std::vector<Match>> pairs_, triples_;
};

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return 2;
  const auto index = Index::open(arguments[1], Trust::skip_hashes);
  const IndexedBitext& bitext = index->bitext;
  const std::clock_t start = std::clock();
  const auto phrases = frequent_phrases(bitext, static_cast<size_t>(std::atoll(arguments[2])));
  const size_t ternary = std::min(phrases.size(), static_cast<size_t>(std::atoll(arguments[3])));
  Lists lists(phrases.size(), ternary, count > 4 ? static_cast<uint64_t>(std::atoll(arguments[4])) : 15);
  const PhraseTrie trie(phrases);
  std::vector<Occurrence> here;
  for (uint64_t at = 0; at < bitext.source_size(); ++at) {
    if (bitext.source(at) == Vocabulary::separator) {
      lists.add(here);
      here.clear();
      continue;
    }
    trie.for_each(bitext, at, [&](uint32_t phrase, uint64_t end) { here.push_back({phrase, at, end}); });
  }
  lists.print(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
}
