// A snapshot as it would be if lessons of some memories alone had been taught: sentences of the others are passed over
// like removed ones, and their links and n-grams are not counted. All else is shared with the whole snapshot.
//
// The lessons of a memory that one segment has are counted once, when a view needs them first, and the counts are taken
// over from view to view for as long as the segment is there. So views of many memories take little more than the
// memories that apply.
#pragma once

#include <memory>
#include <span>

#include "base/namespaces.h"
#include "index/memories.h"
#include "index/snapshot.h"

namespace dragoman::index {

// `before` are earlier views of the same index, whose counts are used where they fit. A memory that nobody has taught
// has no lessons.
std::shared_ptr<const Snapshot> memory_view(const std::shared_ptr<const Snapshot>& snapshot, const MemoryChoice& choice,
                                            std::span<const std::shared_ptr<const Snapshot>> before);

}  // namespace dragoman::index
