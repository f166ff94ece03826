#include "search/prefix_walk.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "search/phrase_order.h"

namespace dragoman::search {
namespace {

// Hypotheses that are kept at a place, and those that the search goes on from.
constexpr size_t most_hypotheses = 64;
constexpr size_t most_starts = 48;
// Words that half a word may become.
constexpr size_t most_endings = 12;
// What a step costs that no rule gives, in the unit of scores: a typed word that the lexicon knows for a translation,
// one that nobody has seen, one that translates nothing, and half a word that is taken for a whole one nobody knows.
constexpr double linked_cost = 0.5;
constexpr double unseen_cost = 1;
constexpr double inserted_cost = 2;
constexpr double unknown_cost = 4;
constexpr double least_link_probability = 1e-4;

}  // namespace

PrefixWalk::PrefixWalk(const TypedPrefix& prefix, const Sentence& sentence, const WordTable& source_words,
                       WordTable& target_words, const RuleSource& rules)
    : sentence_(sentence),
      source_words_(source_words),
      target_words_(target_words),
      rules_(rules),
      tail_words_(prefix.tail) {
  for (const std::string& word : prefix.words) words_.push_back(target_words_.add(word));
  for (const std::string& word : prefix.tail) tail_ += word;
}

bool PrefixWalk::follow(uint32_t place, std::span<const Symbol> target, Fitting& fitting) const {
  fitting.typed = fitting.part = 0;
  for (Symbol symbol : target) {
    if (place == end()) break;
    ++fitting.typed;
    const WordId id = word_of(symbol);
    if (place < words_.size()) {
      // Placeholders are words of their own, and are typed as they are written.
      const bool own = id >= rules_.target_words().size();
      if (id != words_[place] && !(own && target_words_.word(id) == target_words_.word(words_[place]))) return false;
      ++place;
      continue;
    }
    const std::string_view word = target_words_.word(id);
    const std::string_view left = std::string_view(tail_).substr(place - words_.size());
    if (left.starts_with(word)) {
      place += static_cast<uint32_t>(word.size());
    } else if (word.starts_with(left)) {
      fitting.part = static_cast<uint32_t>(left.size());
      place = end();
    } else {
      return false;
    }
  }
  fitting.next = place;
  return fitting.typed > 0;
}

std::vector<PrefixWalk::Fitting> PrefixWalk::fitting_at(uint32_t place, const PhraseOptions& phrases) const {
  std::vector<Fitting> fittings;
  for (uint32_t begin = 0; begin < phrases.size(); ++begin)
    for (const PhraseOption& option : phrases[begin])
      for (const ScoredRule* rule : option.rules) {
        Fitting fitting{{begin, option.end}, rule, 0, 0, 0};
        if (follow(place, rule->target, fitting)) fittings.push_back(fitting);
      }
  return fittings;
}

void PrefixWalk::add_endings(std::string_view begun, const PhraseOptions& phrases, std::vector<Reading>& readings) {
  const auto part = static_cast<uint32_t>(begun.size());
  auto add = [&](WordId word) {
    const bool known = std::ranges::any_of(readings, [&](const Reading& reading) { return reading.word == word; });
    if (!known && readings.size() < most_endings) readings.push_back({word, end(), part, 0});
  };
  auto fits = [&](std::string_view word) { return word.size() > begun.size() && word.starts_with(begun); };
  for (const auto& options : phrases)
    for (const PhraseOption& option : options)
      for (const ScoredRule* rule : option.rules)
        for (Symbol symbol : rule->target)
          if (!target_words_.is_unique(word_of(symbol)) && fits(target_words_.word(word_of(symbol))))
            add(word_of(symbol));
  // Else the most frequent ones, which come first.
  const Vocabulary& all = rules_.target_words();
  for (WordId word = Vocabulary::first_word; word < all.size() && readings.size() < most_endings; ++word)
    if (fits(all.word(word)) && rules_.is_known_target(word)) add(word);
}

std::vector<PrefixWalk::Reading> PrefixWalk::readings_at(uint32_t place, const PhraseOptions& phrases) {
  if (place < words_.size()) return {{words_[place], place + 1, 0, 0}};
  uint32_t at = static_cast<uint32_t>(words_.size());
  for (size_t i = 0; i < tail_words_.size(); ++i) {
    const auto size = static_cast<uint32_t>(tail_words_[i].size());
    if (at == place) {
      const WordId word = rules_.target_words().find(tail_words_[i]);
      const bool known = word != Vocabulary::unknown && rules_.is_known_target(word);
      const bool last = i + 1 == tail_words_.size();
      std::vector<Reading> readings;
      if (last) add_endings(tail_words_[i], phrases, readings);
      readings.push_back({target_words_.add(tail_words_[i]), at + size, 0, last && !known ? unknown_cost : 0});
      return readings;
    }
    at += size;
  }
  return {};
}

void PrefixWalk::step(uint32_t before, uint32_t next, Step taken) {
  const Step& from = steps_[before];
  const Span source = taken.source;
  taken.before = before;
  taken.coverage = from.coverage;
  taken.covered = from.covered;
  taken.last = from.last;
  taken.score += from.score;
  if (!source.empty()) {
    // What the search could not go on from.
    if (source.begin < from.coverage.first_gap || !from.coverage.is_free(source.begin, source.end)) return;
    if (source.begin > from.coverage.first_gap && source.end - from.coverage.first_gap > Coverage::max_distortion)
      return;
    taken.coverage = from.coverage.with(source.begin, source.end);
    taken.covered += source.size();
    taken.last = source;
    taken.score -= distortion_weight_ * jump(from.last.end, source.begin);
  }
  taken.expected = taken.score + future_->of(taken.coverage);
  places_[next].push_back(static_cast<uint32_t>(steps_.size()));
  steps_.push_back(taken);
}

void PrefixWalk::take_rules(uint32_t place, uint32_t before, const std::vector<Fitting>& fittings) {
  for (const Fitting& fitting : fittings)
    if (fitting.next > place)
      step(before, fitting.next,
           {.rule = fitting.rule,
            .source = fitting.source,
            .typed = fitting.typed,
            .part = fitting.part,
            .score = fitting.rule->score});
}

void PrefixWalk::take_words(uint32_t before, const std::vector<Reading>& readings) {
  const Coverage coverage = steps_[before].coverage;
  const uint32_t next_source = steps_[before].last.end;
  const uint32_t size = static_cast<uint32_t>(sentence_.size());
  const uint32_t last = std::min(size, coverage.first_gap + Coverage::max_distortion);
  for (const Reading& reading : readings) {
    auto take = [&](Span source, double score) {
      step(before, reading.next,
           {.word = reading.word, .source = source, .typed = 1, .part = reading.part, .score = score - reading.cost});
    };
    take({}, -inserted_cost);
    const bool seen = rules_.is_linked(reading.word);
    for (uint32_t at = coverage.first_gap; at < last; ++at) {
      // What has a translation of its own has no other.
      if (coverage.covers(at) || source_words_.is_unique(sentence_.words[at])) continue;
      const bool same = !seen && source_words_.word(sentence_.words[at]) == target_words_.word(reading.word);
      const double probability = same ? 1 : rules_.word_probability(sentence_.words[at], reading.word);
      if (probability > 0)
        take({at, at + 1},
             single_scores_[at] - linked_cost + std::log10(std::max(probability, least_link_probability)));
      else if (!seen && (at == coverage.first_gap || at == next_source))
        take({at, at + 1}, single_scores_[at] - unseen_cost);
    }
  }
}

void PrefixWalk::keep_best(std::vector<uint32_t>& hypotheses) const {
  std::ranges::stable_sort(hypotheses, std::greater(),
                           [&](uint32_t hypothesis) { return steps_[hypothesis].expected; });
  std::vector<uint32_t> kept;
  for (uint32_t hypothesis : hypotheses) {
    if (kept.size() == most_hypotheses) break;
    const Step& step = steps_[hypothesis];
    const bool known = std::ranges::any_of(kept, [&](uint32_t other) {
      return steps_[other].coverage == step.coverage && steps_[other].last == step.last;
    });
    if (!known) kept.push_back(hypothesis);
  }
  hypotheses = std::move(kept);
}

PrefixStart PrefixWalk::written_out(uint32_t hypothesis) const {
  std::vector<const Step*> way;
  for (uint32_t at = hypothesis; at != 0; at = steps_[at].before) way.push_back(&steps_[at]);
  std::ranges::reverse(way);
  const Step& last = steps_[hypothesis];
  PrefixStart start{last.coverage, last.covered, last.last, last.score, {}, {}, {}, 0, last.part};
  for (const Step* step : way) {
    const auto begin = static_cast<uint32_t>(start.words.size());
    start.typed += step->typed;
    if (step->rule) {
      for (Symbol symbol : step->rule->target) start.words.push_back(word_of(symbol));
      for (const Link& link : step->rule->links)
        start.links.push_back({step->source.begin + link.source, begin + link.target});
      start.uses.push_back({step->rule, step->source, {begin, static_cast<uint32_t>(start.words.size())}});
    } else {
      start.words.push_back(step->word);
      if (!step->source.empty()) start.links.push_back({step->source.begin, begin});
    }
  }
  std::ranges::sort(start.links);
  return start;
}

std::vector<PrefixStart> PrefixWalk::starts(const PhraseOptions& phrases, const FutureCost& future,
                                            double distortion_weight) {
  future_ = &future;
  distortion_weight_ = distortion_weight;
  single_scores_.assign(sentence_.size(), 0);
  for (uint32_t at = 0; at < phrases.size(); ++at)
    for (const PhraseOption& option : phrases[at])
      if (option.end == at + 1) single_scores_[at] = option.rules.front()->score;
  steps_.assign(1, Step());
  places_.assign(end() + 1, {});
  places_[0].push_back(0);
  for (uint32_t place = 0; place < end(); ++place) {
    if (places_[place].empty()) continue;
    keep_best(places_[place]);
    const std::vector<Fitting> fittings = fitting_at(place, phrases);
    const std::vector<Reading> readings = readings_at(place, phrases);
    for (uint32_t hypothesis : std::vector<uint32_t>(places_[place])) {
      take_rules(place, hypothesis, fittings);
      take_words(hypothesis, readings);
    }
  }
  std::vector<uint32_t>& last = places_[end()];
  std::ranges::stable_sort(last, std::greater(), [&](uint32_t hypothesis) { return steps_[hypothesis].expected; });
  std::vector<PrefixStart> kept;
  for (uint32_t hypothesis : last) {
    if (kept.size() == most_starts) break;
    PrefixStart start = written_out(hypothesis);
    const bool known = std::ranges::any_of(kept, [&](const PrefixStart& other) {
      return other.coverage == start.coverage && other.last == start.last && other.words == start.words;
    });
    if (!known) kept.push_back(std::move(start));
  }
  return kept;
}

}  // namespace dragoman::search
