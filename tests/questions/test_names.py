"""Names: every word that the rendered code uses is refused as a name, or does no harm as one.

Here for Python, where a name of the user's that is bound or read in the same scope as one of the render's own is
a conflict. tests/build_cpu/test_build_names.py compiles them.
"""

from __future__ import annotations

import ast
import re
import symtable
from pathlib import Path

import macros
import pytest
from features import KERNELS, more_ops
from refusals import REFUSE, refuse_argument
from render import render

from variants import Variant

NAMES_IN_CPP = macros.module("languages/names.jinja")
WORDS = macros.module("questions/words.jinja").WORDS

# Together, these have all files that are rendered for an operator.
RENDERED = [
    Variant("setuptools", "torch_library", "function"),
    Variant("setuptools", "pybind11", "cpp"),
    Variant("nvrtc", None, "function"),
]


def words_of(project: Path) -> set[str]:
    """Return all words of a project's code."""
    sources = [p for p in project.rglob("*") if p.suffix in (".py", ".cpp", ".h", ".cu", ".cuh")]
    return {word for path in sources for word in re.findall(r"[A-Za-z_]\w*", path.read_text())}


@pytest.fixture(scope="module", params=RENDERED, ids=str)
def project(request, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("names") / "my_ops"
    return render(folder, request.param.answers | {"more_ops": more_ops()})


def scopes(table: symtable.SymbolTable):
    yield table
    for child in table.get_children():
        yield from scopes(child)


def read_of_module(path: Path) -> set[str]:
    """Return the names that a file binds at its top, or reads there or in a function: globals and built-in ones."""
    found = set()
    for table in scopes(symtable.symtable(path.read_text(), str(path), "exec")):
        for symbol in table.get_symbols():
            if table.get_type() == "module" or symbol.is_global():
                found.add(symbol.get_name())
    return found


def test_operators(project):
    """Only an operator's module binds its name, and its other names are not accepted for operators."""
    ops = {path.stem for path in (project / "my_ops/ops").glob("[a-z]*.py")}
    assert len(ops) > 20
    found: dict[str, str] = {}
    for path in project.rglob("*.py"):
        names = read_of_module(path)
        if not names & ops or path.name == "__init__.py":
            continue
        assert path.parent.name == "ops" and names & ops == {path.stem}, path
        found |= dict.fromkeys(names - ops, str(path))
    # An operator is refused as the name of another one's function by refuse_more_ops.
    found = {word: path for word, path in found.items() if not word.endswith("_reference")}
    harmful = {word: found[word] for word in sorted(found) if not REFUSE["op"](word)}
    assert not harmful, "\n".join(f"{word}: {path}" for word, path in harmful.items())


def test_packages(project):
    """In a file that names the package, no variable has a name that is accepted for a package."""
    found: dict[str, str] = {}
    for path in project.rglob("*.py"):
        for table in scopes(symtable.symtable(path.read_text(), str(path), "exec")):
            symbols = {symbol.get_name(): symbol for symbol in table.get_symbols()}
            if project.name in symbols and path.parent.name in ("benchmarks", "examples", "tests"):
                bound = {name for name, x in symbols.items() if x.is_assigned() or x.is_imported()}
                found |= dict.fromkeys(bound - {project.name}, str(path))
    harmful = {word: path for word, path in sorted(found.items()) if not REFUSE["project"](word)}
    # Names of operators are refused next to the package.
    harmful = {word: path for word, path in harmful.items() if not word.endswith("_reference")}
    assert found
    assert not harmful, "\n".join(f"{word}: {path}" for word, path in harmful.items())


# What operators of `more_ops()` return, by name.
RESULTS = {"out", "first", "second"}


def functions_with(path: Path, op: str) -> list[ast.FunctionDef]:
    """Return the functions of a file that have an operator's arguments."""
    tree = ast.parse(path.read_text())
    named = [x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef)]
    parts = [
        op,
        f"{op}_reference",
        "_fake",
        "_backward_fake",
        "_autograd",
        "_run",
        "forward",
        "backward",
    ]
    return [x for x in named if x.name in parts]


def collisions(function: ast.AST, words: set[str]) -> set[str]:
    """Return arguments that a function or a function in it calls, catches, or binds a second time."""
    found = set()
    bound = [x.arg for x in ast.walk(function) if isinstance(x, ast.arg)]
    for x in ast.walk(function):
        if isinstance(x, ast.Call) and isinstance(x.func, ast.Name):
            found.add(x.func.id)
        elif isinstance(x, ast.FunctionDef) and x is not function:
            found.add(x.name)
        elif isinstance(x, ast.ExceptHandler):
            found |= {x.name, getattr(x.type, "id", None)}
        elif isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name) and x.attr in MEMBERS:
            found.add(x.value.id)
        elif isinstance(x, (ast.Assign, ast.For)) and function.name not in ("_call", "backward"):
            targets = x.targets if isinstance(x, ast.Assign) else [x.target]
            names = {y.id for z in targets for y in ast.walk(z) if isinstance(y, ast.Name)}
            # `x = x.contiguous()` and `x = start.view(x.shape)` bind an argument's own value.
            value = x.value if isinstance(x, ast.Assign) else x.iter
            bound += list(names - {y.id for y in ast.walk(value) if isinstance(y, ast.Name)})
    found |= {name for name in bound if bound.count(name) > 1}
    if function.name == "backward":
        parameters = [x.arg for x in function.args.args]
        # Names of a comprehension hide an argument only there.
        inside = {
            y
            for x in ast.walk(function)
            if isinstance(x, ast.comprehension)
            for y in ast.walk(x.target)
        }
        names = {x for x in ast.walk(function) if isinstance(x, ast.Name)} - inside
        bound = parameters + [x.id for x in names if isinstance(x.ctx, ast.Store)]
        found |= {name for name in bound if bound.count(name) > 1}
    return found & words


# Methods of helpers, and no attributes of tensors.
MEMBERS = {"Checks", "size_array", "save_for_backward", "saved_tensors", "each", "items", "get"}


# Signatures of each kernel with a place for arguments, and the types of these.
PLACES = {
    "elementwise": (
        [
            "({0}Tensor q, float q2)",
            "(Tensor q, {0}bool q2) -> (Tensor q3, Tensor)",
            "(Tensor(a!) q, {0}float q2) -> Tensor",
            "(Tensor(a!)? q, {0}Tensor q2) -> Tensor",
            "({0}Tensor q, *, ScalarType? q2=None)",
        ],
        ["Tensor {}", "float {}", "Tensor? {}", "int {}", "bool {}", "float? {}"],
    ),
    "rowwise": (["(Tensor q, {0}float q2)"], ["Tensor {}", "float {}", "Tensor? {}", "int {}"]),
    "matmul": (
        [
            "(Tensor q, Tensor q2, {0}float q3)",
            "(Tensor(a!) q, Tensor q2, Tensor q3, {0}int q4) -> ()",
        ],
        ["Tensor {}", "float {}", "Tensor? {}", "int {}"],
    ),
    "image": (["(Tensor q, {0}float q2)"], ["float {}", "int {}", "bool {}", "float? {}"]),
    "volume": (
        ["(Tensor q, {0}float q2)", "(Tensor q, float? q2, {0}float? q3)"],
        ["float {}", "int {}", "bool {}", "float? {}"],
    ),
}


@pytest.mark.parametrize("variant", RENDERED, ids=str)
def test_arguments(variant, project, tmp_path):
    """An operator whose arguments have the names of its module's own code uses each only as an argument."""
    words: dict[str, set[str]] = {
        kernel: {"check", "error", "op", "unwritten"} for kernel in PLACES
    }
    for module in (project / "my_ops/ops").glob("[a-z]*.py"):
        kernel = KERNELS.get(module.stem, "elementwise")
        if kernel not in PLACES:
            continue
        own = functions_with(module, module.stem)
        parameters = {a.arg for f in own for a in f.args.args + f.args.kwonlyargs}
        names = {x.id for f in own for x in ast.walk(f) if isinstance(x, ast.Name)}
        words[kernel] |= {
            name
            for name in names - parameters - RESULTS
            if not name.startswith("grad_") and not refuse_argument(name, kernel, module.stem)
        }
    assert {"luma", "red"} < words["image"] and {"voxels", "extent"} < words["volume"]
    lines = []
    for kernel, (forms, types) in PLACES.items():
        for form in forms:
            for number in range(len(types)):
                items = "".join(
                    f"{types[(i + number) % len(types)].format(x)}, "
                    for i, x in enumerate(sorted(words[kernel]))
                )
                lines.append(f"{kernel}: r{len(lines)}{form.format(items)}")
    answers = variant.answers | {"more_ops": "\n".join(lines)}
    kernels = [line.partition(":")[0] for line in lines]
    harmful = {}
    for module in (render(tmp_path / "my_ops", answers) / "my_ops/ops").glob("r*.py"):
        taken = words[kernels[int(module.stem[1:])]]
        tree = ast.parse(module.read_text())
        inner = [y for x in tree.body if isinstance(x, ast.ClassDef) for y in x.body]
        for x in tree.body + inner:
            if isinstance(x, ast.FunctionDef):
                harmful |= {name: f"{module.name}, {x.name}" for name in collisions(x, taken)}
    assert not harmful, "\n".join(f"{word}: {where}" for word, where in harmful.items())


# Operators whose C++ has, together, all words of a kernel's. Arguments and results begin with q.
IN_CPP = """
elementwise: q1(Tensor(a!)? qa, Tensor qb, Tensor? qc, float qd, int[2] qe, *, ScalarType? qf=None) -> (Tensor qg, Tensor qh)
elementwise: q2(Tensor qa, Tensor qb, float qc) -> (Tensor qd, Tensor qe)
elementwise: q3(Tensor(a!)? qa, Tensor qb, ScalarType? qc) -> (Tensor qd, Tensor qe)
rowwise: q4(Tensor qa, Tensor qb, Tensor? qc, float qd) -> Tensor qe
rowwise: q5(Tensor qa, Tensor qb, float qc) -> Tensor qd
matmul: q6(Tensor qa, Tensor qb, Tensor qc, Tensor? qd, float qe, int qf) -> Tensor qg
matmul: q7(Tensor(a!) qa, Tensor qb, Tensor qc, float qd) -> ()
image: q8(Tensor qa, float qb) -> Tensor qc
volume: q9(Tensor qa, float? qb, float? qc, int qd) -> Tensor qe
"""
# What no argument hides: methods where they are declared, and names in functions that take no arguments of the operator.
NOT_HIDDEN = {"Tensor", "my_ops", "add", "finish", "merge", "forward", "backward", "apply"}
NOT_HIDDEN |= {"Autograd", "Function", "keys", "m", "name", "tensor"}


def test_cpp_has_no_other_words_than_arguments_are_renamed_for(tmp_path):
    """Nor are arguments renamed for a word that no kernel has."""
    found: dict[str, set[str]] = {kernel: set() for kernel in PLACES}
    kernels = [line.partition(":")[0] for line in IN_CPP.strip().splitlines()]
    reserved = {*WORDS["cpp"], *WORDS["python"], *WORDS["macro"]}
    for autograd in "function", "cpp":
        answers = {"op": "first", "autograd": autograd, "more_ops": IN_CPP.strip()}
        csrc = render(tmp_path / autograd, answers, extent="core") / "my_ops/csrc"
        for kernel, folder in zip(kernels, sorted(csrc.glob("q*"))):
            for path in folder.iterdir():
                text = re.sub(
                    r'//.*|".*?"|#\w+.*|\b(__\w+|[A-Z]+(_[A-Z]+)+)\b', "", path.read_text()
                )
                # No members, and no namespaces.
                found[kernel] |= set(re.findall(r"(?<![\w.:>])([A-Za-z_]\w*)\b(?!::)", text))
    of_all = set(NAMES_IN_CPP.words_of_all.split())
    for kernel, words in found.items():
        # Names that are made of an argument's or an operator's name.
        own = {x for x in words if re.search(r"(^|_)[qQ][0-9a-h](_|$|[A-Z])", x)}
        listed = set(NAMES_IN_CPP.words_of_kernels[kernel].split())
        missing = words - own - of_all - listed - reserved - NOT_HIDDEN
        assert not missing, f"{kernel}: {sorted(missing)}"
        unused = listed - words
        assert not unused, f"{kernel}: {sorted(unused)}"
    assert not of_all - set().union(*found.values())


# Custom operators with most of what their modules may have.
CUSTOM = """
custom: q1(Tensor a: [N], Tensor? b: [N], float c) -> (Tensor: [N], Tensor: float32[])
custom: q2(Tensor[] a: [N], Tensor[] b: [N, M], float c) -> [Tensor: [N], Tensor: [M]]
custom: q3(Tensor(a!) a: [N], Tensor(b!)[] b, bool c) -> Tensor: [N + 1]
custom: q4(Tensor a: [N], Tensor? b: int64[N], bool c) -> (Tensor: [N], Tensor? e: int64[N] if c)
custom: q5(Tensor a: [N], int c) -> Tensor: int64[K?, c]
custom: q6(Tensor a: [..., N * 2], Tensor? b: float32[N]) -> Tensor: [..., N]
rowwise: q7(Tensor a: [..., N], Tensor? b: [N], float c) -> (Tensor: [..., N], Tensor: float32[...])
custom: q8(Tensor a: [N], Tensor b: [N]) -> Tensor: [N] using Tensor d: uint8[bytes?]
"""
FORMS = [
    "({0}Tensor q: [Q], float q2) -> (Tensor: [Q], Tensor: float32[])",
    "({0}Tensor[] q: [Q], Tensor[] q2: [Q], float q3) -> [Tensor: [Q], Tensor: [Q]]",
    "(Tensor(a!) q: [Q], Tensor(b!)[] q2, {0}*, bool q3) -> Tensor: [Q + 1]",
    "(Tensor q: [Q], {0}bool q3) -> (Tensor: [Q], Tensor? q4: int64[Q] if q3)",
    "(Tensor q: [Q], {0}int q3) -> Tensor: int64[K_found?, q3]",
    "(Tensor q: [Q], {0}float q3) -> (Tensor q4: [Q + 1], Tensor: int64[Q])",
    "(Tensor q: [..., Q], {0}float q3) -> Tensor: [..., Q // 2 + 1]",
]
KINDS = ["Tensor {}: [Q]", "float {}", "Tensor? {}: [Q]", "int {}", "bool {}", "float? {}"]


@pytest.mark.parametrize("variant", RENDERED, ids=str)
def test_arguments_of_custom_operators(variant, tmp_path):
    """An operator whose arguments have the names of its module's own code uses each only as an argument."""
    first = render(tmp_path / "first", variant.answers | {"more_ops": CUSTOM.strip()})
    words = set()
    for module in (first / "my_ops/ops").glob("q*.py"):
        tree = ast.parse(module.read_text())
        words |= {x.id for x in ast.walk(tree) if isinstance(x, ast.Name)}
        words |= {x.arg for x in ast.walk(tree) if isinstance(x, ast.arg)}
    words |= {"check", "found", "forward", "vjp", "ctx", "given", "tensors", "max", "error"}
    words = {
        word for word in words if not re.fullmatch(r"[a-eN]|_*|[qQ]\d.*|.*_?[a-e]|grad_.*", word)
    }
    words = sorted(word for word in words if not refuse_argument(word, "custom"))
    assert len(words) > 15
    lines = []
    for number in range(0, len(words), 8):
        some = words[number : number + 8]
        for form in FORMS:
            items = "".join(f"{KINDS[i % 6].format(x)}, " for i, x in enumerate(some))
            lines.append(f"custom: r{len(lines)}{form.format(items)}")
    project = render(tmp_path / "my_ops", variant.answers | {"more_ops": "\n".join(lines)})
    harmful = {}
    for module in (project / "my_ops/ops").glob("r*.py"):
        tree = ast.parse(module.read_text())
        public = next(x for x in tree.body if getattr(x, "name", "") == module.stem)
        given = {x.arg for x in public.args.args + public.args.kwonlyargs} & set(words)
        inner = [y for x in tree.body if isinstance(x, ast.ClassDef) for y in x.body]
        for x in tree.body + inner:
            if isinstance(x, ast.FunctionDef) and not x.name.endswith("_reference"):
                harmful |= {name: f"{module.name}, {x.name}" for name in collisions(x, given)}
    assert not harmful, "\n".join(f"{word}: {where}" for word, where in harmful.items())


def test_files_of_any_system(project):
    """Windows and macOS know no upper and lower case in the names of files, and Windows reserves some."""
    paths = [path.relative_to(project).as_posix() for path in project.rglob("*")]
    assert len({path.lower() for path in paths}) == len(paths)
    reserved = "con|prn|aux|nul|com\\d|lpt\\d"
    assert not [
        path
        for path in paths
        if re.search(f"(^|/)({reserved})([./]|$)|[<>:|?*\\\\]|[. ](/|$)", path.lower())
    ]


@pytest.mark.parametrize("what", REFUSE)
def test_a_refusal_suggests_what_is_accepted(what):
    """For all words in the lists."""
    words = {word for words in WORDS.values() for word in words} | {"x" * 64}
    suggested = {
        word: suggestion
        for word in words
        for suggestion in re.findall('Try "([^"]+)"', REFUSE[what](word))
    }
    assert len(suggested) > 100
    assert not {word: name for word, name in suggested.items() if REFUSE[what](name)}
