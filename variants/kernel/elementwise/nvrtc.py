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
    def check(cls, op: str, tensors: dict[str, Tensor{{ ' | None' if optional }}]) -> None:
        """Check that a kernel can take the tensors, which are given by name.

        Raises:
            RuntimeError: A tensor has a dtype that is not in DTYPES, or not the device, dtype or
                shape of the first. The message names the argument and its value.
        """
        (first_name, first), *others = tensors.items()
        dtype, device, shape = first.dtype, first.device, first.shape
        if dtype not in cls.DTYPES:
            raise RuntimeError(
                f"{op}: {first_name} must have dtype Float, Double, Half or BFloat16, but has "
                f"{dtype_name(first)}"
            )
        for name, x in others:
            if {{ 'x is None:
                continue
            if ' if optional }}x.device != device:
                what, expected, found = "be on the device", device, f"is on {x.device}"
            elif x.dtype is not dtype:
                what, expected, found = "have the dtype", dtype_name(first), f"has {dtype_name(x)}"
            elif x.shape != shape:
                what, expected, found = "have the shape", list(shape), f"has {list(x.shape)}"
            else:
                continue
            raise RuntimeError(f"{op}: {name} must {what} of {first_name}, {expected}, but {found}")
{% for _ in written[:1] %}

    @staticmethod
    def check_output(op: str, name: str, x: Tensor{{ ' | None' if optional }}, others: list) -> None:
        """Check that a kernel can write to a tensor: to its own memory, which no other tensor shares.

        Raises:
            RuntimeError: It is not contiguous, or shares memory with another one.
        """
{% if optional %}
        if x is None:
            return
{% endif %}
        if not x.is_contiguous():
            raise RuntimeError(
                f"{op}: {name} is written to and must be contiguous, but has strides "
                f"{list(x.stride())}"
            )
        for other in {{ '(y for y in others if y is not None)' if optional else 'others' }}:
            begin, other_begin = x.data_ptr(), other.data_ptr()
            if begin < other_begin + other.nbytes and other_begin < begin + x.nbytes:
                raise RuntimeError(
                    f"{op}: {name} is written to and must not share memory with another argument"
                )
{% endfor %}

    @staticmethod
    def new_output(like: Tensor{{ ', dtype: torch.dtype | None = None' if typed }}) -> Tensor:
        """Return a tensor for a kernel to write to."""
        # new_empty(shape) is the same, but takes twice as long.
        return torch.empty_like(like, {{ 'dtype=dtype, ' if typed }}memory_format=torch.contiguous_format)

    @classmethod
    def kernel_names(cls, name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        """Return the C++ names of the kernels of a pass, of which `grid` chooses one."""
        types = ", ".join(cls.DTYPES[dtype] for dtype in dtypes)
        kernel = f"{{ project }}::{name}_kernel"
        return [f"{kernel}<{whole}, {types}>" for whole in ("false", "true")]

    @classmethod
    def grid(cls, first: Tensor, pointers: list[int]) -> tuple[int, int, list[int]]:
        """Return which of the kernels to launch, on how many blocks, and its last arguments."""
        numel = first.numel()
        block_elements = cls.BLOCK_SIZE * cls.TILE_BYTES // first.itemsize
        # What for_tile in csrc/tile.cuh calls kWhole.
        misaligned = any(pointer % cls.ACCESS_BYTES for pointer in pointers)
        whole = not misaligned and numel % block_elements == 0
        return int(whole), -(-numel // block_elements), [numel]
