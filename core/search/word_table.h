// The words of one sentence's work: a model's vocabulary, and after its ids those words that only this sentence has
// (unknown words that pass through, a glossary's terms).
#pragma once

#include <deque>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/namespaces.h"
#include "text/vocabulary.h"

namespace dragoman::search {

class WordTable {
 public:
  explicit WordTable(const Vocabulary& base) : base_(&base) {}

  // Whether it is a word of the vocabulary.
  bool is_known(WordId id) const { return id < base_->size(); }
  WordId size() const { return base_->size() + static_cast<WordId>(extra_.size()); }
  // The id of a word, a new one if neither the vocabulary nor this sentence had it.
  WordId add(std::string_view word) {
    const WordId known = base_->find(word);
    if (known != Vocabulary::unknown) return known;
    const auto entry = ids_.find(word);
    if (entry != ids_.end()) return entry->second;
    const WordId id = size();
    extra_.emplace_back(word);
    ids_.emplace(extra_.back(), id);
    return id;
  }
  // A word of its own, whatever it is written like: nothing else has this id.
  WordId add_unique(std::string_view word) {
    extra_.emplace_back(word);
    unique_.insert(size() - 1);
    return size() - 1;
  }
  bool is_unique(WordId id) const { return unique_.contains(id); }
  std::string_view word(WordId id) const {
    return id < base_->size() ? base_->word(id) : std::string_view(extra_[id - base_->size()]);
  }

 private:
  const Vocabulary* base_;
  std::deque<std::string> extra_;  // a deque, so that views stay valid
  std::unordered_map<std::string_view, WordId> ids_;
  std::set<WordId> unique_;
};

}  // namespace dragoman::search
