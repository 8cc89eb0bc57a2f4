def ninja() -> str:
    """Return the path of ninja, and put its folder on PATH, where PyTorch looks for it."""
    # The folder of an environment's Python, to which pip installs, is on PATH once it is activated.
    folders = [*os.get_exec_path(), os.path.dirname(sys.executable)]
    path = shutil.which("ninja", path=os.pathsep.join(folders))
    if path is None:
        raise Finding("there is no ninja on PATH", "pip install ninja")
    os.environ["PATH"] = os.pathsep.join(folders)
    return path


{% if not cmake %}
def refuse_folder(folder: str) -> None:
    if re.search('[$:"]', folder):
        raise Finding(
            f"{folder} has a dollar sign, colon or quote in it, which PyTorch cannot tell ninja",
            "rename that folder",
        )


{% endif %}
# What a compiler process takes that reads PyTorch's headers.
GIB_OF_A_JOB = 1


def compilers() -> int:
    """Return how many compilers run at a time."""
    given = os.environ.get("{{ jobs }}") or str(os.cpu_count() or 1)
    if not given.isdecimal() or int(given) == 0:
        problem = f"{{ jobs }} is {given!r}, and no number of compilers"
        raise Finding(problem, "unset {{ jobs }}")
    return int(given)


def memory() -> str:
    jobs = compilers()
    free = float("inf")
    with suppress(OSError):  # Linux has it
        kib = re.search(r"MemAvailable: +(\d+)", Path("/proc/meminfo").read_text())
        free = int(kib[1]) / 2**20 if kib else free
    with suppress(OSError, ValueError):  # a container may have less
        limit, used = (Path(f"/sys/fs/cgroup/memory.{x}").read_text() for x in ("max", "current"))
        free = min(free, (int(limit) - int(used)) / 2**30)
    needed = jobs * GIB_OF_A_JOB
    if free < needed:
        problem = f"{jobs} compilers at a time may take {needed} GiB, and {free:.1f} are free"
        fitting = max(1, int(free / GIB_OF_A_JOB))
        raise Finding(problem, f"export {{ jobs }}={fitting}")
    known = "unknown how much is" if free == float("inf") else f"{free:.0f} GiB"
    return f"{known} free, for {jobs} compilers at a time"
