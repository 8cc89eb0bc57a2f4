// Functions that only C++ calls.
#pragma once
#include <ATen/ATen.h>

namespace small {

std::vector<at::Tensor> parts(std::vector<at::Tensor> tables, int64_t const count);
at::Tensor histogram(const at::Tensor& index, unsigned int bins = 10);
int64_t count(at::Tensor x);
int helper(int x);

}  // namespace small
