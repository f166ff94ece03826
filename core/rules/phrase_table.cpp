#include "rules/phrase_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/errors.h"
#include "base/flat_map.h"
#include "base/hash.h"
#include "index/aligned_sentence.h"
#include "rules/grammar_text.h"
#include "rules/lexical_scores.h"
#include "rules/rule_collector.h"
#include "text/pharaoh.h"

namespace dragoman::rules {
namespace {

constexpr size_t table_piece_bytes = 1 << 18;

uint64_t hash_words(std::span<const Symbol> words) {
  uint64_t hash = words.size();
  for (Symbol word : words) hash = mix(hash ^ word_of(word));
  return hash == UINT64_MAX ? 0 : hash;
}

class PhraseTableWriter {
 public:
  PhraseTableWriter(const Index& index, const TableLimits& limits, const std::function<void(std::string_view)>& write,
                    Monitor& monitor)
      : index_(index),
        bitext_(index.bitext),
        limits_(limits),
        max_length_(limits.max_phrase_length),
        write_(write),
        monitor_(monitor),
        snapshot_(std::shared_ptr<const Index>(std::shared_ptr<const void>(), &index)),
        scores_(snapshot_) {}

  uint64_t run() {
    monitor_.start(bitext_.sentences() + bitext_.source_tokens());
    count_targets();
    walk(0, bitext_.source_tokens());
    write_(text_);
    return pairs_;
  }

 private:
  // Calls visit(target span) for every target side of a source span.
  template <class Visit>
  void for_each_target(const AlignedSentence& sentence, uint32_t begin, uint32_t end, Visit&& visit) const {
    const Span least = sentence.project(begin, end);
    if (least.empty() || least.size() > max_length_ || !sentence.consistent(begin, end, least)) return;
    const auto length = static_cast<uint32_t>(sentence.target.size());
    for (uint32_t first = least.begin;; --first) {
      for (uint32_t last = least.end; last - first <= max_length_; ++last) {
        visit(Span{first, last});
        if (last == length || sentence.target_aligned(last)) break;
      }
      if (first == 0 || sentence.target_aligned(first - 1) || least.end - (first - 1) > max_length_) return;
    }
  }

  std::span<const Symbol> words_of(const AlignedSentence& sentence, const Span& span) {
    target_.clear();
    for (uint32_t at = span.begin; at < span.end; ++at)
      target_.push_back(word_symbol(bitext_.target(sentence.target.begin + at)));
    return target_;
  }

  void count_targets() {
    std::vector<uint64_t> here;
    for (uint64_t number = 0; number < bitext_.sentences(); ++number) {
      if (number % 1024 == 0) monitor_.poll();
      const AlignedSentence sentence = reader_.read(bitext_, number);
      const auto length = static_cast<uint32_t>(sentence.source.size());
      for (uint32_t begin = 0; begin < length; ++begin)
        for (uint32_t end = begin + 1; end <= std::min(length, begin + max_length_); ++end) {
          here.clear();
          for_each_target(sentence, begin, end,
                          [&](const Span& span) { here.push_back(hash_words(words_of(sentence, span))); });
          // Equal target sides of one source span count once.
          std::sort(here.begin(), here.end());
          here.erase(std::unique(here.begin(), here.end()), here.end());
          for (uint64_t hash : here) {
            uint32_t& count = target_counts_[hash];
            count = count == FlatMap::absent ? 1 : count + 1;
          }
        }
      monitor_.add(1);
    }
  }

  // All phrases that begin with source_, which is what the suffixes of these ranks share.
  void walk(uint64_t begin, uint64_t end) {
    const auto depth = source_.size();
    auto next_word = [&](uint64_t rank) { return bitext_.source_or_separator(bitext_.suffix(rank) + depth); };
    for (uint64_t low = begin, high; low < end; low = high) {
      const WordId word = next_word(low);
      for (high = low + 1; high < end && next_word(high) == word;) ++high;
      if (depth == 0) monitor_.add(high - low);
      if (word == Vocabulary::separator) continue;
      source_.push_back(word);
      write_phrase(low, high);
      if (source_.size() < max_length_) walk(low, high);
      source_.pop_back();
    }
  }

  void write_phrase(uint64_t begin, uint64_t end) {
    if (++phrases_ % 1024 == 0) monitor_.poll();
    collector_.start();
    for (uint64_t rank = begin; rank < end; ++rank) {
      const uint64_t position = bitext_.suffix(rank);
      const AlignedSentence sentence = reader_.read(bitext_, bitext_.sentence_of(position));
      const auto first = static_cast<uint32_t>(position - sentence.source.begin);
      const auto last = static_cast<uint32_t>(first + source_.size());
      if (last > sentence.source.size()) bitext_.fail("suffixes", "points at the wrong words");
      for_each_target(sentence, first, last, [&](const Span& span) {
        links_.clear();
        for (uint32_t word = first; word < last; ++word)
          for (uint32_t link = sentence.source_links[word]; link < sentence.source_links[word + 1]; ++link)
            links_.push_back({word - first, sentence.targets[link] - span.begin});
        collector_.add({static_cast<uint32_t>(rank - begin), plain, words_of(sentence, span), links_, {}}, 1);
      });
    }
    rules_.begin(0, source_);
    collector_.finish(static_cast<uint32_t>(end - begin), {}, scores_, rules_);
    const auto rules = rules_.rules(plain);
    uint64_t source_count = 0;
    for (size_t i = 0; i < rules.size(); ++i) source_count += rules_.evidence(plain, i).count;
    kept_.clear();
    for (size_t i = 0; i < rules.size(); ++i) {
      const uint32_t count = rules_.evidence(plain, i).count;
      if (count < limits_.least_count) continue;
      kept_.push_back({static_cast<uint32_t>(i), count, target_count(rules[i], count)});
    }
    if (limits_.most_targets > 0 && kept_.size() > limits_.most_targets) {
      std::ranges::stable_sort(kept_, [](const KeptPair& a, const KeptPair& b) {
        return a.count != b.count ? a.count > b.count : a.target_count < b.target_count;
      });
      kept_.resize(limits_.most_targets);
      std::ranges::sort(kept_, {}, &KeptPair::rule);
    }
    for (const KeptPair& pair : kept_) write_pair(rules[pair.rule], pair.count, pair.target_count, source_count);
  }

  uint32_t target_count(const Rule& rule, uint32_t count) const {
    return std::max(count, target_counts_.find(hash_words(rule.target)));
  }

  void write_pair(const Rule& rule, uint32_t count, uint32_t target_count, uint64_t source_count) {
    ++pairs_;
    for (WordId word : source_) {
      append_rule_word(text_, index_.source_words.word(word));
      text_ += ' ';
    }
    text_ += "||| ";
    for (Symbol word : rule.target) {
      append_rule_word(text_, index_.target_words.word(word_of(word)));
      text_ += ' ';
    }
    text_ += "|||";
    append(static_cast<double>(count) / target_count);
    append(lexical(rule, true));
    append(static_cast<double>(count) / static_cast<double>(source_count));
    append(lexical(rule, false));
    text_ += " ||| ";
    append_pharaoh(text_, rule.links);
    text_ += " ||| " + std::to_string(target_count) + ' ' + std::to_string(source_count) + ' ' + std::to_string(count) +
             '\n';
    if (text_.size() < table_piece_bytes) return;
    write_(text_);
    text_.clear();
  }

  // Koehn 2003: every word of one side is explained by the mean of the words it is linked to, or by NULL.
  double lexical(const Rule& rule, bool of_source) {
    const size_t length = of_source ? source_.size() : rule.target.size();
    double product = 1;
    for (uint32_t at = 0; at < length; ++at) {
      double sum = 0;
      uint32_t linked = 0;
      auto add = [&](WordId source, WordId target) {
        const PairScore pair = scores_.get(source, target);
        sum += std::pow(10.0, -(of_source ? pair.source_given_target : pair.target_given_source));
        ++linked;
      };
      for (Link link : rule.links)
        if ((of_source ? link.source : link.target) == at) add(source_[link.source], word_of(rule.target[link.target]));
      if (linked == 0)
        add(of_source ? source_[at] : Lexicon::null_word, of_source ? Lexicon::null_word : word_of(rule.target[at]));
      product *= sum / linked;
    }
    return product;
  }

  void append(double value) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::general, 6).ptr;
    text_ += ' ';
    text_.append(digits, end);
  }

  const Index& index_;
  const IndexedBitext& bitext_;
  const TableLimits limits_;
  const uint32_t max_length_;
  const std::function<void(std::string_view)>& write_;
  Monitor& monitor_;
  Snapshot snapshot_;
  SentenceReader reader_;
  LexicalScores scores_;
  RuleCollector collector_;
  NodeRules rules_;
  FlatMap target_counts_;  // hash of a target phrase -> count
  struct KeptPair {
    uint32_t rule, count, target_count;
  };
  std::vector<KeptPair> kept_;
  std::vector<WordId> source_;
  std::vector<Symbol> target_;
  Links links_;
  std::string text_;
  uint64_t pairs_ = 0, phrases_ = 0;
};

}  // namespace

uint64_t write_phrase_table(const Index& index, const TableLimits& limits,
                            const std::function<void(std::string_view)>& write, Monitor& monitor) {
  if (limits.max_phrase_length < 1 || limits.max_phrase_length > 100)
    throw ConfigError("max_phrase_length",
                      "must be between 1 and 100, not " + std::to_string(limits.max_phrase_length));
  return PhraseTableWriter(index, limits, write, monitor).run();
}

}  // namespace dragoman::rules
