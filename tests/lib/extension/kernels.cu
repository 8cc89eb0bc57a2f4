// The kernels of three operators, one of each form, and the functions that launch them.
#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>

template <typename scalar_t>
__global__ void add_kernel(scalar_t* x, const scalar_t* y, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n) x[i] += y[i];
}

template <typename scalar_t>
__global__ void gather_kernel(
    const scalar_t* x, const int64_t* index, scalar_t* out, int64_t rows, int64_t columns, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const int64_t row = index[i / columns];
  out[i] = row >= 0 && row < rows ? x[row * columns + i % columns] : scalar_t(0);
}

__global__ void histogram_kernel(const int64_t* index, unsigned long long* out, int64_t bins, int64_t n) {
  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;
  if (i < n && index[i] >= 0 && index[i] < bins) atomicAdd(out + index[i], 1ull);
}

void add_(at::Tensor x, at::Tensor y) {
  TORCH_CHECK(x.is_contiguous() && y.is_contiguous() && x.sizes() == y.sizes());
  const int64_t n = x.numel();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "add_", [&] {
    add_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>(), n);
  });
}

torch::Tensor gather_rows(torch::Tensor x, const at::Tensor& index) {
  TORCH_CHECK(x.dim() == 2 && x.is_contiguous() && index.is_contiguous());
  TORCH_CHECK(index.dim() == 1 && index.scalar_type() == torch::kInt64);
  auto out = torch::empty({index.size(0), x.size(1)}, x.options());
  const int64_t n = out.numel();
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "gather", [&] {
    gather_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
        x.data_ptr<scalar_t>(), index.data_ptr<int64_t>(), out.data_ptr<scalar_t>(), x.size(0), x.size(1), n);
  });
  return out;
}

namespace small {

at::Tensor histogram(const at::Tensor& index, unsigned int bins) {
  TORCH_CHECK(index.dim() == 1 && index.is_contiguous() && index.scalar_type() == torch::kInt64);
  auto out = torch::zeros({bins}, index.options());
  const int64_t n = index.numel();
  histogram_kernel<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(
      index.data_ptr<int64_t>(), reinterpret_cast<unsigned long long*>(out.data_ptr<int64_t>()), bins, n);
  return out;
}

}  // namespace small
