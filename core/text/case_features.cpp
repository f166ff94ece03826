#include "text/case_features.h"

#include "base/hash.h"

namespace dragoman::text {
namespace {

constexpr size_t ending_letters = 3;

// Beyond either end of the sentence.
constexpr uint64_t border_word = 1;
constexpr uint64_t border_case = 15;

// Short lines are headings and labels more often than long ones.
uint64_t length_class(size_t words) { return words <= 1 ? 0 : words <= 4 ? 1 : words <= 9 ? 2 : 3; }

uint64_t linked_case(const CaseContext::Word& word) {
  return 2 * static_cast<uint64_t>(word.linked) + word.linked_differ;
}

}  // namespace

CaseFeatures case_features(const CaseContext& context, size_t position, std::optional<WordCase> before) {
  const auto& words = context.words();
  const CaseContext::Word& word = words[position];
  const CaseContext::Word* left = position > 0 ? &words[position - 1] : nullptr;
  const CaseContext::Word* right = position + 1 < words.size() ? &words[position + 1] : nullptr;
  const uint64_t usual = static_cast<uint64_t>(word.usual);
  const uint64_t linked = linked_case(word);
  const uint64_t previous = before ? 1 + static_cast<uint64_t>(*before) : 0;
  const uint64_t sentence = context.is_sentence();
  const uint64_t left_word = left ? left->hash : border_word;
  const uint64_t right_word = right ? right->hash : border_word;
  const uint64_t ending = hash_bytes(word_ending(word.token.word, ending_letters));

  CaseFeatures features;
  features.add({usual});
  features.add({left_word});
  features.add({right_word});
  features.add({left_word, word.hash});
  features.add({word.hash, right_word});
  features.add({linked, usual});
  features.add({previous, usual, linked});
  features.add({previous, word.hash});
  features.add({sentence, usual, context.source_capitals(), length_class(words.size())});
  features.add({sentence, word.hash});
  features.add({left ? linked_case(*left) : border_case, linked, right ? linked_case(*right) : border_case, usual});
  features.add({static_cast<uint64_t>(word.place), linked, usual});
  features.add({static_cast<uint64_t>(word.same), usual});
  features.add({ending, sentence, previous});
  return features;
}

}  // namespace dragoman::text
