// Stands in for CUDA's header of this name.
#pragma once

#include <cstring>

struct __nv_bfloat16 {
  unsigned short bits;

  __nv_bfloat16() = default;
  explicit __nv_bfloat16(float from) {
    unsigned int all;
    std::memcpy(&all, &from, sizeof(all));
    // What is added carries into the upper half if the lower rounds up, to even if both are as near.
    bits = from == from ? static_cast<unsigned short>((all + 0x7fff + (all >> 16 & 1)) >> 16) : 0x7fff;
  }
  explicit operator float() const {
    const unsigned int all = static_cast<unsigned int>(bits) << 16;
    float value;
    std::memcpy(&value, &all, sizeof(value));
    return value;
  }
};

inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 half) { return half.bits; }
inline float __bfloat162float(__nv_bfloat16 half) { return static_cast<float>(half); }
