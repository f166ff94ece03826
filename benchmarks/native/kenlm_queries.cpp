// Nanoseconds per query of a KenLM binary: kenlm_queries MODEL TEXT REPEATS
#include <cstdlib>
#include <ctime>

#include "lm/model.hh"
#include "lm_queries.h"

namespace {

template <class Ken>
struct Model {
  using State = lm::ngram::State;
  using Word = lm::WordIndex;
  const Ken& ken;

  State begin() const { return ken.BeginSentenceState(); }
  Word find(const std::string& word) const { return ken.GetVocabulary().Index(word); }
  Word end() const { return ken.GetVocabulary().EndSentence(); }
  float score(const State& in, Word word, State& out) const { return ken.FullScore(in, word, out).prob; }
};

template <class Ken>
int run(char** arguments) {
  lm::ngram::Config config;
  config.load_method = util::POPULATE_OR_READ;
  const Ken ken(arguments[1], config);
  return measure(Model<Ken>{ken}, arguments[2], std::atoi(arguments[3]));
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  lm::ngram::ModelType type;
  if (!lm::ngram::RecognizeBinary(arguments[1], type)) return 1;
  switch (type) {
    case lm::ngram::PROBING:
      return run<lm::ngram::ProbingModel>(arguments);
    case lm::ngram::TRIE:
      return run<lm::ngram::TrieModel>(arguments);
    case lm::ngram::QUANT_TRIE:
      return run<lm::ngram::QuantTrieModel>(arguments);
    case lm::ngram::ARRAY_TRIE:
      return run<lm::ngram::ArrayTrieModel>(arguments);
    case lm::ngram::QUANT_ARRAY_TRIE:
      return run<lm::ngram::QuantArrayTrieModel>(arguments);
    default:
      return 1;
  }
}
