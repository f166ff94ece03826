#include "tune/collect.h"

#include "base/errors.h"
#include "base/parallel.h"
#include "translate/translate.h"

namespace dragoman::tune {

Round collect(const translate::TextTranslator& translator, std::span<const std::string> lines,
              std::span<const BleuReference> references, const translate::TranslateRequest& given,
              std::span<const std::string> features, size_t threads, Monitor& monitor) {
  if (lines.size() != references.size())
    throw InputError(0, "the source has " + std::to_string(lines.size()) + " lines and the reference " +
                            std::to_string(references.size()) + "; they must correspond line by line");
  const search::FeatureSet& known = translator.decoder().features();
  // From the number of a feature to its column.
  constexpr uint32_t no_column = UINT32_MAX;
  std::vector<uint32_t> column(known.size(), no_column);
  for (uint32_t i = 0; i < features.size(); ++i) {
    const search::FeatureId id = known.find(features[i]);
    if (id == search::FeatureSet::none) throw ConfigError("weights", "the model has no feature '" + features[i] + "'");
    column[id] = i;
  }
  const translate::Glossary no_terms;
  std::vector<Round> parts(lines.size());
  Interrupt interrupt(monitor);
  translate::TranslateRequest request = given;
  request.decode.interrupt = &interrupt;
  monitor.start(lines.size());
  for_each_shard(lines.size(), threads ? threads : default_threads(), monitor, [&](size_t line) {
    const translate::TranslatedLine translation =
        translate::translate(translator, lines[line], line + 1, request, no_terms);
    Round& part = parts[line];
    for (const auto& sentence : translation.sentences) part.narrowed += sentence.narrowed;
    for (const auto& alternative : translation.alternatives) {
      part.candidates.sentences.push_back(static_cast<uint32_t>(line));
      part.candidates.bleu.push_back(references[line].compare(alternative.text));
      const size_t row = part.candidates.values.size();
      part.candidates.values.resize(row + features.size(), 0.0f);
      for (const auto& [id, value] : alternative.features)
        if (column[id] != no_column) part.candidates.values[row + column[id]] = static_cast<float>(value);
    }
    part.best += part.candidates.bleu.front();
    monitor.add(1);
  });
  Round all;
  all.candidates.features = static_cast<uint32_t>(features.size());
  for (Round& part : parts) {
    all.best += part.best;
    all.narrowed += part.narrowed;
    all.candidates.append(std::move(part.candidates));
  }
  return all;
}

}  // namespace dragoman::tune
