"""Random operators: files of all accepted names and arguments are valid and formatted.

`SIGNATURES=3000 SIGNATURES_SEED=1 ./dev render -- tests/render/test_signatures.py` makes it longer and repeatable.
"""

from __future__ import annotations

import ast
import os
import random
import re
import string
import subprocess
import sys
from pathlib import Path

import pytest
import test_render
from random_ops import DRAWN, OTHERS, accepted
from render import render

from variants import DISTINCT

SEED = int(os.environ.get("SIGNATURES_SEED") or random.randrange(2**32))
SIGNATURES = int(os.environ.get("SIGNATURES", "300"))
# A project renders in a third of a second, and a third of that for each further operator.
OPS = 15
# Names of this length leave each line as the formatters do. Longer names are valid; ruff then breaks another line or two.
FORMATTED = 30


def name(rng: random.Random, most: int, upper: bool = False) -> str:
    """Return an accepted name; lengths near the most, where lines break, are as likely as short ones."""
    length = rng.choice([rng.randint(2, 12), rng.randint(2, most), rng.randint(most - 8, most)])
    first = string.ascii_lowercase + (string.ascii_uppercase if upper else "")
    text = rng.choice(first) + "".join(
        rng.choice(first + string.digits + "00___") for _ in range(length - 1)
    )
    # A q in front: no word of any language, and no name that the render uses, begins so.
    return "q" + re.sub("_+", "_", text)[: most - 1].rstrip("_")


# What an argument can be, with the defaults that it can have; the first ones are the most frequent.
TYPES = {
    "Tensor": [],
    **OTHERS,
    "Tensor?": ["None"],
    "Tensor!": [],
    "Tensor(z!)?": ["None"],
    "ScalarType?": ["None"],
    "Tensor[]": [],
}


# What the operators of other kernels can have: what comes first, and what then; and one result.
NUMBERS = ["float", "float?", "int", "bool", "SymInt"]
COLUMNS = ["Tensor", "Tensor", "Tensor?", *NUMBERS]
KERNELS = {
    "rowwise": (["Tensor"], COLUMNS),
    "matmul": (["Tensor", "Tensor"], COLUMNS),
    "image": (["Tensor"], NUMBERS),
    "volume": (["Tensor"], NUMBERS),
}


def of_kernel(rng: random.Random, kernel: str, longest: int = 64) -> str:
    first, others = KERNELS[kernel]
    types = first + rng.choices(others, k=rng.choice([0, 1, 2, 3, rng.randint(4, 12)]))
    names: dict[str, None] = {}
    while len(names) < len(types):
        names[name(rng, min(40, longest), upper=True)] = None
    return ", ".join(f"{kind} {x}" for kind, x in zip(types, names))


def signature(rng: random.Random, longest: int = 64) -> str:
    count = rng.choice([1, 2, 3, 4, rng.randint(5, 16)])
    # Half of them have what most operators have, the other half anything.
    kinds = rng.choice([list(TYPES)[:4], list(TYPES)])
    types = ["Tensor", *rng.choices(kinds, k=count - 1)]
    types = [kind for i, kind in enumerate(types) if "z!" not in kind or kind not in types[:i]]
    rng.shuffle(types)
    names: dict[str, None] = {}
    while len(names) < len(types):
        names[name(rng, min(40, longest), upper=True)] = None
    # From one argument on each has a default, and from another on each is given by name.
    arguments = [f"{kind} {x}" for kind, x in zip(types, names)]
    first = len(types)
    while first and TYPES[types[first - 1]] and rng.random() < 0.6:
        first -= 1
        arguments[first] += "=" + rng.choice(TYPES[types[first]])
    if rng.random() < 0.3:
        arguments.insert(rng.randrange(len(arguments)), "*")
    written = any("!" in kind for kind in types)
    results = ["Tensor"] * rng.choice([1, 1, 1, 2, 3] if not written else [0, 0, 1, 2])
    if "Tensor(z!)?" in types and rng.random() < 0.5:
        results.insert(0, "Tensor(z!)")
    text = ", ".join(arguments)
    if results == ["Tensor"] and not written:
        return text
    return f"{text} -> ({', '.join(results)})" if len(results) != 1 else f"{text} -> {results[0]}"


def in_brackets(signature: str) -> str:
    arguments, arrow, results = signature.partition(" -> ")
    return f"({arguments}){arrow}{results}"


def shaped(rng: random.Random) -> str:
    """Arguments and results of an operator of the kernel custom, whose names have at most 14 letters."""

    def names(count: int) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < count:
            found[name(rng, 14, upper=True)] = None
        return list(found)

    tensors, numbers, results = rng.randint(1, 5), rng.randint(0, 4), rng.choice([1, 1, 2, 3])
    group, *all_names = names(1 + tensors + numbers + results + 4)
    sizes = all_names[-4:]
    grouped = rng.random() < 0.3

    def with_group(shape: list[str], least: float = 0.5) -> list[str]:
        """Put any number of dimensions somewhere into a shape."""
        at = rng.randint(0, len(shape))
        put = grouped and not leading and rng.random() < least
        return [*shape[:at], f"*{group}", *shape[at:]] if put else shape

    dtypes = ["", "", "float32", "int64", "bool", "bfloat16", "uint8"]
    leading = rng.choice(["", "", "..., "])
    first = [f"Tensor {all_names[0]}: [{leading}{', '.join(with_group(sizes, 1))}]"]
    for x in all_names[1:tensors]:
        shape = with_group(rng.sample([*sizes, "3"], rng.randint(1, 4)))
        optional = rng.choice(["", "", "?"])
        first.append(f"Tensor{optional} {x}: {rng.choice(dtypes)}[{', '.join(shape)}]")
    kinds = [rng.choice(["int", "float", "bool", "float?"]) for _ in range(numbers)]
    others = [f"{kind} {x}" for kind, x in zip(kinds, all_names[tensors:])]
    ints = [x for kind, x in zip(kinds, all_names[tensors:]) if kind == "int"]
    made = []
    counted = rng.choice(["", "", "", "Counted?"]) if not leading else ""
    for x in all_names[tensors + numbers : -4]:
        items = [*sizes, *ints, f"({sizes[0]} - 3) // 2 + 1", f"{sizes[1]} * 4"]
        shape = with_group(rng.sample(items, rng.randint(1, 3)))
        shape = [counted, *shape] if counted and rng.random() < 0.8 else shape
        made.append(f"Tensor {x}: {rng.choice(dtypes)}[{leading}{', '.join(shape)}]")
    say = [x for kind, x in zip(kinds, all_names[tensors:]) if kind == "bool"]
    for i, text in enumerate(made):
        if say and not counted and rng.random() < 0.4:
            made[i] = f"{text.replace('Tensor', 'Tensor?', 1)} if {rng.choice(say)}"
        elif say and not grouped and not counted and rng.random() < 0.4:
            other = ", ".join(rng.sample(sizes, rng.randint(0, 4)))
            made[i] = f"{text} if {rng.choice(say)} else [{other}]"
    for i in range(1, tensors):
        if say and not grouped and rng.random() < 0.2:
            first[i] += f" if {rng.choice(say)} else [{rng.choice(sizes)}]"
    return f"({', '.join(first + others)}) -> ({', '.join(made)})"


def shaped_rows(rng: random.Random) -> str:
    """Arguments and results of a rowwise operator with shapes and dtypes in its signature."""
    tensors, numbers, results = rng.randint(1, 6), rng.randint(0, 4), rng.choice([0, 1, 1, 2, 3])
    found: dict[str, None] = {}
    while len(found) < tensors + numbers + results + 3:
        found[name(rng, 14, upper=True)] = None
    *names, columns, size, other = found
    leading = rng.choice([["..."], ["..."], ["...", size], [other, size], [size], []])
    shapes = {"element": [*leading, columns], "row": leading, "column": [columns]}
    dtypes = ["", "", "", "float32", "int64", "bool", "bfloat16", "uint8", "float8_e4m3fn"]

    def annotation(kind: str) -> str:
        return f"{rng.choice(dtypes)}[{', '.join(shapes[kind])}]"

    arguments = []
    for i, x in enumerate(names[:tensors]):
        kind = rng.choice(["element", "row", "column"]) if i else "element"
        ways = ["Tensor", "Tensor", "Tensor?"] if i else ["Tensor"]
        ways += [f"Tensor({string.ascii_lowercase[i]}!)"] if kind != "column" else []
        dtype_and_shape = annotation(kind) if i else f"[{', '.join(shapes[kind])}]"
        arguments.append(f"{rng.choice(ways)} {x}: {dtype_and_shape}")
    if not results and not any("!" in text for text in arguments):
        arguments[0] = arguments[0].replace("Tensor", "Tensor(a!)")
    for x in names[tensors : tensors + numbers]:
        arguments.append(f"{rng.choice(NUMBERS)} {x}")
    if numbers and rng.random() < 0.3:
        arguments.insert(rng.randint(tensors, len(arguments) - 1), "*")
    made = [f"Tensor {x}: {annotation(rng.choice(['element', 'row']))}" for x in names[-results:]]
    return f"({', '.join(arguments)}) -> ({', '.join(made) if results else ''})"


SHAPED = {"custom": shaped, "rowwise": shaped_rows}


def line(rng: random.Random, op: str, longest: int) -> str:
    if rng.random() < 0.4:
        kernel = rng.choice(list(KERNELS))
        return f"{kernel}: {op}({of_kernel(rng, kernel, longest)})"
    return f"{op}{in_brackets(signature(rng, longest))}"


def answers(rng: random.Random, longest: int) -> dict[str, str]:
    names: dict[str, None] = {}
    while len(names) < OPS + 1:
        names[name(rng, longest)] = None
    project, first, *others = names
    kernel = rng.choice(["elementwise", "elementwise", "elementwise", *KERNELS])
    return {
        "project": project,
        "op": first,
        "kernel": kernel,
        "signature": of_kernel(rng, kernel, longest)
        if kernel in KERNELS
        else signature(rng, longest),
        "more_ops": "\n".join(line(rng, op, longest) for op in others),
    }


@pytest.mark.parametrize("number", range(-(-SIGNATURES // OPS)))
def test_random_operators_are_valid_and_formatted(number, tmp_path):
    print(
        f"SIGNATURES_SEED={SEED} ./dev render -- tests/render/test_signatures.py -k '[{number}]' repeats this"
    )
    rng = random.Random(SEED + number)
    variant = DISTINCT[number % len(DISTINCT)]
    longest = FORMATTED if number % 2 else 64
    given = answers(rng, longest)
    print(given)
    project = render(tmp_path / "x", variant.answers | given)
    test_render.test_parses(project, None)
    test_render.test_text(project, None)
    if longest == FORMATTED:
        test_render.test_formatters_leave_it_unchanged(project, None)


@pytest.mark.parametrize(
    "arguments",
    [
        "Tensor qEUfVw800fJeyFLw29jARrqfBirqJ, Tensor qkD0CwLgKOc_0y0cyk1tYbrN8i, float qd2Pht_TqGfOQ0RsTU0ukT_fv_BJ0x, Tensor qm",
        "Tensor qiEIaYeiux7D_ovR_D3yWD6iXu6cnF, Tensor qdVeY_k5UEksmUxr11vP4lZaue_6r6, int? qtgMg1Us7ChMNW0rWCjcF4s5",
    ],
)
def test_a_long_formula_without_parentheses_around_it(arguments, tmp_path):
    """ruff breaks a formula inside of the parentheses that it begins or ends with."""
    project = render(tmp_path / "x", {"kernel": "matmul", "op": "linear", "signature": arguments})
    test_render.test_formatters_leave_it_unchanged(project, None)


@pytest.mark.parametrize("kernel", SHAPED)
@pytest.mark.parametrize("number", range(-(-SIGNATURES // OPS // 4)))
def test_random_shapes_are_valid(number, kernel, tmp_path):
    print(
        f"SIGNATURES_SEED={SEED} ./dev render -- tests/render/test_signatures.py -k 'shapes and [{number}-{kernel}]' repeats this"
    )
    rng = random.Random(SEED - number)
    variants = [variant for variant in DISTINCT if variant.compiled or kernel == "rowwise"]
    lines = [f"{kernel}: {name(rng, 20)}{number}{SHAPED[kernel](rng)}" for number in range(OPS)]
    given = {"more_ops": "\n".join(lines)}
    print(given)
    project = render(tmp_path / "x", variants[number % len(variants)].answers | given)
    test_render.test_parses(project, None)
    test_render.test_text(project, None)
    check_names(project)
    # Of C++, long lists of shapes are broken in another way than clang-format's.
    subprocess.run([sys.executable, "-m", "ruff", "format", "--check", project], check=True)


def check_names(project: Path) -> None:
    """Check that Python knows each name that it reads, and reads each variable."""
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--isolated",
        "--no-cache",
        "--select=F821,F822,F823,F841",
        project,
    ]
    subprocess.run(command, check=True)


def check_sizes(header: Path) -> None:
    """Check that each size in the code of a thread is a field of its arguments."""
    text = header.read_text()
    fields = "".join(re.findall(r"\[([^]]*)\] = args;", text))
    counts = " ".join(re.findall(r"\bi < ([^?):]+)", text)) if fields else ""
    used = set(re.findall(r"[A-Za-z_]\w*", counts))
    known = {*re.findall(r"\w+", fields), *re.findall(r"for \(int64_t (\w+) = 0", text)}
    assert used <= known, f"{header}: {fields}"


@pytest.mark.parametrize("kernel", DRAWN)
@pytest.mark.parametrize("number", range(-(-SIGNATURES // OPS // 10)))
def test_operators_that_are_built_are_valid(number, kernel, tmp_path):
    """Those that tests/build_cpu/test_build_random.py builds; where ruff breaks their long lines is not asked."""
    variant = DISTINCT[number % len(DISTINCT)]
    drawn = accepted(kernel, random.Random(SEED + number), None, variant.build, variant.binding)
    lines = [f"{kernel}: drawn_{i}{next(drawn)}" for i in range(OPS)]
    print(SEED + number, *lines, sep="\n")
    project = render(tmp_path / "x", variant.answers | {"more_ops": "\n".join(lines)})
    test_render.test_parses(project, None)
    test_render.test_text(project, None)
    check_names(project)
    for header in project.glob("my_ops/csrc/*/*.h") if kernel == "custom" else []:
        check_sizes(header)


def test_the_elements_of_a_tensor_in_one_of_two_shapes(tmp_path):
    """make_args had no name for them, if samples have the other shape."""
    signature = (
        "Tensor x: int32[B, D], Tensor v: [x.numel()] if wide else [0], bool wide -> Tensor: [B]"
    )
    answers = {"kernel": "custom", "op": "either", "signature": signature}
    check_names(render(tmp_path / "x", answers))


@pytest.mark.parametrize(
    "signature",
    [
        # A size that nothing needs was assigned to a variable in the fake kernel.
        "Tensor ptr: int64[N + 1], Tensor col: int64[E] -> Tensor: int64[E]",
        "Tensor indices: int32[N, 1 + ndim], Tensor x: [N] -> Tensor: [N]",
        # The benchmark divided by a number of elements before the tensor was there.
        "Tensor table: bool[H, Q], Tensor[] packed: [..., B, table.numel() // 2], Tensor x: [..., I] -> Tensor: [I]",
        "Tensor table: bool[H, Q], Tensor packed: [..., table.numel() // 2] -> Tensor: [H]",
    ],
)
def test_names_that_a_file_has(signature, tmp_path):
    answers = {"kernel": "custom", "op": "some", "signature": signature}
    check_names(render(tmp_path / "x", answers))


def test_a_quotient_in_one_of_two_strided_shapes(tmp_path):
    """`//` began a comment in the starting kernel."""
    signature = "Tensor(a!) x: [N // 2, M] strided if t else [N, M // 2] strided, Tensor y: [N, M], bool t -> ()"
    answers = {"kernel": "custom", "op": "halved", "signature": signature}
    code = (render(tmp_path / "x", answers) / "my_ops/csrc/halved/halved.h").read_text()
    assert "{t ? N / 2 : N, t ? M : M / 2}" in code


def test_leading_dimensions_before_a_group(tmp_path):
    """Where the size between them is, C++ and Python compute with the number of both."""
    signature = "Tensor x: [..., N, *inner], Tensor p: int64[..., M] -> Tensor: [..., M, *inner]"
    answers = {"kernel": "custom", "op": "between", "signature": signature}
    project = render(tmp_path / "x", answers)
    check_names(project)
    module = (project / "my_ops/ops/between.py").read_text()
    assert "x.shape[1 + len(leading_shape) :]" in module
    code = (project / "my_ops/csrc/between/between.cpp").read_text()
    assert "x.size(check.rank(leading_shape))" in code and "@" not in code


def test_a_size_of_an_optional_output_is_a_field(tmp_path):
    """The kernels of seeds 1002, 1005 and 1006 did not compile."""
    signature = "Tensor x: [N], Tensor(a!)? extra: [M], Tensor(b!)? any, Tensor(c!) y: [N] -> ()"
    answers = {"kernel": "custom", "op": "fill", "signature": signature, "extent": "core"}
    check_sizes(render(tmp_path / "x", answers) / "my_ops/csrc/fill/fill.h")


def test_the_dtypes_of_a_long_name(tmp_path):
    """Their macro is one, and the comment of a list's, with brackets, is one."""
    op = "vllm_dynamic_fused_add_rms_norm_static"
    answers = {"kernel": "rowwise", "op": op, "signature": "Tensor x: [..., N] -> Tensor: [..., N]"}
    lists = f"custom: {op}_lists(Tensor[] sources, Tensor(a!) flag: int32[1]) -> ()"
    project = render(tmp_path / "x", answers | {"more_ops": lists})
    subprocess.run([sys.executable, "-m", "ruff", "format", "--check", project], check=True)
    header = project / f"my_ops/csrc/{op}/{op}_args.h"
    subprocess.run(["clang-format", "--dry-run", "-Werror", header], check=True)
    assert "_DTYPES(DO) \\\n  DO(float)" in header.read_text()


def test_a_long_product_of_sizes_is_no_tuple(tmp_path):
    """A comma behind the only operand made it one, and the benchmark of the operator failed."""
    product = "patch, patch, (H + 2 * pad - kernel_size) // stride + 1, (W + 2 * pad - kernel_size) // stride + 1"
    numbers = "int patch, int pad, int kernel_size, int stride"
    signature = f"Tensor x: [N, H, W], {numbers} -> Tensor: [N, {product}]"
    op = f"custom: product(Tensor x: [N, {', '.join(f'a_dimension_{i}' for i in range(9))}]) -> Tensor: [N]"
    answers = {"kernel": "custom", "op": "patches", "signature": signature, "more_ops": op}
    project = render(tmp_path / "x", answers)
    for path in project.glob("benchmarks/bench_*.py"):
        quotients = [x for x in ast.walk(ast.parse(path.read_text())) if isinstance(x, ast.BinOp)]
        assert quotients and not any(isinstance(x.right, ast.Tuple) for x in quotients), path


def test_lines_that_end_at_the_edge(tmp_path):
    """ruff breaks these lines in its own way; random names have them once in thousands."""
    sizes = "qkRBUn2LRy15ir, qT0o0XMedoTU, ql2_i565sR"
    mask = (
        f"custom: mask(Tensor x: [qUyM0gNA, {sizes}], Tensor qIf0rvDRT583: bool[qUyM0gNA, {sizes}])"
    )
    lists = f"custom: lists(Tensor x: [{sizes}], Tensor[] q1: [{sizes}, 4], Tensor[] q2: float8_e5m2[{sizes}, 4, 9])"
    written, given = "q" * 30, "w" * 28
    factor = f"factor(Tensor x, Tensor! {written}, Tensor? {given}, float? {given}s) -> ()"
    kinds = [f"rowwise: of_rows(Tensor x, Tensor? {given}) -> Tensor {written}"]
    kinds += [f"matmul: of_product(Tensor! {written}, Tensor x, Tensor y, Tensor? {given}) -> ()"]
    rows, sums = (
        "x_of_twenty_letters, y_of_twenty_letters",
        "y_of_twenty_letters * x_of_twenty_letters",
    )
    either = f"custom: either(Tensor x: [{rows}, 3, {sums}] if last else [3, {rows}], bool last)"
    either += f" -> (Tensor: [{rows}, 2] if last else [{sums}], Tensor: [{rows}] if last else [2])"
    ops = [f"{mask} -> Tensor: [qUyM0gNA]", f"{lists} -> Tensor: [1]", factor, *kinds, either]
    more = {"more_ops": "\n".join(ops)}
    render(tmp_path / "setuptools", {"project": "q" * 49} | more)
    render(tmp_path / "jit", {"project": "q" * 24, "build": "jit"})
    subprocess.run([sys.executable, "-m", "ruff", "format", "--check", tmp_path], check=True)


SET = "{float32, float64, float16, bfloat16, int8, uint8, int16, int32, int64, bool, float8_e4m3fn, float8_e5m2}"
LONG_SETS = f"""
custom: cache(Tensor x: T[N], Tensor y: U[N]) -> Tensor: T[N] where T in {SET}, U in {{int32, int64}}
custom: cache_of_many_heads(Tensor x: [N], Tensor y: C[N]) -> Tensor: [N] where C in {{float32, float16, bfloat16, uint8}}
custom: cache_of_many_heads_in_pages_of_tokens_of_sequences_in_batch(Tensor x: [N], Tensor y: C[N]) -> Tensor: C[N] where C in {SET}
"""


def test_a_list_of_many_dtypes_is_one_macro(tmp_path):
    """It was broken without a backslash, and did not compile."""
    project = render(tmp_path / "x", {"more_ops": LONG_SETS.strip()})
    test_render.test_formatters_leave_it_unchanged(project, None)
    found = []
    for path in sorted(project.rglob("cache*_args.h")):
        text = path.read_text().replace("\\\n", "")
        found += [len(re.findall(r"DO\(", x)) for x in re.findall(r"#define \w+\(DO.*", text)]
    assert found == [12, 2, 2, 4, 2, 12]


def test_a_returned_argument_is_not_called_new(tmp_path):
    answers = {"signature": "Tensor(a!) x, Tensor y -> (Tensor(a!), Tensor q)", "op": "both"}
    text = (render(tmp_path / "x", answers, extent="core") / "my_ops/ops/both.py").read_text()
    new = "`q`, a new contiguous tensor with the shape, dtype and device of `x`."
    assert f"Returns:\n        `x`, which is written to.\n        {new}\n" in text


def test_the_dtype_of_a_result_beside_written_tensors_only(tmp_path):
    """It was read from a tensor that is not written, and rendering failed if there is none."""
    answers = {"signature": "Tensor(a!) x, ScalarType dtype -> Tensor", "op": "cast_to"}
    text = (render(tmp_path / "x", answers, extent="core") / "my_ops/ops/cast_to.py").read_text()
    assert "    return x, (2 * x).to(dtype)\n" in text


def test_defaults_of_floats_are_formatted(tmp_path):
    """ruff writes 1.0 for 1., 0.5 for .5, and 1e-5 for 1E-5."""
    signature = (
        "Tensor x, float a=1., float b=-2.E-5, float? c=-.5E5, float[2] d=[.5,1.], float[] e=[]"
    )
    render(tmp_path / "x", {"signature": signature})
    subprocess.run([sys.executable, "-m", "ruff", "format", "--check", tmp_path], check=True)
    module = (tmp_path / "x/my_ops/ops/muladd.py").read_text()
    assert "a: float = 1.0,\n    b: float = -2.0e-5,\n" in module
    assert "d: Sequence[float] = (0.5, 1.0),\n    e: Sequence[float] = (),\n" in module


def test_results_with_long_names_are_formatted(tmp_path):
    """ruff broke the conversion to the dtype of a result, and the call with results that may be absent."""
    one, two, four = "q" * 30, "w" * 30, [f"a_result_of_thirty_letters_{i}" for i in range(4)]
    lists = f"lists(Tensor x: [N], Tensor(a!) {one}: int64[N], Tensor(b!)[] {two}) -> ()"
    absent = "absent(Tensor x: [N], bool want) -> (Tensor: [N]"
    absent += "".join(f", Tensor? {name}: int64[N] if want" for name in four) + ")"
    render(tmp_path / "x", {"more_ops": f"custom: {lists}\ncustom: {absent}"})
    subprocess.run([sys.executable, "-m", "ruff", "format", "--check", tmp_path], check=True)


def test_formulas_with_long_names_are_formatted(tmp_path):
    """ruff broke the list of the gradients of five results."""
    name = [f"an_argument_of_thirty_letters_{i}" for i in range(9)]
    given = ", ".join(f"Tensor {x}" for x in name[:4])
    numbers = f"float {name[7]}, float? {name[8]}"
    results = ", ".join(f"Tensor a_result_of_thirty_letters_{i}" for i in range(5))
    more = [
        f"optional({given}, Tensor? {name[5]}, {numbers})",
        *(f"rowwise: rows_{i}({given}{x}, {numbers})" for i, x in enumerate(["", ", Tensor? x"])),
        f"matmul: product({given}, float {name[5]}, float {name[6]}, {numbers})",
        f"image: pixels(Tensor {name[0]}, float {name[5]}, float {name[6]}, {numbers})",
    ]
    signature = f"({given}, {numbers}) -> ({results})"
    render(tmp_path / "x", {"signature": signature, "more_ops": "\n".join(more)})
    subprocess.run([sys.executable, "-m", "ruff", "format", "--check", tmp_path], check=True)
