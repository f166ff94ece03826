#include "text/spacing_trainer.h"

#include "text/case_shape.h"
#include "text/lines.h"
#include "text/perceptron.h"
#include "text/spaced_line.h"
#include "text/spacing_context.h"

namespace dragoman::text {
namespace {

void learn_spaces(Perceptron<2>& perceptron, const SpacingContext& context, const std::vector<SpacedToken>& written) {
  for (size_t i = 1; i < written.size(); ++i)
    if (const bool expected = written[i].expected; context.is_open(i))
      perceptron.learn(context.features(i, expected), context.usual(i, expected), written[i].joined);
}

}  // namespace

SpacingModel learn_spacing_model(const SpacedText& text, Monitor& monitor) {
  LearningPlan plan(text.target);
  if (plan.empty()) return {};
  Perceptron<2> perceptron(plan.buckets());
  std::string target_line, source_line;
  std::vector<std::string> words;
  std::vector<SpacedPiece> pieces;
  std::vector<SpacedSource> source;
  Links links;
  monitor.start(plan.passes() * plan.sentences());
  for (uint64_t pass = 0; pass < plan.passes(); ++pass) {
    size_t read = 0;
    for (const uint32_t line : plan.order(pass)) {
      if (read++ % poll_every == 0) monitor.poll();
      target_line.clear();
      text.target.append_written(target_line, line);
      const std::vector<SpacedToken> written = read_spacing(text.target_rules, words_of(target_line));
      words.resize(written.size());
      pieces.clear();
      for (uint32_t at = 0; at < written.size(); ++at) {
        words[at].clear();
        append_word_form(words[at], written[at].text);
        pieces.push_back({words[at], {at, at + 1}});
      }
      if (text.source) {
        source_line.clear();
        text.source->append_written(source_line, line);
        source = read_source_spaces(*text.source_rules, words_of(source_line));
        text.links->read(line, source.size(), written.size(), links);
      }
      learn_spaces(perceptron, SpacingContext(text.target_rules, pieces, links, source), written);
      monitor.add(1);
    }
  }
  return perceptron.finish();
}

}  // namespace dragoman::text
