// The words BLEU counts, as sacreBLEU takes them apart, so that what is tuned is what is reported. Which way suits a
// language is a property of its writing; each has sacreBLEU's name. Linear in the text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"
#include "text/language.h"

namespace dragoman::evaluate {

enum class BleuTokens : uint8_t {
  none,        // what stands between white space
  nist_13a,    // ASCII signs are taken apart, as in the NIST evaluations
  zh,          // and every Chinese character
  characters,  // everything
};

// `13a` and so on. Throws ConfigError for another name.
BleuTokens bleu_tokens_named(std::string_view name);
std::string_view name_of(BleuTokens tokens);
// Those that suit a language.
BleuTokens bleu_tokens_of(const Language& language);

// Hashes of the words of a line, lowercased or as they are.
std::vector<uint64_t> bleu_words(std::string_view line, BleuTokens tokens, bool lowercase);

// The same as text, words separated by single spaces.
std::string bleu_text(std::string_view line, BleuTokens tokens, bool lowercase);

}  // namespace dragoman::evaluate
