// Asks for memory before it is needed, where the compiler knows how.
#pragma once

namespace dragoman {

inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

}  // namespace dragoman
