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
  if (value == 0 || value == 1) {
    text += value == 0 ? '0' : '1';
    return;
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  text.append(digits, end);
}

void append_side(std::string& text, std::span<const Symbol> side, const Vocabulary& words) {
  for (Symbol symbol : side) {
    text += ' ';
    if (is_gap(symbol))
      text += gap_of(symbol) == 0 ? "[X,1]" : "[X,2]";
    else
      append_rule_word(text, words.word(word_of(symbol)));
  }
}

void append_features(std::string& text, std::span<const FeatureValue> features) {
  for (const FeatureValue& feature : features) {
    text += ' ';
    text += extracted_feature_names[feature.id];
    text += '=';
    append_decimal(text, feature.value);
  }
}

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
    const Entity* escape = nullptr;
    for (const Entity& entity : entities)
      if (word.substr(at).starts_with(entity.code)) escape = &entity;
    plain_word += escape ? escape->mark : word[at];
    at += escape ? escape->code.size() : 1;
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
  NodeRules node_rules;
  std::string head;
  std::unordered_map<uint32_t, std::string> by_count;
  for (uint32_t node = 1; node < patterns.size(); ++node) {
    if (patterns[node].dead || patterns.sample(node).empty()) continue;
    extractor.extract(node, node_rules);
    by_count.clear();
    for (uint32_t v = 0; v < variant_count; ++v) {
      const auto variant = static_cast<Variant>(v);
      const auto rules = node_rules.rules(variant);
      if (rules.empty()) continue;
      head = "[X] |||";
      append_side(head, rules[0].source, snapshot.source_words());
      head += " |||";
      for (size_t index = 0; index < rules.size(); ++index) {
        const Rule& rule = rules[index];
        if (text.empty()) text.reserve(piece_bytes + piece_room);
        text += head;
        append_side(text, rule.target, snapshot.target_words());
        // Most of the features depend on the count alone.
        std::string& counts = by_count[node_rules.evidence(variant, index).count];
        if (counts.empty()) {
          counts = " |||";
          append_features(counts, rule.features.first(lexical_source_given_target));
        }
        text += counts;
        append_features(text, rule.features.subspan(lexical_source_given_target));
        text += " |||";
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
