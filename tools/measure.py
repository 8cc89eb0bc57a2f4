"""Measures what each variant costs: to compile, to compile again after an edit, and to call.

    python tools/measure.py rendered                          # all variants, into measured/costs.json
    python tools/measure.py rendered --variants cmake --repeat 3
    python tools/measure.py --table measured/costs.json --write docs/measurements/costs.md

FOLDER holds one rendered project per subfolder (`./dev rendered` makes it). The machine needs torch,
a C++ compiler, ninja, cmake, scikit-build-core, cuda-core for nvrtc, and nvcc if torch has CUDA, but
neither Copier nor a network nor a GPU. Every project is built in a copy, with caches and a virtual
environment of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "lib"))

from measure_table import table, write_between_markers

from variants import VARIANTS, Variant

INSTALL = "pip install --no-build-isolation -e ."
BUILD_EXT = "python setup.py build_ext --inplace"


@dataclass(frozen=True)
class Build:
    """How one `build` is used, as the README of a rendered project says.

    An edit is compiled by the next import, or, if the build can do that, by `reload()` in a process
    that has imported it before.
    """

    install: str | None = None  # None: the first import compiles
    to_edit: str | None = None  # once, before the first edit
    reloads: bool = False
    scikit_build_core: bool = False  # whether its environment has it


BUILDS = {
    "setuptools": Build(INSTALL, BUILD_EXT),
    "cmake": Build(
        INSTALL,
        INSTALL
        + " --config-settings=editable.rebuild=true --config-settings=cmake.define.CMAKE_CUDA_ARCHITECTURES=native",
        scikit_build_core=True,
    ),
    "inline": Build(reloads=True),
}

# What a process does first that imports an edit, where the import does not compile it.
COMPILE = f"""
import subprocess
import sys
subprocess.run([sys.executable, *{BUILD_EXT.split()[1:]}], cwd="project", check=True)
"""

# What a new process does until the operator can be called, the second part timed by itself. NVRTC
# compiles at the first call.
IMPORT_TORCH = """
import time
import torch
start = time.perf_counter()
"""
IMPORT = """
import my_ops
"""
NVRTC_CALL = """
import my_ops
x = torch.ones(16, device="cuda")
my_ops.muladd(x, x, 1.0)
torch.cuda.synchronize()
"""
NVRTC_COMPILE = """
from my_ops._library import load
load("muladd", "sm_90")
"""
EDIT_AND_RELOAD = """
import sys, time
from pathlib import Path
import my_ops
from my_ops._library import reload
Path(sys.argv[1]).write_text(sys.argv[2])
start = time.perf_counter()
reload()
"""
SHOW_TIME_AND_LIBRARIES = """
print("loaded in", time.perf_counter() - start)
for line in open("/proc/self/maps"):
    print(line.split()[-1])
"""
# Python takes a third of a second to end, which nobody waits for who has the operator.
END_AT_ONCE = """
import os, sys
sys.stdout.flush()
os._exit(0)
"""


class Failed(Exception):
    """A command failed or did not do what it was timed for."""


class Workplace:
    """A copy of a project in a temporary folder, with an environment and caches of its own."""

    def __init__(self, source: Path, scikit_build_core: bool = False):
        self._folder = tempfile.TemporaryDirectory(prefix="measure-")
        root = self.root = Path(self._folder.name).resolve()
        self.project = root / "project"
        shutil.copytree(source, self.project, ignore=shutil.ignore_patterns("build", ".*", "*.so"))
        # Sees the packages of this Python, pip among them, but what is installed stays in it.
        venv.create(root / "venv", with_pip=False)
        (site,) = root.glob("venv/lib/python*/site-packages")
        packages = [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
        (site / "outer.pth").write_text("\n".join(packages))
        if not scikit_build_core:
            # It has a plugin for setuptools, which would load it for a sixth of a second in each build.
            # Of two packages with one name, Python takes the plugins of the first on its path.
            hiding = site / "scikit_build_core-0.dist-info"
            hiding.mkdir()
            (hiding / "METADATA").write_text("Name: scikit-build-core\nVersion: 0\n")
        self.environment = os.environ | {
            "PATH": os.pathsep.join(
                [str(root / "venv" / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
            "TORCH_EXTENSIONS_DIR": str(root / "torch_extensions"),
            "XDG_CACHE_HOME": str(root / "cache"),
            "TMPDIR": str(root),
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
            "PIP_NO_DEPS": "1",
        }

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self._folder.cleanup()

    def run(self, *command: str, cwd: Path) -> tuple[float, str]:
        """Run a command; return its seconds and what it printed."""
        start = time.perf_counter()
        result = subprocess.run(
            command,
            cwd=cwd,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - start
        if result.returncode:
            raise Failed(f"{shlex.join(command)}\n{result.stdout[-3000:]}")
        return seconds, result.stdout

    def run_in_project(self, command: str) -> float:
        """Run a command of the README; return its seconds."""
        words = shlex.split(command)
        if words[0] == "pip":
            words = ["python", "-m", *words]
        words[0] = str(self.root / "venv" / "bin" / words[0])
        return self.run(*words, cwd=self.project)[0]

    def run_python(self, code: str, *arguments: str) -> tuple[float, str]:
        """Run code in a new process; return its seconds and what it printed."""
        python = str(self.root / "venv" / "bin" / "python")
        return self.run(python, "-c", code, *arguments, cwd=self.root)

    def use_sources(self) -> None:
        """Let new processes import the project from its sources, without installing it."""
        self.environment["PYTHONPATH"] = str(self.project)

    def objects(self) -> dict[Path, int]:
        """Return when each object file was compiled."""
        return {path: path.stat().st_mtime_ns for path in self.root.rglob("*.o")}


def measure(variant: Variant, source: Path, machine: dict, options: argparse.Namespace) -> dict:
    """Return all that one variant costs, as a row of the results."""
    repeat = 1 if options.calls else options.repeat
    if not source.is_dir():
        raise Failed(f"{source} is missing; `./dev rendered` makes it")
    build = BUILDS.get(variant.build, Build())
    row = {
        "answers": variant.answers,
        "after_edit": edit_command(variant),
        "edits": {},
        "calls": {},
    }
    load = IMPORT_TORCH + IMPORT
    if not variant.compiled and machine["cuda"]:
        load = IMPORT_TORCH + (NVRTC_CALL if machine["gpu"] else NVRTC_COMPILE)

    def cold(place: Workplace) -> float:
        if build.install:
            return place.run_in_project(build.install)
        place.use_sources()
        return place.run_python(load)[0]

    seconds = []
    for _ in range(repeat - 1):
        with Workplace(source, build.scikit_build_core) as place:
            seconds.append(cold(place))
    with Workplace(source, build.scikit_build_core) as place:
        seconds.append(cold(place))
        if variant.compiled or machine["cuda"]:
            row["cold"] = statistics.median(seconds)
        if not options.calls:
            if build.to_edit:
                again = place.run_in_project(build.to_edit)
                if build.to_edit == BUILD_EXT:
                    row["build_ext"] = again
                    load = IMPORT_TORCH + COMPILE + IMPORT  # as before each import of an edit
            place.run_python(load)
            for name, file in edited(variant, machine).items():
                row["edits"][name] = measure_edits(variant, place, file, load, repeat)
        devices = ["cpu", "cuda"] if machine["gpu"] else ["cpu"]
        for device in [options.calls] if options.calls else devices:
            row["calls"][device] = measure_calls(variant, place, device, options.processes)
    return row


def edited(variant: Variant, machine: dict) -> dict[str, str]:
    """Return the files of which an edit has something compiled here, by what tables call them."""
    files = {}
    if machine["cuda"]:
        files["cu"] = "muladd_cuda.cu"
    if machine["cuda"] or variant.compiled:
        files["h"] = "muladd.h"
    if variant.compiled:
        files["cpp"] = "muladd_cpu.cpp"
    return files


def edit_command(variant: Variant) -> str:
    """Return what compiles an edit, in words."""
    build = BUILDS.get(variant.build, Build())
    if build.reloads:
        return "`reload()`"
    if build.to_edit == BUILD_EXT:
        return f"`{BUILD_EXT}`, and the next import"
    when = "the next import" if variant.compiled else "the next call"
    return f"{when}, after `{build.to_edit}`" if build.to_edit else when


def measure_edits(
    variant: Variant, place: Workplace, file: str, load: str, repeat: int
) -> dict[str, float | int]:
    """Return what an edit costs.

    Returns:
        `seconds` until a process has the new library in it and `without_torch`, the same less its
        `import torch`, as medians; for what is compiled before it runs, also how many files were
        `compiled`.
    """
    build = BUILDS.get(variant.build, Build())
    path = place.project / "my_ops" / "csrc" / "muladd" / file
    text = path.read_text()
    seconds, without_torch, compiled = [], [], []
    for i in range(repeat):
        before = place.objects()
        new_text = f"{text}// Edit {i}\n"
        edited = time.time_ns()
        if build.reloads:
            code, arguments = EDIT_AND_RELOAD, (str(path), new_text)
        else:
            path.write_text(new_text)
            code, arguments = load, ()
        process, printed = place.run_python(
            code + SHOW_TIME_AND_LIBRARIES + END_AT_ONCE, *arguments
        )
        loading = float(printed.partition("loaded in ")[2].split()[0])
        without_torch.append(loading)
        seconds.append(loading if build.reloads else process)
        if variant.compiled:
            after = place.objects()
            compiled.append(sum(after[path] != before.get(path) for path in after))
            mapped = {Path(line) for line in printed.splitlines() if line.endswith(".so")}
            own = [path for path in mapped if path.is_relative_to(place.root)]
            if not any(library.stat().st_mtime_ns > edited for library in own):
                raise Failed(f"after an edit in {file}, the library in use is still the old one")
    cost = {
        "seconds": statistics.median(seconds),
        "without_torch": statistics.median(without_torch),
    }
    return cost | {"compiled": max(compiled)} if compiled else cost


def measure_calls(
    variant: Variant, place: Workplace, device: str, processes: int
) -> dict[str, float | None]:
    """Return what measure_calls.py prints, in the median of several processes."""
    # Where things lie in memory is luck that lasts as long as a process: the same library's call with
    # C++ autograd took 1.3 to 1.7 times as long as torch.addcmul in five of them.
    code = Path(__file__).with_name("measure_calls.py").read_text()
    costs = []
    for _ in range(processes):
        _, printed = place.run_python(code, device, variant.autograd)
        costs.append(json.loads(printed.splitlines()[-1]))
    return {
        name: None if cost is None else statistics.median(other[name] for other in costs)
        for name, cost in costs[0].items()
    }


def measure_against(checkout: Path, machine: dict, repeat: int) -> dict:
    """Return the cold build of a checkout of pytorch/extension-cpp."""
    install, build_ext = [], []
    for _ in range(repeat):
        with Workplace(checkout) as place:
            if machine["cuda"]:
                # It compiles the CUDA code only where there is a GPU; our projects do in any case.
                setup = place.project / "setup.py"
                setup.write_text(setup.read_text().replace("torch.cuda.is_available()", "True"))
            if machine["cuda"] and not machine["gpu"]:
                # PyTorch would look at the GPUs for this; our setup.py has the same default.
                place.environment.setdefault("TORCH_CUDA_ARCH_LIST", "8.0;9.0+PTX")
            install.append(place.run_in_project(INSTALL))
            # pip has built in a folder of its own, so this compiles everything again.
            build_ext.append(place.run_in_project(BUILD_EXT))
    return {
        "name": "pytorch/extension-cpp",
        "cold": statistics.median(install),
        "build_ext": statistics.median(build_ext),
    }


def first_line(*command: str, containing: str = "") -> str:
    try:
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""
    return next(line.strip() for line in output.splitlines() if containing in line)


def this_machine() -> dict:
    """Return what the figures depend on."""
    import torch
    from torch.utils.cpp_extension import CUDA_HOME, get_cxx_compiler

    cuda = torch.version.cuda is not None and os.environ.get("CPU_ONLY") != "1"
    gpu = torch.cuda.get_device_name() if cuda and torch.cuda.is_available() else None
    cpu = first_line("grep", "-m1", "model name", "/proc/cpuinfo").partition(": ")[2]
    nvcc = (
        cuda
        and CUDA_HOME
        and first_line(f"{CUDA_HOME}/bin/nvcc", "--version", containing="release")
    )
    return {
        "cpu": cpu or platform.machine(),
        "cores": len(os.sched_getaffinity(0)),
        "gpu": gpu,
        "cuda": cuda,
        "python": platform.python_version(),
        "torch": torch.__version__,
        "compiler": first_line(get_cxx_compiler(), "--version"),
        "nvcc": nvcc.rpartition(", V")[2] if nvcc else None,
        "date": date.today().isoformat(),
    }


def measure_import_torch(processes: int) -> float:
    """Return the median seconds until a new process has imported torch."""
    seconds = []
    for _ in range(processes):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", "import torch" + END_AT_ONCE], check=True)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def write(path: Path, results: dict) -> None:
    """Write the results so that no reader ever sees half of them."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(results, indent=1) + "\n")
    new.replace(path)


def progress(row: dict) -> str:
    """Return what one variant costs, in a line."""
    parts = [f"cold {row['cold']:.1f} s"] if "cold" in row else []
    for name, edit in row["edits"].items():
        files = f" ({edit['compiled']} compiled)" if "compiled" in edit else ""
        without_torch = f"without torch {edit['without_torch']:.1f} s"
        parts.append(f"edit .{name} {edit['seconds']:.1f} s, {without_torch}{files}")
    for device, calls in row["calls"].items():
        ratio = f"{calls['call'] / calls['addcmul']:.1f}"
        if calls["call_grad"]:
            ratio += f", with a gradient {calls['call_grad'] / calls['addcmul_grad']:.1f}"
        parts.append(f"call on {device} {ratio}")
    return "; ".join(parts)


def measure_all(options: argparse.Namespace, chosen: list[Variant], machine: dict) -> int:
    """Measure the chosen variants, write the results after each, and return the exit status."""
    print(", ".join(f"{name}: {value}" for name, value in machine.items()), flush=True)
    results = {
        "machine": machine,
        "import_torch": measure_import_torch(options.processes),
        "variants": {},
    }
    print(f"import torch: {results['import_torch']:.1f} s", flush=True)
    failed = []
    for number, variant in enumerate(chosen, 1):
        print(f"[{number}/{len(chosen)}] {variant!s:34} ", end="", flush=True)
        try:
            row = measure(variant, options.folder / str(variant), machine, options)
            results["variants"][str(variant)] = row
            print(progress(row), flush=True)
        except (Failed, OSError) as error:
            failed.append(str(variant))
            print(f"FAILED: {error}", flush=True)
        write(options.out, results)
    if options.against:
        try:
            against = measure_against(options.against, machine, options.repeat)
        except (Failed, OSError) as error:
            failed.append(str(options.against))
            print(f"FAILED: {error}")
        else:
            results["against"] = against
            write(options.out, results)
            print_ratios(results)
    print(
        f"{options.out}: {len(results['variants'])} variants; failed: {', '.join(failed) or 'none'}"
    )
    return 1 if failed else 0


def print_ratios(results: dict) -> None:
    """Print how many times as long as each variant the other project takes to build."""
    against, importing = results["against"], results["import_torch"]
    print(
        f"{against['name']}: cold {against['cold']:.1f} s, `{BUILD_EXT}` {against['build_ext']:.1f} s"
    )
    for name, row in results["variants"].items():
        if "cold" in row:
            line = f"  {name:34} cold {against['cold'] / row['cold']:.1f} times as fast"
            if "build_ext" in row:
                compiling = (against["build_ext"] - importing) / (row["build_ext"] - importing)
                line += f", `{BUILD_EXT}` {against['build_ext'] / row['build_ext']:.1f}"
                line += f", without its `import torch` {compiling:.1f}"
            print(line)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="folder with the rendered projects")
    parser.add_argument(
        "--variants",
        nargs="+",
        default=[""],
        metavar="TEXT",
        help="only those with one of these TEXTs in their name",
    )
    parser.add_argument(
        "--calls",
        choices=["cpu", "cuda"],
        help="measure no edits, but only what a call costs on this device",
    )
    parser.add_argument(
        "--repeat",
        type=int,
        default=1,
        metavar="N",
        help="builds and edits of each kind, of which the median counts (default: 1)",
    )
    parser.add_argument(
        "--processes",
        type=int,
        default=5,
        metavar="N",
        help="processes in which calls, and `import torch`, are measured, of which the median counts (default: 5)",
    )
    parser.add_argument(
        "--against",
        type=Path,
        metavar="FOLDER",
        help="also build this checkout of pytorch/extension-cpp, the folder with its setup.py",
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("measured/costs.json"),
        metavar="FILE",
        help="where the results go, as JSON (default: measured/costs.json)",
    )
    tables = parser.add_argument_group("tables of earlier results")
    tables.add_argument(
        "--table",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing; print the results of one or more machines as one Markdown table",
    )
    tables.add_argument(
        "--write", type=Path, metavar="FILE", help="put the table between the markers in FILE"
    )
    options = parser.parse_args()
    if options.table:
        text = table([json.loads(path.read_text()) for path in options.table])
        if options.write:
            write_between_markers(options.write, text)
        else:
            print(text)
        return 0
    if options.write:
        parser.error("--write goes with --table")
    if options.folder is None:
        parser.error("name the folder with the rendered projects, or --table with results")
    for name in ["repeat", "processes"]:
        if getattr(options, name) < 1:
            parser.error(f"--{name} {getattr(options, name)}: at least 1")
    if options.against and not (options.against / "setup.py").is_file():
        parser.error(f"--against {options.against}: there is no setup.py in it")
    installed = find_spec("my_ops")
    if installed:
        parser.error(
            f"my_ops in {installed.submodule_search_locations[0]} would be measured in place of what is built here; "
            "`pip uninstall my_ops` first"
        )
    chosen = [v for v in VARIANTS if any(text in str(v) for text in options.variants)]
    if not chosen:
        parser.error(f"--variants {' '.join(options.variants)}: no variant has that in its name")
    machine = this_machine()
    if options.calls == "cuda" and not machine["gpu"]:
        parser.error("--calls cuda: PyTorch finds no GPU here")
    return measure_all(options, chosen, machine)


if __name__ == "__main__":
    sys.exit(main())
