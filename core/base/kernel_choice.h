// Defines `kernels(level)` and `kernels()` for a folder whose kernels.cpp defines `table`, of type Table, in namespaces
// `baseline`, `avx2` and `avx512` within the one that this stands in (cpu.h, CMakeLists.txt).
#pragma once

#include "base/cpu.h"

#ifdef DRAGOMAN_X86_KERNELS
#define DRAGOMAN_KERNEL_LEVELS(Table, table) \
  namespace avx2 {                           \
  extern const Table table;                  \
  }                                          \
  namespace avx512 {                         \
  extern const Table table;                  \
  }
#define DRAGOMAN_KERNEL_TABLES(table) &baseline::table, &avx2::table, &avx512::table
#else
#define DRAGOMAN_KERNEL_LEVELS(Table, table)
#define DRAGOMAN_KERNEL_TABLES(table) &baseline::table, nullptr, nullptr
#endif

#define DRAGOMAN_CHOOSE_KERNELS(Table, table, kernels)                           \
  namespace baseline {                                                           \
  extern const Table table;                                                      \
  }                                                                              \
  DRAGOMAN_KERNEL_LEVELS(Table, table)                                           \
  const Table& kernels(KernelLevel level) {                                      \
    return *dragoman::select<const Table>(level, DRAGOMAN_KERNEL_TABLES(table)); \
  }                                                                              \
  const Table& kernels() {                                                       \
    static const Table& chosen = kernels(best_kernel_level());                   \
    return chosen;                                                               \
  }
