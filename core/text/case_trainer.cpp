#include "text/case_trainer.h"

#include "text/case_features.h"
#include "text/perceptron.h"

namespace dragoman::text {
namespace {

// One sentence, each word after the true ones before it.
void learn_line(Perceptron<3>& perceptron, const CaseContext& context, Tokens written) {
  std::optional<WordCase> before;
  for (size_t i = 0; i < written.size(); ++i) {
    const CaseContext::Word& word = context.words()[i];
    const TokenCase shape = case_of(take_marks(written[i]).word);
    if (shape.letters == 0) {
      before.reset();
      continue;
    }
    const WordCase now = word_case(shape);
    if (word.is_open()) perceptron.learn(case_features(context, i, before), index_of(word.usual), index_of(now));
    before = now;
  }
}

}  // namespace

CaseModel learn_case_model(const Casing& casing, LinkedText&& text, const Casing* source_casing, Monitor& monitor) {
  if (text.empty()) return {};
  Perceptron<3> perceptron(text.buckets());
  std::vector<std::string> models;
  text.teach(monitor, [&](Tokens written, Tokens source, const Links& links) {
    models.resize(written.size());
    for (size_t at = 0; at < written.size(); ++at) {
      const BareToken token = take_marks(written[at]);
      models[at] = token.before;
      append_word_form(models[at], token.word);
      models[at] += token.after;
    }
    const std::vector<std::string_view> target(models.begin(), models.end());
    learn_line(perceptron, CaseContext(casing, source_casing, target, links, source), written);
  });
  return perceptron.finish();
}

}  // namespace dragoman::text
