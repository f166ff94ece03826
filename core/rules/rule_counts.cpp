#include "rules/rule_counts.h"

#include "rules/rule_extractor.h"

namespace dragoman::rules {

RuleCounts count_rules(const std::shared_ptr<Workspace>& workspace, const ExtractOptions& options,
                       std::span<const std::string_view> sentences, Monitor& monitor) {
  monitor.start(sentences.size());
  RuleCounts counts;
  counts.sentences = sentences.size();
  RuleExtractor extractor(workspace, options);
  NodeRules node_rules;
  for (std::string_view sentence : sentences) {
    extractor.start(workspace->snapshot().source_words().ids(sentence));
    const PatternTrie& trie = extractor.patterns();
    for (uint32_t node = 1; node < trie.size(); ++node) {
      if (trie[node].dead || trie.sample(node).empty()) continue;
      extractor.extract(node, node_rules);
      ++counts.patterns;
      counts.matches += node_rules.samples();
      for (uint32_t variant = 0; variant < variant_count; ++variant)
        counts.rules += node_rules.rules(static_cast<Variant>(variant)).size();
    }
    monitor.add(1);
    monitor.poll();
  }
  counts.gapped_patterns = extractor.cost().gapped_patterns;
  counts.comparisons = extractor.cost().comparisons;
  return counts;
}

}  // namespace dragoman::rules
