def home_with_headers(nvcc: Path, cuda: str) -> Path:
    """Return where an nvcc has its headers, which CMake asks it for."""
    home = own_home(nvcc) or cuda_home()
    header = home / "include" / "cuda_runtime.h"
    if not header.exists():
        raise Finding(f"{nvcc} is here, but not the headers: {header}", *ways_to_nvcc(cuda))
    return home
