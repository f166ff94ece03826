// Terms and how they are to be translated: a line each, `source TAB target`, further targets after further tabs; a
// source alone stays as it is. Terms are found in tokens, whatever their case, the longest one first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"
#include "text/tokenizer.h"

namespace dragoman::translate {

class Glossary {
 public:
  struct Term {
    std::vector<std::string> source;   // model forms without marks
    std::vector<std::string> targets;  // as written; none: keep the source
    uint64_t line;                     // of the glossary, from 1
  };
  // Two lines that cannot both be followed everywhere: the same term with other translations (the first line counts),
  // or a term inside a longer one (where the longer one stands, it counts).
  struct Conflict {
    bool inside;
    std::string term, other;
    uint64_t line, other_line;
  };

  Glossary() = default;
  // Throws InputError naming the line.
  Glossary(std::string_view text, const Tokenizer& source);

  bool empty() const { return terms_.empty(); }
  // The longest term that begins at tokens[at], or nullptr.
  const Term* find(std::span<const std::string> tokens, size_t at) const;
  // In the order of lines.
  std::vector<Conflict> conflicts() const;

 private:
  std::vector<Term> terms_;
  std::unordered_map<std::string, std::vector<uint32_t>> by_first_;  // longest first
};

}  // namespace dragoman::translate
