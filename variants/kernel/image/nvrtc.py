{% for item in ops if item.kernel == 'image' %}
{{ item.name | upper }}_CHANNELS_IN, {{ item.name
  | upper }}_CHANNELS_OUT = constants("{{ item.name }}/{{ item.name }}.h", "kIn", "kOut")
{% endfor %}


class Image:
    """How image kernels are launched."""

    BLOCK, BYTES = constants("kit/pixel.cuh", "kPixelBlock", "kPixelBytes")

    @staticmethod
    def kernel_names(name: str, dtypes: tuple[torch.dtype, ...]) -> list[str]:
        return both_instances(f"{name}_kernel", dtypes)

    def __init__(self, dtypes: tuple[torch.dtype, ...]):
        self.block_pixels = self.BLOCK * self.BYTES // dtypes[0].itemsize

    def launches(self, call: Call, inputs: list[Any], numbers: list[Any], outputs: list[Any]) -> list[Launch]:
        count = call.first.numel() // call.first.shape[-1]
        if count == 0:
            return []
        aligned = inputs[0] % 16 == 0
        grid = -(-count // self.block_pixels)
        return [Launch(int(aligned), grid, self.BLOCK, inputs + numbers + outputs, [count])]
