class Finding(Exception):
    """What is wrong, and what mends it."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__("\n".join([problem, *(f"{'':12}-> {remedy}" for remedy in remedies)]))


def output(*command: str) -> str:
    """Return what a command prints, or nothing if it fails."""
    try:
        return subprocess.check_output(command, stderr=subprocess.STDOUT, timeout=60).decode()
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""


def pytorch_facts() -> dict:
    """Return what torch/version.py says, also where PyTorch cannot be imported; nothing without it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


def python() -> str:
    numbers = tuple(sys.version_info[:3])
    version = ".".join(map(str, numbers))
    if numbers < (3, 10):
        raise Finding(
            f"Python {version} is too old: {PACKAGE} needs 3.10 or later ({sys.executable})",
            "python3.12 -m venv .venv && . .venv/bin/activate",
        )
    return f"Python {version}, {sys.executable}"


def pytorch() -> str:
    facts = pytorch_facts()
    if not facts:
        raise Finding(f"{sys.executable} finds no PyTorch", "pip install torch")
    version = facts["__version__"]
    if tuple(map(int, version.split(".")[:2])) < (2, 10):
        remedy = "pip install --upgrade torch"
        raise Finding(f"PyTorch {version} is too old: {PACKAGE} needs 2.10 or later", remedy)
    if not output(sys.executable, "-c", "import torch; print('imported')").endswith("imported\n"):
        raise Finding(
            f"PyTorch {version} is installed, but cannot be imported",
            "pip install --force-reinstall torch",
        )
    return f"PyTorch {version}, {'CUDA ' + facts['cuda'] if facts['cuda'] else 'without CUDA'}"


# Drivers from these on run what a CUDA of this major version compiled, on Linux:
# https://docs.nvidia.com/deploy/cuda-compatibility/
OLDEST_DRIVER = {"12": 525, "13": 580}


def gpus() -> list[tuple[str, str, int]]:
    """Return name, driver and compute capability of the GPUs, as 90 for 9.0."""
    query = "--query-gpu=name,driver_version,compute_cap"
    rows = output("nvidia-smi", query, "--format=csv,noheader").splitlines()
    fields = [row.split(", ") for row in rows if row.count(", ") == 2]
    return [(name, driver, int(cap.replace(".", ""))) for name, driver, cap in fields]


def gpu() -> str:
    found = gpus()
    cuda = pytorch_facts().get("cuda")
    if not found:
        return "no GPU that nvidia-smi knows: operators run on the CPU"
    if cuda is None:
        raise Finding(
            f"there is an {found[0][0]}, but no PyTorch with CUDA",
            "pip install torch, by the command of https://pytorch.org/get-started/locally",
        )
    for name, driver, _ in found:
        oldest = OLDEST_DRIVER.get(cuda.split(".")[0], 0)
        if int(driver.split(".")[0]) < oldest:
            raise Finding(
                f"driver {driver} of {name} is too old: CUDA {cuda} needs {oldest} or later",
                "install a newer one, https://www.nvidia.com/drivers",
                "or a PyTorch with an older CUDA, https://pytorch.org/get-started/locally",
            )
    return "; ".join(f"{name} ({cap / 10}), driver {driver}" for name, driver, cap in found)
