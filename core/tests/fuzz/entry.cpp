// The way in for libFuzzer, and for AFL++, which knows the same functions: one program for each reader, named by
// DRAGOMAN_FUZZ_TARGET. No corpus is needed to begin with: what is no file becomes one.
#include <algorithm>
#include <cstring>

#include "tests/fuzz/mutation.h"

using namespace dragoman::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  run(DRAGOMAN_FUZZ_TARGET, std::as_bytes(std::span(data, size)));
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  Random random(seed);
  // Half of the changes are the fuzzer's own, which follow what code they have reached.
  const ByteMutation of_bytes = [](Bytes& bytes, Random& choice) {
    if (choice() % 2) return mutate_bytes(bytes, choice);
    const size_t before = bytes.size();
    bytes.resize(before + 64);
    bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), before, bytes.size()));
  };
  const Bytes file = mutated(DRAGOMAN_FUZZ_TARGET, std::as_bytes(std::span(data, size)), random, of_bytes);
  const size_t fits = std::min(file.size(), max_size);
  std::memcpy(data, file.data(), fits);
  return fits;
}
