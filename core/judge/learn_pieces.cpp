#include "judge/learn_pieces.h"

#include <algorithm>
#include <map>
#include <queue>
#include <unordered_set>

namespace dragoman::judge {
namespace {

using Symbol = uint32_t;
using Pair = std::pair<Symbol, Symbol>;

// A word as the symbols it is merged to so far.
struct Spelling {
  std::vector<Symbol> symbols;
  uint64_t count;
};

struct Frequent {
  uint64_t count;
  Pair pair;
  // The most frequent first, then those that came first.
  bool operator<(const Frequent& other) const { return count != other.count ? count < other.count : pair > other.pair; }
};

class Merging {
 public:
  Merging(std::vector<std::pair<std::string, uint64_t>> words, uint32_t size) : size_(size) {
    std::ranges::sort(words);
    choose_characters(words);
    for (const auto& [word, count] : words) spell(word, count);
    for (size_t spelling = 0; spelling < spellings_.size(); ++spelling)
      for (size_t i = 0; i + 1 < spellings_[spelling].symbols.size(); ++i)
        add({spellings_[spelling].symbols[i], spellings_[spelling].symbols[i + 1]}, spelling);
    for (const auto& [pair, count] : counts_) queue_.push({count, pair});
  }

  std::vector<std::string> run() {
    while (texts_.size() < size_ && !queue_.empty()) {
      const Frequent best = queue_.top();
      queue_.pop();
      const auto count = counts_.find(best.pair);
      if (count == counts_.end() || count->second == 0) continue;
      if (count->second != best.count) {
        queue_.push({count->second, best.pair});
        continue;
      }
      if (best.count < 2) break;
      const std::string text = texts_[best.pair.first] + texts_[best.pair.second];
      // Two ways to the same text would be two pieces of it.
      if (text.size() > longest_piece || !known_.insert(text).second) continue;
      texts_.push_back(text);
      merge(best.pair, static_cast<Symbol>(texts_.size() - 1));
    }
    return std::move(texts_);
  }

 private:
  // The characters of a word, the first with a space before it.
  static std::vector<std::string> characters(const std::string& word) {
    std::vector<std::string> result;
    for (const char byte : word) {
      if (result.empty())
        result.emplace_back(" ");
      else if ((static_cast<unsigned char>(byte) & 0xc0) != 0x80 && result.back() != " ")
        result.emplace_back();
      result.back() += byte;
    }
    return result;
  }

  // Those seen most often, at most half of all pieces.
  void choose_characters(const std::vector<std::pair<std::string, uint64_t>>& words) {
    std::map<std::string, uint64_t> counts;
    for (const auto& [word, count] : words)
      for (const std::string& character : characters(word)) counts[character] += count;
    std::vector<std::pair<std::string, uint64_t>> sorted(counts.begin(), counts.end());
    std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, uint64_t>::second);
    for (const char* reserved : {"<unknown>", "<end>", "<begin>", "<hole>"}) texts_.emplace_back(reserved);
    for (const auto& [character, count] : sorted) {
      if (texts_.size() >= std::max<size_t>(size_ / 2, first_real_piece + 1)) break;
      if (character.size() > longest_piece) continue;
      symbols_[character] = static_cast<Symbol>(texts_.size());
      known_.insert(character);
      texts_.push_back(character);
    }
  }

  // Characters that were not chosen part a word in two.
  void spell(const std::string& word, uint64_t count) {
    Spelling spelling{{}, count};
    auto keep = [&] {
      if (spelling.symbols.size() > 1) spellings_.push_back(spelling);
      spelling.symbols.clear();
    };
    for (const std::string& character : characters(word)) {
      const auto symbol = symbols_.find(character);
      if (symbol == symbols_.end())
        keep();
      else
        spelling.symbols.push_back(symbol->second);
    }
    keep();
  }

  void add(Pair pair, size_t spelling) {
    counts_[pair] += spellings_[spelling].count;
    places_[pair].push_back(static_cast<uint32_t>(spelling));
  }

  void merge(Pair pair, Symbol merged) {
    std::vector<uint32_t> places = std::move(places_[pair]);
    places_.erase(pair);
    std::ranges::sort(places);
    places.erase(std::ranges::unique(places).begin(), places.end());
    std::vector<Pair> grown;
    for (const uint32_t place : places) {
      Spelling& spelling = spellings_[place];
      std::vector<Symbol>& symbols = spelling.symbols;
      std::vector<Symbol> next;
      bool changed = false;
      for (size_t i = 0; i < symbols.size(); ++i) {
        const bool here = i + 1 < symbols.size() && Pair(symbols[i], symbols[i + 1]) == pair;
        changed |= here;
        next.push_back(here ? merged : symbols[i]);
        i += here;
      }
      if (!changed) continue;
      for (size_t i = 0; i + 1 < symbols.size(); ++i) counts_[{symbols[i], symbols[i + 1]}] -= spelling.count;
      for (size_t i = 0; i + 1 < next.size(); ++i) {
        const Pair now(next[i], next[i + 1]);
        if (now.first != merged && now.second != merged) {
          counts_[now] += spelling.count;
        } else {
          add(now, place);
          grown.push_back(now);
        }
      }
      symbols = std::move(next);
    }
    counts_.erase(pair);
    std::ranges::sort(grown);
    grown.erase(std::ranges::unique(grown).begin(), grown.end());
    for (const Pair& pair_of : grown) queue_.push({counts_[pair_of], pair_of});
  }

  uint32_t size_;
  std::vector<std::string> texts_;
  std::map<std::string, Symbol> symbols_;
  std::unordered_set<std::string> known_;
  std::vector<Spelling> spellings_;
  std::map<Pair, uint64_t> counts_;
  std::map<Pair, std::vector<uint32_t>> places_;
  std::priority_queue<Frequent> queue_;
};

}  // namespace

std::vector<std::string> learn_pieces(std::vector<std::pair<std::string, uint64_t>> words, uint32_t size) {
  return Merging(std::move(words), size).run();
}

}  // namespace dragoman::judge
