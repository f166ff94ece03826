// Numbers out of files that nobody can vouch for: what is no number, or too large to reckon with, would come out of
// sums as something that no search can order.
#pragma once

namespace dragoman {

// The value if it lies within the limit, else the nearer end; the lower end for what is no number. Two instructions.
// Sums of so large values stay numbers, as many as a text has words.
inline float finite(float value, float limit = 1e30f) {
  const float floor = value > -limit ? value : -limit;
  return floor < limit ? floor : limit;
}

}  // namespace dragoman
