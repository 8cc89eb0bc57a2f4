# What tiles are called in csrc/matmul.cuh. Of 16-bit types, the large one is for sm_90a, for which
# nothing is compiled here.
TILES = ["Small", "Unaligned", "Medium", "Large"]


class Matmul:
    """How products of matrices are launched."""

    (FINISH_THREADS,) = constants("kit/matmul.cuh", "kFinishThreads")
    TILE = 64  # as depth_parts counts, in csrc/kit/matrix_tensors.h of other builds
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
        text = (Path(__file__).parent / "csrc" / "kit" / "matmul.cuh").read_text()
        # The rows, columns and threads of each tile, and how many run on a multiprocessor at once.
        sizes = rf"using (\w+) = \w+<\w+<{element}, (\d+), (\d+), \d+, (\d+), (\d+)>"
        found = {tile: list(map(int, size)) for tile, *size in re.findall(sizes, text)}
        self.tiles: list[Any] = [found.get(tile) for tile in TILES]

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> Iterator[Launch]:
        a, b, *_ = call.inputs
        (rows, depth), columns = a.shape, b.shape[1]
        if rows * columns == 0:
            return
        # What the launcher in the .cu file does, and depth_parts.
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
            # Medium and large ones, if there are about as many as run at once.
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
{% if sums %}


class MatmulBackward:
    """How the gradients of products are: an element's gradients by rows, and PyTorch's products."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return RowwiseBackward.kernel_names(name, dtypes)

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        self.rows = RowwiseBackward(dtypes)

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> Iterator[Launch]:
        grad_out, a, b, *_ = call.inputs
        grad_a, grad_b, *_ = call.outputs
        # As exact as in the operator, unless PyTorch is told to use TF32. Autocast has converted the
        # operator's arguments already.
        with torch.autocast(grad_out.device.type, enabled=False):
            product = torch.mm(a, b, out_dtype=torch.promote_types(a.dtype, torch.float32))
        grad_product: Any = None
        if grad_a is not None or grad_b is not None:
            grad_product = new_output(grad_out)
        pointers = [inputs[0], product.data_ptr(), *inputs[3:]]
        grads = [0 if grad_product is None else grad_product.data_ptr(), *outputs[2:]]
        yield from self.rows.launches(call, pointers, numbers, grads)
        if grad_a is not None:
            torch.mm(grad_product, b.t(), out=grad_a)
        if grad_b is not None:
            torch.mm(a.t(), grad_product, out=grad_b)
{% endif %}
