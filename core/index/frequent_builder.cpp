#include "index/frequent_builder.h"

#include <algorithm>
#include <bit>

#include "base/flat_map.h"
#include "index/frequent.h"

namespace dragoman::index {

std::vector<FrequentPhrase> frequent_phrases(std::span<const uint32_t> text, const PackedArray& suffixes,
                                             std::span<const uint8_t> shared, uint64_t min_count, uint32_t max_length) {
  std::vector<FrequentPhrase> found;
  min_count = std::max<uint64_t>(min_count, 2);
  for (uint32_t length = 1; length <= max_length; ++length) {
    const size_t before = found.size();
    uint64_t begin = 0;
    auto close = [&](uint64_t end) {
      if (end - begin < min_count) return;
      const uint64_t at = suffixes[begin];
      found.push_back({{text.begin() + static_cast<ptrdiff_t>(at), text.begin() + static_cast<ptrdiff_t>(at + length)},
                       begin,
                       end});
    };
    // A run of suffixes that share at least `length` words is one phrase.
    for (uint64_t rank = 1; rank < shared.size(); ++rank) {
      if (shared[rank] >= length) continue;
      close(rank);
      begin = rank;
    }
    if (!shared.empty()) close(shared.size());
    if (found.size() == before) break;
  }
  std::sort(found.begin(), found.end(), [](const FrequentPhrase& a, const FrequentPhrase& b) {
    if (a.count() != b.count()) return a.count() > b.count();
    if (a.words.size() != b.words.size()) return a.words.size() < b.words.size();
    return a.words < b.words;
  });
  return found;
}

void FrequentBuilder::build(std::span<const uint32_t> text, const PackedArray& suffixes,
                            std::span<const uint8_t> shared, Monitor& monitor) {
  patterns_.clear();
  auto phrases = frequent_phrases(text, suffixes, shared, options_.frequent_min_count, options_.max_rule_symbols);
  // Fewer phrases where the samples of all their pairs might pass the limit.
  const uint64_t match_bits = bits_for(text.size()) + 2 * bits_for(options_.max_rule_span);
  const uint64_t sample_bytes = std::max<uint64_t>(1, options_.max_samples * match_bits / 8);
  auto room = static_cast<uint64_t>(options_.frequent_bytes_per_token * static_cast<double>(suffixes.size()) /
                                    static_cast<double>(sample_bytes));
  const uint64_t stored = std::min<uint64_t>(phrases.size(), room / 2);
  phrases.resize(stored);
  room -= stored;
  uint64_t ternary = std::min<uint64_t>(options_.frequent_ternary, stored);
  while (ternary * ternary * ternary > room / 2) --ternary;
  room -= ternary * ternary * ternary;
  uint64_t binary = std::min<uint64_t>(options_.frequent_phrases, stored);
  while (binary * binary > room) --binary;

  for (const FrequentPhrase& phrase : phrases) {
    Pattern pattern{phrase.words, {}, phrase.count() <= options_.max_samples, false};
    for (uint64_t rank = phrase.ranks_begin; rank < phrase.ranks_end; ++rank)
      pattern.matches.push_back(make_match(suffixes[rank]));
    keep_sample(pattern.matches, options_.max_samples);
    pattern.matches.shrink_to_fit();
    patterns_.push_back(std::move(pattern));
  }
  options_.frequent_ternary = static_cast<uint32_t>(ternary);
  collect_gapped(text, std::span(phrases).first(binary), monitor);
}

void FrequentBuilder::collect_gapped(std::span<const uint32_t> text, std::span<const FrequentPhrase> phrases,
                                     Monitor& monitor) {
  const uint32_t count = static_cast<uint32_t>(phrases.size());
  const uint32_t ternary = std::min(options_.frequent_ternary, count);
  constexpr uint32_t none = UINT32_MAX;
  std::vector<uint32_t> binary_of(size_t{count} * count, none), ternary_of(size_t{ternary} * ternary * ternary, none);
  const size_t first_gapped = patterns_.size();
  auto add = [&](std::initializer_list<uint32_t> ids) {
    std::vector<WordId> symbols;
    for (uint32_t id : ids) {
      if (!symbols.empty()) symbols.push_back(0);
      symbols.insert(symbols.end(), phrases[id].words.begin(), phrases[id].words.end());
    }
    if (symbols.size() > options_.max_rule_symbols) return none;
    patterns_.push_back({std::move(symbols), {}, true, false});
    return static_cast<uint32_t>(patterns_.size() - 1);
  };
  for (uint32_t u = 0; u < count; ++u)
    for (uint32_t v = 0; v < count; ++v) binary_of[u * count + v] = add({u, v});
  for (uint32_t u = 0; u < ternary; ++u)
    for (uint32_t v = 0; v < ternary; ++v)
      for (uint32_t w = 0; w < ternary; ++w) ternary_of[(u * ternary + v) * ternary + w] = add({u, v, w});

  // A trie of the phrases: state << 32 | word -> next state; a phrase ends in states that have one.
  FlatMap steps;
  std::vector<uint32_t> phrase_of{none};
  for (uint32_t id = 0; id < count; ++id) {
    uint32_t state = 0;
    for (WordId word : phrases[id].words) {
      uint32_t& next = steps[uint64_t{state} << 32 | word];
      if (next == FlatMap::absent) {
        next = static_cast<uint32_t>(phrase_of.size());
        phrase_of.push_back(none);
      }
      state = next;
    }
    phrase_of[state] = id;
  }

  struct Occurrence {
    uint32_t phrase;
    uint64_t begin, end;
  };
  std::vector<Occurrence> here;
  std::vector<uint32_t> touched;
  size_t open = patterns_.size() - first_gapped;
  auto push = [&](uint32_t id, Match match) {
    if (id == none || patterns_[id].full) return;
    patterns_[id].matches.push_back(match);
    if (patterns_[id].matches.size() == options_.max_samples) touched.push_back(id);
  };
  const uint64_t span = options_.max_rule_span, gap = options_.min_gap_size;
  uint64_t sentences = 0;
  for (uint64_t at = 0; at < text.size() && open > 0; ++at) {
    if (text[at] != Vocabulary::separator) {
      uint32_t state = 0;
      for (uint64_t next = at; next < text.size(); ++next) {
        state = steps.find(uint64_t{state} << 32 | text[next]);
        if (state == FlatMap::absent) break;
        if (phrase_of[state] != none) here.push_back({phrase_of[state], at, next + 1});
      }
      continue;
    }
    for (size_t i = 0; i < here.size(); ++i) {
      const uint64_t begin = here[i].begin;
      for (size_t j = i + 1; j < here.size() && here[j].begin < begin + span; ++j) {
        if (here[j].begin < here[i].end + gap || here[j].end > begin + span) continue;
        const Match pair = make_match(begin, here[j].begin - begin);
        push(binary_of[here[i].phrase * count + here[j].phrase], pair);
        if (here[i].phrase >= ternary || here[j].phrase >= ternary) continue;
        const uint32_t row = (here[i].phrase * ternary + here[j].phrase) * ternary;
        for (size_t k = j + 1; k < here.size() && here[k].begin < begin + span; ++k)
          if (here[k].phrase < ternary && here[k].begin >= here[j].end + gap && here[k].end <= begin + span)
            push(ternary_of[row + here[k].phrase], pair | (here[k].begin - begin));
      }
    }
    here.clear();
    // Only whole sentences: what was found so far are the first matches, in whatever order they were found.
    for (uint32_t id : touched) {
      patterns_[id].full = true;
      patterns_[id].complete = false;
      keep_sample(patterns_[id].matches, options_.max_samples);
      patterns_[id].matches.shrink_to_fit();
      --open;
    }
    touched.clear();
    if (++sentences % 4096 == 0) monitor.poll();
  }
  for (size_t id = first_gapped; id < patterns_.size(); ++id)
    if (!patterns_[id].full) std::sort(patterns_[id].matches.begin(), patterns_[id].matches.end());
}

void FrequentBuilder::add_to(ContainerWriter& writer) {
  uint64_t symbols = 0, matches = 0, largest = 0;
  for (const Pattern& pattern : patterns_) {
    symbols += pattern.symbols.size();
    matches += pattern.matches.size();
    if (!pattern.matches.empty()) largest = std::max(largest, match_begin(pattern.matches.back()));
  }
  const uint64_t slots = std::bit_ceil(patterns_.size() * 3 / 2 + 2);
  const FrequentMeta meta{patterns_.size(),
                          symbols,
                          matches,
                          slots,
                          options_.max_samples,
                          options_.max_rule_span,
                          options_.min_gap_size,
                          bits_for(vocabulary_ - 1),
                          bits_for(largest),
                          0};
  const uint32_t offset_width = bits_for(options_.max_rule_span);
  PackedWriter symbol_begins(patterns_.size() + 1, bits_for(symbols)), symbol_ids(symbols, meta.symbol_width),
      table(slots, bits_for(patterns_.size())), match_begins(patterns_.size() + 1, bits_for(matches)),
      complete(patterns_.size(), 1), first(matches, meta.first_width), second(matches, offset_width),
      third(matches, offset_width);
  std::vector<bool> used(slots, false);
  uint64_t symbol = 0, match = 0;
  for (uint64_t id = 0; id < patterns_.size(); ++id) {
    const Pattern& pattern = patterns_[id];
    symbol_begins.set(id, symbol);
    match_begins.set(id, match);
    complete.set(id, pattern.complete);
    for (WordId word : pattern.symbols) symbol_ids.set(symbol++, word);
    for (Match found : pattern.matches) {
      first.set(match, match_begin(found));
      second.set(match, match_offset(found, 1));
      third.set(match++, match_offset(found, 2));
    }
    uint64_t slot = hash_symbols(pattern.symbols) & (slots - 1);
    while (used[slot]) slot = (slot + 1) & (slots - 1);
    used[slot] = true;
    table.set(slot, id + 1);
  }
  symbol_begins.set(patterns_.size(), symbol);
  match_begins.set(patterns_.size(), match);
  writer.add_record("meta", meta);
  packed_.clear();
  packed_.reserve(8);
  auto add = [&](std::string_view name, PackedWriter&& packed) {
    packed_.push_back(std::move(packed));
    writer.add(name, packed_.back().bytes());
  };
  add("symbol_begins", std::move(symbol_begins));
  add("symbols", std::move(symbol_ids));
  add("table", std::move(table));
  add("match_begins", std::move(match_begins));
  add("complete", std::move(complete));
  add("first", std::move(first));
  add("second", std::move(second));
  add("third", std::move(third));
}

}  // namespace dragoman::index
