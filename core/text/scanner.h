// Cuts a line into token spans, from left to right, in this order of priority: white space; protected spans; numbers,
// words and the clitics on them; ideographs, runs of katakana and clusters of unspaced scripts; emoji; runs of one
// punctuation mark; anything else by itself, with the combining marks that follow it.
//
// Spaces that programs put between tokens change no token: `l' homme`, `l ’ homme`, `John 's` and `dit -il` have the
// words of `l'homme`, `John's` and `dit-il`. A space that lies inside a token is not part of its word (token_text.h).
#pragma once

#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "text/language.h"
#include "text/token.h"

namespace dragoman::text {

class Scanner {
 public:
  Scanner(std::string_view line, const Language& language, std::vector<Token>& tokens);
  void scan();

 private:
  bool is_apostrophe(size_t at, size_t& bytes) const;
  uint8_t roles_of(size_t begin, size_t end) const;
  bool is_word_at(size_t at) const;
  bool is_letter_at(size_t at) const;
  bool is_lower_at(size_t at) const;
  bool is_word_end(size_t at) const;
  size_t joined_capitals_end(size_t at, size_t end) const;
  size_t degrees_end(size_t at) const;
  bool keycap_at(size_t at) const;
  size_t hebrew_quote_end(size_t at) const;

  void emit(size_t begin, size_t end, bool is_protected = false);
  size_t plain_word_end(size_t at) const;
  size_t ideograph_end(size_t at) const;
  size_t scan_word(size_t at);
  size_t grouped_end(size_t at, size_t end) const;
  size_t number_end(size_t at, size_t end) const;
  size_t whole_word_end(size_t at) const;
  size_t apostrophe_after(size_t at) const;
  size_t spaced_apostrophe_end(size_t begin, size_t end) const;
  size_t spaced_clitic_end(size_t at) const;
  size_t scan_apostrophe(size_t begin, size_t end, size_t apostrophe_bytes, bool& ended);
  size_t scan_enclitics(size_t at);
  size_t period_end(size_t begin, size_t end) const;
  bool keeps_period(size_t begin, size_t end) const;
  size_t scan_sign(size_t at);

  std::string_view line_;
  const Language& language_;
  std::vector<Token>& tokens_;
  bool addresses_;
  size_t last_end_ = 0;
};

}  // namespace dragoman::text
