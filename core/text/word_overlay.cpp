#include "text/word_overlay.h"

#include <mutex>

namespace dragoman::text {

uint32_t WordOverlay::size() const {
  std::shared_lock lock(mutex_);
  return static_cast<uint32_t>(words_.size());
}

uint32_t WordOverlay::add(std::string_view word) {
  std::unique_lock lock(mutex_);
  if (const auto entry = places_.find(word); entry != places_.end()) return entry->second;
  const auto place = static_cast<uint32_t>(words_.size());
  if (forms_.size() == place) forms_.emplace_back();
  words_.emplace_back(word);
  try {
    places_.emplace(words_.back(), place);
  } catch (...) {
    words_.pop_back();
    throw;
  }
  return place;
}

std::optional<uint32_t> WordOverlay::find(std::string_view word) const {
  std::shared_lock lock(mutex_);
  const auto entry = places_.find(word);
  if (entry == places_.end()) return std::nullopt;
  return entry->second;
}

std::string_view WordOverlay::word(uint32_t place) const {
  std::shared_lock lock(mutex_);
  return place < words_.size() ? std::string_view(words_[place]) : std::string_view();
}

void WordOverlay::set_form(uint32_t place, std::string_view form, bool sure, uint64_t version, uint32_t memory) {
  std::unique_lock lock(mutex_);
  if (place >= forms_.size()) return;
  std::vector<Form>& known = forms_[place];
  // What the memory has said already need not be said again, unless others have said something else since.
  for (auto last = known.rbegin(); last != known.rend(); ++last) {
    const bool same = last->text == form && last->sure == sure;
    if (last->memory == memory && (same || last->sure > sure)) return;
    if (!same) break;
  }
  const bool same_text = !known.empty() && known.back().text == form;
  if (!same_text) texts_.emplace_back(form);
  // The same form may have been seen where it is the word's own.
  known.push_back({version, memory, sure, same_text ? known.back().text : std::string_view(texts_.back())});
}

void WordOverlay::forget_forms(uint64_t version) noexcept {
  std::unique_lock lock(mutex_);
  for (std::vector<Form>& known : forms_)
    while (!known.empty() && known.back().version == version) known.pop_back();
}

std::string_view WordOverlay::form(uint32_t place, uint64_t version, const std::vector<bool>* applied) const {
  std::shared_lock lock(mutex_);
  if (place >= forms_.size()) return {};
  const Form* latest = nullptr;
  for (const Form& form : forms_[place]) {
    if (form.version > version || (applied && !(form.memory < applied->size() && (*applied)[form.memory]))) continue;
    if (!latest || form.sure >= latest->sure) latest = &form;
  }
  return latest ? latest->text : std::string_view();
}

}  // namespace dragoman::text
