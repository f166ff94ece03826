// What a model was taught belongs to memories: one for each client or project, and one without a name for the rest. All
// share the trained text, and who translates may say which of them apply and how much each counts (memory_view.h).
//
// A lesson's name says its memory: the memory's name, a unit separator and the lesson's own name. So names of different
// memories never meet, and wherever names are kept (in logs, after compaction) memories are kept too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace dragoman::index {

// Memories are numbered as they come; the one without a name is always there.
using MemoryId = uint32_t;
inline constexpr MemoryId unnamed_memory = 0;

struct Memory {
  std::string name;
  uint64_t lessons = 0;  // that it has now
};

// A memory that applies, and how often its lessons count where others count once.
struct MemoryWeight {
  std::string name;
  uint32_t weight = 1;
  friend bool operator==(const MemoryWeight&, const MemoryWeight&) = default;
};
// All memories that apply.
using MemoryChoice = std::vector<MemoryWeight>;

inline constexpr uint32_t max_memory_weight = 100;

// The memory that the lesson of this name belongs to.
inline std::string_view memory_of_name(std::string_view name) {
  const size_t end = name.find('\x1f');
  return end == std::string_view::npos ? std::string_view() : name.substr(0, end);
}

}  // namespace dragoman::index
