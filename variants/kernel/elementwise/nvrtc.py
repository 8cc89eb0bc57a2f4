class Elementwise:
    """How elementwise kernels are launched."""

    BLOCK_SIZE, TILE_BYTES, ACCESS_BYTES = constants(
        "kit/tile.cuh", "kBlockSize", "kTileBytes", "kAccessBytes"
    )

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return both_instances(f"{name}_kernel", dtypes)

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        self.block_elements = self.BLOCK_SIZE * self.TILE_BYTES // dtypes[0].itemsize

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> list[Launch]:
        numel = call.first.numel()
        if numel == 0:
            return []
        # What for_tile in csrc/kit/tile.cuh calls kWhole.
        misaligned = any(pointer % self.ACCESS_BYTES for pointer in inputs + outputs)
        whole = not misaligned and numel % self.block_elements == 0
        grid = -(-numel // self.block_elements)
        return [Launch(int(whole), grid, self.BLOCK_SIZE, inputs + numbers + outputs, [numel])]
