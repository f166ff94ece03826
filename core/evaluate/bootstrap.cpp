#include "evaluate/bootstrap.h"

#include "base/errors.h"
#include "base/random.h"

namespace dragoman::evaluate {

std::vector<std::vector<double>> bootstrap_bleu(std::span<const std::vector<evaluate::SentenceBleu>> systems,
                                                uint32_t samples, uint64_t seed, Monitor& monitor) {
  std::vector<std::vector<double>> scores(systems.size());
  if (systems.empty()) return scores;
  const size_t size = systems[0].size();
  for (const auto& system : systems)
    if (system.size() != size) throw InputError(0, "the systems have translated different numbers of sentences");
  if (size == 0) throw InputError(0, "there are no sentences to score");
  monitor.start(samples);
  for (uint32_t sample = 0; sample < samples; ++sample) {
    Random random(seed, sample);
    std::vector<evaluate::CorpusBleu> sums(systems.size());
    for (size_t i = 0; i < size; ++i) {
      const size_t drawn = random.below(size);
      for (size_t system = 0; system < systems.size(); ++system) sums[system] += systems[system][drawn];
    }
    for (size_t system = 0; system < systems.size(); ++system) scores[system].push_back(bleu_score(sums[system]));
    monitor.add(1);
    if (sample % 64 == 0) monitor.poll();
  }
  return scores;
}

}  // namespace dragoman::evaluate
