def architectures() -> str:
    """Return the GPUs to compile for, as TORCH_CUDA_ARCH_LIST has them: those here, if it is not set."""
    given = os.environ.get("TORCH_CUDA_ARCH_LIST")
    count = torch.cuda.device_count()
    here = sorted({torch.cuda.get_device_capability(i) for i in range(count)})
    # Where there is none, PTX lets later ones run it too.
    return given or ";".join(f"{major}.{minor}" for major, minor in here) or "8.0+PTX"
