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
#include "text/vocabulary.h"

namespace dragoman::index {
namespace {

constexpr uint32_t longest_ngram = 3;
constexpr double unseen_discount = 0.7;
// A pair with at least this share of linked words is as good as any.
constexpr double good_share = 0.6;

struct PairChoice {
  float gain;
  uint64_t sentence;
  // Ties by place, so that the choice is the same everywhere.
  bool operator<(const PairChoice& other) const {
    return gain != other.gain ? gain < other.gain : sentence > other.sentence;
  }
};

class Selection {
 public:
  explicit Selection(const IdText& text) : text_(text) {
    const uint64_t slots = std::bit_ceil(std::clamp<uint64_t>(text.tokens() * 2, uint64_t{1} << 20, uint64_t{1} << 26));
    mask_ = slots - 1;
    slots_.assign(slots, {0, 0});
    repeated_.reserve(text.tokens());
    std::vector<uint64_t> ngram_slots;
    for (uint64_t sentence = 0; sentence < text.sentences(); ++sentence) {
      begins_.push_back(repeated_.size());
      mark_repeated(sentence);
      features(sentence, ngram_slots);
      for (uint64_t slot : ngram_slots) slots_[slot].worth += 1;
    }
    for (Slot& slot : slots_)
      if (slot.worth > 0) slot.worth = static_cast<float>(std::sqrt(slot.worth - unseen_discount));
  }

  // Makes what a given text holds worth more, once.
  void want(const IdText& wanted, float factor) {
    std::vector<bool> raised(slots_.size());
    std::vector<WordId> known(wanted.words().size());  // by its own ids
    for (WordId id = 0; id < known.size(); ++id) known[id] = text_.words().find(wanted.words().word(id));
    for (uint64_t sentence = 0; sentence < wanted.sentences(); ++sentence) {
      wanted.read(sentence, ids_);
      for (WordId& id : ids_) id = known[id];
      for_each_slot([&](uint64_t, uint32_t, uint64_t slot) {
        if (!raised[slot]) slots_[slot].worth *= factor;
        raised[slot] = true;
      });
    }
  }

  float gain(uint64_t sentence, std::vector<uint64_t>& ngram_slots) {
    features(sentence, ngram_slots);
    double sum = 0;
    for (uint64_t slot : ngram_slots) sum += slots_[slot].worth / (1.0 + slots_[slot].chosen);
    return static_cast<float>(sum);
  }
  void choose(const std::vector<uint64_t>& ngram_slots) {
    for (uint64_t slot : ngram_slots) ++slots_[slot].chosen;
  }

 private:
  // Calls visit(place of the first word, words less one, slot) for every n-gram of the sentence in ids_.
  template <typename Visit>
  void for_each_slot(Visit&& visit) const {
    for (uint64_t begin = 0; begin < ids_.size(); ++begin) {
      uint64_t hash = 0;
      for (uint32_t more = 0; more < longest_ngram && begin + more < ids_.size(); ++more) {
        hash = mix(hash ^ (uint64_t{ids_[begin + more]} + 1));
        visit(begin, more, hash & mask_);
      }
    }
  }
  // Slots of the different n-grams of a sentence, on their way into the cache: the table is larger than that.
  void features(uint64_t sentence, std::vector<uint64_t>& ngram_slots) {
    ngram_slots.clear();
    text_.read(sentence, ids_);
    const uint64_t first = begins_[sentence];
    for_each_slot([&](uint64_t begin, uint32_t more, uint64_t slot) {
      if (repeated_[first + begin] >> more & 1) return;
      ngram_slots.push_back(slot);
      prefetch(&slots_[slot]);
    });
  }
  // An n-gram counts once in a sentence. Which ones have been there before is found out once, by sorting.
  void mark_repeated(uint64_t sentence) {
    struct NgramOccurrence {
      uint64_t slot, begin;
      uint32_t more;
    };
    std::vector<NgramOccurrence> places;
    text_.read(sentence, ids_);
    repeated_.resize(repeated_.size() + ids_.size());
    for_each_slot([&](uint64_t begin, uint32_t more, uint64_t slot) { places.push_back({slot, begin, more}); });
    std::sort(places.begin(), places.end(),
              [](const NgramOccurrence& one, const NgramOccurrence& other) { return one.slot < other.slot; });
    for (uint64_t i = 1; i < places.size(); ++i)
      if (places[i].slot == places[i - 1].slot)
        repeated_[begins_[sentence] + places[i].begin] |= static_cast<uint8_t>(1 << places[i].more);
  }

  const IdText& text_;
  std::vector<WordId> ids_;  // of the sentence that is looked at
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
float linked_share(const Links& links, uint64_t source_length, uint64_t target_length) {
  std::vector<bool> source(source_length), target(target_length);
  for (const Link& link : links) source[link.source] = target[link.target] = true;
  const auto linked = std::count(source.begin(), source.end(), true) + std::count(target.begin(), target.end(), true);
  return static_cast<float>(linked) / static_cast<float>(std::max<uint64_t>(1, source_length + target_length));
}

}  // namespace

std::vector<uint64_t> select_pairs(const IdText& source, const IdText& target, const StoredLinks& links,
                                   const IdText& wanted, const SelectionOptions& options, Monitor& monitor) {
  require_equal_lines(source.sentences(), target.sentences(), links.pairs());
  monitor.start(static_cast<uint64_t>(std::max(1.0, options.max_bytes)));
  monitor.poll();
  Selection selection(source);
  monitor.poll();
  selection.want(wanted, static_cast<float>(options.wanted_factor));

  std::vector<double> cost(source.sentences());
  std::vector<float> share(source.sentences());
  Links pairs;
  std::vector<uint64_t> ngram_slots;
  std::priority_queue<PairChoice> queue;
  auto value = [&](uint64_t i) {
    return static_cast<float>(selection.gain(i, ngram_slots) * share[i] / std::max(cost[i], 1e-9));
  };
  for (uint64_t i = 0; i < source.sentences(); ++i) {
    if (i % poll_every == 0) monitor.poll();
    const uint64_t source_words = source.length(i), target_words = target.length(i);
    cost[i] = options.pair_bytes + options.source_word_bytes * static_cast<double>(source_words) +
              options.target_word_bytes * static_cast<double>(target_words);
    links.read(i, source_words, target_words, pairs);
    share[i] = std::min(1.0f, linked_share(pairs, source_words, target_words) / static_cast<float>(good_share));
    queue.push({value(i), i});
  }

  std::vector<uint64_t> chosen;
  double total = 0;
  for (uint64_t step = 0; !queue.empty(); ++step) {
    if (step % poll_every == 0) monitor.poll();
    PairChoice best = queue.top();
    queue.pop();
    if (total + cost[best.sentence] > options.max_bytes) continue;
    best.gain = value(best.sentence);
    if (!queue.empty() && best < queue.top()) {
      queue.push(best);
      continue;
    }
    selection.choose(ngram_slots);
    chosen.push_back(best.sentence);
    total += cost[best.sentence];
    monitor.add(static_cast<uint64_t>(cost[best.sentence]));
  }
  return chosen;
}

void write_chosen(const std::string& path, std::vector<uint64_t> pairs) {
  std::sort(pairs.begin(), pairs.end());
  ContainerWriter writer(chosen_kind);
  writer.add("pairs", pairs);
  writer.write(path);
}

std::vector<uint64_t> read_chosen(const std::string& path, Trust trust) {
  const Container container = Container::open(path, chosen_kind, trust);
  const auto pairs = container.array<uint64_t>("pairs");
  return {pairs.begin(), pairs.end()};
}

}  // namespace dragoman::index
