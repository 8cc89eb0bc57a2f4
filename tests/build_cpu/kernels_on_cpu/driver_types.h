// cudaStream_t and cudaError_t are in stand_ins.h and blocks.h, which come before everything.
#pragma once
