"""The commands in the README of a rendered project work, and its list is complete."""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from copier._cli import CopierApp
from render import TEMPLATE, files, render
from updating import commit, git, start
from verdicts import schema


@pytest.mark.parametrize(
    "kernel, formula",
    {
        "elementwise": "a * b + c",
        "rowwise": "x * rsqrt(mean(x^2) + eps) * weight",
        "matmul": "(a @ b) * scale + bias",
        "image": "the luma of",
        "volume": "the voxels, scaled",
    }.items(),
)
def test_what_an_edit_of_the_formula_leaves_behind_is_marked(kernel, formula, tmp_path):
    project = render(tmp_path / "my_ops", {"kernel": kernel})
    found = 0
    for path in (path for path in project.rglob("*") if path.is_file()):
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines):
            if formula in line:
                found += 1
                assert "EDIT" in "".join(lines[max(number - 6, 0) : number]), f"{path}: {line}"
    assert found >= 2  # the README and the docstring
    for file in ["tests/test_{}.py", "benchmarks/bench_{}.py", "examples/quickstart.py"]:
        (op,) = (path.stem for path in project.glob("my_ops/ops/[a-z]*.py"))
        assert "EDIT" in (project / file.format(op)).read_text()


@pytest.mark.parametrize("build, binding", [("setuptools", "pybind11"), ("cmake", ""), ("jit", "")])
def test_what_lists_the_places_to_edit_lists_no_file_that_is_never_edited(build, binding, tmp_path):
    answers = {"build": build} | ({"binding": binding} if binding else {})
    project = render(tmp_path / "my_ops", answers)
    text = (project / "README.md").read_text()
    (command,) = re.findall("`(git grep --untracked .*?)`", text)
    assert f"`{command}`" in (project / "AGENTS.md").read_text().replace("\n", " ")
    git(project, "init", "-q")
    _, *arguments = shlex.split(command)
    found = {line.partition(":")[0] for line in git(project, *arguments).splitlines()}
    assert {"my_ops/csrc/muladd/muladd.h", "tests/test_muladd.py"} <= found
    # A page tells what the marks are, and one that was deleted is listed no more.
    assert not [name for name in found if name.endswith(".md")]
    header = project / "my_ops/csrc/muladd/muladd.h"
    header.write_text(header.read_text().replace("EDIT: ", ""))
    assert "csrc/muladd/muladd.h" not in git(project, *arguments)
    # Files of the package for one operator, and the entries of the table besides "do not edit".
    shared = {path for path in found if re.match("my_ops/(?!csrc/.*/|ops/)", path)}
    (row,) = re.findall(r"^\| other files of .*do not edit \|$", text, re.MULTILINE)
    assert {path.removeprefix("my_ops/") for path in shared} <= set(re.findall("`(.*?)`", row))


def test_its_options_of_pip_are_those_of_the_oldest_python(tmp_path):
    """A pip of 2022 has --config-settings, but not yet its short form `-C`."""
    answers = {"build": "cmake", "kernel": "matmul"}
    texts = files(render(tmp_path / "my_ops", answers)).items()
    short = [name for name, text in texts if re.search(r"[ `]-C \w+\.", text)]
    assert short == [], short
    assert "--config-settings=editable.rebuild=true" in dict(texts)["README.md"]


def run(project: Path, *lines: str) -> None:
    """Run commands of Copier as a reader would, each committed; in this process, where templates are compiled already."""
    for line in lines:
        words = f"copier() {{ printf '%s\\0' \"$@\"; }}; {line}"
        text = subprocess.run(["bash", "-ec", words], stdout=subprocess.PIPE, text=True, check=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(project)
            _, failed = CopierApp.run(["copier", *text.stdout.split("\0")[:-1]], exit=False)
        assert not failed, line
        commit(project, line)
    assert git(project, "status", "--porcelain") == ""


@pytest.mark.parametrize("autograd", ["function", "cpp"])
def test_it_says_how_one_wheel_serves_every_pytorch(autograd, template, tmp_path):
    answers = {"autograd": autograd}
    project = render(tmp_path / "my_ops", answers, template=template, vcs_ref="0.0.1")
    start(project)
    readme = project / "README.md"
    (command,) = re.findall("`(copier update .*binding=torch_stable.*?)`", readme.read_text())
    run(project, command)
    assert "STABLE_TORCH_LIBRARY" in (project / "my_ops/csrc/bindings.cpp").read_text()
    assert "binding=torch_stable" not in readme.read_text()


@pytest.mark.parametrize("arguments", ["Tensor a, float c=1", "(Tensor a, float c=1)"])
def test_arguments_and_operators_are_added_as_it_says(arguments, template, tmp_path):
    answers = {
        "signature": f"{arguments} -> (Tensor out, Tensor twice)",
        "more_ops": "pooled(Tensor x, str mode='mean')\nrowwise: norm(Tensor x)",
    }
    project = render(tmp_path / "my_ops", answers, template=template, vcs_ref="0.0.1")
    start(project)
    section = (project / "README.md").read_text().split("## Other arguments, more operators")[1]
    run(project, *section.split("```")[1].strip().splitlines())
    names = re.findall(r"`my_ops\.(.*?)\(", (project / "README.md").read_text())
    assert names == ["muladd", "pooled", "norm", "another"]
    assert "extra: float = 1" in (project / "my_ops/ops/muladd.py").read_text()
    assert (project / "my_ops/ops/another.py").exists()


def test_a_project_is_updated_as_the_front_page_says(template, tmp_path):
    project = render(tmp_path / "my_ops", {}, template=template, extent=None, vcs_ref="0.0.1")
    start(project)
    section = (TEMPLATE / "README.md").read_text().split("## Update")[1]
    lines = section.split("```")[1].strip().splitlines()
    *commands, remove = [line for line in lines if line.startswith("copier update ")]
    run(project, *commands)
    assert "STABLE_TORCH_LIBRARY" in (project / "my_ops/csrc/bindings.cpp").read_text()
    assert (project / "my_ops/ops/relu_like.py").exists()
    run(project, remove)
    assert not (project / "my_ops/ops/relu_like.py").exists()


GRADIENTS = [
    "(Tensor x: [B, C, L], Tensor weight: [O, C, K], Tensor? bias: [O], *, int dilation=1) -> Tensor: [B, O, L]",
    "Tensor x: [N, D], Tensor index: int64[N], str mode='sum' -> (Tensor out: [D], Tensor count: int64[D])",
    "Tensor x: [..., D], bool wanted -> (Tensor y: [..., D], Tensor? lse: float32[...] if wanted)",
]


@pytest.mark.parametrize("signature", GRADIENTS)
def test_the_gradient_that_it_proposes_is_accepted(signature, template, tmp_path):
    answers = {"kernel": "custom", "op": "smooth", "signature": signature}
    project = render(tmp_path / "my_ops", answers, template=template, vcs_ref="0.0.1")
    start(project)
    text = (project / "README.md").read_text()
    run(project, *re.findall("^copier update .*smooth_grad.*", text, re.MULTILINE))
    module = (project / "my_ops/ops/smooth_grad.py").read_text()
    parameters = re.findall(
        r"^    (\w+): Tensor", module.partition("def smooth_grad(")[2], re.MULTILINE
    )
    results = re.findall(r"Tensor\S* (\w+):", signature.partition("->")[2]) or ["out"]
    # Those too that are saved for it.
    assert {"x", *results, f"{results[0]}_grad"} <= set(parameters)
    assert "x_grad" in module


@pytest.mark.parametrize("others", ["", "pooled(Tensor x, str mode='mean')\ngate(Tensor x)"])
def test_an_operator_is_removed_as_its_page_says(others, template, tmp_path):
    answers = {"more_ops": f"another(Tensor x)\n{others}"}
    project = render(tmp_path / "my_ops", answers, template=template, vcs_ref="0.0.1")
    edited = list(project.rglob("*another*.*"))
    assert len(edited) == 8
    for path in edited:
        path.write_text(path.read_text() + "\n")
    start(project)
    page = (project / "docs/updating.md").read_text().split("## Remove an operator")[1]
    run(project, page.split("```")[1].strip())
    assert not [path for path in project.rglob("*another*") if ".git" not in path.parts]
    for shared in ["__init__.py", "ops/__init__.py", "csrc/bindings.cpp"]:
        assert "another" not in (project / "my_ops" / shared).read_text()
    assert (project / "my_ops/ops/pooled.py").exists() == bool(others)


@pytest.mark.parametrize("kernel", ["elementwise", "custom"])
def test_the_first_operator_is_removed_as_its_page_says(kernel, template, tmp_path):
    custom = kernel == "custom"
    signature = "Tensor x: [N] -> Tensor: [N]" if custom else "Tensor x"
    another = "custom: another(Tensor x: [N]) -> Tensor: [N]" if custom else "another(Tensor x)"
    answers = {"kernel": kernel, "op": "first", "signature": signature}
    answers["more_ops"] = f"{another}; gate(Tensor x)"
    project = render(tmp_path / "my_ops", answers, template=template, vcs_ref="0.0.1")
    edited = [*project.rglob("*another.*"), project / "my_ops/csrc/gate/gate.h"]
    for path in edited:
        path.write_text(path.read_text() + "\n")
    start(project)
    page = (project / "docs/updating.md").read_text().split("## Remove an operator")[1]
    *lines, update = page.split("```")[3].strip().replace("\\\n", "").splitlines()
    for line in lines:
        subprocess.run(shlex.split(line), cwd=project, check=True)
    run(project, update)
    assert [*project.glob("my_ops/ops/[a-z]*.py")] and not [*project.rglob("*first.*")]
    assert "more_ops: gate(Tensor x)\n" in (project / ".copier-answers.yml").read_text()
    assert all(path.read_text().endswith("\n\n") for path in edited)


FUSED = "rowwise: norm(Tensor x)"
SEVERAL = "norm(Tensor x)\nrowwise: rms(Tensor x)"


@pytest.mark.parametrize(
    "more_ops, named", [(FUSED, "norm_reference"), (SEVERAL, "<op>_reference")]
)
@pytest.mark.parametrize("autograd", ["function", "cpp"])
def test_it_names_the_reference_of_an_operator_with_a_fused_gradient(
    autograd, more_ops, named, tmp_path
):
    # The first one has a gradient too: the gradient of its reference.
    answers = {"kernel": "custom", "signature": "Tensor x: [N] -> Tensor: [N]"}
    project = render(tmp_path / "my_ops", answers | {"more_ops": more_ops, "autograd": autograd})
    text = (project / "README.md").read_text()
    (paragraph,) = re.findall(r"^.* fused backward kernel(?:.|\n)*?_reference`", text, re.MULTILINE)
    assert f"`{named}`" in paragraph and "fps" not in paragraph


@pytest.mark.parametrize("kernel", ["elementwise", "custom", "matmul"])
def test_replicate_is_in_the_module_that_it_names(kernel, tmp_path):
    project = render(tmp_path / "my_ops", {"kernel": kernel, "more_ops": FUSED})
    text = (project / "README.md").read_text()
    (module,) = re.findall(r"`REPLICATE = True`\s+in `(.*?)`", text)
    assert "\nREPLICATE = False\n" in (project / module).read_text()


@pytest.mark.parametrize("page", ["README.md", "docs/exporting.md"])
def test_its_example_names_nothing_that_it_does_not_use(page, tmp_path):
    signature = "Tensor x: [B, N], Tensor? mask: bool[B, M]=None, int k=2 -> Tensor: int64[B, k]"
    project = render(tmp_path / "my_ops", {"kernel": "custom", "signature": signature})
    code = (project / page).read_text().split("```python\n")[1].partition("```")[0]
    assigned = set(re.findall(r"^(\w+) =", code, re.MULTILINE)) - {"program"}
    assert "N" in assigned
    assert [name for name in assigned if len(re.findall(rf"\b{name}\b", code)) < 2] == []


@pytest.mark.parametrize("build", ["setuptools", "nvrtc"])
def test_an_index_out_of_bounds_is_spoken_of_where_one_is_read(build, tmp_path):
    signature = "Tensor x: [N, D], Tensor rows: int64[M] -> Tensor: [M, D]"
    answers = {"kernel": "custom", "op": "gather", "signature": signature, "build": build}
    project = render(
        tmp_path / "my_ops", answers | {"more_ops": "custom: f(Tensor x: [N]) -> Tensor: [1]"}
    )
    words = "index_add"
    assert words in (project / "my_ops/csrc/gather/gather.h").read_text()
    assert words not in (project / "my_ops/csrc/f/f.h").read_text()
    assert "of an index | a condition in the kernel" in (project / "README.md").read_text()


def test_the_readme_of_a_custom_operator_names_its_list_of_dtypes(tmp_path):
    """Authors extend this list, and no other sentence repeats it."""
    project = render(tmp_path / "my_ops", {"kernel": "custom"})
    text = " ".join((project / "README.md").read_text().split())
    assert "in the dtypes of `DTYPES` in `my_ops/ops/<op>.py`" in text
    assert "DTYPES = [" in (project / "my_ops/ops/fps.py").read_text()
    assert "in float32 and float64" not in text


def test_the_readme_of_several_kernels_lists_operators_by_dtypes(tmp_path):
    further = "rowwise: norm(Tensor x)\nimage: luma(Tensor im)\nelementwise: fill(Tensor x, Tensor(a!) out) -> ()"
    text = (render(tmp_path / "my_ops", {"more_ops": further}) / "README.md").read_text()
    assert (
        "\n- `muladd`, `norm` and `fill`: float32, float64, float16 and bfloat16\n- `luma`: uint8 and"
        in text
    )
    assert "`muladd` and `norm` are differentiable" in text
    assert "`fill` has no rule" in text


@pytest.mark.parametrize("tensor", ["Tensor q", "Tensor q: [N]"])
def test_a_colon_has_something_behind_it(tensor, tmp_path):
    """A tensor of any shape has no command that adds its gradient."""
    signature = f"{tensor}, Tensor k: [N] -> Tensor: [N]"
    answers = {"kernel": "custom", "op": "attend", "signature": signature}
    text = (render(tmp_path / "x", answers) / "README.md").read_text()
    assert not re.search(r":\n+[A-Z]", text)


def test_what_is_printed_to_install_leaves_no_noise(tmp_path):
    """setup.py imports PyTorch, which warns without NumPy; `uv sync` leaves a file that nothing here reads."""
    project = render(tmp_path / "my_ops", {"build": "setuptools"}, extent="core")
    pages = [project / "README.md", TEMPLATE / "README.md", TEMPLATE / "docs/tutorial.md"]
    for page in pages:
        (first,) = re.findall(r"^pip install .*torch.*setuptools.*", page.read_text(), re.MULTILINE)
        assert " numpy " in first, page
    assert "/uv.lock" in (project / ".gitignore").read_text().splitlines()


def test_links_are_absolute_if_the_repository_is_on_github(tmp_path):
    """PyPI shows README.md, where relative links are dead; the page on releases tells how."""
    url = "https://github.com/you/my_ops"
    for name, address in {
        "none": "",
        "github": url,
        "other": "https://example.org/you/my_ops",
    }.items():
        project = render(tmp_path / name, {"repository": address})
        links = re.findall(r"\]\(([^#)]+)\)", (project / "README.md").read_text())
        own = {
            x
            for x in links
            if x.removeprefix(f"{url}/blob/HEAD/") in ("LICENSE", "docs/releasing.md")
        }
        assert len(own) == 2 and all(x.startswith(url) == (address == url) for x in own), own
        page = (project / "docs" / "releasing.md").read_text()
        assert ("--data repository=" in page) == (not address)


@pytest.mark.parametrize("kernel", ["elementwise", "rowwise"])
def test_the_quickstart_passes_the_default_of_a_number(kernel, tmp_path):
    signature = "Tensor x, *, float eps=1e-6, int power=2"
    project = render(tmp_path / "my_ops", {"kernel": kernel, "op": "norm", "signature": signature})
    text = (project / "examples" / "quickstart.py").read_text()
    assert 'keywords = {"eps": 1e-6, "power": 2}' in text


def test_the_quickstart_has_sizes_that_the_operator_accepts(tmp_path):
    """M is 0 if x has its first shape; the quickstart passed 5 elements."""
    signature = "Tensor x: [N] if wide else [M], Tensor? y: [M], bool wide -> Tensor: [2]"
    project = render(
        tmp_path / "my_ops", {"kernel": "custom", "op": "gate", "signature": signature}
    )
    text = (project / "examples" / "quickstart.py").read_text()
    assert "wide = True\nM = 0 if wide else M\n" in text


def test_agents_read_the_verdict_as_it_is_written(tmp_path):
    """The table of AGENTS.md has each exit status, and keys that the JSON has."""
    project = render(tmp_path / "my_ops", {"kernel": "custom"})
    text = (project / "AGENTS.md").read_text()
    verify = (project / "my_ops" / "_kit" / "verify.py").read_text()
    (verdicts,) = re.findall(r"^VERDICTS = (\[.*\])", verify, re.MULTILINE)
    rows = re.findall(r"^\| (\d) \| ([^|]+) \|", text, re.MULTILINE)
    assert rows == [(str(status), name) for status, name in enumerate(ast.literal_eval(verdicts))]
    properties = schema()["properties"]
    assert properties.keys() > {"error", "reason", "cuda", "allowed"}
    assert {"again", "call"} <= properties["failure"]["properties"].keys()
    for key in ["failure.again", "failure.call", "error", "reason", "cuda", "allowed"]:
        assert f"`{key}`" in text
    for option in ["--quick", "--json"]:
        assert option in text and f'"{option}"' in verify
    headings = re.findall("^## (.+)$", (project / "README.md").read_text(), re.MULTILINE)
    assert {"Make it yours", "You have a kernel already"} <= {*headings}
    assert {x for x in re.findall('"([A-Z][a-z ]+)"', text)} <= {*headings}


def test_agents_read_about_the_custom_operator(tmp_path):
    """Each command was for the sample operator, and the page named the custom one nowhere."""
    custom = "custom: gather(Tensor x: [N, D], Tensor index: int64[M]) -> Tensor: [M, D]"
    project = render(tmp_path / "my_ops", {"more_ops": custom})
    text = (project / "AGENTS.md").read_text()
    assert "python -m my_ops.verify gather --quick" in text and "bench_gather.py" in text
    assert "muladd" not in text
    paths = re.findall(r"`(my_ops/(?:csrc|ops)/gather[^`]*)`", text)
    assert len(paths) == 2 and all((project / path).exists() for path in paths)
    files = re.findall(r"`(gather\w*\.(?:h|cu|cpp))`", text)
    assert len(files) == 3
    assert all((project / "my_ops/csrc/gather" / name).exists() for name in files)


def test_examples_draw_a_dtype_of_each_variable(tmp_path):
    """They had `dtype=torch.I`, and floating-point values for a tensor of integers."""
    sets = "T in {int64, int32}, E in {float, int64}, out in {float64, int64}"
    signature = f"Tensor x: T[N], Tensor y: E[N], ScalarType out -> Tensor: out[N] where {sets}"
    answers = {"kernel": "custom", "op": "mixed", "signature": signature}
    project = render(tmp_path / "my_ops", answers)
    for name in ["README.md", "docs/exporting.md", "examples/quickstart.py"]:
        text = (project / name).read_text()
        assert "x = torch.randint(0, 2, (N,), dtype=torch.int64, device=device)\n" in text
        assert "y = torch.testing.make_tensor((N,), dtype=torch.float32, device=device)\n" in text
        assert "x, y, torch.float64" in text
