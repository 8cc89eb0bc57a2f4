def home_with_headers(nvcc: Path, cuda: str) -> Path:
    """Return the CUDA_HOME, where PyTorch looks for headers, wherever an nvcc has its own."""
    home, header = cuda_home(), Path("include", "cuda_runtime.h")
    if not (home / header).exists():
        own = own_home(nvcc)
        with_headers = own and (own / header).exists()
        raise Finding(
            f"{nvcc} is here, but not the headers: {home / header}",
            *([f"export CUDA_HOME={own}"] if with_headers else ways_to_nvcc(cuda)),
        )
    return home
