"""Runs tests for verify.py, in a separate process, and reports each of them.

It checks, once before the tests and after each test, that the functions that compare results are
unchanged: a project that replaces such a function is not judged. No package imports this file. Do
not edit it.
"""

import json
import math
import os
import platform
import runpy
import sys
from contextlib import suppress
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
import torch

# The modules with which the suite compares. Releases of pytest rename modules, so each module is
# found by a function or class in it.
OF_PYTEST = (
    pytest.approx,
    pytest.raises,
    pytest.fail,
    pytest.Function,
    pytest.TestReport,
    pytest.CallInfo,
)
COMPARING: list[ModuleType] = [
    torch.testing,
    sys.modules[torch.testing.assert_close.__module__],
    sys.modules[torch.autograd.gradcheck.__module__],
    *[sys.modules[x.__module__] for x in OF_PYTEST],
]
OF_TENSORS = [
    "equal",
    "allclose",
    "isclose",
    "isfinite",
    "all",
    "any",
    "abs",
    "double",
    "clone",
    "to",
    "data_ptr",
    "stride",
    "is_contiguous",
    "untyped_storage",
    "__eq__",
    "__ne__",
    "__sub__",
]
MOST = 64  # most elements that are printed; larger arguments go to a file
LINES = 10


def code_of(value):
    """Return the code and defaults of a function; for anything else, return the object itself."""
    value = getattr(value, "__func__", value)  # a classmethod or staticmethod
    value = getattr(value, "fget", value)  # a property
    if isinstance(value, FunctionType):
        return value.__code__, value.__defaults__
    return (value,)


def behaviour_of(spaces):
    """Return the code of modules' functions and of their classes' methods, by dotted name."""
    found: dict[str, Any] = {}
    for space in spaces:
        for name, value in list(vars(space).items()):
            if isinstance(value, type) and value.__module__ == space.__name__:
                found |= {
                    f"{space.__name__}.{name}.{key}": code_of(x)
                    for key, x in list(vars(value).items())
                    if callable(x) or isinstance(x, (property, staticmethod, classmethod))
                }
            elif callable(value):
                found[f"{space.__name__}.{name}"] = code_of(value)
    found |= {f"torch.Tensor.{x}": (getattr(torch.Tensor, x),) for x in OF_TENSORS}
    found |= {f"torch.{x}": (getattr(torch, x),) for x in ("equal", "allclose", "isclose")}
    return found


class Guard:
    """Detects whether an import or a test changes the functions that compare results."""

    def __init__(self, package):
        self.package = package
        self.before = behaviour_of(COMPARING)
        self.suite = {}

    def spaces(self):
        name = f"{self.package}_suite"
        modules = [m for key, m in list(sys.modules.items()) if key.partition(".")[0] == name]
        return modules + [sys.modules["conftest"]] if "conftest" in sys.modules else modules

    def remember(self):
        self.suite = behaviour_of(self.spaces())

    def changed(self):
        """Return a sentence about the first function that was replaced, or None."""
        for before, spaces in (self.before, COMPARING), (self.suite, self.spaces()):
            now = behaviour_of(spaces)
            for name, code in now.items():
                was = before.get(name)
                by_author = was is None and spaces is not COMPARING and self.of_author(code[0])
                is_another = was is not None and (
                    len(was) != len(code) or any(x is not y for x, y in zip(was, code))
                )
                if by_author or is_another:
                    return f"{self.place(code[0])} replaces {name}, which compares results"
            if missing := sorted(set(before) - set(now)):
                return f"{missing[0]}, which compares results, was deleted"
        with suppress(AssertionError):
            torch.testing.assert_close(torch.zeros(2), torch.ones(2))
            return "torch.testing.assert_close finds 0 and 1 close: something patches it"
        return None

    def of_author(self, code):
        return f"{os.sep}{self.package}{os.sep}ops{os.sep}" in getattr(code, "co_filename", "")

    def early(self):
        """Return a sentence about a function of the suite that an import replaced, or None."""
        for name, code in self.suite.items():
            if self.of_author(code[0]):
                public = getattr(code[0], "co_name", "")
                if name.rpartition(".")[2] != public or ".facts." in name or ".custom." in name:
                    return f"{self.place(code[0])} replaces {name}, which compares results"
        return None

    def place(self, code):
        file = getattr(code, "co_filename", None)
        if file is None:
            return "something"
        with suppress(ValueError):
            file = os.path.relpath(file)
        at = file.rfind(f"{self.package}{os.sep}ops")
        return f"{file[at:] if at >= 0 else file}, line {code.co_firstlineno},"


# ---- Arguments, to repeat a call


def number(x):
    if isinstance(x, float) and not math.isfinite(x):
        return f"float('{x}')"
    if isinstance(x, list):
        return f"[{', '.join(map(number, x))}]"
    return repr(x)


def literal(x):
    """Return an argument as Python code, or None if the code would be too long or inexact."""
    if isinstance(x, (list, tuple)):
        parts = [literal(y) for y in x]
        return None if None in parts else f"[{', '.join(parts)}]"
    if not isinstance(x, torch.Tensor):
        return number(x)
    if x.numel() > MOST or not x.is_contiguous() or x.dtype.itemsize == 1 and x.is_floating_point():
        return None
    if x.device.type == "meta" or not x.numel() or x.is_complex():
        return None
    device = f", device='{x.device.type}'" if x.device.type != "cpu" else ""
    gradient = ", requires_grad=True" if x.requires_grad else ""
    return f"torch.tensor({number(x.tolist())}, dtype={x.dtype}{device}{gradient})"


def draw_of(package, name, args, folder):
    """Describe the arguments of a call, and return code that repeats the call."""
    op = getattr(getattr(torch.ops, package), name).default
    arguments = sys.modules[f"{package}._kit.private"].schema_of(op).arguments
    if len(args) != len(arguments):
        return None
    described = sys.modules[f"{package}_suite.common"].described
    words = ", ".join(f"{x.name} = {described(y)}" for x, y in zip(arguments, args))
    code = [literal(x) for x in args]
    given = [f"{x.name}={y}" if x.kwarg_only else y for x, y in zip(arguments, code)]
    call = f"{package}.{name}({', '.join(map(str, given))})"
    if None in code:
        path = Path(folder, f"{name}.pt")
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = [x.detach() if isinstance(x, torch.Tensor) else x for x in args]
        torch.save(kept, path)
        which = ", ".join(
            f"{x.name}=args[{i}]" if x.kwarg_only else f"args[{i}]" for i, x in enumerate(arguments)
        )
        call = f"args = torch.load({str(path)!r}); {package}.{name}({which})"
    return {"arguments": words, "call": f"import torch, {package}; {call}"}


def args_of(error):
    """Return `args` of the innermost function in an error's traceback that has this variable."""
    found, tb = None, error.__traceback__
    while tb:
        args = tb.tb_frame.f_locals.get("args")
        if isinstance(args, (list, tuple)) and args:
            found = args
        tb = tb.tb_next
    return found


# ---- The plugin


class Reporter:
    """Writes a line of JSON to a pipe for each event."""

    def __init__(self, options):
        self.options = options
        self.package = options["package"]
        self.guard = Guard(self.package)
        self.check_of_test = runpy.run_path(options["verify"])["check_of_test"]
        self.current = {}

    def send(self, event, **facts):
        os.write(self.options["events"], (json.dumps({"event": event} | facts) + "\n").encode())

    def facts_of(self, item):
        name = item.path.stem.removeprefix("test_")
        tests = getattr(item, "cls", None)
        operator = getattr(tests, "OPERATOR", tests)
        parameters = dict(getattr(getattr(item, "callspec", None), "params", {}))
        dtypes = list(getattr(operator, "dtypes", []))
        shown = {x: str(y) for x, y in parameters.items() if isinstance(y, (str, int, bool))}
        if parameters.get("dtype") in dtypes:
            shown["dtype_number"] = str(dtypes.index(parameters["dtype"]))
        device = "cuda" if item.get_closest_marker("cuda") else "cpu"
        package = Path(str(sys.modules[self.package].__file__)).parent
        is_operator = package.joinpath("ops", f"{name}.py").exists()
        return {
            "test": item.nodeid,
            "name": item.originalname or item.name,
            "operator": name if is_operator else None,
            "device": device,
            "parameters": shown,
        }

    def allowed(self, items):
        """Return, for each operator, the tests that were replaced and options that allow errors."""
        found = {}
        for item in items:
            tests = getattr(item, "cls", None)
            name = self.facts_of(item)["operator"]
            if tests is None or name is None or name in found:
                continue
            operator = getattr(tests, "OPERATOR", tests)
            inherited = {x for base in tests.__mro__[1:] for x in vars(base)}
            replaced = [x for x in vars(tests) if x.startswith("test_") and x in inherited]
            facts: dict[str, Any] = {"replaced": sorted(replaced)} if replaced else {}
            for key in ("tolerance", "rtol", "atol", "fixed", "no_effect", "constant"):
                if value := getattr(operator, key, None):
                    facts[key] = value if isinstance(value, (dict, float, int)) else list(value)
            if not getattr(operator, "ties", True):
                facts["ties"] = False
            found[name] = facts
        return found

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        quick = self.options["quick"]
        if quick:
            facts = {item: self.facts_of(item) for item in items}
            check = {
                item: self.check_of_test(x["name"], x["parameters"]) for item, x in facts.items()
            }
            config.hook.pytest_deselected(items=[x for x in items if check[x] not in quick])
            items[:] = [x for x in items if check[x] in quick]

    def pytest_collectreport(self, report):
        if report.failed:
            lines = str(report.longrepr).strip().splitlines()
            why = next((x[1:].strip() for x in reversed(lines) if x.startswith("E ")), lines[-1])
            self.send("error", message=f"{report.nodeid} cannot be collected: {why}")

    def pytest_collection_finish(self, session):
        gpu = torch.cuda.get_device_name() if torch.cuda.is_available() else None
        facts = {"torch": torch.__version__, "cuda": torch.version.cuda, "gpu": gpu}
        self.send("machine", **facts, cpu=platform.machine(), threads=torch.get_num_threads())
        self.send("collected", count=len(session.items), allowed=self.allowed(session.items))
        self.guard.remember()
        if what := self.guard.early() or self.guard.changed():
            self.send("patched", what=what)
            pytest.exit(what)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        self.current = self.facts_of(item)
        self.send("start", **self.current)
        self.current |= {"outcome": "passed", "message": "", "seconds": 0.0, "draw": None}
        result = yield
        self.send("result", **self.current)
        if what := self.guard.changed():
            self.send("patched", what=what)
            pytest.exit(what)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        name = self.current["operator"]
        if not self.options["spied"] or not name:
            return (yield)
        folder = Path(self.options["draws"])

        def look(frame, event, _):
            code = frame.f_code
            is_public = code.co_name == name and code.co_filename.endswith(f"ops{os.sep}{name}.py")
            if event == "call" and is_public:
                names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
                args = [frame.f_locals[x] for x in names]
                sys.setprofile(None)  # the calls below are not the test's
                with suppress(Exception):
                    draw = draw_of(self.package, name, args, folder)
                    folder.mkdir(parents=True, exist_ok=True)
                    folder.joinpath("running.json").write_text(json.dumps(draw))
                sys.setprofile(look)

        sys.setprofile(look)
        try:
            return (yield)
        finally:
            sys.setprofile(None)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        current = self.current
        current["seconds"] = round(current["seconds"] + report.duration, 3)
        if report.skipped and current["outcome"] == "passed":
            why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longreprtext
            current |= {"outcome": "skipped", "message": why.removeprefix("Skipped: ")}
        trace = call.excinfo.traceback if report.failed and call.excinfo else ()
        if any(x.name == "skip_without_cuda" for x in trace):
            # conftest.py fails a test for a GPU if nvcc does not compile the operator's .cu files.
            self.send("uncompiled", operator=current["operator"], message=report.longreprtext)
            current |= {"outcome": "skipped", "message": "its .cu files do not compile"}
            item.session.shouldstop = current["message"]
        elif report.failed and current["outcome"] != "failed":
            crash = getattr(report.longrepr, "reprcrash", None)
            text = (
                (crash.message if crash else report.longreprtext).strip().removeprefix("Failed: ")
            )
            current |= {"outcome": "failed", "message": "\n".join(text.splitlines()[:LINES])}
            args = args_of(call.excinfo.value) if call.excinfo else None
            if args and current["operator"]:
                with suppress(Exception):  # arguments that cannot be printed or saved
                    draws = self.options["draws"]
                    current["draw"] = draw_of(self.package, current["operator"], args, draws)
        return report


def run(options, *files):
    options = json.loads(options)
    reporter = Reporter(options)
    given = ["-q", "-p", "no:cacheprovider", "-o", "addopts=", "--tb=short", *files]
    status = pytest.main(given, plugins=[reporter])
    reporter.send("end", status=int(status))
    sys.exit(int(status))
