// Changes that a stranger might make to a file: to bytes, to numbers and floats, to whole sections.
#pragma once

#include <functional>

#include "tests/fuzz/target.h"

namespace dragoman::fuzz {

// Changes some bytes in a way of its own; a fuzzer that watches what code they reach may give another.
using ByteMutation = std::function<void(Bytes& bytes, Random& random)>;

void mutate_bytes(Bytes& bytes, Random& random);

// A changed file. What has no sections to change becomes one of the target's seeds.
Bytes mutated(const Target& target, std::span<const std::byte> file, Random& random,
              const ByteMutation& of_bytes = mutate_bytes);

}  // namespace dragoman::fuzz
