// Nanoseconds per query of lm.bin: dragoman_queries MODEL TEXT REPEATS
#include <cstdlib>
#include <ctime>

#include "lm/language_model.h"
#include "lm_queries.h"

namespace {

struct Model {
  using State = dragoman::lm::State;
  using Word = dragoman::text::WordId;
  dragoman::lm::LanguageModel lm;

  const State& begin() const { return lm.begin_state(); }
  Word find(const std::string& word) const { return lm.find(word); }
  static Word end() { return dragoman::lm::sentence_end; }
  float score(const State& in, Word word, State& out) const { return lm.score(in, word, out).log10_prob; }
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const Model model{dragoman::lm::LanguageModel::open(arguments[1])};
  return measure(model, arguments[2], std::atoi(arguments[3]));
}
