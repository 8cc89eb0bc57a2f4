"""Registers the operators with PyTorch: NVRTC's kernels on the GPU, the reference on the CPU."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import ClassVar

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


# ---- Kernels


def constants(header: str, *names: str) -> list[int]:
    """Return numbers of a header in csrc, so that launches agree with their kernels."""
    text = (Path(__file__).parent / "csrc" / header).read_text()
    found = dict(re.findall(r"constexpr int (\w+) = (\d+);", text))
    return [int(found[name]) for name in names]


def dtype_name(tensor: Tensor) -> str:
    """Return the name that C++ has for a dtype, such as Float."""
    return tensor.type().split(".")[-1].removesuffix("Tensor")


{% for kernel in ops | map(attribute='kernel') | unique | sort %}
{% include pathjoin('variants', 'kernel', kernel, 'nvrtc.py') %}


{% endfor %}
KERNELS = {
{% for item in ops %}
    "{{ item.name }}": {{ item.kernel | capitalize }},
{% endfor %}
}


# ---- Passes


class Pass:
    """One pass of an operator: which of its arguments are tensors, and what they have to be."""

    def __init__(self, op: str, name: str, schema: str):
        self.op = op
        self.name = name
        self.kernel = KERNELS[op]
        arguments, results = schema.split(" -> ")
        arguments = [argument.split() for argument in arguments.strip("()").split(", ")]
        self.tensors = [i for i, (kind, _) in enumerate(arguments) if kind == "Tensor"]
        self.tensor_names = [arguments[i][1] for i in self.tensors]
        self.numbers = [i for i, (kind, _) in enumerate(arguments) if kind != "Tensor"]
        self.number_kinds = [arguments[i][0] for i in self.numbers]
        self.results = results.count("Tensor")

    def check(self, tensors: list[Tensor]) -> None:
        """Raise a RuntimeError that names the argument if the kernel can't take the tensors."""
        self.kernel.check(self.op, self.tensor_names, tensors)

    def new_outputs(self, tensors: list[Tensor]) -> list[Tensor]:
        """Return the tensors that the kernel writes."""
        return self.kernel.new_outputs(tensors, self.results)


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
        outputs = p.new_outputs(tensors)
        if outputs[0].numel():
            key = tensors[0].dtype, tensors[0].get_device()
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
        # Like the kernels: 16-bit types are computed in float32 and rounded once.
        wide = torch.promote_types(tensors[0].dtype, torch.float32)
        args = [x.to(wide) if isinstance(x, Tensor) else x for x in args]
        # Not at the top: that module looks for the operators which this one defines.
        module = import_module(f"{{ project }}.ops.{p.op}")
        reference = getattr(module, f"{p.op}_reference")
        values = [reference(*args)] if p.name == p.op else _gradients(reference, *args)
        # A reference may return a view or any strides; the fake promises new contiguous tensors.
        return _result([out.copy_(x) for out, x in zip(p.new_outputs(tensors), values)])

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
