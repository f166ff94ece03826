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
  // The random queries again, in one call.
  template <class Queries>
  double batch_ns(const Queries& queries, int repeats) const {
    std::vector<State> in;
    std::vector<Word> words;
    for (const auto& query : queries) {
      in.push_back(query.state);
      words.push_back(query.word);
    }
    std::vector<float> probs(words.size());
    std::vector<State> out(words.size());
    double best = 1e300;
    for (int i = 0; i < repeats; ++i) {
      const std::clock_t start = std::clock();
      lm.score_batch(in.data(), words.data(), words.size(), probs.data(), out.data());
      best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC * 1e9 /
                                static_cast<double>(words.size()));
    }
    return best;
  }
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return 2;
  const Model model{dragoman::lm::LanguageModel::open(arguments[1])};
  return measure(model, arguments[2], std::atoi(arguments[3]));
}
