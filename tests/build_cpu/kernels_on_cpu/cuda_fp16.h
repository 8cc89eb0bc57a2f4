// Stands in for CUDA's header of this name.
#pragma once

struct __half {
  _Float16 value;

  __half() = default;
  explicit __half(float from) : value(static_cast<_Float16>(from)) {}
  explicit operator float() const { return value; }
};

inline float __half2float(__half half) { return static_cast<float>(half); }
