#include "search/reference_model.h"

#include <algorithm>
#include <cstring>

namespace dragoman::search {
namespace {

class ReferenceSession : public LanguageModelSession {
 public:
  explicit ReferenceSession(const ReferenceModel& model)
      : model_(model), size_(model.words().size()), blocks_(model.blocks()), now_(blocks_), part_(blocks_) {}

  void begin_context(std::byte* state) override { std::memset(state, 0, sizeof(uint64_t)); }

  double score_words(const std::byte* state, std::span<const LmItem> words, std::byte* next) override {
    uint64_t place;
    std::memcpy(&place, state, sizeof place);
    double total = 0;
    for (const LmItem& word : words) {
      const uint32_t id = static_cast<uint32_t>(word.word);
      const bool fits = id == model_.sentence_end() ? place == size_ : place < size_ && model_.id_at(place) == id;
      if (!fits) total = impossible;
      if (id != model_.sentence_end()) ++place;
    }
    std::memcpy(next, &place, sizeof place);
    if (total == 0) model_.note(0, place);
    return total;
  }

  double score_fragment(std::span<const LmItem> items, const std::byte* const* children, bool sentence_begin,
                        std::byte* state) override {
    uint64_t length = 0;
    std::ranges::fill(now_, sentence_begin ? 0 : ~uint64_t{0});
    if (sentence_begin) now_[0] = 1;
    for (const LmItem& item : items) {
      uint64_t more = 0;
      std::ranges::fill(part_, 0);
      if (item.word < 0) {
        const std::byte* child = children[-1 - item.word];
        std::memcpy(&more, child, sizeof more);
        std::memcpy(part_.data(), child + sizeof more, blocks_ * sizeof(uint64_t));
      } else if (static_cast<uint32_t>(item.word) == model_.sentence_end()) {
        part_[size_ / 64] |= uint64_t{1} << size_ % 64;
      } else {
        more = 1;
        for (size_t place = 0; place < size_; ++place)
          if (model_.id_at(place) == static_cast<uint32_t>(item.word)) part_[place / 64] |= uint64_t{1} << place % 64;
      }
      // A place stays if the part can begin `length` words after it.
      for (size_t place = 0; place < blocks_ * 64; ++place) {
        const size_t later = place + length;
        if (later >= blocks_ * 64 || !(part_[later / 64] >> later % 64 & 1))
          now_[place / 64] &= ~(uint64_t{1} << place % 64);
      }
      length += more;
    }
    // Estimates of rules have no children, and are no part of any hypothesis.
    if (children)
      for (size_t place = 0; place < size_; ++place)
        if (now_[place / 64] >> place % 64 & 1) model_.note(place, length);
    std::memcpy(state, &length, sizeof length);
    std::memcpy(state + sizeof length, now_.data(), blocks_ * sizeof(uint64_t));
    return std::ranges::any_of(now_, [](uint64_t block) { return block != 0; }) ? 0 : impossible;
  }

 private:
  const ReferenceModel& model_;
  size_t size_, blocks_;
  std::vector<uint64_t> now_, part_;
};

}  // namespace

ReferenceModel::ReferenceModel(std::vector<std::string> words, std::vector<uint32_t>* reach)
    : words_(std::move(words)), reach_(reach) {
  if (reach_) {
    reach_->resize(words_.size());
    for (uint32_t i = 0; i < words_.size(); ++i) (*reach_)[i] = std::max((*reach_)[i], i);
  }
  for (size_t i = 0; i < words_.size(); ++i)
    ids_.push_back(static_cast<uint32_t>(std::ranges::find(words_, words_[i]) - words_.begin()));
}

uint32_t ReferenceModel::find(std::string_view word) const {
  return static_cast<uint32_t>(std::ranges::find(words_, word) - words_.begin());
}

std::unique_ptr<LanguageModelSession> ReferenceModel::begin(std::span<const std::string_view>) const {
  return std::make_unique<ReferenceSession>(*this);
}

}  // namespace dragoman::search
