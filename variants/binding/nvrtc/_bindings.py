"""Registers the operators with PyTorch: NVRTC's kernels on the GPU, the reference on the CPU."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import torch
from torch import Tensor

# By operator, its passes by name. A pass is one kernel of csrc/<operator>/<operator>_cuda.cu, which
# takes the tensors of this schema, then its numbers, the results and the number of elements.
OPS = {
{% for item in ops %}
    "{{ item.name }}": {
{% for pass in item.passes %}
        "{{ pass.name }}": "{{ pass.schema }}",
{% endfor %}
    },
{% endfor %}
}

# By pass, the names under which PyTorch knows it.
REGISTERED = {
{% for item in ops %}
{% for pass in item.passes %}
    "{{ pass.name }}": {{ pass.registered | to_json }},
{% endfor %}
{% endfor %}
}

# The dtypes of the tensors, as the kernels spell them.
DTYPES = {
    torch.float32: "float",
    torch.float64: "double",
    torch.float16: "{{ project }}::float16_t",
    torch.bfloat16: "{{ project }}::bfloat16_t",
}


class Pass:
    """One pass of an operator: which of its arguments are tensors, and what they have to be."""

    def __init__(self, op: str, name: str, schema: str):
        self.op = op
        self.name = name
        arguments, results = schema.split(" -> ")
        arguments = [argument.split() for argument in arguments.strip("()").split(", ")]
        self.tensors = [i for i, (kind, _) in enumerate(arguments) if kind == "Tensor"]
        self.tensor_names = [arguments[i][1] for i in self.tensors]
        self.numbers = [i for i, (kind, _) in enumerate(arguments) if kind != "Tensor"]
        self.number_kinds = [arguments[i][0] for i in self.numbers]
        self.results = results.count("Tensor")

    def check(self, tensors: list[Tensor]) -> None:
        """Check that the kernel can take the tensors.

        Raises:
            RuntimeError: A tensor has a dtype that is not in DTYPES, or not the device, dtype or
                shape of the first. The message names the argument and its value.
        """
        first = tensors[0]
        dtype, device, shape = first.dtype, first.device, first.shape
        if dtype not in DTYPES:
            raise RuntimeError(
                f"{self.op}: {self.tensor_names[0]} must have dtype Float, Double, Half or "
                f"BFloat16, but has {_dtype_name(first)}"
            )
        for x, name in zip(tensors[1:], self.tensor_names[1:]):
            if x.device != device:
                self._refuse(name, "be on the device of", device, "is on", x.device)
            if x.dtype is not dtype:
                self._refuse(name, "have the dtype of", _dtype_name(first), "has", _dtype_name(x))
            if x.shape != shape:
                self._refuse(name, "have the shape of", list(shape), "has", list(x.shape))

    def _refuse(self, name: str, what: str, value, verb: str, found) -> None:
        raise RuntimeError(
            f"{self.op}: {name} must {what} {self.tensor_names[0]}, {value}, but {verb} {found}"
        )


def _dtype_name(tensor: Tensor) -> str:
    return tensor.type().split(".")[-1].removesuffix("Tensor")


def _empty(like: Tensor) -> Tensor:
    # new_empty(like.shape) is the same, but takes twice as long.
    return torch.empty_like(like, memory_format=torch.contiguous_format)


def _result(outputs: list[Tensor]) -> Tensor | tuple[Tensor, ...]:
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


# ---- GPU


def cuda_function(p: Pass) -> Callable:
    """Return a function that computes a pass by its CUDA kernel, compiled when first called."""
    launchers = {}

    def new_launcher(dtype: torch.dtype, device: int) -> Callable:
        try:
            # Not at the top: it takes a quarter of a second, and needs what only a GPU needs.
            from ._library import launcher
        except ImportError as error:
            raise RuntimeError(
                f"{p.op}: the tensors are on a GPU, but NVRTC is not installed ({error}); "
                "`pip install cuda-core` next to a PyTorch with CUDA"
            ) from error
        launchers[dtype, device] = launcher(p, dtype, device)
        return launchers[dtype, device]

    def run(*args):
        tensors = [args[i] for i in p.tensors]
        p.check(tensors)
        first = tensors[0]
        outputs = [_empty(first) for _ in range(p.results)]
        if first.numel():
            key = first.dtype, first.get_device()
            launch = launchers.get(key) or new_launcher(*key)
            launch([x.contiguous() for x in tensors], [args[i] for i in p.numbers], outputs)
        return _result(outputs)

    return run


# ---- CPU


def cpu_function(p: Pass) -> Callable:
    """Return a function that computes a pass by the operator's reference, or by its gradient."""

    def run(*args):
        tensors = [args[i] for i in p.tensors]
        p.check(tensors)
        first = tensors[0]
        # Like the kernels: 16-bit types are computed in float32 and rounded once.
        wide = first.dtype if first.dtype == torch.float64 else torch.float32
        args = [x.to(wide) if isinstance(x, Tensor) else x for x in args]
        # Not at the top: that module looks for the operators which this one defines.
        module = import_module(f"{{ project }}.ops.{p.op}")
        reference = getattr(module, f"{p.op}_reference")
        values = [reference(*args)] if p.name == p.op else _gradients(reference, *args)
        # A reference may return a view or any strides; the fake promises new contiguous tensors.
        return _result([_empty(first).copy_(value) for value in values])

    return run


def _gradients(reference: Callable, grad_out: Tensor, *args) -> tuple[Tensor, ...]:
    positions = [i for i, x in enumerate(args) if isinstance(x, Tensor)]

    def forward(*tensors):
        filled = dict(zip(positions, tensors))
        return reference(*[filled.get(i, x) for i, x in enumerate(args)])

    def gradients():
        _, vjp = torch.func.vjp(forward, *[args[i] for i in positions])
        return vjp(grad_out)

    # PyTorch calls an operator's kernel with autograd switched off in this thread.
    with ThreadPoolExecutor(1) as other_thread:
        return other_thread.submit(gradients).result()


# ---- Registration

# Registrations last as long as this object.
_registrations = torch.library.Library("{{ project }}", "DEF")

for _op, _passes in OPS.items():
    for _name, _schema in _passes.items():
        _pass = Pass(_op, _name, _schema)
        _functions = {"CUDA": cuda_function(_pass), "CPU": cpu_function(_pass)}
        for _registered in REGISTERED[_name]:
            _registrations.define(_registered + _schema)
            for _key, _function in _functions.items():
                _registrations.impl(_registered, _function, _key)
