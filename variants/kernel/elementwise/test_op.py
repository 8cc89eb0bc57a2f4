"""`{{ item.name }}` against its reference, in every dtype and layout, on CPU and GPU."""

import os

import pytest
import torch
from common import DTYPES, LAYOUTS

from {{ project }} import {{ item.name }}
from {{ project }}.ops.{{ item.name }} import {{ item.name }}_reference

NAMESPACE = torch.ops.{{ project }}
OP = NAMESPACE.{{ item.name }}.default


def make_args(layout="contiguous", dtype=torch.float32, device="cpu", requires_grad=False):
    """Return fresh random arguments of `{{ item.name }}`."""

    def make(shape):
        return torch.randn(shape, dtype=dtype, device=device)

    def tensor():
        return LAYOUTS[layout](make).detach().requires_grad_(requires_grad)

    return [{{ item.samples }}]


def as_double(args):
    return [x.detach().double() if isinstance(x, torch.Tensor) else x for x in args]


def check(out, args):
    expected = {{ item.name }}_reference(*as_double(args))
    torch.testing.assert_close(out, expected.to(out.dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_values(layout, dtype, device, poison):
    args = make_args(layout, dtype, device)
    out = {{ item.name }}(*args)
    assert out.is_contiguous()
    check(out, args)


def test_refuses_integers(device):
    args = [x.int() if isinstance(x, torch.Tensor) else x for x in make_args(device=device)]
    message = "{{ item.tensors[0] }} must have dtype Float, .* has Int"
    with pytest.raises(RuntimeError, match=message):
        {{ item.name }}(*args)


{% if item.tensors | length > 1 %}
# The other tensors by position: each has to match the first.
OTHERS = {
{%- for name in item.tensors[1:] -%}
{{ item.names.index(name) }}: "{{ name }}"{{ '' if loop.last else ', ' }}
{%- endfor -%}
}


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_shape(position, device):
    args = make_args(device=device)
    args[position] = args[position][:3]
    message = rf"{OTHERS[position]} must have the shape .* has \[3, 5\]"
    with pytest.raises(RuntimeError, match=message):
        {{ item.name }}(*args)


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_dtype(position, device):
    args = make_args(device=device)
    args[position] = args[position].double()
    message = f"{OTHERS[position]} must have the dtype .* has Double"
    with pytest.raises(RuntimeError, match=message):
        {{ item.name }}(*args)


@pytest.mark.cuda
@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_device(position):
    args = make_args(device="cuda")
    args[position] = args[position].cpu()
    message = f"{OTHERS[position]} must be on the device .* is on cpu"
    with pytest.raises(RuntimeError, match=message):
        {{ item.name }}(*args)


{% endif %}
@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck(layout, device):
    torch.library.opcheck(OP, make_args(layout, device=device))


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile(dynamic, device):
    def function(*args):
        return {{ item.name }}(*args) + 1

    compiled = torch.compile(function, fullgraph=True, dynamic=dynamic)
    args = make_args("transposed", device=device)
    check(compiled(*args) - 1, args)


@pytest.mark.cuda
def test_launches_on_the_current_stream():
    args, later = make_args("large", device="cuda"), make_args("large", device="cuda")
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(100_000_000)  # on any other stream, the kernel would be done by then
        for x, y in zip(args, later):
            if isinstance(x, torch.Tensor):
                x.copy_(y)
        out = {{ item.name }}(*args)
    torch.cuda.synchronize()
    check(out, args)


@pytest.mark.cuda
def test_cuda_graph_replays_with_new_input():
    args = make_args("large", device="cuda")
    {{ item.name }}(*args)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = {{ item.name }}(*args)
    for x in args:
        if isinstance(x, torch.Tensor):
            x.normal_()
    graph.replay()
    check(out, args)


@pytest.mark.cuda
@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_runs_on_the_device_of_its_arguments():
    args = make_args("large", device="cuda:1")
    with torch.cuda.device(0):
        check({{ item.name }}(*args), args)


@pytest.mark.cuda
@pytest.mark.skipif(os.environ.get("LARGE") != "1", reason="takes several GB; LARGE=1 asks for it")
def test_indices_beyond_32_bits(poison):
    def tensor():
        return torch.randn(2**31 + 9, dtype=torch.float16, device="cuda")

    args = [{{ item.samples }}]
    out = {{ item.name }}(*args)
    for part in slice(0, 1000), slice(-1000, None):
        check(out[part], [x[part] if isinstance(x, torch.Tensor) else x for x in args])
{% include pathjoin('variants', 'autograd', autograd, 'test_op.py') %}
