#include "index/selection.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <queue>
#include <string>

#include "base/errors.h"
#include "base/hash.h"
#include "base/prefetch.h"
#include "text/lines.h"
#include "text/pharaoh.h"
#include "text/vocabulary.h"

namespace dragoman::index {
namespace {

constexpr uint32_t longest_ngram = 3;
constexpr double unseen_discount = 0.7;
// A pair with at least this share of linked words is as good as any.
constexpr double good_share = 0.6;

struct Candidate {
  float gain;
  uint64_t sentence;
  // Ties by place, so that the choice is the same everywhere.
  bool operator<(const Candidate& other) const {
    return gain != other.gain ? gain < other.gain : sentence > other.sentence;
  }
};

class Selection {
 public:
  Selection(const std::vector<std::string_view>& lines, const Vocabulary& words) {
    for (std::string_view line : lines) {
      begins_.push_back(ids_.size());
      for_each_word(line, [&](std::string_view word) { ids_.push_back(words.find(word)); });
    }
    begins_.push_back(ids_.size());
    const uint64_t slots = std::bit_ceil(std::clamp<uint64_t>(ids_.size() * 2, uint64_t{1} << 20, uint64_t{1} << 26));
    mask_ = slots - 1;
    slots_.assign(slots, {0, 0});
    repeated_.assign(ids_.size(), 0);
    std::vector<uint64_t> found;
    for (uint64_t sentence = 0; sentence < lines.size(); ++sentence) {
      mark_repeated(sentence);
      features(sentence, found);
      for (uint64_t slot : found) slots_[slot].worth += 1;
    }
    for (Slot& slot : slots_)
      if (slot.worth > 0) slot.worth = static_cast<float>(std::sqrt(slot.worth - unseen_discount));
  }

  uint64_t length(uint64_t sentence) const { return begins_[sentence + 1] - begins_[sentence]; }

  // Makes what a given text holds worth more, once.
  void want(std::string_view line, const Vocabulary& words, float factor, std::vector<bool>& raised) {
    if (raised.empty()) raised.assign(slots_.size(), false);
    std::vector<WordId> ids;
    for_each_word(line, [&](std::string_view word) { ids.push_back(words.find(word)); });
    for_each_slot(ids.data(), ids.size(), [&](uint64_t, uint32_t, uint64_t slot) {
      if (!raised[slot]) slots_[slot].worth *= factor;
      raised[slot] = true;
    });
  }

  float gain(uint64_t sentence, std::vector<uint64_t>& found) const {
    features(sentence, found);
    double sum = 0;
    for (uint64_t slot : found) sum += slots_[slot].worth / (1.0 + slots_[slot].chosen);
    return static_cast<float>(sum);
  }
  void choose(const std::vector<uint64_t>& found) {
    for (uint64_t slot : found) ++slots_[slot].chosen;
  }

 private:
  // Calls visit(place of the first word, words less one, slot) for every n-gram.
  template <typename Visit>
  void for_each_slot(const WordId* ids, uint64_t length, Visit&& visit) const {
    for (uint64_t begin = 0; begin < length; ++begin) {
      uint64_t hash = 0;
      for (uint32_t more = 0; more < longest_ngram && begin + more < length; ++more) {
        hash = mix(hash ^ (uint64_t{ids[begin + more]} + 1));
        visit(begin, more, hash & mask_);
      }
    }
  }
  // Slots of the different n-grams of a sentence, on their way into the cache: the table is larger than that.
  void features(uint64_t sentence, std::vector<uint64_t>& found) const {
    found.clear();
    const uint64_t first = begins_[sentence];
    for_each_slot(ids_.data() + first, length(sentence), [&](uint64_t begin, uint32_t more, uint64_t slot) {
      if (repeated_[first + begin] >> more & 1) return;
      found.push_back(slot);
      prefetch(&slots_[slot]);
    });
  }
  // An n-gram counts once in a sentence. Which ones have been there before is found out once, by sorting.
  void mark_repeated(uint64_t sentence) {
    struct Place {
      uint64_t slot, begin;
      uint32_t more;
    };
    std::vector<Place> places;
    for_each_slot(ids_.data() + begins_[sentence], length(sentence),
                  [&](uint64_t begin, uint32_t more, uint64_t slot) { places.push_back({slot, begin, more}); });
    std::sort(places.begin(), places.end(), [](const Place& one, const Place& other) { return one.slot < other.slot; });
    for (uint64_t i = 1; i < places.size(); ++i)
      if (places[i].slot == places[i - 1].slot)
        repeated_[begins_[sentence] + places[i].begin] |= static_cast<uint8_t>(1 << places[i].more);
  }

  std::vector<WordId> ids_;
  std::vector<uint64_t> begins_;
  std::vector<uint8_t> repeated_;  // by word: a bit for each n-gram that begins there
  uint64_t mask_ = 0;
  struct Slot {
    float worth;
    uint32_t chosen;  // occurrences in chosen sentences
  };
  std::vector<Slot> slots_;
};

// The share of the words of both sides that have a link.
float linked_share(std::string_view links, uint64_t source_length, uint64_t target_length, uint64_t line) {
  std::vector<bool> source(source_length), target(target_length);
  Links parsed;
  parse_pharaoh(links, line + 1, parsed, source_length, target_length);
  for (const Link& link : parsed) source[link.source] = target[link.target] = true;
  const auto linked = std::count(source.begin(), source.end(), true) + std::count(target.begin(), target.end(), true);
  return static_cast<float>(linked) / static_cast<float>(std::max<uint64_t>(1, source_length + target_length));
}

}  // namespace

std::vector<uint64_t> select_pairs(std::string_view source, std::string_view target, std::string_view links,
                                   std::string_view wanted, const SelectionOptions& options, Monitor& monitor) {
  const auto sources = split_lines(source), targets = split_lines(target), all_links = split_lines(links);
  if (sources.size() != targets.size() || sources.size() != all_links.size())
    throw InputError(0, "source, target and links must have as many lines as each other");
  WordCounts counts;
  for (std::string_view line : sources) counts.count(line);
  const Vocabulary words = Vocabulary::build(counts.take());
  monitor.start(static_cast<uint64_t>(std::max(1.0, options.max_bytes)));
  monitor.poll();
  Selection selection(sources, words);
  monitor.poll();
  std::vector<bool> raised;
  for (std::string_view line : split_lines(wanted))
    selection.want(line, words, static_cast<float>(options.wanted_factor), raised);

  std::vector<double> cost(sources.size());
  std::vector<float> share(sources.size());
  std::vector<uint64_t> found;
  std::priority_queue<Candidate> queue;
  auto value = [&](uint64_t i) {
    return static_cast<float>(selection.gain(i, found) * share[i] / std::max(cost[i], 1e-9));
  };
  for (uint64_t i = 0; i < sources.size(); ++i) {
    if (i % poll_every == 0) monitor.poll();
    const uint64_t source_words = selection.length(i), target_words = count_words(targets[i]);
    cost[i] = options.pair_bytes + options.source_word_bytes * static_cast<double>(source_words) +
              options.target_word_bytes * static_cast<double>(target_words);
    const float linked = linked_share(all_links[i], source_words, target_words, i);
    share[i] = std::min(1.0f, linked / static_cast<float>(good_share));
    queue.push({value(i), i});
  }

  std::vector<uint64_t> chosen;
  double total = 0;
  for (uint64_t step = 0; !queue.empty(); ++step) {
    if (step % poll_every == 0) monitor.poll();
    Candidate best = queue.top();
    queue.pop();
    if (total + cost[best.sentence] > options.max_bytes) continue;
    best.gain = value(best.sentence);
    if (!queue.empty() && best < queue.top()) {
      queue.push(best);
      continue;
    }
    selection.choose(found);
    chosen.push_back(best.sentence);
    total += cost[best.sentence];
    monitor.add(static_cast<uint64_t>(cost[best.sentence]));
  }
  return chosen;
}

}  // namespace dragoman::index
