#include "text/case_trainer.h"

#include "text/case_features.h"
#include "text/lines.h"
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

CaseModel learn_case_model(const Casing& casing, const CaseText& text, Monitor& monitor) {
  LearningPlan plan(text.target);
  if (plan.empty()) return {};
  Perceptron<3> perceptron(plan.buckets());
  std::vector<std::string> models;
  std::vector<std::string_view> target, source;
  std::string target_line, source_line;
  Links links;
  monitor.start(plan.passes() * plan.sentences());
  for (uint64_t pass = 0; pass < plan.passes(); ++pass) {
    size_t read = 0;
    for (const uint32_t line : plan.order(pass)) {
      if (read++ % poll_every == 0) monitor.poll();
      target_line.clear();
      text.target.append_written(target_line, line);
      const std::vector<std::string_view> written = words_of(target_line);
      models.resize(written.size());
      for (size_t at = 0; at < written.size(); ++at) {
        const BareToken token = take_marks(written[at]);
        models[at] = token.before;
        append_word_form(models[at], token.word);
        models[at] += token.after;
      }
      target.assign(models.begin(), models.end());
      if (text.source) {
        source_line.clear();
        text.source->append_written(source_line, line);
        source = words_of(source_line);
        text.links->read(line, source.size(), written.size(), links);
      }
      learn_line(perceptron, CaseContext(casing, text.source_casing, target, links, source), written);
      monitor.add(1);
    }
  }
  return perceptron.finish();
}

}  // namespace dragoman::text
