{% set outputs = item.passes[0].outputs %}
{% set single = outputs | length == 1 %}
{# Operators have names in lower case, so no operator is called as one of these. #}
{% set function = 'PUBLIC' %}
{% set named = 'FUNCTION' if item.by_name else 'PUBLIC' %}
{% set op = 'REGISTERED' if item.by_name else 'OP' %}
{% set reference = 'REFERENCE' if item.by_name else item.name ~ '_reference' %}
{# As opcheck takes them. #}
{% set count = item.positional | length %}
{% set split = 'args[:%d], dict(zip(KEYWORDS, args[%d:]))' % (count, count) if item.by_name else 'args' %}
{% set tensors = (item.inputs + item.written) | map(attribute='name') | list %}
"""`{{ item.name }}` against its reference, in every dtype and layout, on CPU and GPU."""

import os

import pytest
import torch
{% for names in [item.test_imports] if names %}
from common import {{ names }}
{% endfor %}
{{ 'from torch.utils._python_dispatch import TorchDispatchMode\n' if item.batched }}
from {{ project }} import {{ item.name }} as {{ named }}
{% if item.batched %}
from {{ project }}._vmap import OPS as BATCHED
{% endif %}
from {{ project }}.ops.{{ item.name }} import {{ item.module_imports }}{{ item.name }}_reference

NAMESPACE = torch.ops.{{ project }}
OP = NAMESPACE.{{ item.name }}.default
{% if item.by_name %}
KEYWORDS = {{ item.by_name | to_json }}


def by_position(function):
    """Let a function take its keyword-only arguments behind the others."""
    return lambda *args: function(*args[:{{ count }}], **dict(zip(KEYWORDS, args[{{ count }}:])))


PUBLIC = by_position({{ named }})
REGISTERED = by_position(OP)
REFERENCE = by_position({{ item.name }}_reference)
{% endif %}


{% include pathjoin('variants', 'kernel', item.kernel, 'make_args.py') %}


def as_double(args):
    return [x.detach().double() if isinstance(x, torch.Tensor) else x for x in args]


{% include pathjoin('variants', 'kernel', item.compare) %}


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_values(layout, dtype, device, poison):
    check({{ function }}, make_args(layout, dtype, device))


def test_refuses_other_dtypes(any_device):
    args = [x.{{ item.refused[0] }}() if isinstance(x, torch.Tensor) else x for x in make_args(device=any_device)]
    message = "{{ item.first }} must have dtype {{ item.dtype_words.split()[0] }} .* has {{ item.refused[1] }}"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


TENSORS = {
{%- for arg in item.args if arg.tensor -%}
{{ item.names.index(arg.name) }}: "{{ arg.name }}"{{ '' if loop.last else ', ' }}
{%- endfor -%}
}


@pytest.mark.parametrize("position", TENSORS)
def test_refuses_what_is_no_tensor(position):
    args = make_args()
    args[position] = 1.5
    with pytest.raises(RuntimeError, match=f"argument '{TENSORS[position]}'"):
        {{ function }}(*args)


{% if tensors | length > 1 %}
# The other tensors by position: each has to match `{{ item.first }}`.
OTHERS = {
{%- for arg in item.args if arg.tensor and arg.name != item.first -%}
{{ item.names.index(arg.name) }}: "{{ arg.name }}"{{ '' if loop.last else ', ' }}
{%- endfor -%}
}


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_shape(position, any_device):
    args = make_args(device=any_device)
    args[position] = args[position][:3]
    message = rf"{OTHERS[position]} must have the shape .* has \[{{ item.shortened }}\]"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_dtype(position, any_device):
    args = make_args(device=any_device)
    args[position] = args[position].double()
    message = f"{OTHERS[position]} must have the dtype .* has Double"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


@pytest.mark.parametrize("position", OTHERS)
def test_refuses_another_device(position, any_device):
    args = make_args(device=any_device)
    other = "meta" if any_device == "cpu" else "cpu"
    args[position] = torch.empty_like(args[position], device=other)
    message = f"{OTHERS[position]} must be on the device .* is on {other}"
    with pytest.raises(RuntimeError, match=message):
        {{ function }}(*args)


{% endif %}
@pytest.mark.parametrize("layout", ["contiguous", "transposed", "misaligned", "empty"])
def test_opcheck(layout, device):
    args = make_args(layout, device=device)
    torch.library.opcheck(OP, {{ split }})


@pytest.mark.parametrize("dynamic", [False, True])
def test_compile(dynamic, device):
    compiled = torch.compile({{ function }}, fullgraph=True, dynamic=dynamic)
    check(compiled, make_args("transposed", device=device))


@pytest.mark.cuda
def test_launches_on_the_current_stream():
    def delayed(*args):
        tensors = [x for x in args if isinstance(x, torch.Tensor)]
        values = [x.clone() for x in tensors]
        for x in tensors:
            x.zero_()
        torch.cuda.synchronize()
        with torch.cuda.stream(torch.cuda.Stream()):
            torch.cuda._sleep(100_000_000)  # on any other stream, the kernel would be done by then
            for x, value in zip(tensors, values):
                x.copy_(value)
            out = {{ function }}(*args)
        torch.cuda.synchronize()
        return out

    check(delayed, make_args("large", device="cuda"))


@pytest.mark.cuda
def test_cuda_graph_replays_with_new_input():
    args = make_args("large", device="cuda")
    {{ function }}(*args)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = {{ function }}(*args)
    for x in args:
        if isinstance(x, torch.Tensor):
            x.mul_(0.5)

    def replay(*args):
        graph.replay()
        return out

    check(replay, args)


@pytest.mark.cuda
@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_runs_on_the_device_of_its_arguments():
    with torch.cuda.device(0):
        check({{ function }}, make_args("large", device="cuda:1"))


@pytest.mark.cuda
@pytest.mark.skipif(os.environ.get("LARGE") != "1", reason="takes several GB; LARGE=1 asks for it")
def test_indices_beyond_32_bits(poison):
    """EDIT: what it draws, where make_args draws something else."""
{% include pathjoin('variants', 'kernel', item.kernel, 'test_large.py') %}
{% for feature in item.features %}
{% include pathjoin('variants', 'kernel', 'test_' ~ feature ~ '.py') %}
{% endfor %}
{% include pathjoin('variants', 'autograd', item.autograd, 'test_op.py') %}
