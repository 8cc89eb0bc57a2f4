"""The names of the kernels that NVRTC compiles, and their grids.

Shared code of the template: do not edit.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

PACKAGE = Path(__file__).parents[1]

# The C++ types that kernels are instantiated for. NVRTC has no <cstdint>.
TYPES = {
    torch.float32: "float",
    torch.float64: "double",
    torch.float16: "__half",
    torch.bfloat16: "__nv_bfloat16",
    torch.int64: "long long",
    torch.int32: "int",
    torch.int16: "short",
    torch.int8: "signed char",
    torch.uint16: "unsigned short",
    torch.uint8: "unsigned char",
    torch.bool: "bool",
    torch.float8_e4m3fn: "__nv_fp8_e4m3",
    torch.float8_e5m2: "__nv_fp8_e5m2",
}
if hasattr(torch, "float8_e8m0fnu"):
    TYPES[torch.float8_e8m0fnu] = "__nv_fp8_e8m0"
# The dtypes of images, and of volumes.
IMAGE_DTYPES = [torch.uint8, torch.float32]
VOLUME_DTYPES = [torch.uint8, torch.int16, torch.uint16, torch.int32, torch.float32]


class Launch(NamedTuple):
    """A launch of a kernel, whose arguments are pointers, numbers of the call, and 64-bit sizes."""

    kernel: int  # the kernel's position in `kernel_names`
    grid: int | tuple[int, int]
    block: int | tuple[int, int]
    arguments: list[Any]
    sizes: list[int]
    cluster: int = 1  # blocks in a cluster; with more than one, the grid counts clusters


@cache
def source(header: str) -> str:
    """Return the text of a file in csrc/."""
    return (PACKAGE / "csrc" / header).read_text()


@cache
def constants(header: str, *names: str) -> list[int]:
    """Return the constants of a file in csrc/, so that launches agree with their kernels."""
    found = dict(re.findall(r"constexpr int (\w+) = (\d+);", source(header)))
    return [int(found[name]) for name in names]


@cache
def multiprocessors(device: int) -> int:
    return torch.cuda.get_device_properties(device).multi_processor_count


def instance(kernel: str, *arguments: str) -> str:
    """Return the C++ name of an instance of a kernel."""
    joined = f"<{', '.join(arguments)}>" if arguments else ""
    return f"{PACKAGE.name}::{kernel}{joined}"


def both_instances(kernel: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
    """Return the C++ names of the instances of a kernel for any memory, and for aligned memory."""
    types = [TYPES[dtype] for dtype in dtypes]
    return [instance(kernel, aligned, *types) for aligned in ("false", "true")]


# ---- Rows


def row_accesses(op: str) -> int:
    """Return the number of accesses to each tensor by one thread of an operator's kernel."""
    name = "".join(map(str.capitalize, op.split("_")))
    return constants(f"{op}/{op}_cuda.cu", f"k{name}Accesses")[0]


def row_neighbours(size: int, dtypes: list[torch.dtype], tensors: list[Any]) -> int:
    """Return the elements per access to a row: 16 bytes of the widest dtype if rows are aligned."""
    neighbours = 16 // max(dtype.itemsize for dtype in dtypes)
    aligned = all(x.data_ptr() % 16 == 0 for x in tensors if x is not None)
    return neighbours if aligned and size % neighbours == 0 else 1


def row_launch(
    x: Tensor, rows: int, size: int, accesses: int, neighbours: int, once: bool = False
) -> tuple[Any, ...]:
    """Return grid, block and cluster of a kernel of rows, as launch_rows of csrc/kit/rows.cuh."""
    names = "kShortAccesses", "kMostRowBlocks", "kBusyBlocks"
    first = "kOnceRowThreads" if once else "kUsualRowThreads"
    usual, short, most_blocks, busy = constants("kit/rows.cuh", first, *names)
    names = "kMaxRowThreads", "kLeastThreads", "kElementAccesses"
    most, least, elements = constants("kit/row.cuh", *names)
    accesses = accesses if neighbours > 1 else elements
    needed = -(-size // neighbours)
    threads = blocks = 1
    if needed <= 32 * accesses:
        each = short if neighbours > 1 else elements
        while threads < 32 and threads * (1 if threads < 4 and neighbours > 1 else each) < needed:
            threads *= 2
    else:
        needed = -(-needed // accesses)
        clusters = x.is_cuda and torch.cuda.get_device_capability(x.device)[0] >= 9
        enough = busy // max(rows, 1) if once else most_blocks
        while clusters and blocks < most_blocks and blocks <= enough and needed > blocks * usual:
            blocks *= 2
        threads = min(usual if once else most, -(-needed // (blocks * 32)) * 32)
    together = max(1, least // threads)
    return (-(-rows // together) * blocks, 1, 1), (threads, together, 1), blocks


def row_call(
    op: str,
    x: Tensor,
    rows: int,
    size: int,
    dtypes: list[torch.dtype],
    tensors: list[Any],
    once: bool,
) -> dict[str, Any]:
    """Return how a custom operator's kernel of rows is launched, as arguments of CustomCall.

    Args:
        op: The operator.
        x: A tensor, on the device of the launch.
        rows: The number of rows.
        size: The elements of a row.
        dtypes: The dtypes of the tensors that have an element for each column of each row.
        tensors: The tensors that a thread accesses by 16 bytes, or None for absent ones.
        once: Whether a block has few threads, because rows are read once.
    """
    neighbours = row_neighbours(size, dtypes, tensors)
    grid, block, cluster = row_launch(x, rows, size, row_accesses(op), neighbours, once)
    return {"grid": grid, "block": block, "cluster": cluster, "kernel": int(neighbours > 1)}


# ---- Kernels. Each class has the names of a pass's kernels, and computes their launches.


class Custom:
    """The instances of a custom kernel, one for each combination of dtypes, or the plain kernel."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return [instance(f"{name}_kernel", *(TYPES[dtype] for dtype in dtypes))]


class Rows:
    """The instances of a kernel of rows: one for any memory, and one for aligned memory."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return both_instances(f"{name}_kernel", dtypes)


class Elementwise(Rows):
    """The launches of elementwise kernels."""

    BLOCK_SIZE, TILE_BYTES, ACCESS_BYTES = constants(
        "kit/tile.cuh", "kBlockSize", "kTileBytes", "kAccessBytes"
    )

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        self.block_elements = self.BLOCK_SIZE * self.TILE_BYTES // dtypes[0].itemsize

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> list[Launch]:
        numel = call.first.numel()
        if numel == 0:
            return []
        # The same as kWhole in for_tile, csrc/kit/tile.cuh.
        misaligned = any(pointer % self.ACCESS_BYTES for pointer in inputs + outputs)
        whole = not misaligned and numel % self.block_elements == 0
        grid = -(-numel // self.block_elements)
        return [Launch(int(whole), grid, self.BLOCK_SIZE, inputs + numbers + outputs, [numel])]


class Rowwise(Rows):
    """The launches of rowwise kernels."""

    ROWS = 1  # the number of tensors with rows that are read

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        (self.dtype,) = dtypes

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> list[Launch]:
        if call.first.numel() == 0:
            return []
        size = call.first.shape[-1]
        count = call.first.numel() // size
        (accesses,) = constants("kit/rows.cuh", "kRowAccesses")
        neighbours = row_neighbours(size, [self.dtype], [*call.inputs, *call.outputs])
        grid, block, cluster = row_launch(
            call.first, count, size, accesses // self.ROWS, neighbours
        )
        kernel, arguments = int(neighbours > 1), inputs + numbers + outputs
        grid = grid[0] // cluster  # with clusters, cuda.core counts clusters, not blocks
        return [Launch(kernel, grid, block, arguments, [count, size], cluster)]


class RowwiseOfTwo(Rowwise):
    """The launches of rowwise gradients without columns, which read the rows of two tensors."""

    ROWS = 2


class RowwiseBackward:
    """The launches of rowwise gradients, which add up the gradients of columns."""

    MAX_THREADS, LEAST_THREADS = constants("kit/row.cuh", "kMaxRowThreads", "kBackwardLeastThreads")
    ACCESSES, ELEMENT_ACCESSES = constants(
        "kit/row.cuh", "kBackwardRowAccesses", "kElementAccesses"
    )
    SUM_THREADS, MANY_COLUMNS = constants("kit/row.cuh", "kSumThreads", "kManyColumns")

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        sum_blocks = instance("sum_blocks_kernel", *[TYPES[dtype] for dtype in dtypes])
        return [*both_instances(f"{name}_kernel", dtypes), sum_blocks]

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        (self.dtype,) = dtypes

    def plan(self, size: int, pointers: list[int]) -> tuple[int, tuple[int, int]]:
        """Return the instance of the kernel to launch, and its blocks."""
        # As row_launch in csrc/kit/row.cuh, but no tiles are kept in shared memory: a kernel needs
        # permission for more than 48 KB.
        itemsize = self.dtype.itemsize
        aligned = not any(x % 16 for x in [size * itemsize, *pointers])
        needed = -(-size // (self.ACCESSES * 16 // itemsize if aligned else self.ELEMENT_ACCESSES))
        threads = min(-(-needed // 32) * 32, self.MAX_THREADS)
        if needed <= 32:
            threads = 1 << (needed - 1).bit_length()
        return int(aligned), (threads, max(self.LEAST_THREADS // threads, 1))

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> Iterator[Launch]:
        size = call.first.shape[-1]
        if size == 0:
            return
        count = call.first.numel() // size
        grad_rows, *grad_columns = outputs
        kernel, block = self.plan(size, [*inputs, grad_rows])
        # As row_parts in csrc/kit/row_tensors.h, which other builds use.
        nbytes = size * self.dtype.itemsize
        most = 4 if nbytes <= 8192 else 2 if nbytes <= 16384 else 1
        most *= multiprocessors(call.first.get_device())
        blocks = min(max(count, 1), most)
        wide = torch.promote_types(self.dtype, torch.float32)
        needed = [x for x in grad_columns if x]
        sums = call.first.new_empty((len(needed), blocks, size), dtype=wide)
        parts = iter(sums)
        pointers = [x and next(parts).data_ptr() for x in grad_columns]
        sizes = [count, size, 0] if grad_columns else [count, size]
        yield Launch(kernel, blocks, block, [*inputs, *numbers, grad_rows, *pointers], sizes)
        # As launch_sum_blocks in csrc/kit/row.cuh.
        grid, threads = -(-size // self.SUM_THREADS), self.SUM_THREADS
        block = (threads, threads if size < self.MANY_COLUMNS else threads // 4)
        for grad, pointer in zip(grad_columns, pointers):
            if grad:
                yield Launch(2, grid, block, [pointer, grad], [blocks, size])


# The names of tiles in csrc/kit/matmul.cuh. For 16-bit types, the large tile needs sm_90a, which is
# not compiled for here.
TILES = ["Small", "Unaligned", "Medium", "Large"]


class Matmul:
    """The launches of matrix products."""

    (FINISH_THREADS,) = constants("kit/matmul.cuh", "kFinishThreads")
    TILE = 64  # as depth_parts in csrc/kit/matrix_tensors.h, which other builds use
    LEAST_DEPTH = 512

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        (dtype,) = (TYPES[dtype] for dtype in dtypes)
        tiles = instance("Tiles", dtype)
        kernels = [instance(f"{name}_kernel", f"{tiles}::{tile}", dtype) for tile in TILES]
        return [*kernels, instance(f"{name}_finish_kernel", dtype)]

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        (self.dtype,) = dtypes
        element = TYPES[self.dtype] if self.dtype.itemsize > 2 else "T"
        text = source("kit/matmul.cuh")
        # The rows, columns and threads of each tile, and its blocks per multiprocessor.
        sizes = rf"using (\w+) = \w+<\w+<{element}, (\d+), (\d+), \d+, (\d+), (\d+)>"
        found = {tile: list(map(int, size)) for tile, *size in re.findall(sizes, text)}
        self.tiles: list[Any] = [found.get(tile) for tile in TILES]

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> Iterator[Launch]:
        a, b, *_ = call.inputs
        (rows, depth), columns = a.shape, b.shape[1]
        if rows * columns == 0:
            return
        # As the launcher in the .cu file, and depth_parts.
        processors = multiprocessors(call.first.get_device())
        tiles = -(-rows // self.TILE) * -(-columns // self.TILE)
        parts = max(min(2 * processors // tiles, depth // self.LEAST_DEPTH), 1)
        itemsize = self.dtype.itemsize
        strides = [depth * itemsize, columns * itemsize, *inputs[:2], outputs[0]]

        def blocks(kernel):
            height, width, *_ = self.tiles[kernel]
            return -(-rows // height) * -(-columns // width)

        kernel = 0
        if any(x % 16 for x in strides):
            kernel = 1
        elif parts == 1:
            # Medium and large tiles, if the product has at least about as many as run at once.
            at_once = {2: 1, 3: self.tiles[3] and self.tiles[3][3]}
            for index, each in at_once.items():
                if self.tiles[index] and blocks(index) * 10 >= processors * each * 9:
                    kernel = index
        given = inputs[2:] + numbers + outputs
        partial = call.first.new_empty(
            (parts if parts > 1 else 0, rows * columns),
            dtype=torch.promote_types(self.dtype, torch.float32),
        )
        arguments = [*inputs[:2], *given, partial.data_ptr()]
        grid = (blocks(kernel), parts)
        yield Launch(kernel, grid, self.tiles[kernel][2], arguments, [rows, columns, depth])
        if parts > 1:
            numel = rows * columns
            finish = -(-numel // self.FINISH_THREADS)
            sizes = [numel, columns, parts]
            yield Launch(4, finish, self.FINISH_THREADS, [partial.data_ptr(), *given], sizes)


class MatmulBackward:
    """The launches of gradients of products: a kernel for the elements. PyTorch multiplies."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return RowwiseBackward.kernel_names(name, dtypes)

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        self.rows = RowwiseBackward(dtypes)

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> Iterator[Launch]:
        grad_out, a, b, *_ = call.inputs
        grad_a, grad_b, *_ = call.outputs
        # As exact as in the operator, unless PyTorch uses TF32. Autocast has already converted the
        # operator's arguments.
        with torch.autocast(grad_out.device.type, enabled=False):
            product = torch.mm(a, b, out_dtype=torch.promote_types(a.dtype, torch.float32))
        grad_product: Any = None
        if grad_a is not None or grad_b is not None:
            grad_product = torch.empty_like(grad_out, memory_format=torch.contiguous_format)
        pointers = [inputs[0], product.data_ptr(), *inputs[3:]]
        grads = [0 if grad_product is None else grad_product.data_ptr(), *outputs[2:]]
        yield from self.rows.launches(call, pointers, numbers, grads)
        if grad_a is not None:
            torch.mm(grad_product, b.t(), out=grad_a)
        if grad_b is not None:
            torch.mm(a.t(), grad_product, out=grad_b)


class Image(Rows):
    """The launches of image kernels."""

    BLOCK, BYTES = constants("kit/pixel.cuh", "kPixelBlock", "kPixelBytes")

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        self.block_pixels = self.BLOCK * self.BYTES // dtypes[0].itemsize

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> list[Launch]:
        count = call.first.numel() // call.first.shape[-1]
        if count == 0:
            return []
        aligned = inputs[0] % 16 == 0
        grid = -(-count // self.block_pixels)
        return [Launch(int(aligned), grid, self.BLOCK, inputs + numbers + outputs, [count])]


class Volume:
    """The launches of volume kernels."""

    BLOCK, ACCESSES, SIZE = constants(
        "kit/voxel.cuh", "kVoxelBlock", "kVoxelAccesses", "kVoxelAccessSize"
    )
    (RANGE_BLOCK,) = constants("kit/voxel.cuh", "kRangeBlock")
    (RANGE_BLOCKS,) = constants("kit/voxel.h", "kRangeBlocks")

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        (dtype,) = dtypes
        value = "double" if dtype == torch.int32 else "float"
        ranges = [instance("range_kernel", TYPES[dtype]), instance("merge_ranges_kernel", value)]
        return [*both_instances(f"{name}_kernel", dtypes), *ranges]

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        (self.dtype,) = dtypes

    def launches(
        self, call: Any, inputs: list[Any], numbers: list[Any], outputs: list[Any]
    ) -> Iterator[Launch]:
        numel = call.first.numel()
        if numel == 0:
            return
        needed = -(-numel // (self.BLOCK * self.ACCESSES * self.SIZE))
        volume, *own = inputs
        if any(own):
            # As launch_find_range in csrc/kit/voxel.cuh.
            itemsize = 8 if self.dtype == torch.int32 else 4
            found = own[0] or own[1] - itemsize
            ranges = found + 2 * itemsize
            blocks = min(needed, self.RANGE_BLOCKS)
            yield Launch(2, blocks, self.RANGE_BLOCK, [volume, ranges], [numel])
            yield Launch(3, 1, self.RANGE_BLOCK, [ranges, found], [blocks])
        aligned = volume % (self.SIZE * self.dtype.itemsize) == 0
        yield Launch(int(aligned), needed, self.BLOCK, inputs + numbers + outputs, [numel])
