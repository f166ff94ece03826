#include "tune/candidates.h"

#include "base/errors.h"

namespace dragoman::tune {

void Candidates::append(Candidates&& other) {
  sentences.insert(sentences.end(), other.sentences.begin(), other.sentences.end());
  values.insert(values.end(), other.values.begin(), other.values.end());
  bleu.insert(bleu.end(), other.bleu.begin(), other.bleu.end());
  other = {};
}

void Candidates::append(const Candidates& other, uint32_t first_sentence) {
  if (other.features != features) throw InputError(0, "these candidates have other features");
  Candidates moved = other;
  for (uint32_t& sentence : moved.sentences) sentence += first_sentence;
  append(std::move(moved));
}

void Candidates::add_to(ContainerWriter& writer) const {
  writer.add_record("shape", features);
  writer.add("sentences", sentences);
  writer.add("values", values);
  writer.add("bleu", bleu);
}

void Candidates::save(const std::string& path) const {
  ContainerWriter writer(kind);
  add_to(writer);
  writer.write(path);
}

std::vector<std::byte> Candidates::pack() const {
  ContainerWriter writer(kind);
  add_to(writer);
  return writer.bytes();
}

Candidates Candidates::open(const Container& file) {
  Candidates candidates;
  candidates.features = file.record<uint32_t>("shape");
  const auto sentences = file.array<uint32_t>("sentences");
  const auto values = file.array<float>("values", uint64_t{sentences.size()} * candidates.features);
  const auto bleu = file.array<SentenceBleu>("bleu", sentences.size());
  candidates.sentences.assign(sentences.begin(), sentences.end());
  candidates.values.assign(values.begin(), values.end());
  candidates.bleu.assign(bleu.begin(), bleu.end());
  return candidates;
}

size_t add(Pool& pool, const Candidates& candidates) {
  size_t fresh = 0;
  for (size_t i = 0; i < candidates.size(); ++i)
    fresh += pool.add(candidates.sentences[i],
                      std::span(candidates.values).subspan(i * candidates.features, candidates.features),
                      candidates.bleu[i]);
  return fresh;
}

}  // namespace dragoman::tune
