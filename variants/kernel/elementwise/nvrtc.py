class Elementwise:
    """What elementwise kernels take and give, and how they are launched."""

    # As the kernels spell them.
    DTYPES: ClassVar = {
        torch.float32: "float",
        torch.float64: "double",
        torch.float16: "__half",
        torch.bfloat16: "__nv_bfloat16",
    }
    BLOCK_SIZE, TILE_BYTES, ACCESS_BYTES = constants(
        "tile.cuh", "kBlockSize", "kTileBytes", "kAccessBytes"
    )

    @classmethod
    def check(cls, op: str, names: list[str], tensors: list[Tensor]) -> None:
        """Check that a kernel can take the tensors.

        Raises:
            RuntimeError: A tensor has a dtype that is not in DTYPES, or not the device, dtype or
                shape of the first. The message names the argument and its value.
        """
        first = tensors[0]
        dtype, device, shape = first.dtype, first.device, first.shape
        if dtype not in cls.DTYPES:
            raise RuntimeError(
                f"{op}: {names[0]} must have dtype Float, Double, Half or BFloat16, but has "
                f"{dtype_name(first)}"
            )
        for x, name in zip(tensors[1:], names[1:]):
            if x.device != device:
                what, expected, found = "be on the device", device, f"is on {x.device}"
            elif x.dtype is not dtype:
                what, expected, found = "have the dtype", dtype_name(first), f"has {dtype_name(x)}"
            elif x.shape != shape:
                what, expected, found = "have the shape", list(shape), f"has {list(x.shape)}"
            else:
                continue
            raise RuntimeError(f"{op}: {name} must {what} of {names[0]}, {expected}, but {found}")

    @staticmethod
    def new_outputs(tensors: list[Tensor], count: int) -> list[Tensor]:
        """Return the tensors that a kernel writes."""
        # new_empty(shape) is the same, but takes twice as long.
        contiguous = torch.contiguous_format
        return [torch.empty_like(tensors[0], memory_format=contiguous) for _ in range(count)]

    @classmethod
    def kernel_names(cls, name: str, dtype: torch.dtype) -> list[str]:
        """Return the C++ names of the kernels of a pass, of which `grid` chooses one."""
        kernel = f"{{ project }}::{name}_kernel"
        return [f"{kernel}<{whole}, {cls.DTYPES[dtype]}>" for whole in ("false", "true")]

    @classmethod
    def grid(cls, inputs: list[Tensor], pointers: list[int]) -> tuple[int, int, list[int]]:
        """Return which of the kernels to launch, on how many blocks, and its last arguments."""
        numel = inputs[0].numel()
        block_elements = cls.BLOCK_SIZE * cls.TILE_BYTES // inputs[0].itemsize
        # What for_tile in csrc/tile.cuh calls kWhole. Outputs are new tensors, and those are aligned.
        misaligned = any(pointer % cls.ACCESS_BYTES for pointer in pointers)
        whole = not misaligned and numel % block_elements == 0
        return int(whole), -(-numel // block_elements), [numel]
