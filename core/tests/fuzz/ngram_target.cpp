// lm.bin: orders, floats and codes, words and classes.
#include <cmath>

#include "lm/text_scores.h"
#include "tests/fuzz/target.h"
#include "tests/lm_models.h"

namespace dragoman::fuzz {
namespace {

using namespace lm;

std::vector<Bytes> seeds() {
  std::vector<Bytes> files;
  Random random(3);
  const std::string text = lm::tests::random_text(random, 120, 25);
  for (uint32_t order : {1u, 2u, 3u, 5u})
    for (uint32_t bits : {0u, 5u}) {
      EstimateOptions options;
      options.order = order;
      NgramTrie trie = lm::tests::estimated(text, options);
      if (order == 3 && bits > 0) {
        const std::vector<std::string_view> members = {"<s>", "</s>", "one", "two", "three"};
        trie.classes = WordClasses{Vocabulary::from_words(members), {0, 1, 2, 3, 4, 5, 5}, {0, 0, 0, 0, 0, -1, -2}};
      }
      files.push_back(lm::tests::compacted(trie, bits));
    }
  return files;
}

void require_score(float score) { require(std::isfinite(score), "a score that no search can order"); }

void use_words(const LanguageModel& model) {
  Random random(4);
  State states[2] = {model.begin_state(), {}};
  for (int word = 0; word < 240; ++word) {
    if (random() % 20 == 0) states[word % 2] = random() % 4 ? model.begin_state() : model.null_state();
    const auto next = static_cast<WordId>(random() % (model.vocabulary().size() + 2));
    require_score(model.score(states[word % 2], next, states[1 - word % 2]).log10_prob);
  }
}

Fragment random_fragment(const LanguageModel& model, Random& random, int depth) {
  FragmentScorer scorer(model);
  for (uint64_t parts = 1 + random() % 4; parts > 0; --parts)
    if (depth > 0 && random() % 2)
      scorer.add_fragment(random_fragment(model, random, depth - 1));
    else
      scorer.add_word(static_cast<WordId>(random() % model.vocabulary().size()));
  require_score(scorer.fragment().log10_prob);
  return scorer.fragment();
}

void use(Bytes file) {
  const LanguageModel opened = LanguageModel::parse(Container::parse(Buffer::own(std::move(file), "file"), "lm"));
  opened.counts();
  for (KernelLevel level : {KernelLevel::baseline, best_kernel_level()}) {
    const LanguageModel model = opened.with_kernels(level);
    use_words(model);
    Random random(5);
    for (int round = 0; round < 10; ++round) {
      FragmentScorer scorer(model);
      if (round % 2) scorer.begin_sentence();
      scorer.add_fragment(random_fragment(model, random, 3));
      require_score(scorer.fragment().log10_prob);
    }
  }
  Monitor monitor;
  score_text(opened, "w1 w2 w0 x\n\none two w3\n", true, 1, monitor);
}

}  // namespace

const Target ngram_target{"ngram", seeds, use};

}  // namespace dragoman::fuzz
