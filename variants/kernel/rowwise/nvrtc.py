{% set launches = ops | map(attribute='passes') | sum(start=[]) | map(attribute='launches', default='') | list %}
{% if plain_rows %}
class Rowwise:
    """How rowwise kernels are launched."""

    ROWS = 1  # tensors that have rows and are read

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return both_instances(f"{name}_kernel", dtypes)

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        (self.dtype,) = dtypes

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> list[Launch]:
        if call.first.numel() == 0:
            return []
        size = call.first.shape[-1]
        count = call.first.numel() // size
        (accesses,) = constants("kit/rows.cuh", "kRowAccesses")
        neighbours = row_neighbours(size, [self.dtype], [*call.inputs, *call.outputs])
        grid, block, cluster = row_launch(call.first, count, size, accesses // self.ROWS, neighbours)
        kernel, arguments = int(neighbours > 1), inputs + numbers + outputs
        grid = grid[0] // cluster  # of a grid of clusters, cuda.core counts these
        return [Launch(kernel, grid, block, arguments, [count, size], cluster)]
{% if 'RowwiseOfTwo' in launches %}


class RowwiseOfTwo(Rowwise):
    """The same for a gradient, whose rows are those of two tensors."""

    ROWS = 2
{% endif %}
{% if sums %}


{% endif %}
{% endif %}
{% if sums %}
class RowwiseBackward:
    """How the gradients of rowwise kernels are launched, which add up the gradients of columns."""

    MAX_THREADS, LEAST_THREADS = constants("kit/row.cuh", "kMaxRowThreads", "kBackwardLeastThreads")
    ACCESSES, ELEMENT_ACCESSES = constants("kit/row.cuh", "kBackwardRowAccesses", "kElementAccesses")
    SUM_THREADS, MANY_COLUMNS = constants("kit/row.cuh", "kSumThreads", "kManyColumns")

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        sum_blocks = instance("sum_blocks_kernel", *[TYPES[dtype] for dtype in dtypes])
        return [*both_instances(f"{name}_kernel", dtypes), sum_blocks]

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        (self.dtype,) = dtypes

    def plan(self, size: int, pointers: list[int]) -> tuple[int, tuple[int, int]]:
        """Return which instance of a kernel to launch, and in what blocks."""
        # What row_launch in csrc/kit/row.cuh does, but no tiles are kept: a kernel has to be allowed that
        # much shared memory.
        itemsize = self.dtype.itemsize
        aligned = not any(x % 16 for x in [size * itemsize, *pointers])
        needed = -(-size // (self.ACCESSES * 16 // itemsize if aligned else self.ELEMENT_ACCESSES))
        threads = min(-(-needed // 32) * 32, self.MAX_THREADS)
        if needed <= 32:
            threads = 1 << (needed - 1).bit_length()
        return int(aligned), (threads, max(self.LEAST_THREADS // threads, 1))

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> Iterator[Launch]:
        size = call.first.shape[-1]
        if size == 0:
            return
        count = call.first.numel() // size
        grad_rows, *grad_columns = outputs
        kernel, block = self.plan(size, [*inputs, grad_rows])
        # What row_parts does, in csrc/kit/row_tensors.h of other builds.
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
        # What launch_sum_blocks in csrc/kit/row.cuh does.
        grid, threads = -(-size // self.SUM_THREADS), self.SUM_THREADS
        block = (threads, threads if size < self.MANY_COLUMNS else threads // 4)
        for grad, pointer in zip(grad_columns, pointers):
            if grad:
                yield Launch(2, grid, block, [pointer, grad], [blocks, size])
{% endif %}
