// Rules as text in cdec's format, one per line:
//   [X] ||| source ||| target ||| Name=value ... ||| source-target ...
// Words that would read as a separator or as a variable are escaped.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/namespaces.h"
#include "rules/rule_extractor.h"

namespace dragoman::rules {

// "|||" and bracketed words such as "[X,1]" with their marks as entities; other words as they are.
void append_rule_word(std::string& text, std::string_view word);
std::string read_rule_word(std::string_view word);

// Sends the rules of all patterns of the sentence the extractor was started with, a few hundred at a time.
void write_grammar(RuleExtractor& extractor, const std::function<void(std::string&& piece)>& write);
// The same into one text.
void append_grammar(std::string& text, RuleExtractor& extractor);

}  // namespace dragoman::rules
