// Words that were learned after a vocabulary was built: they append to its ids and never move, so that whoever holds a
// snapshot of some time goes on reading while others add. Words only ever come, until an index is compacted.
//
// A word's written form may become better known later (a name first seen at the beginning of a sentence), so forms
// carry the version that brought them, and a snapshot asks for the form as of its own version. They carry the memory of
// their pair too (index/memories.h): where a memory does not apply, neither does what it says of how words are written.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::text {

class WordOverlay {
 public:
  // Places count from 0.
  uint32_t size() const;
  // The place of a word, a new one if need be.
  uint32_t add(std::string_view word);
  std::optional<uint32_t> find(std::string_view word) const;
  // The view stays valid as long as this lives.
  std::string_view word(uint32_t place) const;

  // A form that is not sure (a capital at the beginning of a sentence) never replaces one that is.
  void set_form(uint32_t place, std::string_view form, bool sure, uint64_t version, uint32_t memory = 0);
  // Takes back the forms of the latest version, which came to nothing.
  void forget_forms(uint64_t version) noexcept;
  // "" where nothing is known. Where it is said which memories apply, by their numbers, no others are asked.
  std::string_view form(uint32_t place, uint64_t version, const std::vector<bool>* applied = nullptr) const;

 private:
  struct Form {
    uint64_t version;
    uint32_t memory;
    bool sure;
    std::string_view text;
  };
  mutable std::shared_mutex mutex_;
  std::deque<std::string> words_, texts_;  // deques, so that views stay valid
  std::deque<std::vector<Form>> forms_;
  std::unordered_map<std::string_view, uint32_t> places_;
};

}  // namespace dragoman::text
