def _linker_flags(directory: Path) -> list[str]:
    """Return what makes the linker read libtorch alone, which brings in PyTorch's other libraries.

    PyTorch names them too, and reading their 100,000 symbols takes a third of a second at each build.
    """
    if sys.platform != "linux":
        return []
    for name in ("torch_cpu", "torch_cuda"):
        (directory / f"lib{name}.so").write_text("INPUT(-ltorch)\n")  # a linker script
    return [shlex.quote(f"-L{directory}"), "-Wl,--no-as-needed"]
