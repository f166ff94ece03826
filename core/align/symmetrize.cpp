#include "align/symmetrize.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/errors.h"

namespace dragoman::align {
namespace {

constexpr std::array<std::pair<std::string_view, Symmetrization>, 8> names{{
    {"grow-diag-final-and", Symmetrization::grow_diag_final_and},
    {"grow-diag-final", Symmetrization::grow_diag_final},
    {"grow-diag", Symmetrization::grow_diag},
    {"grow", Symmetrization::grow},
    {"intersection", Symmetrization::intersection},
    {"union", Symmetrization::union_},
    {"forward", Symmetrization::forward},
    {"inverse", Symmetrization::inverse},
}};

// Source, target offsets: the four that share a side first, then the diagonals.
constexpr std::array<std::pair<int, int>, 8> neighbours{
    {{0, -1}, {-1, 0}, {0, 1}, {1, 0}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}}};

// A grid of bits per cell and which words have a link.
class Grid {
 public:
  Grid(const Links& forward, const Links& backward, size_t source_words, size_t target_words)
      : source_words_(static_cast<int>(source_words)),
        target_words_(static_cast<int>(target_words)),
        cells_(source_words * target_words),
        source_linked_(source_words),
        target_linked_(target_words) {
    for (Link link : forward) cells_[index(link.source, link.target)] |= in_forward;
    for (Link link : backward) cells_[index(link.source, link.target)] |= in_backward;
  }

  void keep(bool (*wanted)(uint8_t cell)) {
    for (int t = 0; t < target_words_; ++t)
      for (int s = 0; s < source_words_; ++s)
        if (wanted(cells_[index(s, t)])) add(s, t);
  }

  // Target by target, from links to neighbouring candidates with a word still free, until nothing is added.
  void grow(size_t directions) {
    for (bool added = true; added;) {
      added = false;
      for (int t = 0; t < target_words_; ++t) {
        if (!target_linked_[t]) continue;
        for (int s = 0; s < source_words_; ++s) {
          if (!(cells_[index(s, t)] & chosen)) continue;
          for (size_t n = 0; n < directions; ++n) {
            const int source = s + neighbours[n].first, target = t + neighbours[n].second;
            if (source < 0 || target < 0 || source >= source_words_ || target >= target_words_) continue;
            const uint8_t cell = cells_[index(source, target)];
            if (!cell || cell & chosen || (source_linked_[source] && target_linked_[target])) continue;
            add(source, target);
            added = true;
          }
        }
      }
    }
  }

  // Candidates of one direction whose words are free: both of them, or one of them.
  void finish(uint8_t direction, bool both) {
    for (int t = 0; t < target_words_; ++t)
      for (int s = 0; s < source_words_; ++s) {
        if (!(cells_[index(s, t)] & direction)) continue;
        if (both ? !source_linked_[s] && !target_linked_[t] : !source_linked_[s] || !target_linked_[t]) add(s, t);
      }
  }

  Links links() const {
    Links links;
    for (int s = 0; s < source_words_; ++s)
      for (int t = 0; t < target_words_; ++t)
        if (cells_[index(s, t)] & chosen) links.push_back({static_cast<uint16_t>(s), static_cast<uint16_t>(t)});
    return links;
  }

  static constexpr uint8_t in_forward = 1, in_backward = 2, chosen = 4;

 private:
  size_t index(int source, int target) const { return static_cast<size_t>(source) * target_words_ + target; }
  void add(int source, int target) {
    cells_[index(source, target)] |= chosen;
    source_linked_[source] = target_linked_[target] = 1;
  }

  int source_words_, target_words_;
  std::vector<uint8_t> cells_;
  std::vector<uint8_t> source_linked_, target_linked_;
};

}  // namespace

Symmetrization symmetrization_named(std::string_view name) {
  std::string choices;
  for (auto [known, how] : names) {
    if (known == name) return how;
    choices += (choices.empty() ? "" : ", ") + std::string(known);
  }
  throw ConfigError("symmetrize", "'" + std::string(name) + "' is unknown; choose one of " + choices);
}

Links symmetrize(const Links& forward, const Links& backward, size_t source_words, size_t target_words,
                 Symmetrization how) {
  Grid grid(forward, backward, source_words, target_words);
  switch (how) {
    case Symmetrization::forward:
      grid.keep([](uint8_t cell) { return (cell & Grid::in_forward) != 0; });
      return grid.links();
    case Symmetrization::inverse:
      grid.keep([](uint8_t cell) { return (cell & Grid::in_backward) != 0; });
      return grid.links();
    case Symmetrization::union_:
      grid.keep([](uint8_t cell) { return cell != 0; });
      return grid.links();
    default:
      break;
  }
  grid.keep([](uint8_t cell) { return cell == (Grid::in_forward | Grid::in_backward); });
  if (how == Symmetrization::intersection) return grid.links();
  grid.grow(how == Symmetrization::grow ? 4 : 8);
  if (how == Symmetrization::grow_diag_final || how == Symmetrization::grow_diag_final_and) {
    const bool both = how == Symmetrization::grow_diag_final_and;
    grid.finish(Grid::in_forward, both);
    grid.finish(Grid::in_backward, both);
  }
  return grid.links();
}

}  // namespace dragoman::align
