// What matching knows of the front of a source text, made when it is first asked for, by whichever thread that is.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "rules/front_places.h"
#include "rules/front_spans.h"

namespace dragoman::rules {

class Front {
 public:
  explicit Front(const IndexedBitext& bitext) : bitext_(bitext) {}

  const IndexedBitext& bitext() const { return bitext_; }
  // Where frequent words stand in the first sentences.
  const FrontPlaces& places() const;
  // What is known of the spans of the same sentences, or nullptr: making it costs as much as it saves in a few input
  // sentences, so it is made only when it has been asked for that often.
  const FrontSpans* spans() const;

 private:
  uint64_t size() const;

  const IndexedBitext& bitext_;
  mutable std::once_flag places_made_, spans_made_;
  mutable std::optional<FrontPlaces> places_;
  mutable std::atomic<uint32_t> spans_asked_ = 0;
  mutable std::optional<FrontSpans> spans_;
};

}  // namespace dragoman::rules
