class Custom:
    """Which instances a custom kernel has: one for each dtype, or itself if it is no template."""

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return [instance(f"{name}_kernel", *(TYPES[dtype] for dtype in dtypes))]
