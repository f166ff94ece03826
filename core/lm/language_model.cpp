#include "lm/language_model.h"

#include <algorithm>

#include "base/finite.h"
#include "base/packed_array.h"
#include "lm/format.h"
#include "lm/part_plan.h"

namespace dragoman::lm {
namespace {

const uint8_t* raw(std::span<const std::byte> bytes) { return reinterpret_cast<const uint8_t*>(bytes.data()); }

void require_size(const Container& file, const std::string& section, uint64_t size) {
  if (file.bytes(section).size() != size) file.fail(section, "does not have the size that the header says");
}

PartView open_part(const Container& file, const PartRecord& record, const std::string& prefix, const LevelView& level,
                   uint64_t parents, bool pointed_to) {
  PartView part;
  part.label_bits = record.label_bits;
  part.record_bits = record.label_bits + level.prob_bits + level.backoff_bits + level.child_bits;
  part.count = static_cast<uint32_t>(record.count);
  require_size(file, prefix + "records", ((record.count + (level.child_bits > 0)) * part.record_bits + 7) / 8);
  part.records = raw(file.bytes(prefix + "records"));
  require_size(file, prefix + "tops", packed_bytes(PartView::tops_for(record.count), record.label_bits));
  part.tops = raw(file.bytes(prefix + "tops"));
  if (pointed_to) return part;

  ParentsView& view = part.parents;
  view.low_bits = record.low_bits;
  view.sample_shift = record.sample_shift;
  view.buckets = parents == 0 ? 0 : static_cast<uint32_t>(((parents - 1) >> record.low_bits) + 1);
  const auto lines = file.array<uint64_t>(prefix + "lines");
  const auto samples = file.array<uint32_t>(prefix + "samples");
  const uint64_t least = (record.count + view.buckets) / ParentsView::line_bits + 1;
  if (lines.size() != least * ParentsView::line_words) file.fail(prefix + "lines", "has the wrong size");
  if (samples.size() != (view.buckets == 0 ? 0 : ((view.buckets - 1) >> record.sample_shift)) + 2)
    file.fail(prefix + "samples", "has the wrong size");
  require_size(file, prefix + "lows", packed_bytes(record.count, record.low_bits));
  view.lines = lines.data();
  view.line_count = static_cast<uint32_t>(lines.size() / ParentsView::line_words);
  view.samples = samples.data();
  view.lows = raw(file.bytes(prefix + "lows"));
  return part;
}

}  // namespace

LanguageModel LanguageModel::open(const std::string& path, Trust trust) {
  return parse(Container::open(path, "lm", trust));
}

LanguageModel LanguageModel::parse(const Container& file) {
  LanguageModel model;
  model.buffer_ = file.buffer();
  model.file_size_ = file.file_size();
  const auto header = file.record<Header>("header");
  if (header.version != format_version)
    file.fail("header", "is of a version this program does not know; update Dragoman or build the model again");
  auto usable = [](uint32_t bits) { return bits == float_bits || (bits >= 2 && bits <= 16); };
  if (header.order < 1 || header.order > max_order) file.fail("header", "names an order this program cannot use");
  if (!usable(header.prob_bits) || !usable(header.backoff_bits)) file.fail("header", "names impossible value widths");
  if (header.bigram_child_bits > 32 || (header.bigram_child_bits > 0 && header.order < 3))
    file.fail("header", "names an impossible pointer width");
  model.words_ = Vocabulary::open(file, "words");
  if (model.words_.size() != header.words || header.words < first_real_word)
    file.fail("header", "disagrees with the words about their number");

  ModelView& view = model.view_;
  view.order = header.order;
  view.vocabulary_size = header.words;
  view.unigrams = file.array<UnigramRecord>("unigrams", uint64_t{header.words} + 1).data();
  const auto parts = file.array<PartRecord>("parts");
  uint64_t above = header.words;
  size_t next = 0;
  for (uint32_t k = 1; k < header.order; ++k) {
    LevelView& level = view.levels[k];
    const std::string prefix = level_name(k);
    const bool highest = k + 1 == header.order;
    level.prob_bits = header.prob_bits;
    level.backoff_bits = highest ? 0 : header.backoff_bits;
    level.child_bits = k == 1 ? header.bigram_child_bits : 0;
    const bool pointed_to = k == 1 || view.levels[k - 1].child_bits > 0;
    if (level.prob_bits != float_bits)
      level.probs = file.array<float>(prefix + "probs", uint64_t{1} << level.prob_bits).data();
    if (!highest && level.backoff_bits != float_bits)
      level.backoffs = file.array<float>(prefix + "backoffs", uint64_t{1} << level.backoff_bits).data();
    uint64_t count = 0;
    for (; next < parts.size() && parts[next].level == k; ++next) {
      const PartRecord& record = parts[next];
      const uint32_t number = level.part_count;
      if (number == max_parts || (pointed_to && number == 1)) file.fail("parts", "divides a level into too many parts");
      if (record.label_bits < 1 || record.label_bits > 32 || record.low_bits > 31 || record.sample_shift > 31 ||
          record.count > UINT32_MAX - count || (number > 0 && record.label_bits <= level.parts[number - 1].label_bits))
        file.fail("parts", "describes an impossible part");
      level.parts[number] = open_part(file, record, prefix + std::to_string(number) + ".", level, above, pointed_to);
      level.parts[number].first_node = static_cast<uint32_t>(count);
      count += record.count;
      ++level.part_count;
    }
    if (level.part_count == 0) file.fail("parts", "lacks a level");
    level.count = static_cast<uint32_t>(count);
    above = count;
  }
  if (next != parts.size()) file.fail("parts", "has more levels than the header says");

  if (header.has_classes) {
    auto classes = std::make_shared<Classes>();
    classes->words = Vocabulary::open(file, "class");
    classes->class_of = file.array<WordId>("class.ids", classes->words.size());
    classes->log10_emission = file.array<float>("class.emissions", classes->words.size());
    model.classes_ = std::move(classes);
  }

  if (header.order > 1) {
    State nothing;
    model.kernels_->score(view, nothing, sentence_begin, model.begin_);
  }
  return model;
}

std::vector<uint64_t> LanguageModel::counts() const {
  std::vector<uint64_t> counts = {uint64_t{view_.vocabulary_size} - 1};
  for (uint32_t k = 1; k < view_.order; ++k) counts.push_back(view_.levels[k].count);
  return counts;
}

WordId LanguageModel::find(std::string_view word) const {
  const WordId id = vocabulary().find(word);
  return id == sentence_begin || id == sentence_end ? unknown_word : id;
}

LanguageModel::ClassOf LanguageModel::class_of(WordId word) const {
  if (word >= classes_->class_of.size()) return {unknown_word, 0};
  return {classes_->class_of[word], finite(classes_->log10_emission[word])};
}

LanguageModel LanguageModel::with_kernels(KernelLevel level) const {
  LanguageModel other = *this;
  other.kernels_ = &lm_kernels(level);
  return other;
}

}  // namespace dragoman::lm
