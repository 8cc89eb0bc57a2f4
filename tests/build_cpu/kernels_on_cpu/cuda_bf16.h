// Stands in for CUDA's header of this name.
#pragma once

#include <cstring>

struct __nv_bfloat16 {
  unsigned short bits;
};

inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 half) { return half.bits; }
inline float __bfloat162float(__nv_bfloat16 half) {
  const unsigned int bits = static_cast<unsigned int>(half.bits) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
  unsigned int bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (value != value) return {0x7fff};
  // What is added carries into the upper half if the lower rounds up, to even if both are as near.
  return {static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}
