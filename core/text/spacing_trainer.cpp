#include "text/spacing_trainer.h"

#include "text/case_shape.h"
#include "text/perceptron.h"
#include "text/spaced_line.h"
#include "text/spacing_context.h"

namespace dragoman::text {
namespace {

// Whether people write it together with the token before wherever the habits of a language say so.
bool joins_surely(SpacingClass kind) {
  return kind == SpacingClass::close || kind == SpacingClass::ideograph || kind == SpacingClass::cluster ||
         kind == SpacingClass::ideographic;
}

}  // namespace

SpacingModel learn_spacing_model(LinkedText&& text, const Spacing& target_rules, const Spacing& source_rules,
                                 Monitor& monitor) {
  if (text.empty()) return {};
  Perceptron<2> perceptron(text.buckets());
  std::vector<std::string> words;
  std::vector<SpacedPiece> pieces;
  uint64_t sure = 0, apart = 0;
  text.teach(monitor, [&](Tokens target, Tokens source, const Links& links) {
    const std::vector<SpacedToken> written = read_spacing(target_rules, target);
    words.resize(written.size());
    pieces.clear();
    for (uint32_t at = 0; at < written.size(); ++at) {
      words[at].clear();
      append_word_form(words[at], written[at].text);
      pieces.push_back({words[at], {at, at + 1}});
    }
    const SpacingContext context(target_rules, pieces, links, read_source_spaces(source_rules, source));
    for (size_t i = 1; i < written.size(); ++i) {
      const bool expected = written[i].expected, joined = written[i].joined;
      if (context.is_open(i)) perceptron.learn(context.features(i, expected), context.usual(i, expected), joined);
      if (!expected || !joins_surely(written[i].shape.kind)) continue;
      ++sure;
      if (!joined) ++apart;
    }
  });
  // Most full stops stand alone: a program has put spaces between all tokens, and nobody's habits show.
  return 2 * apart > sure ? SpacingModel{} : perceptron.finish();
}

}  // namespace dragoman::text
