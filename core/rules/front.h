// What matching knows of the front of a source text, made when it is first asked for, by whichever thread that is.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "base/namespaces.h"
#include "index/bitext.h"
#include "rules/front_places.h"

namespace dragoman::rules {

class Front {
 public:
  explicit Front(const IndexedBitext& bitext) : bitext_(bitext) {}

  const IndexedBitext& bitext() const { return bitext_; }
  // Where frequent words stand in the first sentences.
  const FrontPlaces& places() const;

 private:
  uint64_t size() const;

  const IndexedBitext& bitext_;
  mutable std::once_flag places_once_;
  mutable std::optional<FrontPlaces> places_;
};

}  // namespace dragoman::rules
