#include "text/case_counts.h"

#include <algorithm>
#include <map>

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
      const auto found = tallies_.find(end);
      if (found == tallies_.end()) break;
      const auto [capitalized, all] = found->second;
      share = (static_cast<double>(capitalized) + backoff_weight * share) / (static_cast<double>(all) + backoff_weight);
      if (end.size() == word.size()) break;
    }
    return share;
  }

 private:
  std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> tallies_;
};

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
      auto found = counts_.find(surface);
      if (found == counts_.end()) found = counts_.emplace(surface, Count{}).first;
      ++(start || heading ? found->second.apart : found->second.inside);
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
  struct Form {
    std::string model;
    std::string_view surface;
    TokenCase shape;
    Count count;
  };
  std::vector<Form> all;
  all.reserve(counts_.size());
  for (const auto& [surface, count] : counts_) {
    std::string model;
    append_word_form(model, surface);
    all.push_back({std::move(model), surface, case_of(surface), count});
  }
  std::sort(all.begin(), all.end(), [](const Form& a, const Form& b) {
    return a.model != b.model ? a.model < b.model : a.surface < b.surface;
  });

  // The commonest form; among equals the one with fewer capitals, then the first by bytes.
  auto better = [](const Form& a, uint64_t a_count, const Form& b, uint64_t b_count) {
    return a_count != b_count ? a_count > b_count : a.shape.upper < b.shape.upper;
  };
  std::vector<std::pair<std::string, std::string>> chosen;
  std::vector<size_t> undecided;  // of `chosen`
  Endings endings;
  for (size_t begin = 0; begin < all.size();) {
    size_t end = begin;
    uint64_t inside = 0;
    uint64_t capital_apart = 0;
    const Form* best_inside = nullptr;
    uint64_t best_count = 0;
    uint64_t second_count = 0;
    const Form* best_telling = nullptr;  // seen apart, yet not with a first capital only
    const Form* best_apart = nullptr;
    for (; end < all.size() && all[end].model == all[begin].model; ++end) {
      const Form& form = all[end];
      inside += form.count.inside;
      const bool first_capital_only = form.shape.begins_upper && form.shape.upper == 1;
      if (first_capital_only) capital_apart += form.count.apart;
      if (form.count.inside &&
          (!best_inside || better(form, form.count.inside, *best_inside, best_inside->count.inside)))
        best_inside = &form;
      second_count = std::max(second_count, std::min(best_count, form.count.inside));
      best_count = std::max(best_count, form.count.inside);
      if (form.count.apart && !first_capital_only && !form.shape.is_all_upper() &&
          (!best_telling || better(form, form.count.apart, *best_telling, best_telling->count.apart)))
        best_telling = &form;
      if (form.count.apart && (!best_apart || better(form, form.count.apart, *best_apart, best_apart->count.apart)))
        best_apart = &form;
    }
    if (best_inside && best_count == second_count) {
      undecided.push_back(chosen.size());
      chosen.emplace_back(all[begin].model, best_inside->surface);
    } else if (best_inside) {
      if (inside <= rare_word && capital_apart > 0 && best_inside->shape.letters > 1)
        endings.add(all[begin].model, best_inside->shape.begins_upper);
      chosen.emplace_back(all[begin].model, best_inside->surface);
    } else if (best_telling) {
      chosen.emplace_back(all[begin].model, best_telling->surface);
    } else {
      undecided.push_back(chosen.size());
      chosen.emplace_back(all[begin].model, best_apart->surface);
    }
    begin = end;
  }
  for (size_t index : undecided) {
    auto& [model, surface] = chosen[index];
    // All in capitals only: an acronym at a sentence's start, or a word of a heading; kept when it is short.
    const TokenCase shape = case_of(surface);
    if (shape.is_all_upper() && shape.letters <= long_word_letters) continue;
    const bool capital = endings.share(model) > 0.5;
    std::string lower;
    append_lower(lower, surface);
    surface.clear();
    if (capital)
      append_capitalized(surface, lower, DottedI::one_letter);
    else
      surface = lower;
  }
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
