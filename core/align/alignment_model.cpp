#include "align/alignment_model.h"

#include <cmath>

#include "base/atomic_file.h"
#include "base/parallel.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace dragoman::align {
namespace {

constexpr std::string_view kind = "align";
// Pairs less probable than this in both directions are not stored.
constexpr float min_stored_probability = 1e-5f;
// What the training gives to two words of the same spelling before it has seen them.
constexpr float identity_probability = 0.2f;
// Of two words that were never seen: new words come with their translations, more often than as yet another translation
// of a word the model knows.
constexpr float new_words_probability = 0.05f;

struct Header {
  uint32_t model;
  uint32_t target_bits;
  uint32_t begin_bits;
  uint32_t reserved;
  uint64_t pairs;
  float forward_null, backward_null;        // hidden Markov model
  float forward_tension, backward_tension;  // diagonal model
  float diagonal_forward_null, diagonal_backward_null;
};

std::vector<Probability> rounded(const std::vector<float>& probabilities) {
  return {probabilities.begin(), probabilities.end()};
}

// A model as it is written: rows of source words, one after the other, and what else it holds.
class ModelSections {
 public:
  ModelSections(const Header& header, const Vocabulary& source, const Vocabulary& target, uint64_t pairs,
                ArrayMemory* memory = array_memory())
      : header_(header),
        source_(source),
        target_(target),
        begins_(source.size() + 1, bits_for(pairs)),
        targets_(pairs, bits_for(target.size()), memory),
        forward_(memory),
        backward_(memory) {
    header_.target_bits = targets_.width();
    header_.begin_bits = begins_.width();
    header_.pairs = pairs;
    forward_.reserve(pairs);
    backward_.reserve(pairs);
  }

  // Targets of a row ascend.
  void add(WordId target, Probability forward, Probability backward) {
    targets_.set(forward_.size(), target);
    forward_.push_back(forward);
    backward_.push_back(backward);
  }
  void end_row() { begins_.set(++rows_, forward_.size()); }

  std::vector<Probability> null_target, null_source;
  std::span<const std::byte> jumps_forward, jumps_backward;

  std::shared_ptr<const Buffer> buffer() const {
    ContainerWriter writer(kind);
    writer.add_record("header", header_);
    source_.add_to(writer, "source");
    target_.add_to(writer, "target");
    writer.add("begins", begins_.bytes());
    writer.add("targets", targets_.bytes());
    writer.add("forward", forward_);
    writer.add("backward", backward_);
    writer.add("null_target", null_target);
    writer.add("null_source", null_source);
    writer.add("jumps_forward", jumps_forward);
    writer.add("jumps_backward", jumps_backward);
    return Buffer::own(writer.bytes(), "alignment model");
  }

 private:
  Header header_;
  const Vocabulary& source_;
  const Vocabulary& target_;
  PackedWriter begins_, targets_;
  Array<Probability> forward_, backward_;
  WordId rows_ = 0;
};

Header header_of(const ModelParameters& parameters) {
  Header header{};
  header.model = static_cast<uint32_t>(parameters.kind);
  header.forward_null = parameters.hmm_forward.null_share;
  header.backward_null = parameters.hmm_backward.null_share;
  header.forward_tension = parameters.diagonal_forward.tension;
  header.backward_tension = parameters.diagonal_backward.tension;
  header.diagonal_forward_null = parameters.diagonal_forward.null_share;
  header.diagonal_backward_null = parameters.diagonal_backward.null_share;
  return header;
}

// The words of a vocabulary without some: they keep their order, and so do their new ids.
struct KeptWords {
  Vocabulary words = Vocabulary::from_words({});
  std::vector<WordId> ids;  // by old id; those of dropped words are unknown

  KeptWords(const Vocabulary& old, const std::set<std::string, std::less<>>& dropped)
      : ids(old.size(), Vocabulary::unknown) {
    std::vector<std::string_view> kept;
    ids[Vocabulary::separator] = Vocabulary::separator;
    for (WordId id = Vocabulary::first_word; id < old.size(); ++id) {
      if (dropped.contains(old.word(id))) continue;
      ids[id] = Vocabulary::first_word + static_cast<WordId>(kept.size());
      kept.push_back(old.word(id));
    }
    words = Vocabulary::from_words(kept);
  }
  bool has(WordId old) const { return old < Vocabulary::first_word || ids[old] >= Vocabulary::first_word; }
  std::vector<Probability> of(std::span<const Probability> by_old_id) const {
    std::vector<Probability> kept;
    for (WordId old = 0; old < by_old_id.size(); ++old)
      if (has(old)) kept.push_back(by_old_id[old]);
    return kept;
  }
};

}  // namespace

AlignmentModel AlignmentModel::pack(const Bitext& bitext, const TrainedModel& model) {
  const PairTable& table = model.table;
  auto stored = [&](uint64_t pair) {
    return table.forward[pair] >= min_stored_probability || table.backward[pair] >= min_stored_probability;
  };
  uint64_t pairs = 0;
  for (uint64_t pair = 0; pair < table.size(); ++pair) pairs += stored(pair);
  ModelSections sections(header_of(model.parameters), bitext.source.vocabulary, bitext.target.vocabulary, pairs,
                         bitext.memory());
  for (WordId source = 0; source < bitext.source.vocabulary.size(); ++source) {
    for (uint64_t pair = table.begins[source]; pair < table.begins[source + 1]; ++pair)
      if (stored(pair)) sections.add(table.targets[pair], table.forward[pair], table.backward[pair]);
    sections.end_row();
  }
  sections.null_target = rounded(table.null_target);
  sections.null_source = rounded(table.null_source);
  sections.jumps_forward = std::as_bytes(std::span(model.parameters.hmm_forward.jumps.weights()));
  sections.jumps_backward = std::as_bytes(std::span(model.parameters.hmm_backward.jumps.weights()));
  return parse(sections.buffer(), Trust::skip_hashes);
}

AlignmentModel AlignmentModel::without(const std::set<std::string, std::less<>>& source_words,
                                       const std::set<std::string, std::less<>>& target_words) const {
  const KeptWords source(source_, source_words), target(target_, target_words);
  const Container old = Container::parse(buffer_, kind, Trust::skip_hashes);
  auto for_each_pair = [&](WordId word, auto&& visit) {
    for (uint64_t pair = begins_[word]; pair < begins_[word + 1]; ++pair) {
      if (targets_[pair] >= target_.size()) old.fail("targets", "holds words that the vocabulary does not have");
      if (const auto other = static_cast<WordId>(targets_[pair]); target.has(other)) visit(other, pair);
    }
  };
  auto for_each_row = [&](auto&& visit) {
    for (WordId word = 0; word < source_.size(); ++word)
      if (source.has(word)) visit(word);
  };
  uint64_t pairs = 0;
  for_each_row([&](WordId word) { for_each_pair(word, [&](WordId, uint64_t) { ++pairs; }); });
  ModelSections sections(old.record<Header>("header"), source.words, target.words, pairs);
  for_each_row([&](WordId word) {
    for_each_pair(
        word, [&](WordId other, uint64_t pair) { sections.add(target.ids[other], forward_[pair], backward_[pair]); });
    sections.end_row();
  });
  sections.null_target = target.of(null_target_);
  sections.null_source = source.of(null_source_);
  sections.jumps_forward = old.bytes("jumps_forward");
  sections.jumps_backward = old.bytes("jumps_backward");
  return parse(sections.buffer(), Trust::skip_hashes);
}

AlignmentModel AlignmentModel::open(const std::string& path, Trust trust) { return parse(Buffer::map(path), trust); }

AlignmentModel AlignmentModel::parse(std::shared_ptr<const Buffer> buffer, Trust trust) {
  const Container container = Container::parse(buffer, kind, trust);
  AlignmentModel model;
  model.buffer_ = std::move(buffer);
  const auto header = container.record<Header>("header");
  auto share = [](float value) { return value > 0 && value < 1; };
  auto tension = [](float value) { return value >= 0 && value < 1e6f; };
  if (header.model > static_cast<uint32_t>(ModelKind::agreement) || !share(header.forward_null) ||
      !share(header.backward_null) || !share(header.diagonal_forward_null) || !share(header.diagonal_backward_null) ||
      !tension(header.forward_tension) || !tension(header.backward_tension))
    container.fail("header", "holds values no alignment model has");
  auto jumps = [&](std::string_view section) {
    auto weights = container.array<float>(section, jump_taps + 1);
    for (float weight : weights)
      if (!(weight > 0 && weight < 1e6f)) container.fail(section, "holds weights no alignment model has");
    return JumpTable(weights);
  };
  ModelParameters& parameters = model.parameters_;
  parameters.kind = static_cast<ModelKind>(header.model);
  parameters.hmm_forward = {jumps("jumps_forward"), header.forward_null};
  parameters.hmm_backward = {jumps("jumps_backward"), header.backward_null};
  parameters.diagonal_forward = {header.forward_tension, header.diagonal_forward_null};
  parameters.diagonal_backward = {header.backward_tension, header.diagonal_backward_null};
  model.source_ = Vocabulary::open(container, "source");
  model.target_ = Vocabulary::open(container, "target");
  model.begins_ = PackedArray(container, "begins", uint64_t{model.source_.size()} + 1, header.begin_bits);
  model.targets_ = PackedArray(container, "targets", header.pairs, header.target_bits);
  model.forward_ = container.array<Probability>("forward", header.pairs);
  model.backward_ = container.array<Probability>("backward", header.pairs);
  model.null_target_ = container.array<Probability>("null_target", model.target_.size());
  model.null_source_ = container.array<Probability>("null_source", model.source_.size());
  for (uint64_t word = 0, last = 0; word < model.begins_.size(); ++word) {
    const uint64_t begin = model.begins_[word];
    if (begin < last || begin > header.pairs) container.fail("begins", "does not ascend within the pairs");
    last = begin;
  }
  return model;
}

void AlignmentModel::save(const std::string& path) const {
  AtomicFile file(path);
  file.write(buffer_->bytes());
  file.commit();
}

std::pair<float, float> AlignmentModel::probabilities(WordId source, WordId target) const {
  if (source == Vocabulary::separator)
    return {target < target_.size() ? null_target_[target] : absent_probability, absent_probability};
  if (target == Vocabulary::separator)
    return {absent_probability, source < source_.size() ? null_source_[source] : absent_probability};
  if (source >= source_.size()) return {absent_probability, absent_probability};
  uint64_t first = begins_[source], size = begins_[source + 1] - first;
  while (size > 1) {
    const uint64_t half = size / 2;
    if (targets_[first + half] <= target) first += half;
    size -= half;
  }
  if (size == 0 || targets_[first] != target) return {absent_probability, absent_probability};
  return {forward_[first], backward_[first]};
}

struct AlignmentModel::Scratch {
  std::vector<std::string_view> source_words, target_words;
  std::vector<WordId> source, target;
  std::vector<float> forward, backward, null_forward, null_backward;
  Inference inference;
  Links forward_links, backward_links;
};

PairMatrix AlignmentModel::fill(std::string_view source, std::string_view target, Scratch& scratch) const {
  auto read = [](std::string_view line, const Vocabulary& vocabulary, auto& words, auto& ids) {
    words.clear();
    ids.clear();
    for_each_word(line, [&](std::string_view word) {
      words.push_back(word);
      ids.push_back(vocabulary.find(word));
    });
  };
  read(source, source_, scratch.source_words, scratch.source);
  read(target, target_, scratch.target_words, scratch.target);
  const size_t sources = scratch.source.size(), targets = scratch.target.size();
  const bool fits = sources <= UINT16_MAX && targets <= UINT16_MAX && sources * targets <= max_cells;
  if (!fits) return {};
  scratch.forward.resize(sources * targets);
  scratch.backward.resize(sources * targets);
  scratch.null_forward.resize(targets);
  scratch.null_backward.resize(sources);
  for (size_t i = 0; i < sources; ++i) {
    const bool unknown_source = scratch.source[i] == Vocabulary::unknown;
    for (size_t j = 0; j < targets; ++j) {
      std::pair<float, float> both{absent_probability, absent_probability};
      if (!unknown_source && scratch.target[j] != Vocabulary::unknown)
        both = probabilities(scratch.source[i], scratch.target[j]);
      else if (scratch.source_words[i] == scratch.target_words[j])
        both = {identity_probability, identity_probability};
      else if (unknown_source && scratch.target[j] == Vocabulary::unknown)
        both = {new_words_probability, new_words_probability};
      scratch.forward[i * targets + j] = both.first;
      scratch.backward[i * targets + j] = both.second;
    }
  }
  // An unknown word is no more NULL's than anybody else's.
  for (size_t j = 0; j < targets; ++j)
    scratch.null_forward[j] =
        scratch.target[j] == Vocabulary::unknown ? absent_probability : null_target_[scratch.target[j]];
  for (size_t i = 0; i < sources; ++i)
    scratch.null_backward[i] =
        scratch.source[i] == Vocabulary::unknown ? absent_probability : null_source_[scratch.source[i]];
  return {sources,
          targets,
          scratch.forward.data(),
          scratch.backward.data(),
          scratch.null_forward.data(),
          scratch.null_backward.data()};
}

LinkTable AlignmentModel::align(std::string_view source, std::string_view target, Decoding decoding, Symmetrization how,
                                size_t threads, Monitor& monitor) const {
  require_text(source, 1);
  require_text(target, 1);
  const auto sources = split_lines(source), targets = split_lines(target);
  require_equal_lines(sources.size(), targets.size());
  constexpr size_t pairs_per_shard = 256;
  const size_t shards = (sources.size() + pairs_per_shard - 1) / pairs_per_shard;
  std::vector<LinkTable> parts(shards);
  monitor.start(sources.size());
  for_each_shard(shards, threads, monitor, [&](size_t shard) {
    Scratch scratch;
    const size_t end = std::min(sources.size(), (shard + 1) * pairs_per_shard);
    for (size_t n = shard * pairs_per_shard; n < end && !monitor.cancelled(); ++n) {
      PairMatrix matrix = fill(sources[n], targets[n], scratch);
      Links links;
      if (matrix.cells() > 0) {
        scratch.inference.links(parameters_, decoding, matrix, scratch.forward_links, scratch.backward_links);
        links =
            symmetrize(scratch.forward_links, scratch.backward_links, matrix.source_words, matrix.target_words, how);
      }
      parts[shard].add(links);
      monitor.add(1);
    }
  });
  LinkTable all;
  for (const LinkTable& part : parts)
    for (size_t n = 0; n < part.size(); ++n) all.append(part, n);
  return all;
}

PairPosteriors AlignmentModel::posteriors(std::string_view source, std::string_view target) const {
  Scratch scratch;
  PairMatrix matrix = fill(source, target, scratch);
  if (matrix.cells() > 0) scratch.inference.posteriors(parameters_, matrix, nullptr, nullptr, nullptr);
  return {matrix.source_words,
          matrix.target_words,
          std::move(scratch.forward),
          std::move(scratch.backward),
          std::move(scratch.null_forward),
          std::move(scratch.null_backward)};
}

}  // namespace dragoman::align
