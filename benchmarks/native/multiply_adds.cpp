// How many floating-point operations one core can do in a second: independent chains of multiply-adds on full registers,
// which nothing waits for. Prints thousand millions a second of CPU, as `--gflops` of the benchmarks wants them.
//
// g++ -std=c++20 -O3 -march=native benchmarks/native/multiply_adds.cpp
#include <cstdio>
#include <ctime>

namespace {

#if defined(__AVX512F__)
constexpr int lanes = 16;
#else
constexpr int lanes = 8;
#endif

typedef float Register __attribute__((vector_size(lanes * sizeof(float))));

constexpr int chains = 12;
constexpr long rounds = 100'000'000;

}  // namespace

int main() {
  // Chains that begin alike would be one to the compiler.
  Register sums[chains];
  for (int chain = 0; chain < chains; ++chain) sums[chain] = Register{} + float(chain);
  Register factor = Register{} + 0.999999f, term = Register{} + 1e-6f;
  const clock_t begin = clock();
  for (long round = 0; round < rounds; ++round) {
    // The compiler must take them for new, or it would do less than is asked.
    asm volatile("" : "+v"(factor), "+v"(term));
#pragma GCC unroll 12
    for (Register& sum : sums) sum = sum * factor + term;
  }
  const double seconds = double(clock() - begin) / CLOCKS_PER_SEC;
  float all = 0;
  for (const Register& sum : sums) all += sum[0];
  std::printf("{\"gflops\": %.1f, \"sum\": %g}\n", 2.0 * lanes * chains * rounds / seconds / 1e9, all);
}
