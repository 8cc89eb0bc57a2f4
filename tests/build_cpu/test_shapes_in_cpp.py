"""Annotated signatures as C++ of both bindings, compiled and called, and as fakes: the three agree in each result and sentence.

Needs PyTorch and a C++ compiler; half a minute.
"""

# ruff: noqa: S102
import json
import shutil
import subprocess
import textwrap
from collections.abc import Sequence

import pytest
from macros import environment, macro, unmarked
from render import KIT, kit_module

torch = pytest.importorskip("torch")

SIGNATURES = """
Tensor points: [B, N, 3], int npoint -> Tensor: int64[B, npoint]
Tensor values: [N, D], Tensor index: int64[N], int segments -> Tensor: [segments, D]
Tensor x: [..., N] -> (Tensor q: int8[..., N], Tensor scale: float32[...])
Tensor x: [N, C, H, W], int k, int stride=1 -> Tensor: [N, C, (H - k) // stride + 1, (W - k) // stride + 1]
Tensor(a!) query: [T, H * D], Tensor positions: int64[T], Tensor cache: [P, D], int heads -> ()
Tensor x: [N], Tensor? weight: [N]=None, *, float eps=1e-5 -> Tensor: [N]
Tensor x: [..., N], Tensor y: [..., M] -> Tensor: [..., N, M]
Tensor a: [N, N] -> Tensor: [N]
Tensor a: [M, K], Tensor b: [K, N] -> Tensor: float32[M, N]
Tensor mask: bool[B, T] -> Tensor: int32[B]
Tensor image: uint8[H, W, 3] -> Tensor: uint8[H, W]
Tensor x: [B, 2 * N] -> (Tensor left: [B, N], Tensor right: [B, N])
Tensor query: [B, N, 3], Tensor points: [B, M, 3], int k -> (Tensor d: [B, N, k], Tensor index: int64[B, N, k])
Tensor x: [N, C, H, W], Tensor grid: [N, P, Q, 2] -> Tensor: [N, C, P, Q]
Tensor logits: [N, C], Tensor target: int64[N] -> Tensor: []
Tensor x: float16[M, K], Tensor s: float32[M, K // 2] -> Tensor: bfloat16[M, K // 2 * 2]
Tensor x: [B, N], int window, int step -> Tensor: [B, (N - window) // step + 1, window]
Tensor x: int64, int bins -> Tensor: int64[bins]
Tensor x: [...] -> Tensor: bool[...]
Tensor value: [B, S, M, D], Tensor shapes: int64[L, 2], Tensor loc: [B, Q, M, L, P, 2] -> Tensor: [B, Q, M * D]
Tensor src: [N, D], Tensor indptr: int64[S + 1] -> Tensor: [S, D]
Tensor x: [2 + T, D], Tensor y: [..., D - 1], Tensor z: [E - 3] -> Tensor: [T, E]
Tensor? index: int32[..., N, M + 1], Tensor x: [N, M], Tensor y: [..., N] -> Tensor: [..., M]
Tensor x: [N, H * (W + 1)], Tensor y: [H, W] -> Tensor: [N - 1, 2 * (H - 3), 4]
Tensor packed: uint8[R, P], Tensor scales: [R, (P * 2 + size - 1) // size], int size -> Tensor: [R, P * 2]
Tensor x: [N], int k -> Tensor: [N * k]
Tensor x: [N, K], int pad, int stride -> Tensor: [N, (K + 2 * pad) // stride]
Tensor x: [S + k, M * j], int k, int j -> Tensor: [S, M]
Tensor x: [N], Tensor y: [N * 2 - k], Tensor z: [N * k], int k -> Tensor: [N]
Tensor x: [N], Tensor y: [k], int k -> Tensor: [N]
Tensor x: [N], int a, int b -> Tensor: [a, b]
Tensor x: [N], int[2] pad, float[3]? weights=None, int[1] k=2 -> Tensor: [N]
Tensor x: [N, C, *space], Tensor y: [*space], Tensor z: [*other, *space, C] -> (Tensor: [*space, 0, N], Tensor: [*other])
Tensor input: [..., *shape], Tensor gamma: [*shape], Tensor? beta: [*shape] -> (Tensor: [..., *shape], Tensor: float32[...])
Tensor? out: [..., S, *inner], Tensor src: [..., N, *inner], Tensor indptr: int64[..., S + 1] -> Tensor: [..., S, *inner]
Tensor x: [*a, N * k, *b, D], Tensor y: [*a], int k, Tensor z: [*c, *b, D + 1, *a] -> Tensor: [*c, N * k]
Tensor check: [*shape, N], Tensor y: [..., M, *shape], Tensor len: [..., K] -> Tensor: [..., N]
Tensor x: [B, L, D] if last else [B, D, L], bool last, Tensor w: [D], Tensor? y: int64[D, 2] if last else [L], int k -> (Tensor: [B, L - k] if last else [0], Tensor: [B, D] if k < 2 else [k])
Tensor x: [N, N] if k == 2 else [M], int k, Tensor(a!) y: int64[N + 1, M] if k > 2 else int64[N] -> (Tensor: [N, M], Tensor: float32[N] if k != 2 else T[k])
""".strip().splitlines()
# A signature, arguments with a wrong size, and the error.
WRONG_SIZES = [
    ("-> Tensor: [N * k]", {"k": 2**62 + 1}, "a size of the signature is too large: N * k"),
    ("-> Tensor: [N * k]", {"k": -1}, "a size of the signature is negative: N * k = -5"),
    (
        "(K + 2 * pad) // stride]",
        {"pad": -(2**62), "stride": -1, "x": torch.ones(5, 0)},
        "a size of the signature is too large: (K + 2 * pad) // stride",
    ),
    (
        "(K + 2 * pad) // stride]",
        {"pad": 2**62, "stride": 1},
        "a size of the signature is too large: (K + 2 * pad) // stride",
    ),
    (
        "(K + 2 * pad) // stride]",
        {"stride": 0},
        "a size of the signature is divided by 0: (K + 2 * pad) // stride",
    ),
    ("[S, M]", {"k": -(2**63)}, "a size of the signature is too large: S"),
    ("[S, M]", {"k": 9}, "a size of the signature is negative: S = -1"),
    ("[S, M]", {"j": -1}, "a size of the signature is negative: M = -14"),
    (
        "[S, M]",
        {"j": 0},
        "x must have the shape [S + k, M * j] with S + k = 8, M * j = 0, but has [8, 14]",
    ),
    ("y: [N * 2 - k]", {"k": 12}, "a size of the signature is negative: N * 2 - k = -2"),
    ("y: [N * 2 - k]", {"k": -(2**63)}, "a size of the signature is too large: N * 2 - k"),
    ("y: [k]", {"k": -1}, "a size of the signature is negative: k = -1"),
    ("int[2] pad", {"pad": []}, "pad must have length 2, got 0"),
    ("int[2] pad", {"pad": [1, 2, 3]}, "pad must have length 2, got 3"),
    ("int[2] pad", {"weights": [0.5]}, "weights must have length 3, got 1"),
    ("int[2] pad", {"k": []}, "k must have length 1, got 0"),
    (
        "[a, b]",
        {"a": 2**62, "b": 4},
        "out can't have the shape [4611686018427387904, 4], which is too large",
    ),
]
BINDINGS = {"torch_library": "shapes_in_aten", "torch_stable": "shapes_in_stable"}
CPP_TYPES = {
    "Tensor": "Tensor",
    "float": "double",
    "int": "int64_t",
    "bool": "bool",
    "int[1]": "std::vector<int64_t>",
    "int[2]": "std::vector<int64_t>",
    "float[3]": "std::vector<double>",
}


def read(signature):
    """The schema, and what follows from its shapes."""
    schema = json.loads(macro("parse", signature, path="questions/schema.jinja"))
    return schema["arguments"], json.loads(macro("read_shapes", schema))


def operator(signature):
    """The facts of a custom operator that files of a project read."""
    answers = {
        "project": "my_ops",
        "op": "one",
        "kernel": "custom",
        "signature": signature,
        "further_ops": "",
        "build": "setuptools",
        "binding": "torch_library",
        "registration": "torch_library",
        "autograd": "function",
    }
    (facts,) = json.loads(environment().get_template("questions/ops.jinja").render(answers))
    return facts


def rendered(path, signature):
    item = operator(signature)
    return unmarked(environment().get_template(path).render(item=item, ops=[item]))


def in_cpp(number, signature):
    """Definition and schema of an operator that checks, and returns new tensors."""
    args, facts = read(signature)
    name = f"op{number}"
    results = [x["name"] for x in facts["tensors"] if x["result"]]
    types = ", ".join(["Tensor"] * len(results))
    dtypes = dict.fromkeys(facts["lists"], "TwoFloats()")
    lines = macro("checks", name, facts, dtypes, path="languages/cpp_shapes.jinja").splitlines()
    item = operator(signature) | {"name": name}
    lines += macro("check_lengths", item, path="languages/cpp.jinja").splitlines()
    lines += macro("results", facts, path="languages/cpp_shapes.jinja").splitlines()
    lines += (
        [f"return std::make_tuple({', '.join(results)});"]
        if len(results) > 1
        else [f"return {x};" for x in results]
    )
    cpp_args, schema_args = [], []
    for arg in args:
        cpp_type = CPP_TYPES[arg["type"].rstrip("?")]
        cpp_args.append(
            (f"std::optional<{cpp_type}> " if "?" in arg["type"] else f"{cpp_type} ") + arg["name"]
        )
        kind = arg["type"].replace("Tensor", "Tensor(a!)") if arg["write"] else arg["type"]
        kind = "SymInt" if arg["name"] in facts["ints"] else kind
        schema_args += ["*"] * (arg["keyword"] and "*" not in schema_args)
        schema_args.append(
            f"{kind} {arg['name']}" + (f"={arg['default']}" if arg["default"] else "")
        )
    returns = "void" if not results else f"std::tuple<{types}>" if len(results) > 1 else "Tensor"
    body = textwrap.indent("\n".join(lines), "  ")
    return (
        f"{returns} {name}({', '.join(cpp_args)}) {{\n{body}\n}}\n",
        f"{name}({', '.join(schema_args)}) -> ({types})",
    )


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    from torch.utils import cpp_extension

    folder = tmp_path_factory.mktemp("shapes")
    for binding, namespace in BINDINGS.items():
        stable = binding == "torch_stable"
        csrc = folder / binding
        project = environment().get_template("template/{{ project }}/csrc/project.h.jinja")
        shutil.copytree(KIT, csrc / "kit")
        (csrc / "project.h").write_text(project.render(project=namespace, binding=binding))
        defined = [in_cpp(*item) for item in enumerate(SIGNATURES)]
        library = "STABLE_TORCH_LIBRARY" if stable else "TORCH_LIBRARY"
        kernels = [f"TORCH_BOX(&op{i})" if stable else f"&op{i}" for i in range(len(SIGNATURES))]
        source = csrc / "ops.cpp"
        functions = "".join(function for function, _ in defined)
        schemas = "".join(f"m.def({json.dumps(schema)});\n" for _, schema in defined)
        kernels = "".join(f'm.impl("op{i}", {kernel});\n' for i, kernel in enumerate(kernels))
        source.write_text(
            f'#include "kit/shapes.h"\n#include <torch/{"csrc/stable/" if stable else ""}library.h>\n'
            f"namespace {namespace} {{\nusing TwoFloats = Dtypes<float, double>;\n{functions}"
            f"{library}({namespace}, m) {{\n{schemas}}}\n"
            f"{library}_IMPL({namespace}, CPU, m) {{\n{kernels}}}\n}}\n"
        )
        output = folder / f"{binding}.so"
        flags = ["-std=c++20", "-O0", "-fPIC", "-shared"] + [
            "-DTORCH_TARGET_VERSION=0x020a000000000000"
        ] * stable
        flags += [f"-I{x}" for x in cpp_extension.include_paths()] + [
            f"-L{x}" for x in cpp_extension.library_paths()
        ]
        command = ["g++", *flags, str(source), "-o", str(output), "-lc10", "-ltorch_cpu", "-ltorch"]
        subprocess.run(command, check=True)
        torch.ops.load_library(output)


def in_python(signature, number):
    """The fake and make_args."""
    args, facts = read(signature)
    space = {
        "torch": torch,
        "Tensor": torch.Tensor,
        "Sequence": Sequence,
        "_checks": kit_module("_kit.checks"),
        "DTYPES": [torch.float32, torch.float64],
    }
    fake = macro("checks", f"op{number}", facts, path="languages/py_shapes.jinja")
    item = operator(signature) | {"name": f"op{number}"}
    fake += "\n" + macro("check_lengths", item, path="languages/py.jinja")
    fake += "\n" + macro("results", facts, path="languages/py_shapes.jinja")
    # With defaults, since PyTorch passes no argument that equals its own.
    parameters = []
    for arg in item["args"]:
        of_list = arg["length"] and arg["default"] not in ("", "None")
        default = f"({arg['default']},)" if of_list else arg["default"]
        parameters.append(arg["name"] + f"={default}" * bool(default))
    exec(f"def fake({', '.join(parameters)}):\n" + textwrap.indent(fake, "    "), space)
    exec(rendered("variants/kernel/custom/make_args.py", signature), space)
    return space["fake"], space["make_args"], [x["name"] for x in args if x["keyword"]]


def outcome(function, args, keywords=()):
    """Shapes and dtypes that it returns, or the first line of what it raises."""
    count = len(args) - len(keywords)
    try:
        out = function(*args[:count], **dict(zip(keywords, args[count:])))
    except (RuntimeError, ZeroDivisionError) as error:
        return str(error).partition("\n")[0]
    out = [] if out is None else [out] if isinstance(out, torch.Tensor) else out
    return [(list(x.shape), x.dtype) for x in out]


def all_outcomes(functions, fake, args, keywords=()):
    """Results or errors of the C++ of each binding and of the fake, whose error may be PyTorch's own sentence."""
    meta = [x.to("meta") if isinstance(x, torch.Tensor) else x for x in args]
    found = [outcome(x, args, keywords) for x in functions] + [outcome(fake, meta)]
    own = ["divided by 0", "can't have the shape"]
    if isinstance(found[0], str) and any(text in found[0] for text in own):
        assert isinstance(found[-1], str), found
        found[-1] = found[0]
    return found


def wrong_tensors(x):
    for dim in range(x.dim()):
        yield torch.cat([x, x.narrow(dim, 0, 1)], dim)
        yield x.narrow(dim, 0, x.shape[dim] - 1)
    yield x[None]
    yield x[0] if x.dim() else x[None, None]
    yield from (x.to(dtype) for dtype in (torch.complex64, torch.int64, torch.int32, torch.float64))


@pytest.mark.parametrize("number", range(len(SIGNATURES)), ids=SIGNATURES)
def test_bindings_and_fake_agree(libraries, number):
    fake, make_args, keywords = in_python(SIGNATURES[number], number)
    ops = [getattr(getattr(torch.ops, x), f"op{number}").default for x in BINDINGS.values()]
    args = make_args()

    def all_say(args):
        first, *others = all_outcomes(ops, fake, args, keywords)
        assert others == [first, first]
        return first

    expected = all_say(args)
    assert isinstance(expected, list)
    for i, x in enumerate(args):
        numbers = () if isinstance(x, list) or x is None else (0, -1, -3, 100)
        numbers = [not x] if isinstance(x, bool) else numbers
        for wrong in wrong_tensors(x) if isinstance(x, torch.Tensor) else numbers:
            all_say([*args[:i], wrong, *args[i + 1 :]])
    # With sizes that are not known.
    count = len(args) - len(keywords)
    by_name = dict(zip(keywords, args[count:]))
    for op in ops:
        torch.library.register_fake(op.name(), fake)
        tests = ("test_schema", "test_faketensor")
        torch.library.opcheck(op, tuple(args[:count]), by_name, test_utils=tests)
        torch.compiler.reset()
        compiled = torch.compile(op, fullgraph=True, dynamic=True, backend="aot_eager")
        assert outcome(compiled, args, keywords) == expected


@pytest.mark.parametrize(("part", "wrong", "sentence"), WRONG_SIZES)
def test_wrong_sizes_are_named(libraries, part, wrong, sentence):
    """In place of an overflow, after which a kernel would read and write outside of its tensors."""
    (number,) = [i for i, text in enumerate(SIGNATURES) if part in text]
    fake, make_args, _ = in_python(SIGNATURES[number], number)
    ops = [getattr(getattr(torch.ops, x), f"op{number}").default for x in BINDINGS.values()]
    names = [x["name"] for x in read(SIGNATURES[number])[0]]
    args = [wrong.get(name, value) for name, value in zip(names, make_args())]
    assert all_outcomes(ops, fake, args) == [f"op{number}: {sentence}"] * 3


def test_a_number_stands_for_a_list_of_its_length(libraries):
    """As PyTorch defines `int[2]` and `float[3]`."""
    (number,) = [i for i, text in enumerate(SIGNATURES) if "int[2] pad" in text]
    for name in BINDINGS.values():
        op = getattr(getattr(torch.ops, name), f"op{number}")
        assert op(torch.ones(4), 1, 0.5, 3).shape == op(torch.ones(4), [1, 2]).shape == (4,)
