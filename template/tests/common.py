"""Dtypes and memory layouts that the operators have to get right."""

import torch

DTYPES = [torch.float32, torch.float64, torch.float16, torch.bfloat16]

# Every way a tensor can lie in memory that a kernel has to tell apart.
LAYOUTS = {
    "contiguous": lambda make: make((6, 5)),
    "transposed": lambda make: make((5, 6)).t(),
    "sliced": lambda make: make((12, 10))[::2, ::2],
    "expanded": lambda make: make((1, 5)).expand(6, 5),
    "misaligned": lambda make: make((31,))[1:].view(6, 5),
    "channels_last": lambda make: make((2, 3, 4, 5)).to(memory_format=torch.channels_last),
    "empty": lambda make: make((0, 5)),
    "zero_dimensional": lambda make: make(()),
    "large": lambda make: make((70_001,)),
    "large_misaligned": lambda make: make((70_002,))[1:],
    "beyond_32_bits": lambda make: make((2**31 + 9,)),  # only if LARGE=1 asks for it
}
