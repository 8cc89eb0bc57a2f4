class Finding(Exception):
    """What is wrong, and what mends it."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__("\n".join([problem, *(f"{'':12}-> {remedy}" for remedy in remedies)]))


def asked_for(variable: str) -> bool:
    """Whether an environment variable is 1. What is neither 1 nor 0, such as "true", is refused."""
    given = os.environ.get(variable, "")
    if given not in ("", "0", "1"):
        problem = f"{variable} is {given!r}, and neither 1 nor 0"
        raise Finding(problem, f"export {variable}=1", f"or unset {variable}")
    return given == "1"


# How long a program may take to answer, and how long one that may compile.
SECONDS = 60
SECONDS_TO_COMPILE = 3600


def ran(*command: str, seconds: int | None = None, folder: str = ".") -> tuple[int | None, str]:
    """Return the exit status of a command and what it prints; None and why, if it did not run to its end."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds or SECONDS,
            cwd=folder,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        return None, f"no answer in {error.timeout} seconds"
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return None, str(error)
    return done.returncode, done.stdout.decode(errors="replace")


def says(text: str) -> str:
    """Return what a program says first, to end a sentence with."""
    words = next(iter(text.strip().splitlines()), "")
    return f": {words}" if words else ""


def output(*command: str) -> str:
    """Return what a command prints, or nothing if it fails."""
    status, text = ran(*command)
    return text if status == 0 else ""


def pytorch_facts() -> dict:
    """Return what torch/version.py says, also where PyTorch cannot be imported; nothing without it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    try:
        facts = runpy.run_path(str(Path(spec.origin).with_name("version.py")))
    except Exception as error:
        problem = f"{spec.origin} has no version.py that can be read: {error}"
        raise Finding(problem, "pip install --force-reinstall torch") from error
    return {"__version__": str(facts.get("__version__")), "cuda": facts.get("cuda")}


def number(text: str) -> float | None:
    """Return the number that a text starts with, if it does: programs and variables may say anything."""
    found = re.match(r"\d+(\.\d+)?", text)
    return float(found[0]) if found else None


def python() -> str:
    numbers = tuple(sys.version_info[:3])
    version = ".".join(map(str, numbers))
    if numbers < (3, 10):
        raise Finding(
            f"Python {version} is too old: {PACKAGE} needs 3.10 or later ({sys.executable})",
            "python3.12 -m venv .venv && . .venv/bin/activate",
        )
    free_threaded = ", free-threaded" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
{% if registration == 'pybind11' %}
    if free_threaded:
        raise Finding(
            f"Python {version} is free-threaded, and a pybind11 module turns on its GIL ({sys.executable})",
            "python3.12 -m venv .venv && . .venv/bin/activate",
            "or copier update --data binding=torch_library",
        )
{% endif %}
    return f"Python {version}{free_threaded}, {sys.executable}"


def pytorch() -> str:
    facts = pytorch_facts()
    if not facts:
        raise Finding(f"{sys.executable} finds no PyTorch", "pip install torch")
    version = facts["__version__"]
    release = re.match(r"(\d+)\.(\d+)", version)
    if release and tuple(map(int, release.groups())) < (2, 10):
        remedy = "pip install --upgrade torch"
        raise Finding(f"PyTorch {version} is too old: {PACKAGE} needs 2.10 or later", remedy)
    _, text = ran(sys.executable, "-c", "import torch; print('imported')")
    if not text.endswith("imported\n"):
        last = text.strip().rpartition("\n")[2]
        raise Finding(
            f"PyTorch {version} is installed, but cannot be imported{says(last)}",
            "pip install --force-reinstall torch",
        )
    return f"PyTorch {version}, {'CUDA ' + facts['cuda'] if facts['cuda'] else 'without CUDA'}"


# Drivers from these on run what a CUDA of this major version compiled, on Linux:
# https://docs.nvidia.com/deploy/cuda-compatibility/
OLDEST_DRIVER = {"12": 525, "13": 580}


def gpus() -> list[tuple[str, str, int | None]]:
    """Return name, driver and compute capability of the GPUs: 90 for 9.0, None where nvidia-smi has none."""
    query = "--query-gpu=name,driver_version,compute_cap"
    rows = output("nvidia-smi", query, "--format=csv,noheader").splitlines()
    found = []
    for name, driver, cap in [row.split(", ") for row in rows if row.count(", ") == 2]:
        capability = number(cap)
        found.append((name, driver, None if capability is None else round(10 * capability)))
    return found


def no_gpu() -> str:
    """Return why there is no GPU, in words of nvidia-smi if it is here."""
    status, text = ran("nvidia-smi", "-L")
    # It is not installed, finds no device, or no driver: as on machines without a GPU.
    if shutil.which("nvidia-smi") is None or status in (0, 6, 9):
        return f"no GPU: operators run on the CPU{f' (nvidia-smi{says(text)})' if status else ''}"
    remedies = ["reboot, if the driver was updated"] if "mismatch" in text else ["nvidia-smi"]
    raise Finding(f"nvidia-smi fails{'' if status is None else f' ({status})'}{says(text)}", *remedies)


def gpu() -> str:
    found = gpus()
    cuda = pytorch_facts().get("cuda")
    if not found:
        return no_gpu()
    if cuda is None:
        raise Finding(
            f"there is an {found[0][0]}, but no PyTorch with CUDA",
            "pip install torch, by the command of https://pytorch.org/get-started/locally",
        )
    lines = []
    for name, driver, capability in found:
        oldest = OLDEST_DRIVER.get(cuda.split(".")[0], 0)
        release = number(driver)
        if release is not None and release < oldest:
            raise Finding(
                f"driver {driver} of {name} is too old: CUDA {cuda} needs {oldest} or later",
                "install a newer one, https://www.nvidia.com/drivers",
                "or a PyTorch with an older CUDA, https://pytorch.org/get-started/locally",
            )
        known = "compute capability unknown" if capability is None else capability / 10
        lines.append(f"{name} ({known}), driver {driver}")
    return "; ".join(lines)
