"""The tests of operators that compute each element by itself."""

import pytest
import torch

from .common import PRIVATE, as_double, as_list, comparing, compiled, each, only_with, schema_of
from .operators import Operator


class Elementwise(Operator):
    def compare(self, out, expected):
        strides = out.contiguous().stride() if self.written else torch.empty_like(expected).stride()
        assert out.stride() == strides, f"The strides are {out.stride()}, not {strides}."
        self.assert_close(out, expected)

    @property
    def masked(self):
        """The tensors after the first, or nothing if tensors are in lists or are written to."""
        return {} if self.lists or self.written else self.others

    @only_with("full", "masked")
    def test_compile_with_sizes_of_data(self, device):
        args = self.make_args(device=device)
        # The compiler has one unknown size for each mask, and does not know that they are equal.
        masks = [torch.tensor([True, False] * 3, device=device) for _ in args]

        def select(args):
            return [x[mask] if isinstance(x, torch.Tensor) else x for x, mask in zip(args, masks)]

        public = self.public

        def call(*args):
            return public(*select(args))

        with PRIVATE.sizes_of_data(True):
            out = compiled(call)(*args)
        expected = self.reference(*as_double(select(args)))
        with comparing(self.op, "the result", select(args)):
            torch.testing.assert_close(out, expected, check_dtype=False)

    # ---- The dtype of the results

    @property
    def result_dtype(self):
        """A list with the position of the argument that chooses the results' dtype, or []."""
        return list(self.of_type("ScalarType").values()) if schema_of(self.op).returns else []

    @only_with("result_dtype")
    @each(dtype="dtypes", out_dtype="dtypes")
    @pytest.mark.parametrize("layout", ["large", "large_misaligned"])
    def test_dtype_of_the_result(self, layout, dtype, out_dtype, device, poison):
        args = self.make_args(layout, dtype, device)
        args[self.result_dtype[0]] = out_dtype
        # The kernel computes in `computed`, then rounds. The coarser dtype decides what is close.
        computed = torch.promote_types(dtype, torch.float32)
        coarser = min([computed, out_dtype], key=lambda dtype: torch.finfo(dtype).bits)
        count = len(schema_of(self.op).returns)
        expected = as_list(self.reference(*as_double(args)))[-count:]
        for x, value in zip(as_list(self.public(*args))[-count:], expected):
            assert x.dtype == out_dtype
            torch.testing.assert_close(x.to(coarser), value.to(coarser))

    @only_with("result_dtype")
    def test_refuses_another_dtype_of_the_result(self, any_device):
        args = self.make_args(device=any_device)
        position = self.result_dtype[0]
        args[position] = torch.int32
        name = self.arguments[position].name
        with pytest.raises(RuntimeError, match=f"{name} must be Float, .* is Int"):
            self.public(*args)
