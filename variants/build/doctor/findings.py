class Finding(Exception):
    """What is wrong, and what mends it."""

    def __init__(self, problem: str, *remedies: str) -> None:
        super().__init__(f"\n{'':12}-> ".join([problem, *remedies]))


{% if compiled or full or ops | selectattr('large') | selectattr('kernel', 'equalto', 'custom') | list %}
def asked_for(variable: str) -> bool:
    """Whether an environment variable is 1. What is neither 1 nor 0, such as "true", is refused."""
    given = os.environ.get(variable, "")
    if given not in ("", "0", "1"):
        problem = f"{variable} is {given!r}, and neither 1 nor 0"
        raise Finding(problem, f"export {variable}=1", f"or unset {variable}")
    return given == "1"


{% endif %}
def ran(*command: str, seconds: int = 60, folder: str = ".") -> tuple[int, str]:
    """Return the exit status of a command and what it prints; -1 and why, if it did not run to its end."""
    try:
        run = subprocess.run(command, capture_output=True, timeout=seconds, cwd=folder, check=False)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return -1, str(error)
    return run.returncode, (run.stdout + run.stderr).decode(errors="replace")


def says(text: str, line: int = 0) -> str:
    """Return what a program says first, or in another line, to end a sentence with."""
    lines = text.strip().splitlines()
    return f": {lines[line]}" if lines else ""


def failure(command: str, status: int, text: str) -> str:
    """Return a sentence about a command that `ran`."""
    if status == -1:
        return f"`{command}` does not run{says(text)}"
    return f"`{command}` ended with status {status}{says(text) or ' and printed nothing'}"


def pytorch_facts() -> dict[str, Any]:
    """Return what torch/version.py says, also where PyTorch cannot be imported; nothing without it."""
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        return {}
    return runpy.run_path(str(Path(spec.origin).with_name("version.py")))


def require_versions() -> str:
    """Return the version of PyTorch, unless it is missing or too old."""
{% if registration == 'pybind11' %}
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise Finding(
            f"this Python is free-threaded, and a pybind11 module turns on its GIL ({sys.executable})",
            "python3.12 -m venv .venv && . .venv/bin/activate",
            "or copier update --data binding=torch_library",
        )
{% endif %}
    version = str(pytorch_facts().get("__version__", ""))
    if not version:
        raise Finding(f"{sys.executable} finds no PyTorch", "pip install torch")
    if tuple(map(int, version.split(".")[:2])) < (2, 10):
        problem = f"PyTorch {version} is too old: {PACKAGE} needs 2.10 and Python 3.10, or later"
        raise Finding(problem, "pip install --upgrade torch")
    return version


def pytorch() -> str:
    version, cuda = require_versions(), pytorch_facts().get("cuda")
    gpu = "torch.cuda.get_device_name() if torch.cuda.is_available() else 'none'"
    status, text = ran(sys.executable, "-c", f"import torch; print('GPU:', {gpu})")
    if status != 0:
        problem = f"PyTorch {version} is installed, but cannot be imported{says(text, -1)}"
        raise Finding(problem, "pip install --force-reinstall torch")
    # PyTorch warns of a GPU, or a driver, that it cannot use.
    warning = re.search(r"Warning: (.*\bCUDA\b.*)", text)
    if warning:
        remedy = "a newer driver, or another PyTorch, https://pytorch.org/get-started/locally"
        raise Finding(f"PyTorch {version} cannot use the GPU: {warning[1]}", remedy)
    gpu = "".join(re.findall("GPU: .+", text))
    return f"PyTorch {version}, CUDA: {cuda or 'none'}, {gpu}, {sys.executable}"
