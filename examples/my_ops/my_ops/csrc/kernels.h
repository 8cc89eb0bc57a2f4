// What <op>_args.h needs. It has no math, so an edit of that leaves <op>.cpp, the slowest, alone.
#pragma once

#include <cstdint>

// <op>.cpp gets every argument of its operator, also those that no kernel reads.
#ifdef __GNUC__
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif

#ifdef USE_CUDA
#include <driver_types.h>

// From cuda_fp16.h and cuda_bf16.h. Of them, only pointers are needed here.
struct __half;
struct __nv_bfloat16;
#else
// A library without CUDA declares functions of these, and calls none.
using cudaStream_t = struct CUstream_st*;
using cudaError_t = int;
#endif
