"""Edits that people make: operators with another math and reference, at the places marked EDIT.

An elementwise operator or a matrix product gets new lines for an element and its gradient; a rowwise operator, a new
namespace in its header; an operator for images or volumes, new lines for a pixel or voxel, and the number of channels.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from updating import replace


class Edit(NamedTuple):
    """An operator, and the edits of its author."""

    signature: str
    reference: str
    element: str = ""
    gradient: str = ""
    header: str = ""
    channels: tuple[int, int] | None = None
    # What make_args of its tests draws, and what instead.
    arguments: tuple[tuple[str, str], ...] = ()
    # What its Function keeps only for the gradient of another tensor, and its own gradient reads, too.


SIGMOID = "const T s = 1 / (1 + exp(-x));"
CUBE = "const T inner = T(0.7978845608028654) * (x + T(0.044715) * x * x * x);"

ELEMENTWISE = {
    "relu_like": Edit(
        "Tensor x",
        "return torch.relu(x)",
        "out = fmax(x, T(0));",
        "grad_x = x > 0 ? grad_out : T(0);",
    ),
    "vector_add": Edit(
        "Tensor a, Tensor b",
        "return a + b",
        "out = a + b;",
        "grad_a = grad_out; grad_b = grad_out;",
    ),
    "swiglu": Edit(
        "Tensor x, Tensor y",
        "return torch.nn.functional.silu(x) * y",
        f"{SIGMOID} out = x * s * y;",
        f"{SIGMOID} grad_x = grad_out * y * s * (1 + x * (1 - s)); grad_y = grad_out * x * s;",
    ),
    "gelu_by_erf": Edit(
        "Tensor x",
        "return torch.nn.functional.gelu(x)",
        "out = x / 2 * (1 + erf(x * T(0.7071067811865476)));",
        "const T density = T(0.3989422804014327) * exp(-x * x / 2); "
        "grad_x = grad_out * ((1 + erf(x * T(0.7071067811865476))) / 2 + x * density);",
    ),
    "gelu_by_tanh": Edit(
        "Tensor x",
        'return torch.nn.functional.gelu(x, approximate="tanh")',
        f"{CUBE} out = x / 2 * (1 + tanh(inner));",
        f"{CUBE} const T t = tanh(inner); "
        "const T slope = T(0.7978845608028654) * (1 + 3 * T(0.044715) * x * x); "
        "grad_x = grad_out / 2 * (1 + t + x * (1 - t * t) * slope);",
    ),
    "clamp_to": Edit(
        "Tensor x, float low, float high",
        "return torch.clamp(x, low, low + abs(high) + 1)",
        "out = fmin(fmax(x, low), low + fabs(high) + 1);",
        "grad_x = x >= low && x <= low + fabs(high) + 1 ? grad_out : T(0);",
    ),
}

LAYER_NORM = """
// By Welford, and what he merges by Chan: one pass, and no difference of large numbers.
template <typename T>
struct LayerNormRow {
  T mean;
  T scale;
};

template <typename T>
struct LayerNormState {
  T count = 0;
  T mean = 0;
  T squares = 0;

  HOST_DEVICE void add(T x) {
    const T difference = x - mean;
    count += 1;
    mean += difference / count;
    squares += difference * (x - mean);
  }

  HOST_DEVICE void merge(const LayerNormState& other) {
    if (other.count == 0) return;
    const T total = count + other.count;
    const T difference = other.mean - mean;
    mean += difference * other.count / total;
    squares += other.squares + difference * difference * count * other.count / total;
    count = total;
  }

  HOST_DEVICE void finish(T size, T eps, LayerNormRow<T>& row) {
    row.mean = mean;
    row.scale = rsqrt(squares / size + eps);
  }
};

template <typename T>
HOST_DEVICE void layer_norm_element(
    T x, const T* weight, const T* bias, const LayerNormRow<T>& row, T& out) {
  out = (x - row.mean) * row.scale;
  if (weight) out *= *weight;
  if (bias) out += *bias;
}

template <typename T>
struct LayerNormBackwardRow {
  LayerNormRow<T> forward;
  T mean;
  T slope;
};

template <typename T>
struct LayerNormBackwardState {
  LayerNormState<T> forward;
  T sum = 0;
  T dot = 0;

  HOST_DEVICE void add(T grad_out, T x, const T* weight, const T*) {
    const T weighted = weight ? grad_out * *weight : grad_out;
    forward.add(x);
    sum += weighted;
    dot += weighted * x;
  }

  HOST_DEVICE void merge(const LayerNormBackwardState& other) {
    forward.merge(other.forward);
    sum += other.sum;
    dot += other.dot;
  }

  HOST_DEVICE void finish(T size, T eps, LayerNormBackwardRow<T>& row) {
    forward.finish(size, eps, row.forward);
    row.mean = sum / size;
    row.slope = row.forward.scale * (dot - row.forward.mean * sum) / size;
  }
};

template <typename T>
HOST_DEVICE void layer_norm_backward_element(
    T grad_out,
    T x,
    const T* weight,
    const T*,
    const LayerNormBackwardRow<T>& row,
    T& grad_x,
    T* grad_weight,
    T* grad_bias) {
  const T weighted = weight ? grad_out * *weight : grad_out;
  const T normalized = (x - row.forward.mean) * row.forward.scale;
  grad_x = row.forward.scale * (weighted - row.mean - normalized * row.slope);
  if (grad_weight) *grad_weight = grad_out * normalized;
  if (grad_bias) *grad_bias = grad_out;
}
"""

SOFTMAX = """
template <typename T>
struct RowSoftmaxRow {
  T max;
  T sum;
};

// The sum is of exp(x - max), and scaled when a greater one comes.
template <typename T>
struct RowSoftmaxState {
  T max = T(-1e38);
  T sum = 0;

  HOST_DEVICE void add(T x) {
    const T before = max;
    max = fmax(max, x);
    sum = sum * exp(before - max) + exp(x - max);
  }

  HOST_DEVICE void merge(const RowSoftmaxState& other) {
    const T before = max;
    max = fmax(max, other.max);
    sum = sum * exp(before - max) + other.sum * exp(other.max - max);
  }

  HOST_DEVICE void finish(T, RowSoftmaxRow<T>& row) {
    row.max = max;
    row.sum = sum;
  }
};

template <typename T>
HOST_DEVICE void row_softmax_element(T x, const RowSoftmaxRow<T>& row, T& out) {
  out = exp(x - row.max) / row.sum;
}

template <typename T>
struct RowSoftmaxBackwardRow {
  RowSoftmaxRow<T> forward;
  T dot;
};

template <typename T>
struct RowSoftmaxBackwardState {
  RowSoftmaxState<T> forward;
  T dot = 0;

  HOST_DEVICE void add(T grad_out, T x) {
    const T before = forward.max;
    forward.add(x);
    dot = dot * exp(before - forward.max) + grad_out * exp(x - forward.max);
  }

  HOST_DEVICE void merge(const RowSoftmaxBackwardState& other) {
    const T before = forward.max;
    forward.merge(other.forward);
    dot = dot * exp(before - forward.max) + other.dot * exp(other.forward.max - forward.max);
  }

  HOST_DEVICE void finish(T size, RowSoftmaxBackwardRow<T>& row) {
    forward.finish(size, row.forward);
    row.dot = dot / forward.sum;
  }
};

template <typename T>
HOST_DEVICE void row_softmax_backward_element(
    T grad_out, T x, const RowSoftmaxBackwardRow<T>& row, T& grad_x) {
  T out;
  row_softmax_element(x, row.forward, out);
  grad_x = out * (grad_out - row.dot);
}
"""

# Each element of a row gets what the row comes to.
ROW_SUM = """
template <typename T>
struct RowSumRow {
  T sum;
};

template <typename T>
struct RowSumState {
  T sum = 0;

  HOST_DEVICE void add(T x) {
    sum += x;
  }

  HOST_DEVICE void merge(const RowSumState& other) {
    sum += other.sum;
  }

  HOST_DEVICE void finish(T, RowSumRow<T>& row) {
    row.sum = sum;
  }
};

template <typename T>
HOST_DEVICE void row_sum_element(T, const RowSumRow<T>& row, T& out) {
  out = row.sum;
}

// The gradient of a sum is the sum of the gradients.
template <typename T>
struct RowSumBackwardRow {
  RowSumRow<T> forward;
};

template <typename T>
struct RowSumBackwardState {
  RowSumState<T> forward;

  HOST_DEVICE void add(T grad_out, T) {
    forward.add(grad_out);
  }

  HOST_DEVICE void merge(const RowSumBackwardState& other) {
    forward.merge(other.forward);
  }

  HOST_DEVICE void finish(T size, RowSumBackwardRow<T>& row) {
    forward.finish(size, row.forward);
  }
};

template <typename T>
HOST_DEVICE void row_sum_backward_element(
    T, T, const RowSumBackwardRow<T>& row, T& grad_x) {
  grad_x = row.forward.sum;
}
"""

ROW_MAX = """
template <typename T>
struct RowMaxRow {
  T max;
  T count;
};

// How often there is the greatest too, since all of these share its gradient.
template <typename T>
struct RowMaxState {
  T max = T(-1e38);
  T count = 0;

  HOST_DEVICE void add(T x) {
    merge({x, 1});
  }

  HOST_DEVICE void merge(const RowMaxState& other) {
    count = (max >= other.max ? count : 0) + (other.max >= max ? other.count : 0);
    max = fmax(max, other.max);
  }

  HOST_DEVICE void finish(T, RowMaxRow<T>& row) {
    row.max = max;
    row.count = count;
  }
};

template <typename T>
HOST_DEVICE void row_max_element(T, const RowMaxRow<T>& row, T& out) {
  out = row.max;
}

template <typename T>
struct RowMaxBackwardRow {
  RowMaxRow<T> forward;
  T share;
};

template <typename T>
struct RowMaxBackwardState {
  RowMaxState<T> forward;
  T sum = 0;

  HOST_DEVICE void add(T grad_out, T x) {
    forward.add(x);
    sum += grad_out;
  }

  HOST_DEVICE void merge(const RowMaxBackwardState& other) {
    forward.merge(other.forward);
    sum += other.sum;
  }

  HOST_DEVICE void finish(T size, RowMaxBackwardRow<T>& row) {
    forward.finish(size, row.forward);
    row.share = sum / row.forward.count;
  }
};

template <typename T>
HOST_DEVICE void row_max_backward_element(
    T, T x, const RowMaxBackwardRow<T>& row, T& grad_x) {
  grad_x = x == row.forward.max ? row.share : T(0);
}
"""

ROWWISE = {
    "layer_norm": Edit(
        "Tensor x, Tensor? weight=None, Tensor? bias=None, float eps=1e-5",
        # Not with its own bias: without a weight, PyTorch's second derivative of that is 0 (2.13).
        "out = torch.nn.functional.layer_norm(x, x.shape[-1:], weight, eps=eps)\n"
        "    return out if bias is None else out + bias",
        header=LAYER_NORM,
    ),
    "row_softmax": Edit("Tensor x", "return torch.softmax(x, -1)", header=SOFTMAX),
    "row_sum": Edit("Tensor x", "return x.sum(-1, keepdim=True).expand_as(x)", header=ROW_SUM),
    "row_max": Edit(
        "Tensor x",
        "return x.amax(-1, keepdim=True).expand_as(x) if x.numel() else x.clone()",
        header=ROW_MAX,
    ),
}

ROUNDED = """if not image.is_floating_point():
        values = values.round().clamp(0, 255).to(image.dtype)
    return values"""

IMAGE = {
    "brightness_and_contrast": Edit(
        "Tensor image, float gain, float offset",
        f"values = (image - 0.5) * gain + 0.5 + offset\n    {ROUNDED}",
        "for (int i = 0; i < 3; ++i) out[i] = (image[i] - T(0.5)) * gain + T(0.5) + offset;",
        channels=(3, 3),
    ),
    "luma_of_hdtv": Edit(
        "Tensor image",
        "weights = torch.tensor([0.2126, 0.7152, 0.0722], dtype=torch.float64, device=image.device)\n"
        f"    values = (image * weights).sum(-1).to(torch.promote_types(image.dtype, torch.float32))\n    {ROUNDED}",
        "out[0] = T(0.2126) * image[0] + T(0.7152) * image[1] + T(0.0722) * image[2];",
    ),
    # As many accesses as an image of two channels has, and one more channel than it.
    "with_their_product": Edit(
        "Tensor image",
        f"values = torch.cat([image, image.prod(-1, keepdim=True, dtype=torch.promote_types(image.dtype, torch.float32)) / 255], -1)\n    {ROUNDED}",
        "out[0] = image[0]; out[1] = image[1]; out[2] = image[0] * image[1] / 255;",
        channels=(2, 3),
    ),
}

VOLUME = {
    "window_and_level": Edit(
        "Tensor volume, float level, float window",
        "share = (volume.double() - level) / (abs(window) + 1) + 0.5\n"
        "    return share.clamp(0, 1).float()",
        "const T share = (volume - level) / (fabs(window) + 1) + T(0.5); "
        "out = share < 0 ? T(0) : share > 1 ? T(1) : share;",
    ),
    "signed_by_greatest": Edit(
        "Tensor volume, float? low=None, float? high=None",
        "voxels = volume.double()\n"
        "    if voxels.numel() == 0:\n"
        "        return voxels.float()\n"
        "    low = torch.where(voxels.isnan(), torch.inf, voxels).amin() if low is None else low\n"
        "    high = torch.where(voxels.isnan(), -torch.inf, voxels).amax() if high is None else high\n"
        "    return (2 * (voxels - low) / (abs(high - low) + 1) - 1).float()",
        "out = 2 * (volume - low) / (fabs(high - low) + 1) - 1;",
    ),
}
MATMUL = {
    "linear_relu": Edit(
        "Tensor x, Tensor weight, Tensor bias",
        "return torch.relu(x @ weight + bias)",
        "out = fmax(product + bias, T(0));",
        "grad_product = product + bias > 0 ? grad_out : T(0); grad_bias = grad_product;",
        # Of whole numbers, sums are exact: one near the kink lay on its other side, in one run of some.
        arguments=(
            (
                "torch.randn(shape, dtype=dtype, device=device) * max(depth, 1) ** -0.25",
                "torch.randint(-4, 5, shape, device=device).to(dtype)",
            ),
            ("matrix(1, columns)[0]", "(matrix(1, columns)[0] + 0.5)"),
        ),
    ),
    "linear_silu": Edit(
        "Tensor x, Tensor weight, Tensor? bias=None",
        "return torch.nn.functional.silu(x @ weight if bias is None else x @ weight + bias)",
        "const T sum = bias ? product + *bias : product; out = sum / (1 + exp(-sum));",
        "const T sum = bias ? product + *bias : product; const T s = 1 / (1 + exp(-sum)); "
        "grad_product = grad_out * s * (1 + sum * (1 - s)); "
        "if (grad_bias) *grad_bias = grad_product;",
    ),
}

KERNELS = {
    "elementwise": ELEMENTWISE,
    "rowwise": ROWWISE,
    "matmul": MATMUL,
    "image": IMAGE,
    "volume": VOLUME,
}
EDITS = {name: edit for edits in KERNELS.values() for name, edit in edits.items()}

MORE_OPS = "\n".join(
    f"{kernel}: {name}({edit.signature})"
    for kernel, edits in KERNELS.items()
    for name, edit in edits.items()
)


def between(path: Path, start: str, end: str, new: str) -> None:
    """Replace the part of a file between two texts."""
    before, found, rest = path.read_text().partition(start)
    assert found and end in rest, (path, start, end)
    path.write_text(before + start + new + rest[rest.index(end) :])


def replace_body(header: Path, function: str, body: str) -> None:
    """Replace the body of a function of one element."""
    parameters = header.read_text().partition(f"{function}_element(")[2].partition("{")[0]
    between(header, f"{function}_element({parameters}{{\n", "\n}\n", f"  {body}")


def make_edits(package: Path) -> None:
    """Edit the operators of a rendered package."""
    for name, edit in EDITS.items():
        header = package / "csrc" / name / f"{name}.h"
        if edit.header:
            between(header, "namespace my_ops {\n", "\n}  // namespace my_ops", edit.header)
        else:
            replace_body(header, name, edit.element)
        if edit.gradient:
            replace_body(header, f"{name}_backward", edit.gradient)
        module = package / "ops" / f"{name}.py"
        for which, count in zip(["In", "Out"], edit.channels or ()):
            between(header, f"constexpr int k{which} = ", "\n", f"{count};")
            between(module, f"CHANNELS_{which.upper()} = ", "\n", f"{count}")
        start = f"The tests compare `{name}` with this function.\n    "
        between(module, start, "\n\n\n@torch", f'"""\n    {edit.reference}')
        for old, new in edit.arguments:
            replace(package.parent / "tests" / f"test_{name}.py", old, new)
