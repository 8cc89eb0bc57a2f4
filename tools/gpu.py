"""Builds and tests rendered projects on a machine with an NVIDIA GPU: `python tools/gpu.py FOLDER`.

With --verify, each project is judged by its own `python -m PACKAGE.verify`, and a project with cheats.json by whether each of
its operators is called wrong for the reason in that file.

FOLDER holds one rendered project per subfolder (`./dev rendered` makes them). The machine needs what
the projects need: torch with CUDA, nvcc, a C++ compiler, ninja, cmake, scikit-build-core, pytest and,
for a notebook, nbclient and ipykernel, but neither Copier nor a network. Every project is installed
into a folder of its own. Exits with 1 unless every project passes with its GPU tests run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

# compute-sanitizer 13.0 itself aborts in racecheck where cuBLAS multiplies 16-bit types, as in gradients of products.
SANITIZED = {
    "memcheck": "(test_values or test_gradients or test_rows_of) and cuda and not large",
    "racecheck": "(test_values or test_gradients and not linear or test_rows_of) and cuda and not large",
}


def run(project: Path, tool: str | None) -> tuple[str, bool]:
    """Build and test one project; return a line for the table and whether it passed."""
    site, report = project / ".site", project / ".report.xml"
    environment = os.environ | {
        "PYTHONPATH": f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
        "TORCH_EXTENSIONS_DIR": str(project / ".torch_extensions"),
        "TORCHINDUCTOR_CACHE_DIR": str(project / ".inductor"),
        "MAX_JOBS": "4",
        # Else each project starts as many threads, and as many compilers of torch.compile, as there are cores.
        "OMP_NUM_THREADS": "2",
        "TORCHINDUCTOR_COMPILE_THREADS": "1",
        "PYTHONSAFEPATH": "1",  # else the sources in the working directory hide what is installed
    }
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-build-isolation",
        "--no-deps",
        "--upgrade",
    ]
    pytest = [sys.executable, "-m", "pytest", "-q", f"--junitxml={report}"]
    if tool:
        # The caching allocator would hide writes past the end of a tensor.
        environment["PYTORCH_NO_CUDA_MEMORY_CACHING"] = "1"
        # cuda.bindings probes the driver for functions that it may lack; launches are checked anyway.
        options = [f"--tool={tool}", "--report-api-errors=no", "--error-exitcode=9"]
        if tool == "racecheck":
            # Of the package's own kernels: cuBLAS's have hazards of their own.
            package = next(project.glob("*/csrc")).parent.name
            options += ["--kernel-name", f"kns={package}"]
        pytest = ["compute-sanitizer", *options, *pytest, "-k", SANITIZED[tool]]
    with open(project / ".log", "w") as log:
        start = time.monotonic()
        for step in ([*pip, "--target", str(site), "."], pytest):
            code = subprocess.call(
                step, cwd=project, env=environment, stdout=log, stderr=subprocess.STDOUT
            )
            if step is not pytest:
                built = time.monotonic() - start
            if code:
                return f"{project.name:42} FAILED, see {project / '.log'}", False
    suite = ElementTree.parse(report).getroot().find("testsuite")
    passed = sum(not list(case) for case in suite.iter("testcase"))
    on_gpu = sum(not list(case) and "cuda" in case.get("name") for case in suite.iter("testcase"))
    skipped = int(suite.get("skipped"))
    seconds = time.monotonic() - start
    line = f"{project.name:42} {passed:6} {on_gpu:6} {skipped:7} {built:7.1f} {seconds:7.1f}"
    return line, on_gpu > 0


def verdict(project: Path, operators: list[str], quick: bool) -> dict[str, Any]:
    """Return what `verify` says of operators; its output is in .log."""
    package = next(project.glob("*/verify.py")).parent.name
    path = project / ".verdict.json"
    path.unlink(missing_ok=True)
    command = [sys.executable, "-m", f"{package}.verify", "--json", str(path), *operators]
    with open(project / ".log", "a") as log:
        subprocess.call(
            command + ["--quick"] * quick, cwd=project, stdout=log, stderr=subprocess.STDOUT
        )
        if (project / "CMakeLists.txt").exists():  # it is installed, and would hide the next one
            pip = [sys.executable, "-m", "pip", "uninstall", "-q", "-y", package]
            subprocess.call(pip, stdout=log, stderr=subprocess.STDOUT)
    text = path.read_text() if path.exists() else ""
    return json.loads(text or '{"verdict": "not judged", "reason": "see .log", "speed": []}')


def judge(project: Path, quick: bool) -> bool:
    """Print the verdict on a project, and return whether it is what it should be."""
    cheats = project / "cheats.json"
    if not cheats.exists():
        found = verdict(project, [], quick)
        print(f"{project.name}: {found['verdict']}: {found['reason']}")
        for row in found["speed"]:
            print(
                f"  {row['operator']:20} {row['pass']:10} {row['dtype']:9} {row['elements']:12,}"
                f" {row['of_limit']:6.2f} {row['of_reference']:8.2f} {row['of_compile']:8.2f}"
                f" {'doubtful' if row['doubtful'] else ''}"
            )
        return found["verdict"] == "right"
    good = []
    reasons: dict[str, str] = json.loads(cheats.read_text())
    for name, reason in {"honest": "", **reasons}.items():
        found = verdict(project, [name], True)
        said = (found.get("failure") or {}).get("message", "")
        named = any(sentence in said for sentence in reason.split(" | "))
        good.append(found["verdict"] == ("wrong" if reason else "right") and named)
        print(f"{project.name}: {name}: {found['verdict']}: {said or found['reason']}", flush=True)
    return all(good)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="folder with one rendered project per subfolder")
    parser.add_argument("--jobs", type=int, default=4, help="projects at a time (default: 4)")
    parser.add_argument(
        "--sanitize",
        nargs="?",
        const="memcheck",
        choices=SANITIZED,
        metavar="TOOL",
        help="run under compute-sanitizer: memcheck (default) or racecheck",
    )
    parser.add_argument(
        "--verify", action="store_true", help="print the verdict of each project's own verify"
    )
    parser.add_argument(
        "--quick", action="store_true", help="with --verify: without what takes long"
    )
    options = parser.parse_args()
    projects = sorted(path for path in options.folder.resolve().iterdir() if path.is_dir())
    if not projects:
        parser.error(
            f"{options.folder} holds no rendered project; make some with tools/render_checkout.py"
        )

    import torch

    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, {len(projects)} projects")
    if options.verify:
        good = [judge(project, options.quick) for project in projects]
        return 0 if all(good) else 1
    print(f"{'variant':42} passed on GPU skipped build s total s", flush=True)
    results = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for future in as_completed(
            [pool.submit(run, project, options.sanitize) for project in projects]
        ):
            line, good = future.result()
            results.append(good)
            print(line, flush=True)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
