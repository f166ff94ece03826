// A register of floats on 64-bit ARM: numbers of 16 and 8 bits, rounding, powers, as a program by itself.
#include <arm_neon.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

#include "nlm/float_lanes.inc"

bool halves_are_read() {
  for (uint32_t half = 0; half < 65536; ++half) {
    const uint32_t exponent = half >> 10 & 31, fraction = half & 1023;
    if (exponent == 31 || (exponent == 0 && fraction)) continue;  // not stored in models
    const uint16_t from[4] = {static_cast<uint16_t>(half), 0, 0x3c00, static_cast<uint16_t>(half)};
    float to[4];
    Lanes::load_half(from).store(to);
    const float size =
        exponent ? std::ldexp(1 + static_cast<float>(fraction) / 1024, static_cast<int>(exponent) - 15) : 0;
    if (to[0] != (half & 0x8000 ? -size : size) || to[3] != to[0] || to[1] != 0 || to[2] != 1) return false;
  }
  return true;
}

bool bytes_are_read_and_written() {
  for (int number = 0; number < 256; ++number) {
    const auto signed_number = static_cast<int8_t>(number);
    const int8_t from[5] = {signed_number, 5, -7, signed_number, 99};
    float to[4];
    Lanes::load_bytes(from).store(to);
    if (to[0] != signed_number || to[1] != 5 || to[2] != -7 || to[3] != signed_number) return false;
    const float codes[4] = {static_cast<float>(number), static_cast<float>(255 - number), 0, 255};
    uint8_t written[5] = {0, 0, 0, 0, 77};
    Lanes::load(codes).store_codes(written);
    if (written[0] != number || written[1] != 255 - number || written[2] || written[3] != 255 || written[4] != 77)
      return false;
  }
  return true;
}

bool numbers_are_changed() {
  const float values[4] = {1.5f, 2.5f, -3.2f, 0};
  float to[4];
  Lanes::load(values).rounded().store(to);
  if (to[0] != 2 || to[1] != 2 || to[2] != -3) return false;
  Lanes::all(3).where_positive(Lanes::load(values)).store(to);
  if (to[0] != 3 || to[1] != 3 || to[2] != 0 || to[3] != 0) return false;
  Lanes::all(3).times_power_of_two(Lanes::all(-2)).store(to);
  const Lanes lanes = Lanes::load(values);
  return to[0] == 0.75f && lanes.largest() == 2.5f && std::fabs(lanes.sum() - 0.8f) < 1e-6f;
}

}  // namespace

int main() { return !halves_are_read() + 2 * !bytes_are_read_and_written() + 4 * !numbers_are_changed(); }
