"""Count the wrong kernels that the tests of projects find: `python tools/mutants.py FOLDER [project ...]`.

The tool renders the operators of tests/lib into FOLDER and builds them once with all faults of tests/lib/mutants.py.
It then runs the tests of an operator with one fault at a time, each in its own process, until a test fails. On a machine
with a GPU, kernels in .cu files get faults too; CPU_ONLY=1 leaves them out. For a GPU machine without Copier, `--render`
here makes a FOLDER with all faults, which `python setup.py build_ext --inplace` there builds in each project.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from zlib import crc32

HERE = Path(__file__).resolve().parents[1]


def import_library(template: Path) -> None:
    """Import from the tests of a checkout, which may be an older one; the faults are this one's."""
    sys.path[:0] = [str(top / "tests" / "lib") for top in (template, HERE)]


def chosen_of(table: dict, pattern: str) -> dict:
    return {name: edit for name, edit in table.items() if re.fullmatch(pattern, name)}


def custom(folder: Path, ops: str) -> dict[str, str]:
    import custom_edits
    from mutants import MORE
    from render import render

    edits = {name: edit._replace(on_gpu_alone=False) for name, edit in custom_edits.CUSTOM.items()}
    for name, (signature, thread, reference, tensors) in MORE.items():
        edits[name] = custom_edits.Edit(signature, thread, reference, tensors=tensors)
    custom_edits.CUSTOM |= edits
    edits = chosen_of(edits, ops)
    render(folder, {"project": "my_ops", "more_ops": custom_edits.more_ops(edits)})
    custom_edits.make_edits(folder, edits)
    return {name: edit.signature for name, edit in edits.items()}


def rows(folder: Path, ops: str) -> dict[str, str]:
    import row_edits
    from render import render

    edits = chosen_of(row_edits.ROWS, ops)
    render(folder, {"project": "my_ops", "more_ops": row_edits.more_ops(edits)})
    row_edits.make_edits(folder, edits)
    return {name: edit.signature for name, edit in edits.items()}


def kernels(folder: Path, ops: str) -> dict[str, str]:
    import edits
    from render import render

    if ops != ".*":
        sys.exit("operators of `kernels` are rendered together")
    render(folder, {"project": "my_ops", "more_ops": edits.MORE_OPS})
    edits.make_edits(folder / "my_ops")
    found = {name: edit.signature for name, edit in edits.EDITS.items()}
    return {"muladd": "Tensor a, Tensor b, float c"} | found


PROJECTS = {"custom": custom, "rows": rows, "kernels": kernels}


def on_gpu() -> bool:
    """Return whether kernels run on a GPU here; asked in another process, because CUDA does not survive a fork."""
    asks = "import torch; raise SystemExit(not torch.cuda.is_available())"
    if os.environ.get("CPU_ONLY") == "1" or os.environ.get("USE_CUDA") == "0":
        return False
    return not subprocess.run([sys.executable, "-c", asks], check=False).returncode


def render_faults(folder: Path, name: str, ops: str, gpu: bool) -> None:
    """Render a project with all faults."""
    from mutants import Writer

    shutil.rmtree(folder, ignore_errors=True)
    signatures = PROJECTS[name](folder, ops)
    writer = Writer(folder, gpu)
    for op, signature in signatures.items():
        writer.operator(op, signature)
    print(f"{name}: {len(writer.found)} faults", flush=True)
    (folder / "mutants.json").write_text(json.dumps([m._asdict() for m in writer.found]))


def build(folder: Path) -> None:
    from building import compile_faster, install

    compile_faster(folder)
    begun = time.monotonic()
    result = install(folder)
    if result.returncode:
        sys.exit(result.stdout[-6000:])
    print(f"{folder.name}: built in {time.monotonic() - begun:.0f} s", flush=True)


# Those that compare values and gradients. What PyTorch's compiler and checks compare besides takes most of the time.
OF_VALUES = (
    "not compile and not opcheck and not transform and not autocast and not vmap and not refuses"
)


class Watch:
    """Keeps the name of the first test that fails, and of the one that runs; PyTorch's compiler comes last."""

    def __init__(self, report: Path, first: bool):
        self.report, self.first = report, first

    def pytest_collection_modifyitems(self, items):
        slow = re.compile("compile|opcheck|transform|autocast|vmap|dtensor")
        items.sort(key=lambda item: bool(slow.search(item.name)))

    def pytest_runtest_logstart(self, nodeid):
        self.report.with_suffix(".running").write_text(nodeid)

    def pytest_runtest_logreport(self, report):
        if report.failed:
            with self.report.open("a") as file:
                text = str(report.longrepr).strip().splitlines() or [""]
                file.write(f"{report.nodeid}\t{text[0][:200]}\n")
            if self.first:  # pytest would look for garbage, which takes longer than the test
                os._exit(1)


def in_child(mutant: dict, report: Path, options: list[str], seed: int) -> None:
    """Run the tests of an operator with a fault, in this process, which ends."""
    import ctypes

    import my_ops
    import pytest
    from mutants import around

    os.environ["SEED"] = str(seed)  # of its own, and the same each time
    output = os.open(report.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    library = next(Path(my_ops.__file__).parent.glob("_C*.so"))
    ctypes.CDLL(str(library)).my_mutant_choose(mutant["number"])
    if mutant["wrapper"]:
        around(my_ops, mutant["op"], *mutant["wrapper"])
    arguments = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:unraisableexception",
        *options,
        f"tests/test_{mutant['op']}.py",
    ]
    status = pytest.main(arguments, plugins=[Watch(report, "-x" in options)])
    report.with_suffix(".running").write_text("")
    os._exit(int(status))


def run(
    folder: Path,
    mutants: list[dict],
    options: list[str],
    jobs: int,
    most: float,
    seed: int,
    save: Callable,
) -> list[dict]:
    """Run tests with each of these faults; return the fault with the test that failed, or without one."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    sys.path.insert(0, str(folder / "tests"))
    # What each process would import for a second.
    os.environ |= {"OMP_WAIT_POLICY": "passive", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    os.environ |= {"TORCHINDUCTOR_VEC_ISA_OK": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    # Without NVML, the question whether there is a GPU would keep CUDA from working in a forked process.
    os.environ |= {"CUDA_HOME": os.devnull, "PYTORCH_NVML_BASED_CUDA_CHECK": "1"}
    import my_ops
    import my_ops._kit.doctor  # noqa: F401
    import pytest  # noqa: F401
    import torch._dynamo
    import torch._inductor.compile_fx
    import torch.testing._internal.optests  # noqa: F401
    from mutants import around  # noqa: F401

    gc.collect()
    gc.freeze()
    gc.disable()
    reports = folder / "reports"
    reports.mkdir(exist_ok=True)
    running: dict[int, tuple[int, float]] = {}
    waiting, found = list(enumerate(mutants)), []

    def end(pid: int, status: int) -> None:
        at, begun = running.pop(pid)
        report = reports / str(at)
        text = report.read_text() if report.exists() else ""
        test, _, why = text.partition("\n")[0].partition("\t")
        name = lambda x: x.rpartition("::")[2]
        killer = name(test)
        if not killer and os.WIFSIGNALED(status):
            in_test = report.with_suffix(".running")
            in_test = name(in_test.read_text()) if in_test.exists() else ""
            signal_name = signal.Signals(os.WTERMSIG(status)).name
            killer, why = in_test or "start", "hangs" if signal_name == "SIGKILL" else signal_name
        elif not killer and os.WEXITSTATUS(status) not in (0,):
            log = report.with_suffix(".log")
            killer, why = "start", log.read_text()[-300:] if log.exists() else ""
        found.append(
            {
                **mutants[at],
                "killer": killer,
                "why": why,
                "seconds": round(time.monotonic() - begun, 1),
            }
        )

    while waiting or running:
        while waiting and len(running) < jobs:
            at, mutant = waiting.pop(0)
            for old in reports.glob(f"{at}.*"):
                old.unlink()
            (reports / str(at)).unlink(missing_ok=True)
            sys.stdout.flush()
            if not (pid := os.fork()):
                try:
                    in_child(mutant, reports / str(at), options, seed + at)
                finally:
                    os._exit(99)
            running[pid] = at, time.monotonic()
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid:
            end(pid, status)
            if len(found) % 100 == 0:
                print(f"  {len(found)} of {len(mutants)}, {share(found)} killed", flush=True)
                save(found)
            continue
        for pid, (_, begun) in running.items():
            if time.monotonic() - begun > most:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)
    return found


def right_of(mutants: list[dict]) -> list[dict]:
    """Return the right kernels of the operators of faults."""
    right = {"number": 0, "wrapper": None, "kind": "right", "name": "right"}
    return [right | {"op": op} for op in dict.fromkeys(m["op"] for m in mutants)]


def share(found: list[dict]) -> str:
    killed = sum(bool(x["killer"]) for x in found)
    return f"{killed} of {len(found)}" + (f", {100 * killed / len(found):.1f} %" if found else "")


def key(x: dict) -> tuple[str, str, str]:
    return x["op"], x["kind"], x["name"]


def results(folder: Path) -> dict[str, dict[tuple, dict]]:
    """Return what was found, by project."""
    return {
        name: {key(x): x for x in json.loads((folder / f"{name}.json").read_text())}
        for name in PROJECTS
        if (folder / f"{name}.json").exists()
    }


HEAD = "| project | operator | killed | by 0.7.0 / now, of the same faults | by the tests |"


def table(folder: Path, beside: Path | None) -> str:
    """Return the results as Markdown, with those of another release for the same faults."""
    from mutants import EQUIVALENT, LIVES, reason

    now, then = results(folder), results(beside) if beside else {}
    lines, rows = [], []
    every, living, none = [], [], []
    for project, found in now.items():
        of_ops: dict[str, list[dict]] = {}
        for k, x in found.items():
            if not x["killer"] and (why := reason(EQUIVALENT, *k)):
                none.append((x, why))
                continue
            of_ops.setdefault(x["op"], []).append(x)
        for op, those in of_ops.items():
            killed = [x for x in those if x["killer"]]
            other = then.get(project, {})
            both = [(x, other[key(x)]) for x in those if key(x) in other]
            old = sum(bool(y["killer"]) for _, y in both)
            new = sum(bool(x["killer"]) for x, _ in both)
            tests = Counter(re.sub(r"\[.*|^test_", "", x["killer"]) for x in killed)
            most = ", ".join(f"{name} {count}" for name, count in tests.most_common(4))
            text = f"{old} / {new} of {len(both)}" if both else ""
            rows.append(f"| {project} | `{op}` | {len(killed)} of {len(those)} | {text} | {most} |")
            every += those
            living += [x for x in those if not x["killer"]]
    lines += [HEAD]
    lines += ["|---|---|---|---|---|", *rows, ""]
    kinds: dict[str, list[dict]] = {}
    for x in every:
        kinds.setdefault(x["kind"], []).append(x)
    lines += ["| kind of fault | killed |", "|---|---|"]
    lines += [f"| {kind} | {share(those)} |" for kind, those in kinds.items()]
    lines += [f"| **all** | **{share(every)}** |", ""]
    pairs = [(x, then[p][k]) for p in now for k, x in now[p].items() if k in then.get(p, {})]
    pairs = [(x, y) for x, y in pairs if x["killer"] or not reason(EQUIVALENT, *key(x))]
    if pairs:
        lines.append(
            f"Of {len(pairs)} faults that both ran: 0.7.0 {share([y for _, y in pairs])}, "
        )
        lines[-1] += f"now {share([x for x, _ in pairs])}."
        lines.append("")
    lines += ["| lives | why |", "|---|---|"]
    lines += [
        "| {} | {} |".format(": ".join(key(x)).replace("|", "\\|"), reason(LIVES, *key(x)) or "?")
        for x in living
    ]
    lines += ["", "| changes nothing | why |", "|---|---|"]
    lines += ["| {} | {} |".format(": ".join(key(x)).replace("|", "\\|"), why) for x, why in none]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where projects and results go")
    parser.add_argument("projects", nargs="*", help=f"some of {', '.join(PROJECTS)}; all without")
    parser.add_argument("--template", type=Path, default=HERE, help="another checkout to render")
    parser.add_argument("--only", default="", help="a pattern of OPERATOR: KIND: NAME")
    parser.add_argument(
        "--render", action="store_true", help="render with faults of .cu files, and stop"
    )
    parser.add_argument("--ops", default=".*", help="a pattern of the operators to render")
    parser.add_argument(
        "--every", type=int, default=1, help="of so many faults, one; always the same"
    )
    parser.add_argument(
        "--rest", action="store_true", help="only faults that no test failed so far"
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="with PyTorch's compiler, transforms and opcheck, ten times as long",
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=float, default=150, help="seconds until a process hangs")
    parser.add_argument(
        "--right", type=int, default=0, help="run right kernels with as many seeds instead"
    )
    parser.add_argument(
        "--table", type=Path, help="write the tables of this file from the results, and run nothing"
    )
    parser.add_argument("--beside", type=Path, help="a folder with results of another release")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-k", default="", help="a selection of tests, as pytest takes")
    options = parser.parse_args()
    import_library(options.template.resolve())
    folder = options.folder.resolve()
    if options.table:
        head = options.table.read_text().partition(HEAD)[0] if options.table.exists() else ""
        options.table.write_text(head + table(folder, options.beside))
        sys.exit()
    for name in options.projects or PROJECTS:
        project = folder / name
        if not (project / "mutants.json").exists():
            render_faults(project, name, options.ops, options.render or on_gpu())
        if options.render:
            continue
        if not any(project.glob("my_ops/_C*.so")):
            build(project)
        # A process for each project: each has its own my_ops.
        if pid := os.fork():
            os.waitpid(pid, 0)
            continue
        mutants = json.loads((project / "mutants.json").read_text())
        kept = folder / f"{name}.json"
        pytest_options = [] if options.all else ["-k", options.k or OF_VALUES]
        pattern = re.compile(options.only)
        chosen = [m for m in mutants if pattern.search("{op}: {kind}: {name}".format(**m))]
        if options.every > 1:
            chosen = [
                m
                for m in chosen
                if m["kind"] == "by hand" or crc32(": ".join(key(m)).encode()) % options.every == 0
            ]
        if options.right:
            found = run(
                project,
                right_of(chosen) * options.right,
                pytest_options,
                options.jobs,
                options.most,
                options.seed,
                len,
            )
            for x in found:
                if x["killer"]:
                    print(f"{x['op']}: {x['killer']}: {x['why']}")
            print(
                f"{name}: {len(found)} runs of right kernels, {sum(bool(x['killer']) for x in found)} failed"
            )
            os._exit(0)
        before = json.loads(kept.read_text()) if kept.exists() else []
        if any("on a GPU" in m["kind"] for m in chosen):  # no test may fail for another reason
            right = right_of(chosen)
            found = run(project, right, ["-x", *pytest_options], options.jobs, 600, 1, len)
            failing = {x["op"] for x in found if x["killer"]}
            chosen = [m for m in chosen if m["op"] not in failing]
            for x in found:
                if x["killer"]:
                    print(f"left out: the right {x['op']} fails {x['killer']}: {x['why']}")
        if options.rest:
            killed = {key(x) for x in before if x["killer"]}
            chosen = [m for m in chosen if key(m) not in killed]

        def save(found, before=before, kept=kept):
            now = {key(x) for x in found}
            every = [x for x in before if key(x) not in now] + found
            kept.write_text(json.dumps(every, indent=1))

        found = run(
            project, chosen, ["-x", *pytest_options], options.jobs, options.most, options.seed, save
        )
        save(found)
        for x in sorted(found, key=key):
            if not x["killer"]:
                print(f"lives: {x['op']}: {x['kind']}: {x['name']}")
        kinds = Counter(x["kind"] for x in found if not x["killer"])
        print(f"{name}: {share(found)} killed; alive: {dict(kinds)}")
        os._exit(0)
