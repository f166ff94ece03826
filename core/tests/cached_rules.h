// Rules of random sentences, with and without a cache of patterns: what is kept from sentence to sentence may show in
// nothing but time.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "rules/grammar_text.h"
#include "rules/rule_extractor.h"
#include "tests/check.h"

namespace dragoman::tests {

using namespace text;
using namespace index;
using namespace rules;

// All that an extractor says of the sentence it was started with.
inline std::string all_rules(RuleExtractor& extractor) {
  std::string text;
  append_grammar(text, extractor);
  NodeRules rules;
  for (uint32_t node = 1; node < extractor.patterns().size(); ++node) {
    const auto sample = extractor.patterns().sample(node);
    for (uint32_t match = 0; match < sample.size(); ++match) {
      const MatchOrigin origin = extractor.origin(node, match);
      text += std::to_string(origin.stable_id) + "@" + std::to_string(origin.begins[0]) + " ";
    }
    if (sample.empty()) continue;
    extractor.extract(node, rules);
    for (size_t rule = 0; rule < rules.rules(plain).size(); ++rule)
      for (uint32_t seen : rules.evidence(plain, rule).orientations) text += std::to_string(seen) + " ";
  }
  return text;
}

inline std::string random_input(std::mt19937_64& random, uint32_t letters) {
  std::string input;
  for (uint64_t i = 0, length = 1 + random() % 7; i < length; ++i)
    input += std::string(i > 0, ' ') + static_cast<char>('a' + random() % letters);
  return input;
}

// Sentences of the first `letters` of the alphabet; every fourth is translated as if pair `left_out` were not there.
inline void check_cached_rules(const std::shared_ptr<const Snapshot>& snapshot, uint32_t letters, uint64_t left_out) {
  for (Matching matching : {Matching::exact, Matching::bounded}) {
    std::vector<std::string> expected;
    // The smallest holds a few patterns, which push each other out.
    for (uint32_t bytes : {0u, 3000u, 1u << 20}) {
      std::mt19937_64 words(7);
      ExtractOptions options;
      options.matching = matching;
      options.rule_cache_bytes = bytes;
      options.max_samples = 50;
      RuleExtractor extractor(std::make_shared<Workspace>(snapshot), options);
      for (size_t sentence = 0; sentence < 12; ++sentence) {
        const std::string input = random_input(words, letters);
        extractor.start(snapshot->source_words().ids(input),
                        words() % 4 == 0 ? std::optional<uint64_t>(left_out) : std::nullopt);
        const std::string text = all_rules(extractor);
        if (bytes == 0)
          expected.push_back(text);
        else
          CHECK(text == expected[sentence]);
      }
    }
  }
}

}  // namespace dragoman::tests
