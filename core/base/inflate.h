// Decompression of raw DEFLATE (RFC 1951): what a model keeps compressed can be read wherever the core runs, without a
// library. One pass, a table look-up for nearly every symbol; every length, distance and code is checked, so that
// damaged bytes give `false` and never a write or read outside the two buffers.
#pragma once

#include <cstddef>
#include <span>

namespace dragoman {

// Fills `out` exactly from `in`; false where the bytes are no DEFLATE stream of that size. The first `known` bytes of
// `out` are there already: the dictionary that the stream was made with, which it may copy from.
[[nodiscard]] bool inflate(std::span<const std::byte> in, std::span<std::byte> out, size_t known = 0);

}  // namespace dragoman
