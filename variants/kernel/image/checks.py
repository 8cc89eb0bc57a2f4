def check_channels(op: str, name: str, image: Tensor, channels: int) -> None:
    """Check that a tensor has pixels with so many channels.

    Raises:
        RuntimeError: It has not. The message names the argument and its shape.
    """
    if image.dim() == 0 or image.shape[-1] != channels:
        raise RuntimeError(
            f"{op}: {name} must have {channels} channels in its last dimension, but has the shape "
            f"{list(image.shape)}"
        )


def pixels_shape(image: Tensor, channels: int) -> list[int]:
    """Return the shape of an image of the same size: with one channel, it has no dimension for it."""
    return [*image.shape[:-1]] + [channels] * (channels != 1)
