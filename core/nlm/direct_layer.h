// Direct n-gram features in training (thesis 4.8) of one output table, the classes' or the words': weights that are
// added to logits of single candidates where a context of the row has them. The features of a context stand beside each
// other; those of a context's words are divided by class once more. Such a stretch is found for each row and place of a
// minibatch, and changed once, for all rows that have it. Linear in the features of the rows' contexts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nlm/minibatch.h"
#include "nlm/parameter_table.h"
#include "nlm/shared_work.h"

namespace dragoman::nlm {

class DirectLayer {
 public:
  // Stretch i is the features [begin[i], begin[i + 1]); `candidates` by feature, which rise within a stretch. The last
  // stretch is empty.
  DirectLayer(ParameterTable& weights, std::span<const uint32_t> begin, std::span<const uint32_t> candidates);

  // The number of the stretch that stands for none.
  uint32_t none() const { return static_cast<uint32_t>(begin_.size() - 2); }
  // Takes the stretches of a minibatch, row after row.
  void take(std::vector<uint32_t> stretches, uint32_t places);

  // Adds to the logits of one row, which lie `step` apart.
  void add_to(uint32_t row, float* logits, size_t step) const;
  float weight(uint32_t row, uint32_t candidate) const;

  // Collects slopes of the rows that a layer has. Layer: bool has(row), and void add_slopes(row, candidates, sums).
  template <class Layer>
  void collect(Team& team, const Layer& layer) {
    share(team, units(), [&](size_t unit, size_t) {
      for (size_t i = unit * at_once; i < std::min(occurrences_.words().size(), (unit + 1) * at_once); ++i) {
        const uint32_t stretch = occurrences_.words()[i];
        if (stretch == none()) continue;
        for (uint32_t use : occurrences_.rows(i, 0))
          if (layer.has(use / places_))
            layer.add_slopes(use / places_, candidates_of(stretch), sums_.data() + begin_[stretch]);
      }
    });
  }
  // Changes the features of the minibatch's rows by what was collected.
  void change(Team& team, const AdaGradStep& step);

 private:
  std::span<const uint32_t> candidates_of(uint32_t stretch) const {
    return candidates_.subspan(begin_[stretch], begin_[stretch + 1] - begin_[stretch]);
  }

  // Stretches that a thread takes at a time.
  static constexpr size_t at_once = 64;
  size_t units() const { return (occurrences_.words().size() + at_once - 1) / at_once; }

  ParameterTable& weights_;
  std::span<const uint32_t> begin_, candidates_;
  uint32_t places_ = 1;
  std::vector<uint32_t> stretches_;
  std::vector<float> sums_;  // by feature
  Occurrences occurrences_;
};

}  // namespace dragoman::nlm
