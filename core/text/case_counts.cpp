#include "text/case_counts.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/parallel.h"
#include "text/case_shape.h"
#include "text/lines.h"
#include "text/sentence_marks.h"
#include "text/unicode.h"

namespace dragoman::text {
namespace {

constexpr size_t shards = 64;
// A heading's small words (of, and, der) are shorter than this.
constexpr uint32_t long_word_letters = 5;
constexpr size_t longest_ending = 4;
// Weight of the shorter ending's share, in words.
constexpr double backoff_weight = 2;
// Words seen more often than this say little about rare ones.
constexpr uint64_t rare_word = 20;

struct SeenToken {
  std::string_view word;
  TokenCase shape;
};

// All capitals, or capitals on every longer word and at least three of them.
bool is_heading(const std::vector<SeenToken>& tokens) {
  size_t words = 0;
  size_t all_upper = 0;
  size_t capitalized = 0;
  bool small_long_word = false;
  for (const SeenToken& token : tokens) {
    if (token.shape.letters < 2) continue;
    ++words;
    all_upper += token.shape.is_all_upper();
    capitalized += token.shape.begins_upper;
    small_long_word |= !token.shape.begins_upper && token.shape.letters >= long_word_letters;
  }
  if (words < 2) return false;
  if (all_upper == words) return true;
  return !small_long_word && capitalized >= 3 && 3 * capitalized >= 2 * words;
}

// Share of capitalized words by ending.
class Endings {
 public:
  void add(std::string_view word, bool capitalized) {
    for (size_t letters = 0; letters <= longest_ending; ++letters) {
      const std::string_view end = word_ending(word, letters);
      auto& tally = tallies_[std::string(end)];
      tally.first += capitalized;
      ++tally.second;
      if (end.size() == word.size()) break;
    }
  }
  double share(std::string_view word) const {
    double share = 0;
    for (size_t letters = 0; letters <= longest_ending; ++letters) {
      const std::string_view end = word_ending(word, letters);
      const auto tally = tallies_.find(end);
      if (tally == tallies_.end()) break;
      const auto [capitalized, all] = tally->second;
      share = (static_cast<double>(capitalized) + backoff_weight * share) / (static_cast<double>(all) + backoff_weight);
      if (end.size() == word.size()) break;
    }
    return share;
  }

 private:
  std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> tallies_;
};

// A surface form of a word, and how often it was seen where its case is its own and apart from there.
struct SurfaceForm {
  std::string model;
  std::string_view surface;
  TokenCase shape;
  uint64_t inside;
  uint64_t apart;

  bool has_first_capital_only() const { return shape.begins_upper && shape.upper == 1; }
};

// By model form, then by bytes.
template <class Counts>
std::vector<SurfaceForm> sorted_forms(const Counts& counts) {
  std::vector<SurfaceForm> all;
  all.reserve(counts.size());
  for (const auto& [surface, count] : counts) {
    std::string model;
    append_word_form(model, surface);
    all.push_back({std::move(model), surface, case_of(surface), count.inside, count.apart});
  }
  std::sort(all.begin(), all.end(), [](const SurfaceForm& a, const SurfaceForm& b) {
    return a.model != b.model ? a.model < b.model : a.surface < b.surface;
  });
  return all;
}

// The commoner form; among equals the one with fewer capitals, then the first by bytes, in which order they come.
const SurfaceForm* commoner(const SurfaceForm* best, const SurfaceForm& form, uint64_t SurfaceForm::* count) {
  if (form.*count == 0) return best;
  if (!best || form.*count > best->*count) return &form;
  return form.*count == best->*count && form.shape.upper < best->shape.upper ? &form : best;
}

// All forms of one word.
class WordForms {
 public:
  explicit WordForms(std::span<const SurfaceForm> forms) {
    for (const SurfaceForm& form : forms) add(form);
  }

  const SurfaceForm& best() const {
    return inside_best_ ? *inside_best_ : telling_best_ ? *telling_best_ : *apart_best_;
  }
  // Whether the best form is the word's own, and not what its ending should decide.
  bool is_decided() const { return inside_best_ ? !is_tied_ : telling_best_ != nullptr; }
  // Rare words met both at sentence starts and elsewhere tell whose the endings are.
  bool teaches_endings() const {
    return inside_best_ && !is_tied_ && inside_ <= rare_word && capital_apart_ > 0 && inside_best_->shape.letters > 1;
  }

 private:
  void add(const SurfaceForm& form) {
    if (form.inside >= inside_most_) is_tied_ = form.inside == inside_most_;
    inside_most_ = std::max(inside_most_, form.inside);
    inside_ += form.inside;
    inside_best_ = commoner(inside_best_, form, &SurfaceForm::inside);
    apart_best_ = commoner(apart_best_, form, &SurfaceForm::apart);
    if (form.has_first_capital_only())
      capital_apart_ += form.apart;
    else if (!form.shape.is_all_upper())
      telling_best_ = commoner(telling_best_, form, &SurfaceForm::apart);
  }

  uint64_t inside_ = 0, inside_most_ = 0, capital_apart_ = 0;
  bool is_tied_ = false;  // two forms are as common inside
  const SurfaceForm* inside_best_ = nullptr;
  const SurfaceForm* telling_best_ = nullptr;  // seen apart, yet not with a first capital only
  const SurfaceForm* apart_best_ = nullptr;
};

// The form of a word that was not decided: in small letters or with a capital, as its ending says.
std::string form_by_ending(const SurfaceForm& seen, const Endings& endings) {
  // All in capitals only: an acronym at a sentence's start, or a word of a heading; kept when it is short.
  if (seen.shape.is_all_upper() && seen.shape.letters <= long_word_letters) return std::string(seen.surface);
  std::string lower;
  append_lower(lower, seen.surface);
  if (endings.share(seen.model) <= 0.5) return lower;
  std::string capitalized;
  append_capitalized(capitalized, lower, DottedI::one_letter);
  return capitalized;
}

}  // namespace

void CaseCounts::count(std::string_view line) {
  std::vector<SeenToken> tokens;
  for_each_word(line, [&](std::string_view token) {
    const std::string_view word = take_marks(token).word;
    tokens.push_back({word, case_of(word)});
  });
  const bool heading = options_.skip_headings && is_heading(tokens);
  bool start = true;
  std::string form;
  for (const SeenToken& token : tokens) {
    switch (sentence_role(token.word, token.shape)) {
      case SentenceRole::end:
        start = true;
        continue;
      case SentenceRole::colon:
      case SentenceRole::quote:
      case SentenceRole::neutral:
        continue;
      case SentenceRole::word:
        break;
    }
    if (token.shape.letters > 0 && !is_protected_word(token.word)) {
      std::string_view surface = token.word;
      if (!is_quickly_nfc(surface)) {
        form.clear();
        append_surface_form(form, surface);
        surface = form;
      }
      auto entry = counts_.find(surface);
      if (entry == counts_.end()) entry = counts_.emplace(surface, Count{}).first;
      ++(start || heading ? entry->second.apart : entry->second.inside);
    }
    start = false;
  }
}

void CaseCounts::add(const CaseCounts& other) {
  for (const auto& [surface, count] : other.counts_) {
    Count& mine = counts_[surface];
    mine.inside += count.inside;
    mine.apart += count.apart;
  }
}

std::vector<std::pair<std::string, uint64_t>> CaseCounts::word_counts() const {
  std::map<std::string, uint64_t> words;
  std::string model;
  for (const auto& [surface, count] : counts_) {
    model.clear();
    append_word_form(model, surface);
    words[model] += count.inside + count.apart;
  }
  return {words.begin(), words.end()};
}

std::vector<std::pair<std::string, std::string>> CaseCounts::finish() const {
  const std::vector<SurfaceForm> all = sorted_forms(counts_);
  std::vector<std::pair<std::string, std::string>> chosen;
  std::vector<std::pair<size_t, const SurfaceForm*>> undecided;  // of `chosen`
  Endings endings;
  for (auto begin = all.begin(); begin != all.end();) {
    const auto end =
        std::find_if(begin, all.end(), [&](const SurfaceForm& form) { return form.model != begin->model; });
    const WordForms forms({begin, end});
    if (forms.teaches_endings()) endings.add(begin->model, forms.best().shape.begins_upper);
    if (!forms.is_decided()) undecided.emplace_back(chosen.size(), &forms.best());
    chosen.emplace_back(begin->model, forms.best().surface);
    begin = end;
  }
  for (const auto& [index, seen] : undecided) chosen[index].second = form_by_ending(*seen, endings);
  return chosen;
}

CaseCounts count_cases(const IdText& text, CaseCountOptions options, size_t threads, Monitor& monitor) {
  std::vector<CaseCounts> parts(shards, CaseCounts(options));
  monitor.start(text.sentences());
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    const Interval<size_t> range = shard_range(text.sentences(), shards, shard);
    std::string line;
    for (size_t i = range.begin; i < range.end; ++i) {
      if (i % 1024 == 0 && monitor.cancelled()) return;
      line.clear();
      text.append_written(line, i);
      parts[shard].count(line);
    }
    monitor.add(range.end - range.begin);
  });
  CaseCounts counts(options);
  for (CaseCounts& part : parts) {
    counts.add(part);
    part = CaseCounts(options);
  }
  return counts;
}

}  // namespace dragoman::text
