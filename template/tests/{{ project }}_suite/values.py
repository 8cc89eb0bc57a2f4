"""What an operator computes, on the CPU and on a GPU."""

import itertools

import pytest
import torch

from .common import (
    NO_CPU_KERNEL,
    as_double,
    as_list,
    asked_for,
    compiled,
    each,
    only_with,
)
from .facts import Facts
from .guards import refuse_other_memory


class Values(Facts):
    @property
    def read_beside_first(self):
        """The positions of tensors, except the first, that the operator only reads."""
        return [i for i in self.others.values() if i not in self.written.values()]

    def test_values_in_guarded_memory(self, device, poison):
        """An access outside of a tensor may leave the values right, or end the process later."""
        if device == "cpu" and not self.has_cpu_kernel:
            pytest.skip(NO_CPU_KERNEL)
        dtypes = dict.fromkeys([self.dtypes[0], self.dtypes[-1]])
        for layout, dtype in itertools.product(self.usual_layouts, dtypes):
            on_meta = self.make_args(layout, dtype, "meta")
            if sum(x.numel() for x in as_list(on_meta) if isinstance(x, torch.Tensor)) <= 2**18:
                refuse_other_memory(self.op, self.public, self.make_args(layout, dtype, device))

    @each(layout="usual_layouts", dtype="dtypes")
    def test_values(self, layout, dtype, device, poison):
        self.check(self.public, self.make_args(layout, dtype, device))

    @only_with("read_beside_first")
    def test_each_tensor_in_a_layout_of_its_own(self, device, poison):
        args = self.make_args(device=device)
        for i in self.read_beside_first:
            if args[i].dim() > 1:
                args[i] = args[i].transpose(0, -1).contiguous().transpose(0, -1)
        self.check(self.public, args)

    def test_strided(self, device, poison):
        self.check(self.public, self.strided(self.make_args(device=device)))

    @pytest.mark.cuda
    @pytest.mark.skipif(not asked_for("LARGE"), reason="needs several GB; LARGE=1 runs it")
    @only_with("full")
    @each(layout="large_layouts")
    def test_indices_beyond_32_bits(self, layout, poison):
        args = self.make_args(layout, min(self.dtypes, key=lambda dtype: dtype.itemsize), "cuda")
        first = args[self.first]
        count = 1000 if first.dim() == 1 else 10
        parts = [slice(0, count), slice(-count, None)]
        given, expected = [], []
        for part in parts:
            like_first = [isinstance(x, torch.Tensor) and x.shape == first.shape for x in args]
            given.append([x[part] if is_like else x for x, is_like in zip(args, like_first)])
            expected.append(as_list(self.reference(*as_double(given[-1]))))
        outs = self.outputs(args, self.public(*args))
        for part, values, of in zip(parts, expected, given):
            self.check_outputs([x[part] for x in outs], values, of)

    @only_with("defaults")
    def test_defaults(self, device):
        args = self.make_args(device=device)
        for i in self.defaults:
            args[i] = self.arguments[i].default_value
        names = [x.name for i, x in enumerate(self.arguments) if i not in self.defaults]
        given = {x.name: args[i] for i, x in enumerate(self.arguments) if x.name in names}
        doubles = dict(zip(given, as_double(given.values())))
        expected = as_list(self.formula(**doubles))
        self.check_outputs(self.outputs(args, self.function(**given)), expected, args)

    @each(positions="absent", dtype="dtypes")
    def test_values_without(self, positions, dtype, device, poison):
        args = self.without(positions, self.make_args("misaligned", dtype, device))
        self.check(self.public, args)

    @only_with("absent")
    def test_compile_without(self, device):
        *_, everything = self.absent.values()
        args = self.without(everything, self.make_args(device=device))
        self.check(compiled(self.public), args)


class OnGpu(Facts):
    @pytest.mark.cuda
    def test_cuda_graph_replays_with_new_input(self):
        args = self.make_args("large", device="cuda")
        self.public(*args)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            out = self.public(*args)
        for x in args:
            if isinstance(x, torch.Tensor):
                x.mul_(0.5)

        def replay(*args):
            graph.replay()
            return out

        self.check(replay, args, "the result of a replayed CUDA graph")
