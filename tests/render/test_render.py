"""Every file of every variant, for signatures of every kind."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from cases import CASES
from refusals import SIGNATURES, choices
from render import KIT, SUITE, TEMPLATE, files, is_of_kit, modules_of_kit, render

from variants import AUTOGRADS, BINDINGS, BUILDS, COVERING, DISTINCT, VARIANTS, Variant

# How the library is built knows of names and texts, and not of signatures.
BY_BUILD = dict.fromkeys(["long names", "rows and more", "free text"], COVERING)
CHOSEN = {"default": VARIANTS} | BY_BUILD
RENDERED = [(variant, case) for case in CASES for variant in CHOSEN.get(case, DISTINCT)]


@pytest.fixture(scope="session", params=RENDERED, ids=lambda both: f"{both[0]}-{both[1]}")
def variant_and_case(request):
    return request.param


@pytest.fixture(scope="session")
def case(variant_and_case) -> str:
    return variant_and_case[1]


@pytest.fixture(scope="session")
def rendered(variant_and_case, rendered_once, tmp_path_factory) -> Path:
    variant, case = variant_and_case
    folder = tmp_path_factory.mktemp("render") / "x"
    if not CASES[case]:
        return Path(shutil.copytree(rendered_once(variant), folder, symlinks=True))
    return render(folder, variant.answers | CASES[case])


def paths_of(rendered: Path, case: str | None) -> list[Path]:
    """Return the files of a project that tests read; files of the kit, equal in each project, only for the case "default"."""
    found = sorted(path for path in rendered.rglob("*") if path.is_file())
    return found if case == "default" else [x for x in found if not is_of_kit(x)]


def test_tree(project, variant):
    """The expected files: shared files, and files of the build and the extent."""
    expected = """
        .copier-answers.yml .gitattributes .github/workflows/test.yml .gitignore
        AGENTS.md CLAUDE.md LICENSE README.md
        benchmarks/bench_muladd.py benchmarks/common.py
        my_ops/__init__.py my_ops/_library.py my_ops/_project.py my_ops/doctor.py my_ops/verify.py
        my_ops/_kit/__init__.py my_ops/_kit/bindings.py my_ops/_kit/build_log.py my_ops/_kit/checks.py
        my_ops/_kit/doctor.py my_ops/_kit/load.py my_ops/_kit/private.py my_ops/_kit/verify.py
        my_ops/_kit/verify_plugin.py
        my_ops/csrc/project.h
        my_ops/csrc/muladd/muladd.h my_ops/csrc/muladd/muladd_args.h my_ops/csrc/muladd/muladd_cuda.cu
        my_ops/ops/muladd.py my_ops/py.typed pyproject.toml
        tests/conftest.py tests/test_muladd.py
    """.split()
    expected += [f"my_ops/csrc/kit/{path.name}" for path in KIT.iterdir()]
    expected += [f"tests/my_ops_suite/{path.name}" for path in SUITE.glob("*.py")]
    at_import = ["my_ops/_kit/build.py", "my_ops/_kit/extension.py", "my_ops/_kit/trust.py"]
    expected += {
        "setuptools": ["setup.py", "my_ops/_kit/build.py"],
        "cmake": ["CMakeLists.txt", "my_ops/_kit/backend.py"],
        "jit": at_import,
        "inline": ["examples/edit_and_reload.ipynb", *at_import],
        "nvrtc": [
            f"my_ops/{name}.py"
            for name in ("_kit/calls", "_kit/launches", "_kit/trust", "_operators")
        ],
    }[variant.build]
    if variant.build != "cmake":
        expected += ["MANIFEST.in"]
    if variant.compiled:
        expected += sorted(map("my_ops/csrc/".__add__, CPP))
        expected += ["my_ops/_kit/compile_commands.py", "my_ops/_kit/record.py"]
    if variant.extent == "full":
        missing = {"examples/train.py"} if variant.autograd == "none" else set()
        expected += sorted(FULL - missing)
    assert sorted(files(project)) == sorted(expected)
    folders = {str(path.relative_to(project)) for path in project.rglob("*") if path.is_dir()}
    assert folders == {str(x) for name in expected for x in Path(name).parents} - {"."}


def test_kit_is_the_same_in_every_project(rendered):
    """No name, operator, answer or extent changes a byte of it."""
    (kit,) = rendered.glob("*/csrc/kit")
    (suite,) = rendered.glob("tests/*_suite")
    for source, folder in (KIT, kit), (SUITE, suite):
        expected = {path.name: path.read_bytes() for path in source.glob("*.*")}
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == expected
    for source in SUITE.parents[1].glob("*tests*/*.py"):
        copy = rendered / "tests" / source.name
        assert not copy.exists() or copy.read_bytes() == source.read_bytes(), source
    package = kit.parents[1]
    modules = modules_of_kit()
    found = {str(x.relative_to(package)): x.read_bytes() for x in package.rglob("*.py")}
    assert all(found[name] in modules[name] for name in found.keys() & modules.keys())
    assert {name for name in found if name.startswith("_kit/")} | {
        "doctor.py",
        "verify.py",
    } <= modules.keys()
    assert {"_kit/__init__.py", "_kit/checks.py", "_kit/private.py", "doctor.py"} <= found.keys()


def test_kit_has_no_jinja():
    for path in [
        *KIT.iterdir(),
        *SUITE.glob("*.py"),
        *TEMPLATE.glob("template/{{ project*}}/*.py"),
        *TEMPLATE.glob("template/{{ project*}}/_kit/*.py"),
    ]:
        assert not re.search(r"\{%|\{#|\{\{ \w", path.read_text()), path


# Files that only a C++ compiler reads.
CPP = {"bindings.cpp", "muladd/muladd.cpp", "muladd/muladd_cpu.cpp"}
# Files for published libraries.
FULL = set(
    """
    .clang-format .editorconfig CHANGELOG.md .github/dependabot.yml .github/workflows/gpu.yml .github/workflows/release.yml
    .github/workflows/update.yml .pre-commit-config.yaml docs/debugging.md docs/exporting.md
    docs/how-it-works.md docs/releasing.md docs/updating.md
    examples/quickstart.py examples/train.py my_ops/ops/__init__.py my_ops/_kit/autocast.py my_ops/_sharding.py my_ops/_vmap.py
    my_ops/sharding.py tests/test_package.py tests/test_sharding.py
    """.split()
)
# Lines of full, and the same lines in core.
IN_CORE = {
    'EXTENT = "full"': 'EXTENT = "core"',
}


def keys(data: object) -> object:
    """Return the keys of a mapping, and of those in it, and nothing of lists."""
    return {key: keys(value) for key, value in data.items()} if isinstance(data, dict) else None


@pytest.mark.parametrize("build", BUILDS)
def test_full_only_adds_to_core(build, tmp_path):
    """Files, and lines to few of them, so that an update to it is safe on any day."""
    answers = {
        "build": build,
        "more_ops": "rowwise: norm(Tensor x)\ncustom: f(Tensor x: [N]) -> Tensor: [N]",
    }
    core, full = (
        files(render(tmp_path / extent, answers, extent=extent)) for extent in ["core", "full"]
    )
    assert full.keys() - core.keys() == {name for name in FULL if name in full}
    changed = {name for name in core if core[name] != full[name]} - {".copier-answers.yml"}
    assert changed == {
        ".github/workflows/test.yml",
        "AGENTS.md",
        "README.md",
        "my_ops/__init__.py",
        "my_ops/_project.py",
        "my_ops/ops/muladd.py",
        "my_ops/ops/norm.py",
    }
    # A key that core lacks may be added by its owner later, and TOML and YAML allow no key twice.
    workflows = [yaml.safe_load(x[".github/workflows/test.yml"]) for x in (core, full)]
    assert keys(workflows[0]) == keys(workflows[1])
    for name in changed - {"README.md", "AGENTS.md"}:  # whose paragraphs are wrapped anew
        text, less = full[name], core[name]
        for line, in_core in IN_CORE.items():
            text, less = (x.replace(line, in_core) for x in (text, less))
        rest = iter(text.splitlines())
        assert all(line in rest for line in less.splitlines()), name
    named = [Path(name).name for name in FULL if "__init__" not in name] + ["DTensor"]
    # verify.py knows files of every extent.
    others = ("ops/_", "verify.py")
    texts = (text for name, text in core.items() if not any(x in name for x in others))
    said = " ".join(" ".join(texts).split())
    last = "and settings of formatters and editors - pages on its structure, exporting, releasing and updates, "
    last += "and examples that call the operator and train a network - support for autocast, `torch.vmap` and DTensors"
    assert said.count(last) == 1 and "--data extent=full" in core["README.md"].split("## More")[1]
    said = said.replace(last, "")
    assert [name for name in named if name in said] == []


def test_text(rendered, case):
    for path in paths_of(rendered, case):
        name, text = str(path.relative_to(rendered)), path.read_text()
        if case != "free text" and not is_of_kit(path):
            # `${{` is GitHub's, and `{{"N", N}}` a list of lists in C++.
            assert (
                "{{" not in re.sub(r'\$\{\{|\{\{"[^"{]+",', "", text)
                and "{%" not in text
                and "{#" not in text
            ), name
        assert not re.search(r"[ \t]+$", text, re.MULTILINE), f"trailing space in {name}"
        assert "\t" not in text, f"tab in {name}"
        if not text:
            assert name.endswith(("__init__.py", "py.typed")), f"{name} is empty"
            continue
        assert text.endswith("\n") and not text.endswith("\n\n"), f"end of {name}"
        assert not text.startswith("\n") or name == "LICENSE", f"blank line at the start of {name}"
        most = (
            2 if name.endswith((".py", "exporting.md")) else 1
        )  # that page has Python with a class
        assert "\n" * (most + 2) not in text, f"blank lines in {name}"
        assert not re.search(r"^#if.*\n\s*#endif", text, re.MULTILINE), f"empty #if in {name}"


def test_parses(rendered, case):
    for path in paths_of(rendered, case):
        name, text = path.name, path.read_text()
        if name.endswith(".py"):
            ast.parse(text, name)
        elif name.endswith(".toml"):
            tomllib.loads(text)
        elif name.endswith((".yml", ".yaml", ".clang-format")):
            yaml.safe_load(text)
        elif name.endswith(".ipynb"):
            notebook = json.loads(text)
            assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
            assert not any(cell.get("outputs") for cell in notebook["cells"])


def test_no_docstring_has_a_mark(rendered, case):
    """Its author deletes the mark when the place is done, which a docstring would have to be written again for."""
    documented = ast.Module, ast.ClassDef, ast.FunctionDef
    for path in paths_of(rendered, case):
        for node in ast.walk(ast.parse(path.read_text())) if path.suffix == ".py" else []:
            if isinstance(node, documented):
                assert "EDIT" not in (ast.get_docstring(node) or ""), f"{path}: {node}"


FREE_TEXT = [both for both in RENDERED if both[1] == "free text"]


@pytest.mark.parametrize("variant_and_case", FREE_TEXT, ids=lambda x: str(x[0]), indirect=True)
def test_free_text_arrives_as_written(rendered, case):
    answers = CASES[case]
    metadata = tomllib.loads((rendered / "pyproject.toml").read_text())["project"]
    assert metadata["description"] == answers["description"]
    assert metadata["authors"] == [{"name": answers["author"]}]
    assert answers["description"] in (rendered / "README.md").read_text()


def test_formatters_leave_it_unchanged(rendered, case):
    ruff = [sys.executable, "-m", "ruff"]
    paths = paths_of(rendered, case)
    python = [str(path) for path in paths if path.suffix in {".py", ".ipynb"}]
    cpp = [str(path) for path in paths if path.suffix in {".h", ".cpp", ".cu", ".cuh"}]
    assert python and cpp
    clang_format = Path(sys.executable).with_name("clang-format")
    # Core has no .clang-format, and code that follows it.
    style = f"--style=file:{TEMPLATE / 'template/{% if full %}.clang-format{% endif %}'}"
    for command in [
        [*ruff, "format", "--no-cache", "--diff", *python],
        [*ruff, "check", "--no-cache", *python],
        [clang_format, style, "--dry-run", "-Werror", *cpp],
    ]:
        result = subprocess.run(command, cwd=rendered, capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr


def test_formatters_leave_code_in_documents_unchanged(rendered, tmp_path):
    pages = [page for page in ["README.md", "docs/exporting.md"] if (rendered / page).exists()]
    for page in pages:
        text = (rendered / page).read_text()
        for number, code in enumerate(
            re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        ):
            (tmp_path / f"{Path(page).stem}{number}.py").write_text(code)
    first = {f"{Path(page).stem}0.py" for page in pages}
    assert first <= {path.name for path in tmp_path.iterdir()}
    command = [sys.executable, "-m", "ruff", "format", "--no-cache", "--diff", "--line-length=100"]
    result = subprocess.run([*command, tmp_path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_only_its_own_choices_show(project, variant):
    """Words of another choice are in no file."""
    shared = [
        TEMPLATE / "template" / x for x in ("{{ project }}", "{{ project if compiled else '' }}")
    ]
    knows_all = {f"my_ops/{path.relative_to(x)}" for x in shared for path in x.rglob("*.py")}
    texts = files(project)
    of_all = [x for x in texts if "/kit/" in x or "_suite/" in x or x in knows_all]
    text = "\n".join(texts[name] for name in texts.keys() - of_all)
    words = {
        "setuptools": ["BuildExtension"],
        "cmake": ["cmake_minimum_required", "scikit_build_core"],
        "jit": ["cpp_extension.load("],
        "inline": ["load_inline("],
        "nvrtc": ["ProgramOptions"],
        "torch_library": ["\nTORCH_LIBRARY(my_ops, m) {"],
        "torch_stable": ["STABLE_TORCH_LIBRARY_IMPL", "torch::stable"],
        "pybind11": ["PYBIND11_MODULE(TORCH_EXTENSION_NAME"],
        "function": ["torch.autograd.Function"],
        "cpp": ["torch::autograd::Function<"],
        "none": ["The operators are not differentiable"],
    }
    mine = {variant.build, variant.binding, variant.autograd}
    if variant.binding == "pybind11":
        mine.add("torch_library")  # registers its operators in the same way
    for choice, own in words.items():
        for word in own:
            assert (word in text) == (choice in mine), f"{word} of {choice} in {variant}"


IN_FULL = [variant for variant in VARIANTS if variant.extent == "full"]


@pytest.mark.parametrize("variant", IN_FULL, ids=str, indirect=True, scope="session")
def test_where_a_version_is_written(project, variant):
    """A table that docs/releasing.md names is in pyproject.toml."""
    table = "tool.uv.dependency-metadata"
    is_there = f"[[{table}]]" in (project / "pyproject.toml").read_text()
    assert (f"`{table}`" in (project / "docs/releasing.md").read_text()) == is_there


@pytest.fixture(scope="module")
def trees(rendered_once) -> dict[Variant, dict[str, str]]:
    """Return the text of each file of each variant."""
    return {variant: files(rendered_once(variant)) for variant in VARIANTS}


# Before these versions, releases have known holes: symbolic links at locks and in temporary folders, code from notebooks.
FIXED = {
    "filelock": (3, 20, 3),  # CVE-2025-68146, CVE-2026-22701
    "jupyterlab": (4, 6, 2),  # CVE-2026-73415, CVE-2026-73417, CVE-2026-73627
    "numpy": (1, 22, 2),  # CVE-2021-41495
    "pytest": (9, 0, 3),  # CVE-2025-71176
    "setuptools": (78, 1, 1),  # CVE-2025-47273
    "tqdm": (4, 66, 3),  # CVE-2024-34062
}


def requirements(metadata: dict) -> set[str]:
    """Return all that a pyproject.toml names for use, tests, builds and development."""
    project = metadata["project"]
    extras = [
        *project["optional-dependencies"].values(),
        *metadata.get("dependency-groups", {}).values(),
    ]
    of_uv = [
        x["requires-dist"] for x in metadata["tool"].get("uv", {}).get("dependency-metadata", [])
    ]
    builds = metadata["build-system"]["requires"]
    lists = [project.get("dependencies", []), builds, *extras, *of_uv]
    return {requirement for each in lists for requirement in each}


def test_uv_knows_each_dependency_group(trees):
    """uv ignores groups if the project has its own dependency metadata, and then warns of `dev`."""
    for variant, tree in trees.items():
        metadata = tomllib.loads(tree["pyproject.toml"])
        of_uv = metadata["tool"].get("uv", {}).get("dependency-metadata", [])
        assert ("dependency-groups" in metadata) != (of_uv != []), variant


def test_no_floor_admits_a_release_with_a_known_hole(trees):
    for variant, tree in trees.items():
        for requirement in requirements(tomllib.loads(tree["pyproject.toml"])):
            name, floor = re.match(r"([\w-]+)(?:>=([\d.]+))?", requirement).groups()
            version = tuple(map(int, (floor or "0").split(".")))
            assert version >= FIXED.get(name, (0,)), (str(variant), requirement)


def test_what_a_package_imports_is_declared(trees):
    """PyTorch may cease to bring it."""
    ours = {
        "my_ops",
        "__future__",
        "torch",
        "build_log",
    }  # a build backend has its own folder on its path
    distributions = {
        "scikit_build_core": "scikit-build-core",
        "cuda": "cuda-core",
    }
    for variant, tree in trees.items():
        needed = requirements(tomllib.loads(tree["pyproject.toml"]))
        declared = {re.match(r"[\w-]+", requirement)[0] for requirement in needed}
        for name in [name for name in tree if re.match(r"(my_ops/.*|setup)\.py$", name)]:
            nodes = list(ast.walk(ast.parse(tree[name])))
            modules = [alias.name for x in nodes if isinstance(x, ast.Import) for alias in x.names]
            modules += [x.module for x in nodes if isinstance(x, ast.ImportFrom) and not x.level]
            imported = {module.partition(".")[0] for module in modules}
            others = imported - ours - sys.stdlib_module_names
            missing = {distributions.get(x, x) for x in others} - declared
            assert not missing, (str(variant), name, missing)


def test_no_variant_has_code_that_is_not_built(trees):
    """Each file is one of a variant that is built; of what knows the build and the extent, each line is."""
    both = {"pyproject.toml", "CMakeLists.txt", "my_ops/_project.py"}
    code = ("my_ops/", "tests/", "benchmarks/", "examples/")

    def parts(variant: Variant) -> set[tuple[str, str]]:
        found = set()
        for name, text in trees[variant].items():
            if name in both:
                found |= {(name, line) for line in text.splitlines()}
            elif name.startswith(code):
                found.add((name, text))
        return found

    built = set().union(*map(parts, COVERING))
    missing = {str(variant): parts(variant) - built for variant in VARIANTS}
    assert not any(missing.values()), missing


def test_files_the_user_edits_keep_their_path(trees):
    """Copier deletes an edited file whose path an answer drops; answers that drop one are refused."""
    mine = re.compile(r"(ops|csrc|tests|benchmarks|examples)/|README|LICENSE|pyproject")
    # Nobody edits the kit, but for this file, in which some builds name libraries of others.
    dropped = (
        "edit_and_reload.ipynb",
        "_operators.py",
        *(modules_of_kit().keys() - {"_library.py"}),
    )
    dropped += (*map("csrc/".__add__, CPP), *FULL)
    kept = [
        {name for name in tree if mine.search(name) and not name.endswith(dropped)}
        for tree in trees.values()
    ]
    assert all(tree == kept[0] for tree in kept)


@pytest.mark.parametrize("kernel", SIGNATURES)
def test_a_notebook_edits_a_function_that_the_header_has(kernel, tmp_path):
    project = render(tmp_path / "my_ops", {"kernel": kernel, "build": "inline"})
    cells = json.loads((project / "examples" / "edit_and_reload.ipynb").read_text())["cells"]
    (edit,) = ["".join(cell["source"]) for cell in cells if cell["id"] == "edit"]
    (header,) = [x for x in project.glob("my_ops/csrc/*/*.h") if f"{x.parent.name}.h" == x.name]
    (function,) = re.findall('element = "(.*)"', edit)
    assert function in header.read_text()


@pytest.mark.parametrize(
    "signature, line",
    {
        "Tensor x: [N, D] -> (Tensor a: [N], Tensor b: [N, D])": "if (i < N) a[i] *= 2;",
        "Tensor x: [N], bool want -> Tensor? a: [N] if want": "if (a) a[i] *= 2;",
        "Tensor(a!) x: [N, D] strided -> ()": "x[at_x] *= 2;",
    }.items(),
)
def test_a_notebook_guards_what_it_edits(signature, line, tmp_path):
    """As the header does: without the guard, it wrote out of bounds or to a null pointer."""
    answers = {"kernel": "custom", "op": "f", "build": "inline", "signature": signature}
    project = render(tmp_path / "my_ops", answers)
    assert rf"  {line}\n" in (project / "examples" / "edit_and_reload.ipynb").read_text()


def test_the_table_holds_all_that_is_offered():
    questions = yaml.safe_load((TEMPLATE / "copier.yml").read_text())
    extents = list(choices(questions["extent"]).values())
    assert {(v.build, v.extent) for v in VARIANTS} == {(b, e) for b in BUILDS for e in extents}
    for name, values in {"build": BUILDS, "binding": BINDINGS, "autograd": AUTOGRADS}.items():
        assert list(choices(questions[name]).values()) == values
        for value in values:
            assert (TEMPLATE / "variants" / name / value).is_dir() or value == "none"
            assert any(getattr(variant, name) == value for variant in VARIANTS)


BY_ROWS = {
    "kernel": "rowwise",
    "signature": "Tensor x: [..., N] -> (Tensor out: [..., N], Tensor norm: float32[...])",
}


@pytest.mark.parametrize(
    "choice",
    [{}, {"binding": "torch_stable"}, {"build": "nvrtc"}],
    ids=lambda x: [*x.values(), ""][0],
)
def test_no_kernel_has_a_header_or_a_function_that_it_does_not_need(choice, tmp_path):
    """A project with one kernel has no code of other kernels, except the kit, which is the same for all."""
    kernels = choices(yaml.safe_load((TEMPLATE / "copier.yml").read_text())["kernel"]).values()
    for i, answers in enumerate([*({"kernel": kernel} for kernel in kernels), BY_ROWS]):
        project = render(tmp_path / str(i) / "my_ops", answers | choice)
        texts = {name: text for name, text in files(project).items() if "/csrc/" in name}
        own = [name for name in texts if "/kit/" not in name]
        headers = {Path(name).name for name in own if name.endswith((".h", ".cuh"))}
        included = re.findall(r'#include "(.*)"', "\n".join(texts[name] for name in own))
        included = {Path(name).name for name in included if "kit/" not in name}
        assert headers == included | {"project.h"}, answers


@pytest.fixture(scope="module")
def in_full(tmp_path_factory) -> Path:
    return render(tmp_path_factory.mktemp("full") / "my_ops")


def test_editors_indent_as_the_formatters_do(in_full):
    project = in_full
    settings = (project / ".editorconfig").read_text()
    lines = tomllib.loads((project / "pyproject.toml").read_text())["tool"]["ruff"]["line-length"]
    cpp = yaml.safe_load((project / ".clang-format").read_text())
    widths = re.findall(r"max_line_length = (\d+)", settings)
    # clang-format keeps line breaks; rendered lines of C++ are as long as those of Python.
    assert widths == [str(lines), str(lines)] and cpp["ColumnLimit"] == 0
    assert f"[*.{{h,cpp,cu,cuh}}]\nindent_size = {cpp.get('IndentWidth', 2)}\n" in settings


def test_workflows_run_for_pushes_to_the_same_branches(in_full):
    branches = set()
    for name in ["test.yml", "gpu.yml"]:
        text = (in_full / ".github/workflows" / name).read_text()
        branches.add(*re.findall(r"branches: \[(.*)\]", text))
    assert branches == {"main, master"}
