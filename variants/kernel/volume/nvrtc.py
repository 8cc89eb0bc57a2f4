class Volume:
    """How volume kernels are launched."""

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

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> Iterator[Launch]:
        numel = call.first.numel()
        if numel == 0:
            return
        needed = -(-numel // (self.BLOCK * self.ACCESSES * self.SIZE))
        volume, *own = inputs
        if any(own):
            # What launch_find_range in csrc/kit/voxel.cuh does.
            itemsize = 8 if self.dtype == torch.int32 else 4
            found = own[0] or own[1] - itemsize
            ranges = found + 2 * itemsize
            blocks = min(needed, self.RANGE_BLOCKS)
            yield Launch(2, blocks, self.RANGE_BLOCK, [volume, ranges], [numel])
            yield Launch(3, 1, self.RANGE_BLOCK, [ranges, found], [blocks])
        aligned = volume % (self.SIZE * self.dtype.itemsize) == 0
        yield Launch(int(aligned), needed, self.BLOCK, inputs + numbers + outputs, [numel])
