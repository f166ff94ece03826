// Reads ARPA text, line by line as it comes, into a trie.
//
// Real files are not all alike. This reader takes any white space between fields, blank lines, missing back-offs
// (none), no <unk> (given log10 probability -100), positive back-offs, n-grams whose prefix or suffix is not listed
// (those are added with the score that backing off gives them, which changes no score), and text before \data\. It
// refuses, with the line: probabilities above one, values that are no numbers, words missing from the unigrams,
// n-grams listed twice, sections that are missing, out of order or of another size than announced, and files that end
// before \end\. Values below least_log10, minus infinity among them, are read as that.
//
// <s>, </s>, <unk> and <UNK> are marks. Files that say so (marks.h) may also have them as words of the text.
//
// Memory: the words of all n-grams, their values, and a hash table of indices; time linear.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/monitor.h"
#include "lm/marks.h"
#include "lm/ngram_trie.h"

namespace dragoman::lm {

class ArpaReader {
 public:
  // Whole lines or not; pieces of any size.
  void add(std::string_view piece);
  NgramTrie finish(Monitor& monitor);

 private:
  // N-grams of one length as they were listed.
  struct Listed {
    uint64_t announced = 0;
    std::vector<WordId> words;  // oldest first, `length` per n-gram
    Array<float> log10_prob;
    Array<float> log10_backoff;
    std::vector<uint64_t> line;  // for duplicates
  };
  enum class Part { before, counts, ngrams, after };

  void read_line(std::string_view line);
  void read_count();
  void read_ngram();
  void begin_section(std::string_view line);
  void end_section();
  [[noreturn]] void refuse(const std::string& why) const;
  void finish_words();
  // A word of the text as it is meant.
  std::string_view plain(std::string_view written) const { return escapes_ ? read_word(written) : written; }
  WordId find(std::string_view written) const;

  std::string rest_;                      // an unfinished line
  std::vector<std::string_view> fields_;  // of the line being read
  uint64_t line_ = 0;
  Part part_ = Part::before;
  bool escapes_ = false;  // words that are called like marks are escaped
  size_t length_ = 0;     // of the n-grams being read
  std::vector<Listed> levels_;
  std::vector<std::string> strings_;  // unigrams in the order listed
  Vocabulary words_ = Vocabulary::from_words({});
};

}  // namespace dragoman::lm
