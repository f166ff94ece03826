#include "rules/grammar_text.h"

#include <charconv>
#include <unordered_map>

#include "text/pharaoh.h"

namespace dragoman::rules {
namespace {

struct Entity {
  char mark;
  std::string_view code;
};
constexpr Entity entities[] = {{'&', "&amp;"}, {'|', "&#124;"}, {'[', "&#91;"}, {']', "&#93;"}};

// A piece of text is complete when it has so many bytes, and has room for another rule.
constexpr size_t piece_bytes = 1 << 16, piece_room = 1 << 10;

bool needs_escape(std::string_view word) {
  if (word.size() > 2 && word.front() == '[' && word.back() == ']') return true;
  if (word.find("|||") != std::string_view::npos) return true;
  if (word.find('&') == std::string_view::npos) return false;
  for (const Entity& entity : entities)
    if (word.find(entity.code) != std::string_view::npos) return true;
  return false;
}

void append_decimal(std::string& text, float value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value == 0 ? 0.0f : value).ptr;
  text.append(digits, end);
}

void append_decimal(std::string& text, uint32_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void append_gap(std::string& text, uint32_t number) { text += number == 1 ? "[X,1]" : "[X,2]"; }

}  // namespace

void append_rule_word(std::string& text, std::string_view word) {
  if (!needs_escape(word)) {
    text += word;
    return;
  }
  for (char c : word) {
    std::string_view code;
    for (const Entity& entity : entities)
      if (c == entity.mark) code = entity.code;
    if (code.empty())
      text += c;
    else
      text += code;
  }
}

std::string read_rule_word(std::string_view word) {
  std::string plain_word;
  for (size_t at = 0; at < word.size();) {
    const Entity* found = nullptr;
    for (const Entity& entity : entities)
      if (word.substr(at).starts_with(entity.code)) found = &entity;
    plain_word += found ? found->mark : word[at];
    at += found ? found->code.size() : 1;
  }
  return plain_word;
}

void append_grammar(std::string& text, RuleExtractor& extractor) {
  write_grammar(extractor, [&](std::string&& piece) { text += piece; });
}

void write_grammar(RuleExtractor& extractor, const std::function<void(std::string&& piece)>& write) {
  std::string text;
  const PatternTrie& patterns = extractor.patterns();
  const Snapshot& snapshot = extractor.snapshot();
  NodeRules rules;
  std::string head, counted;
  std::unordered_map<uint32_t, std::string> by_count;
  for (uint32_t node = 1; node < patterns.size(); ++node) {
    if (patterns[node].dead || patterns.sample(node).empty()) continue;
    extractor.extract(node, rules);
    by_count.clear();
    for (uint32_t v = 0; v < variant_count; ++v) {
      const auto variant = static_cast<Variant>(v);
      if (rules.rules(variant).empty()) continue;
      head = "[X] |||";
      uint32_t gaps = 0;
      for (WordId symbol : patterns.symbols(node, variant)) {
        head += ' ';
        if (symbol == 0)
          append_gap(head, ++gaps);
        else
          append_rule_word(head, snapshot.source_words().word(symbol));
      }
      head += " |||";
      for (const ExtractedRule& rule : rules.rules(variant)) {
        const RuleFeatures features = rules.features(variant, rule);
        if (text.empty()) text.reserve(piece_bytes + piece_room);
        text += head;
        for (TargetSymbol symbol : rule.target) {
          text += ' ';
          if (symbol < first_target_word)
            append_gap(text, symbol + 1);
          else
            append_rule_word(text, snapshot.target_words().word(symbol));
        }
        // Most of the features depend on the count alone.
        std::string& counts = by_count[rule.count];
        if (counts.empty()) {
          counts = " ||| EgivenFCoherent=";
          append_decimal(counts, features.target_given_source_coherent);
          counts += " SampleCountF=";
          append_decimal(counts, features.sample_count);
          counts += " CountEF=";
          append_decimal(counts, features.count);
        }
        text += counts;
        text += " MaxLexFgivenE=";
        append_decimal(text, features.lexical_source_given_target);
        text += " MaxLexEgivenF=";
        append_decimal(text, features.lexical_target_given_source);
        text += features.source_singleton != 0 ? " IsSingletonF=1" : " IsSingletonF=0";
        text += features.pair_singleton != 0 ? " IsSingletonFE=1 |||" : " IsSingletonFE=0 |||";
        if (!rule.links.empty()) text += ' ';
        append_pharaoh(text, rule.links);
        text += '\n';
        if (text.size() < piece_bytes) continue;
        write(std::move(text));
        text = std::string();
      }
    }
  }
  // Most of the last piece is room.
  if (!text.empty()) write(std::string(text));
}

}  // namespace dragoman::rules
