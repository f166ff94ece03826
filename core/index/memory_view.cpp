#include "index/memory_view.h"

#include <algorithm>
#include <optional>

namespace dragoman::index {

class MemoryViewBuilder {
 public:
  MemoryViewBuilder(const std::shared_ptr<const Snapshot>& whole, const MemoryChoice& choice,
                    std::span<const std::shared_ptr<const Snapshot>> before)
      : whole_(*whole), before_(before), view_(std::make_shared<Snapshot>(*whole)) {
    view_->whole_ = whole;
    view_->choice_ = choice;
    view_->memory_weights_.assign(std::max<size_t>(whole_.memories().size(), 1), 0);
    auto applied = std::make_shared<std::vector<bool>>(view_->memory_weights_.size());
    for (const MemoryWeight& chosen : choice)
      for (MemoryId memory = 0; memory < whole_.memories().size(); ++memory)
        if (whole_.memories()[memory].name == chosen.name) {
          view_->memory_weights_[memory] = chosen.weight;
          (*applied)[memory] = true;
        }
    view_->target_words_ = view_->target_words_.written_by(applied);
    view_->source_words_ = view_->source_words_.written_by(std::move(applied));
  }

  std::shared_ptr<const Snapshot> build() && {
    view_->taught_ = {};
    view_->counted_.clear();
    // lexicon.bin has counted the lessons of the trained text's own segment; what is said of them comes after.
    view_->count_trained();
    for (uint32_t segment = 0; segment < whole_.segments(); ++segment) {
      if (segment == 0)
        if (const auto all = counts(segment, std::nullopt)) view_->counted_.push_back({links_of(all), -1});
      view_->parts_[segment].tombstones = passed_over(segment);
      for (MemoryId memory = 0; memory < weights().size(); ++memory) {
        if (weights()[memory] == 0) continue;
        const auto own = counts(segment, memory);
        if (!own) continue;
        view_->counted_.push_back({links_of(own), weights()[memory]});
        view_->taught_.add(own->ngrams);
      }
    }
    return std::move(view_);
  }

 private:
  const std::vector<uint32_t>& weights() const { return view_->memory_weights_; }
  uint32_t weight(MemoryId memory) const { return memory < weights().size() ? weights()[memory] : 0; }
  static std::shared_ptr<const LinkCounts> links_of(const std::shared_ptr<const LessonCounts>& counts) {
    return {counts, &counts->links};
  }

  // Calls with the number and the memory of each lesson of a segment that is there.
  template <class Call>
  void for_each_lesson(uint32_t segment, Call&& call) const {
    const Snapshot::Part& part = whole_.part(segment);
    const IndexedBitext& bitext = *part.bitext;
    auto offer = [&](uint64_t number, MemoryId memory) {
      if (!part.removed(number)) call(number, memory);
    };
    const uint64_t lessons = segment > 0 ? bitext.sentences() : bitext.corrections();
    for (uint64_t number = 0; number < lessons; ++number) offer(number, bitext.memory(number));
    for (size_t i = 0; i < bitext.named_sentences().size(); ++i)
      if (bitext.named_sentences()[i] >= lessons) offer(bitext.named_sentences()[i], bitext.named_memories()[i]);
  }

  // Of one memory or of all; nothing where it has no lessons here.
  std::shared_ptr<const LessonCounts> counts(uint32_t segment, std::optional<MemoryId> memory) {
    const Snapshot::Part& part = whole_.part(segment);
    for (const auto& view : before_)
      for (const Snapshot::Share& share : view->shares_)
        if (share.bitext == part.bitext && share.tombstones == part.tombstones && share.memory == memory) {
          view_->shares_.push_back(share);
          return share.counts;
        }
    auto counts = std::make_shared<LessonCounts>();
    bool any = false;
    for_each_lesson(segment, [&](uint64_t number, MemoryId own) {
      if (memory && own != *memory) return;
      any = true;
      const SentencePlace place = Snapshot::place_of(segment, number);
      const IndexedPair pair = read_pair(*part.bitext, number);
      counts->links.add(pair.source, pair.target, pair.links, whole_.weight_of(place));
      if (whole_.is_correction(place)) counts->ngrams.add(pair.target);
    });
    view_->shares_.push_back({part.bitext, part.segment, part.tombstones, memory, any ? std::move(counts) : nullptr});
    return view_->shares_.back().counts;
  }

  std::shared_ptr<const Tombstones> passed_over(uint32_t segment) const {
    const Snapshot::Part& part = whole_.part(segment);
    for (const auto& view : before_)
      if (view->choice_ == view_->choice_)
        for (uint32_t other = 0; other < view->segments(); ++other)
          if (view->part(other).bitext == part.bitext && view->whole_->part(other).tombstones == part.tombstones)
            return view->part(other).tombstones;
    std::vector<uint64_t> sentences;
    for_each_lesson(segment, [&](uint64_t number, MemoryId memory) {
      if (weight(memory) == 0) sentences.push_back(number);
    });
    if (sentences.empty()) return part.tombstones;
    return std::make_shared<const Tombstones>(part.tombstones.get(), *part.bitext, sentences);
  }

  const Snapshot& whole_;
  std::span<const std::shared_ptr<const Snapshot>> before_;
  std::shared_ptr<Snapshot> view_;
};

std::shared_ptr<const Snapshot> memory_view(const std::shared_ptr<const Snapshot>& snapshot, const MemoryChoice& choice,
                                            std::span<const std::shared_ptr<const Snapshot>> before) {
  return MemoryViewBuilder(snapshot->whole() ? snapshot->whole() : snapshot, choice, before).build();
}

}  // namespace dragoman::index
