"""Signatures with shapes, and the sentences that refuse wrong ones. Takes a second."""

import pytest
from macros import ROOT, data, macro
from real_signatures import FAMILIES, refusal_of, table
from real_signatures import REFUSED as REFUSED_OPERATORS
from refusals import SENTENCES, read, reasons, refused_for

ACCEPTED = """
Tensor points: [B, N, 3], int npoint -> Tensor: int64[B, npoint]
Tensor values: [N, D], Tensor index: int64[N], int segments -> Tensor: [segments, D]
Tensor x: [..., N] -> (Tensor q: int8[..., N], Tensor scale: float32[...])
Tensor x: [N, C, H, W], int k, int stride=1 -> Tensor: [N, C, (H - k) // stride + 1, (W - k) // stride + 1]
Tensor(a!) query: [T, H * D], Tensor positions: int64[T], Tensor cache: [P, D], int heads -> ()
Tensor x, float c
Tensor x: int64 -> Tensor
Tensor x: [] -> Tensor: []
Tensor x: [N], Tensor? weight: [N]=None, *, float eps=1e-5 -> Tensor: [N]
Tensor x: [...] -> Tensor: [...]
Tensor x: T[N] -> Tensor: T[N]
Tensor x:[N,N]->Tensor:[N]
Tensor x: [N], int[2] size=[1, 1] -> Tensor: [N, 2]
Tensor x: [N], int[] sizes=[], float[] weights=[], float scale=00.5, int most=9223372036854775807, int lowest=-9223372036854775808, str how="a 9223372036854775808 b", float none=0e-400, float least=-1.7976931348623157e308 -> Tensor: [N]
Tensor x: float8_e4m3fn[M, K], Tensor s: float32[M] -> Tensor: bfloat16[M, K]
Tensor boxes: [N, 4], Tensor scores: [N], float iou -> Tensor: int64[K?]
Tensor x: [B, 2 * N] -> Tensor: [B, N]
Tensor x: [N], Tensor y: [M] -> Tensor d: [N, M]
Tensor mask: bool[B, T] -> Tensor: int32[B]
Tensor x: uint8[H, W, 3] -> Tensor: uint8[H, W]
Tensor(a!) out: [N], Tensor x: [N] -> Tensor(a!)
Tensor u: [B, D, L], Tensor A: float32[D, S], Tensor B: [B, S, L], Tensor? D: [D]=None -> Tensor: [B, D, L]
Tensor x: [x, N] -> Tensor N: [N, x * 2]
Tensor x: [C, H, W], int[2] size=1, *, int[3] pad=[0, 1, 2] -> Tensor: [C, size[0], H + 2 * pad[2] - size [ 1 ]]
Tensor x, Tensor y: [2 * x.numel()] -> Tensor: [x.numel() // 2]
Tensor x: [N], Tensor y: [N, size[0] + 1], SymInt[] size, int[] pad=[1, 2] -> Tensor: [N, pad[0], size[3]]
Tensor x: [*batch, N] -> Tensor: [*batch]
Tensor x: [N, C, *space], Tensor? y: [*other] -> Tensor: [C, N, * space]
Tensor x: [..., *shape], Tensor y: [*shape] -> Tensor: [..., *shape]
Tensor src: [..., N, *inner], Tensor indptr: int64[..., S + 1], Tensor? out: [..., S, *inner] -> Tensor: [..., S, *inner]
Tensor x: [*a, N, *b], Tensor y: [*a, *c], Tensor[] z: [*c] -> Tensor: [*c, *a, N, *b]
""".strip().splitlines()

REFUSED = {
    # Results and memory have no elements yet.
    "Tensor x: [N] -> (Tensor y: [N], Tensor z: [y.numel()])": "size.unknown: y_numel",
    'points: Float[Tensor, "B N 3"]': "text.spelled: Tensor points: [B, N, 3]",
    'index: Int32[Tensor, "N"]': "text.spelled: Tensor index: int32[N]",
    "points: Tensor[B, N, 3]": "text.spelled: Tensor points: [B, N, 3]",
    "tensor points: [B, N, 3]": "argument.schema: Tensor points",
    "Tensor x: [N], Scalar cutoff": "argument.scalar: , cutoff",
    "Tensor x: Float[N]": 'dtype.floating: "Float"',
    "Tensor x: float[N, D]": 'dtype.floating: "float"',
    'Tensor x: Float[Tensor, "*batch N"]': "text.spelled: [..., N]",
    'Tensor x: "B N"': "text.spelled: [B, N]",
    "Tensor x: [B N 3]": "size.comma: B, N, 3, 3, B * N * 3",
    "Tensor x: double[N]": "dtype.meant: float64",
    "Tensor x: int[N]": 'dtype.meant: int32" or "int64',
    "Tensor x: torch.int64[N]": "text.spelled: int64",
    "Tensor x: i64[N]": "dtype.meant: int64",
    "Tensor x: complex64[N]": "dtype.complex: float32",
    "Tensor x: bits8[N]": "dtype.unknown: float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool, float8_e4m3fn",
    "Tensor x: uint32[N]": "dtype.unsigned: int32",
    "Tensor x: torch.uint16[N]": "dtype.unsigned: int16",
    "Tensor x: uint8[R, C // 2] -> Tensor: float32[R, C]": "size.quotient: C // 2, x, C, uint8[R, P], 2 * P",
    "Tensor x: [M], Tensor q: int32[(K + n - 1) // n], int n -> Tensor: [K]": "size.quotient: (K + n - 1) // n, q, K, int32[P], n * P",
    "custom: fps(Tensor x: [N]) -> Tensor: [N]": "signature.operator: fps",
    "Tensor x: (B, N)": "signature.parentheses: [B, N]",
    "Tensor x: Tensor[N]": "shape.repeats: N",
    "Tensor x: [B, N": "signature.brackets: 1, 0",
    "Tensor x: [B, N, Tensor y: [N]": "signature.brackets: 2, 1",
    "Tensor x:": "shape.empty",
    # In the second of two shapes.
    "Tensor x: [N] if t else [x.numel()], bool t -> Tensor: [N]": "size.numel_later: x.numel(), x",
    # Characters that are not ASCII: Python takes digits of all scripts, and C++ no letter such as ².
    "Tensor x: [N, K²] -> Tensor: [N]": "text.ascii: ²",
    "Tensor x: [N], int k=٣ -> Tensor: [N]": "text.ascii: ٣",
    "Tensor é: [N] -> Tensor: [N]": "text.ascii: é",
    "Tensor x: [N] → Tensor: [N]": "text.spelled: ->",
    "Tensor x: [N], int k, Tensor y: [N] if k ≥ 2 else [1] -> Tensor: [N]": "text.spelled: >=",
    "Tensor x: [N，D] -> Tensor: [N]": "text.spelled: ,",
    "Tensor x: [N] int64": 'shape.form: "[N] int64"',
    "Tensor x: [N]?": 'shape.form: "[N]?"',
    'Tensor x: Float[Tensor, "N *space"]': "text.spelled: [N, *space]",
    'Tensor x: "N ..."': "text.spelled: [N, *rest]",
    "Tensor x: [N, ..., C]": "size.dots: N, *rest, C",
    "Tensor x: [N, *]": 'size.group_form: "*"',
    "Tensor x: [N, *B?]": 'size.group_form: "*B?"',
    "Tensor x: [...B, N]": "text.spelled: *B",
    "Tensor x: [N, **B]": "text.spelled: *B",
    "Tensor x: [*B, N] -> Tensor: [B]": "size.of_group: B, a size",
    "Tensor x: [*B, N], int B": "size.of_group: B, an argument",
    "Tensor x: [*s] -> Tensor: [s // 2]": "size.of_group: s, a size",
    "Tensor x: [*x] -> Tensor: [*x]": "size.type: x, a tensor",
    "Tensor x: [*a, N, *b] -> Tensor: [N]": 'shape.groups: *a, *b, "[*a, N, P]"',
    "Tensor x: [..., *b], Tensor? y: [*b] -> Tensor: [...]": 'shape.groups: ..., *b, "[..., P]"',
    "Tensor x: [N], Tensor? y: [*b]=None -> Tensor: [*b]": "shape.group_unknown: *b\nshape.group_unknown: *b",
    "Tensor x: [-1, N]": 'size.any: "-1"',
    "Tensor x: [_, N]": 'size.any: "_"',
    "Tensor x: [N,, D]": "size.missing: N, , D",
    "Tensor x: [N, D,]": "size.missing: N, D, ",
    "Tensor x: [N] -> Tensor: [(N - 1 // 2]": "size.parentheses: 1, 0",
    "Tensor x: [N] -> Tensor: [N / 2]": "size.division: N // 2",
    "Tensor x: [N] -> Tensor: [ceil(N / 2)]": 'size.ceil: "ceil(N / 2)"',
    "Tensor x: [N] -> Tensor: [N ** 2]": 'size.power: "N ** 2"',
    "Tensor x: [N] -> Tensor: [-(-N // 8)]": 'size.minus: "-(-N // 8)"',
    "Tensor x: [N] -> Tensor: [max(N, 2)]": 'size.form: "max(N, 2)"',
    "Tensor x: [N] -> Tensor: [2(N + 1)]": 'size.function: "2(N + 1)"',
    "Tensor x: [N] -> Tensor: [2N]": 'size.form: "2N"',
    "Tensor x: [N] -> Tensor: [N % 2]": 'size.form: "N % 2"',
    "Tensor x: [N] -> Tensor: [N * ]": 'size.form: "N *"',
    "Tensor x: [N?] -> Tensor: [N]": 'size.only_kernel: "N?"',
    "Tensor x: [N] -> Tensor: [K + 1?]": 'size.only_kernel: "K + 1?"',
    "Tensor x: [N] -> Tensor: [M]": "size.unknown: M",
    "Tensor x: [N], int npoint -> Tensor: [npoints]": "size.misspelled: npoints, npoint",
    "Tensor x: [N] -> Tensor: [..., N]": "shape.group_unknown: ...",
    "Tensor x: [N], int k: [3] -> Tensor: [N]": "shape.no_tensor: int k",
    "int[] xs: [N], Tensor x -> Tensor": "shape.no_tensor: int[] xs",
    "Tensor x: [N], Tensor? b=None: [N] -> Tensor: [N]": "default.before_shape: Tensor? b: [N]=None",
    "Tensor x: [H * D] -> Tensor: [H]": "size.two_unknown: H * D, x, H",
    "Tensor x: [N * N + 1] -> Tensor: [N]": "size.two_unknown: N * N + 1, x, N",
    "Tensor x: [lambda] -> Tensor: [lambda]": "size.word: lambda, LAMBDA",
    "Tensor x: [N], float c -> Tensor: [c]": "size.type: c, of type float",
    "Tensor x: [x + 1] -> Tensor": "size.type: x, a tensor",
    # Each fault once, a line each.
    "tensor x: [n], double c, Tensor y: half[N / 2] -> out: [N]": "argument.schema: Tensor x\nargument.schema: float c\ndtype.meant: float16\nresult.shape: Tensor out: [N]",
    "Tensor x: [lambda, while] -> (Tensor: [M], Tensor: [M])": "size.word: lambda, LAMBDA\nsize.word: while, WHILE",
    "Tensor x: [N] -> (Tensor: [M], Tensor: [M], Tensor: [P])": "size.unknown: M\nsize.unknown: P",
    "a x, b x, c x, d x, e x, f x, g x": "argument.type: type.others\nargument.type: type.others\nargument.type: type.others\nargument.type: type.others\nargument.type: type.others\nsignature.more: 2",
    "Tensor x: [N], int[2] size -> Tensor: [N, size[0], size[2]]": 'size.list_index: int[2], size, 2, "size[0]", "size[1]"',
    "Tensor x: [N], int[2] size -> Tensor: [N, size[i]]": 'size.list_index: int[2], size, 2, "size[0]", "size[1]"',
    "Tensor x: [N], int[] size -> Tensor: [N, size]": "size.list: int[], size",
    "Tensor x: [N], int[] size -> Tensor: [N, size[16]]": "size.far: size, 16",
    "Tensor x: [N], T int[2] size -> Tensor: [size[2]]": 'argument.form: "T int[2] size"',
    "Tensor x: [N], int[] size=[2] -> Tensor: [size[0], size[1]]": "size.list_default: size, 1, 1, 1",
    "Tensor x: [N], int[2] size -> Tensor: [N, size]": 'size.list_index: int[2], size, 2, "size[0]", "size[1]"',
    "Tensor x: [N], int[3]? size=None -> Tensor: [N, size]": "size.optional_list: int[3]?, size, int[3]",
    "Tensor x: [N], int[3] size -> Tensor: [N, len(size)]": "size.list_length: int[3], size, 3, len(size)",
    "Tensor x: [N], float[]? size=None -> Tensor: [N, len(size)]": "size.optional_list: float[]?, size, float[]",
    "Tensor x: [N], int[] size -> Tensor: [size[1], len(size)]": "size.list_used: size, 1, 2, len(size)",
    "Tensor x: [N], int n -> Tensor: [N, len(n)]": 'size.form: "len(n)"',
    "Tensor x: [N], Tensor? y -> Tensor: [N, y.numel()]": "size.numel_optional: y, y.numel()",
    "Tensor x: [y.numel()], Tensor y -> Tensor: [y.numel()]": "size.numel_later: y.numel(), y",
    "Tensor x: [N] -> Tensor: [len(x)]": 'size.form: "len(x)"',
    "Tensor x: [N], int? k=None -> Tensor: [k]": "size.optional: k, int",
    "Tensor x: int64[N] -> Tensor: [N]": 'shape.no_dtype: "Tensor: [N]"',
    "Tensor x: float16[N], Tensor? w: [N]=None -> Tensor: int8[N]": 'shape.no_dtype: "Tensor? w: [N]=None"',
    "Tensor(a!) x: [N] -> Tensor(a!): [N]": "result.shape_of_argument: Tensor(a!)",
    "Tensor x: [N] -> int64[N]": "result.shape: Tensor: int64[N]",
    "Tensor x: [N] -> out: [N]": "result.shape: Tensor out: [N]",
    "Tensor x: [N] -> [N]": "result.shape: Tensor: [N]",
    "Tensor x: [N], Tensor? b: [M]=None -> Tensor: [M]": "size.of_optional: b, M",
    "Tensor(a) x: int64[N], Tensor(a!) z: int32[N] -> ()": "shape.never_same: x, b, z",
    "Tensor(a) x: [N, D], Tensor(a!) z: [N] -> ()": "shape.never_same: x, b, z",
    "Tensor x: [N], Tensor? a: [M], Tensor? b: [M] -> Tensor: [N]": "size.of_optional: a, M",
}


def sentence(signature):
    """Return what is wrong with the annotations, whatever the kernel."""
    path = "questions/signature.jinja"
    schema = data("parse", signature, path="questions/schema.jinja")
    return macro(
        "refuse_schema", schema, signature, "fps", "elementwise", "answer kernel=custom", path=path
    )


@pytest.mark.parametrize("signature", ACCEPTED)
def test_accepted(signature):
    assert sentence(signature) == ""


def test_a_size_with_the_name_of_a_tensor_has_another_in_the_code():
    """B is a tensor and a size, as in Mamba; signatures without such a size keep their text."""
    schema = data(
        "parse",
        "Tensor A: float32[D, B], Tensor B: [B, B_size // 2] -> Tensor D: int32[B + D?]",
        path="questions/schema.jinja",
    )
    annotations = [x["annotation"] for x in schema["arguments"] + schema["results"]]
    assert annotations == [
        "float32[D_size, B_extent]",
        "[B_extent, B_size // 2]",
        "int32[B_extent + D_size?]",
    ]


def test_a_size_called_out_keeps_its_name_beside_a_result_without_one():
    schema = data("parse", "Tensor x: [out, N] -> Tensor: [out]", path="questions/schema.jinja")
    assert [(x["name"], x["read"]) for x in schema["arguments"] + schema["results"]] == [
        ("x", "[out, N]"),
        ("result", "[out]"),
    ]


def test_a_condition_on_a_tensor_is_no_size_with_its_name():
    signature = "Tensor? B: [B], Tensor x: [B, N] -> Tensor: [N if B else 0]"
    (result,) = data("parse", signature, path="questions/schema.jinja")["results"]
    assert (result["condition"], result["annotation"]) == ("B", "[N if B else 0]")
    assert sentence(signature) == ""


@pytest.mark.parametrize("signature", REFUSED)
def test_refused(signature):
    assert reasons(sentence(signature)) == REFUSED[signature]


# What only an operator of the kernel custom is refused.
REFUSED_BY_CUSTOM = {
    "Tensor x: [N] -> Tensor: [order.numel()] using Tensor order: int32[N]": "size.unknown: order_numel",
    # Drawn by SIGNATURES_SEED=4007 of test_build_random.py.
    "Tensor x: [N, M] -> (Tensor a: [N - M], Tensor b: [M - N])": 'size.negative: "M - N" is -1 with M = 7 and N = 8',
    "Tensor x: [N], Tensor y: [x.numel(), 2] -> Tensor: [x.numel() - y.numel()]": 'size.negative: "N - (N * 2)" is -1 with N = 1',
    "Tensor x: [N, M] if t else [N], Tensor z: [5], Tensor y: [P, H] if not t else [N, H - z.numel()], bool t -> Tensor: [N]": 'size.negative: "H - 5" is -5 with H = 0',
    "Tensor x: [N, M] if t else [N], Tensor y: [P, H] if not t else [N, H - M], bool t -> Tensor: [N]": 'size.negative: "H - M" is -1 with H = 0 and M = 1',
    "Tensor x: [N], int k -> Tensor: [...] if k > 1 else [1]": "shape.group_unknown: ...",
    "Tensor(a!)[] xs, Tensor y: [N] -> Tensor(a!)[]": 'result.list_of_caller: "Tensor(a!)[]"',
    "Tensor?[] xs, Tensor y: [N] -> Tensor: [N]": "argument.type: type.others",
    "Tensor[]? xs: [N] -> Tensor: [N]": "argument.type: type.list: Tensor[] xs",
    "Tensor x: [N], SymInt[2] s -> Tensor: [N]": "argument.type: type.list: int[2] s",
    "Tensor x: T[N], Tensor y: [N] -> Tensor: promote(T, U)[N]": 'dtype.call: "promote(T, U)"',
    "Tensor x: [N] -> bool: [N]": "result.shape: Tensor: bool[N]",
    "Tensor x: [N] -> bool: int8[N]": "result.shape: Tensor: int8[N]",
    "Tensor x: [N] -> torch: [N]": "result.shape: Tensor: [N]",
    "Tensor[] xs: [H * D] -> Tensor: [H]": "size.two_unknown: H * D, xs, H",
    "Tensor x: [N], Tensor(a!)? out: [N] -> ()": "custom.optional_written: Tensor(a!) out: [N], out",
    "Tensor? x: float32[N], int n -> Tensor: float32[n]": "custom.no_tensor",
    "Tensor x: [N, *b] strided -> Tensor: [N]": 'strided.groups: "Tensor x: [N, *b] strided"',
    "Tensor x: [*b, N] -> Tensor: [*b, K?]": "size.differs: K, *b, Tensor out: [*b, N]",
    "Tensor x: [N] -> ()": "custom.no_result",
    "Tensor x: [N]": 'result.no_shape: "Tensor"',
    "Tensor x: [..., N] -> Tensor: [..., K?]": "size.differs: K, ..., Tensor out: [..., N]",
    "Tensor x: [N], int K -> (Tensor: [J?], Tensor: [2, K?])": "size.known: K",
    "Tensor x: [K] -> Tensor: [K?]": "size.known: K",
    "Tensor x: [N], int K -> Tensor: [K?]": "size.known: K",
    "Tensor x: [N] -> (Tensor p: [K?], Tensor q: [K])": "size.counted: K",
    "Tensor x: [N] -> Tensor? y: [N]": "absent.no_condition: Tensor? y: [N], y",
    "Tensor x: [N] -> Tensor?": "absent.no_condition: Tensor?: [N], out",
    "Tensor x: [N], bool want -> Tensor? y if want": 'result.no_shape: "Tensor? y if want"',
    "Tensor x: [N], bool want -> Tensor y: [N] if want": "absent.required:  y: [N] if want",
    "Tensor x: [N] -> Tensor? y: [N] if want": "absent.unknown: want, y",
    "Tensor x: [N], int want -> Tensor? y: [N] if want": "absent.type: int want, y",
    "Tensor x: [N] -> Tensor? y: [N] if x": "absent.type: Tensor x, y",
    "Tensor x: [N], bool? want -> Tensor? y: [N] if want": "absent.optional: want, y",
    "Tensor x: [N], bool want -> Tensor? y: [N] if not want": 'absent.form: "not want"',
    "Tensor(a!) x: [N], bool want -> Tensor? y: int64[N] if want": "absent.beside_written: Tensor(y!)? y: int64[N]",
    "Tensor(a!) x: [N], Tensor(b!)? y: [N] -> Tensor(b!)": "custom.optional_written: Tensor(b!) y: [N], y",
    "Tensor x: [N] -> float": "result.float: Tensor: float32[]",
    "Tensor x: [N] -> (Tensor: [N], float most)": "result.float: Tensor most: float32[]",
    "Tensor x: [N] -> [Tensor: [N], int count]": 'listed.number: "int count"',
    "Tensor x: [N] -> Tensor[]": 'result.list_of_custom: "Tensor[]"',
    "Tensor x: [N] -> Tensor[2]": 'result.list_of_custom: "Tensor[2]"',
    "Tensor x: [N] -> Tensor[N, 2]": "result.shape: Tensor: [N, 2]",
    "Tensor x: [N] -> (Tensor y[2, N], Tensor int64 [N])": "result.shape: Tensor y: [2, N]\nresult.shape: Tensor: int64 [N]",
    "Tensor x: [N] -> Tensor y float8_e5m2[..., N]": "result.shape: Tensor y: float8_e5m2[..., N]",
    "Tensor x: [N], bool want -> [Tensor: [N], Tensor? y: [N] if want]": 'listed.absent: "Tensor? y: [N] if want"',
    "Tensor x: [N], Tensor? grad_y: [N] -> [Tensor y: [N], Tensor: [N]]": 'signature.derived_grad: grad_y, "y", y_grad',
    "Tensor x: [N] -> Tensor: [N] using Tensor: int32[N]": "memory.form: room",
    "Tensor x: [N] -> Tensor: [N] using Tensor order": "memory.form: order",
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [2 * K?]": 'size.only_kernel_in_memory: "2 * K?"',
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [N?]": "size.known: N",
    "Tensor x: [N] -> Tensor: [K?] using Tensor order: [K?]": "size.counted_and_asked: K",
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [M?], Tensor room: [M]": "size.counted: M",
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [order?]": "size.names_two: order, memory",
    "Tensor x: [N] -> Tensor: [N] using Tensor? order: [N]": "memory.type: order",
    "Tensor x: [N] -> Tensor: [N] using int order": "memory.type: order",
    "Tensor x: [N] -> Tensor y: [N] using Tensor y: [N]": "memory.twice: y",
    "Tensor x: [N] -> Tensor: [N] using Tensor run_on_cpu: [N]": "result.name: run_on_cpu, a tensor",
    "Tensor x: [N] -> Tensor: [N] using Tensor room: uint8[M]": "size.unknown: M",
    "Tensor x: [N] -> () using Tensor room: [N]": "custom.no_result",
    "Tensor x: [N], Tensor index: I[M] -> Tensor: [M]": "dtype.no_set: I",
    "Tensor x: [N] -> Tensor: [N] where T: float, int64": "set.form: T: float\nset.form: int64",
    "Tensor x: [N] -> Tensor: [N] where T in {float} and I in {int64}": "set.form: T in {float} and I in {int64}",
    "Tensor x: [N] -> Tensor: [N] where t in {float}": "set.name: t",
    "Tensor x: [N] -> Tensor: [N] where T in {}": "set.empty: T",
    "Tensor x: [N] -> Tensor: [N] where T in {int}": 'set.integer: "int"',
    "Tensor x: [N] -> Tensor: [N] where T in {floating}": 'set.floating: "floating"',
    "Tensor x: [N] -> Tensor: [N] where T in {half, int64}": "dtype.meant: float16",
    "Tensor x: [N] -> Tensor: [N] where T in {float, float32}": "set.dtype_in_float: T",
    "Tensor x: [N] -> Tensor: [N] where T in {int32, int32}": "set.dtype_twice: T",
    "Tensor x: [N] -> Tensor: [N] where T in {float}, T in {int64}": "set.twice: T",
    "Tensor x: [N] -> Tensor: [N] where I in {int32, int64}": "set.unused: I, I[N], the set",
    "Tensor x: T[T, I, W, E] -> Tensor: [T] where T in {float}": "set.used: T, a size or a tensor, T1",
    "Tensor x: [T] -> Tensor: [T] where T in {float}": "set.used: T, a size or a tensor, I",
    "Tensor x: [N], Tensor y: NAN[N] -> Tensor: [N] where NAN in {float}": "set.used: NAN, something in the rendered code, T",
    "Tensor x: [N] -> Tensor: W[N] where W in {float}": "set.not_given: W",
    "Tensor x: [N], Tensor? w: W[N] -> Tensor: [N] where W in {float}": "set.not_given: W",
    "Tensor a: T[N], Tensor b: U[N], Tensor c: V[N], Tensor d: W[N], Tensor e: X[N] -> Tensor: [N] where U in {float}, V in {int8}, W in {float}, X in {int8}": "set.many: 5, T, U, V, W, X",
    "Tensor a: T[N], Tensor b: U[N], Tensor c: V[N] -> Tensor: [N] where T in {float, int64}, U in {float}, V in {float}": "set.kernels: T, U, V, 80, 64",
    "Tensor x: [N], Generator gen -> Tensor: [N]": "argument.type: type.generator",
    "Tensor x: [N], bool[] causal -> Tensor: [N]": "argument.type: type.bools_of_custom: causal",
    "Tensor x: [N], bool[2] causal=[True] -> Tensor: [N]": "default.length: 1, bool[2], 2, causal=[True, True]",
    "Tensor x: [N], bool[2]? causal=[True, False] -> Tensor: [N]": "default.optional_list: bool[2] causal=[True, False], bool[2]? causal=None",
    "Tensor x: [N], int[2]? size=[1, 2] -> Tensor: [N]": "default.optional_list: int[2] size=[1, 2], int[2]? size=None",
    "Tensor x: [N], std::vector<std::vector<at::Tensor>> xs -> Tensor: [N]": 'argument.list_of_lists: "std::vector<std::vector<at::Tensor>> xs"',
    "Tensor x: [N] -> [int[]]": 'result.type: "[int[]]"',
    "Tensor x: [N], __torch__.torch.classes.lib.Camera c -> Tensor: [N]": "argument.type: type.object",
    "Tensor run_on_cpu: [N] -> Tensor: [N]": "argument.used: run_on_cpu, run_on_cpu",
    "Tensor device: [N] -> Tensor: [N]": "argument.used: device, device",
    "Tensor x: [N], Tensor grad_x: [N] -> Tensor: [N]": 'signature.derived_grad: grad_x, "x", x_grad',
    "Tensor x: [N], int cudaGetLastError -> Tensor: [N]": "name.macro: cudaGetLastError, an argument",
    "Tensor x: [N], int CUDA_VERSION -> Tensor: [N]": "name.like_a_macro: CUDA_VERSION, an argument, cuda_version",
}


# A dtype that results do not have.
for _dtype, _name in (
    ("ScalarType dtype", "dtype"),
    ("ScalarType? dtype=None", "dtype"),
    ("dtype out_dtype", "out_dtype"),
    ("torch.dtype d=None", "d"),
):
    REFUSED_BY_CUSTOM[f"Tensor x: [N], *, {_dtype} -> Tensor: [N]"] = f"argument.no_effect: {_name}"

# Tensors whose strides the kernel gets.
REFUSED_BY_CUSTOM |= {
    "Tensor x: [N] strided -> Tensor: [N] strided": "strided.new: [N]",
    "Tensor x: [N] -> Tensor: [N] using Tensor room: uint8[N] strided": "strided.new: uint8[N]",
    "Tensor[] x: [N] strided -> Tensor: [N]": "strided.list: [N]",
    "Tensor x: [..., N] strided -> Tensor: [N]": 'strided.groups: "Tensor x: [..., N] strided"',
    "Tensor x: [N], Tensor y: int64[] strided -> Tensor: [N]": "strided.number: int64[]",
    "Tensor x: [N] stride -> Tensor: [N]": 'shape.form: "[N] stride"',
}

# A dtype that an argument is.
REFUSED_BY_CUSTOM |= {
    "Tensor x: [N], ScalarType dtype -> Tensor: dtype[N]": "argument.no_set: dtype",
    "Tensor x: [N], ScalarType dtype -> Tensor: [N] where dtype in {float}": "set.unused: dtype, -> Tensor: dtype[N], the argument and its set",
    "Tensor x: [N], ScalarType? dtype=None -> Tensor: dtype[N] where dtype in {float16}": "set.optional_lacks: dtype, float32, float64, {float32, float64, float16}",
    "Tensor x: int8[N], ScalarType? dtype=None -> Tensor: dtype[N] where dtype in {float16}": "set.optional: dtype",
    "Tensor x: int8[N], ScalarType a, ScalarType b -> (Tensor: a[N], Tensor: b[N]) where a in {float}, b in {float}": "set.two_chosen: a and b",
    "Tensor x: [N], ScalarType int -> Tensor: int[N] where int in {float}": "name.cpp: int, an argument, int_in",
}

# Two shapes.
REFUSED_BY_CUSTOM |= {
    **{
        f"Tensor x: [N], *, float {name} -> Tensor: [N]": f'argument.compiled: {name}, behind "*"'
        for name in "curr_mode keyset node op_overload requires_grad sig".split()
    },
    **{
        f"Tensor! x: [N], float {name} -> ()": f"signature.compiled_name: {name}, {name}_in"
        for name in "dispatch_key match node".split()
    },
    "Tensor x: [N], *, Tensor kernel: [N] -> Tensor: [N]": 'argument.compiled: kernel, behind "*"',
    **{
        text: f"custom.make_args: {name}"
        for name, text in {
            "device": "Tensor x: [N], int device -> Tensor: [N, device]",
            "dtype": "Tensor x: [N], bool dtype -> Tensor: [N] if dtype else [0]",
            "numel": "Tensor x: [N, numel], int numel -> Tensor: [N]",
        }.items()
    },
    "Tensor x: [N], Tensor? kernel: [N]=None -> Tensor: [N]": "argument.compiled: kernel, with a default",
    "Tensor x: [N], ScalarType d, Tensor y: [d.itemsize] -> Tensor: d[N] where d in {float}": 'size.itemsize: "d.itemsize"',
    "Tensor x: [N], bool t -> Tensor: [N] if t == 0 else [0]": 'condition.type: t == 0, "Tensor: [N] if t == 0 else [0]", t, bool, not t',
    "Tensor x: [N], int t -> Tensor: [N] if not t else [0]": 'condition.type: not t, "Tensor: [N] if not t else [0]", t, int, t == 0',
    "Tensor x: [P, N], Tensor y: [C//2] -> Tensor: [C]": "size.quotient: C // 2, y, C, [Q], 2 * Q",
    "Tensor x: [*n, B, *b] -> Tensor: [1]": 'shape.groups: *n, *b, "[*n, B, P]"',
    "Tensor x: [N], int t -> Tensor: [N] if t else [0]": 'condition.type: t, "Tensor: [N] if t else [0]", t, int, t != 0',
    "Tensor x: [N], bool t, Tensor y: int32[N] if t else int64[N] -> Tensor: [N]": 'two_shapes.dtypes: "Tensor y: int32[N] if t else int64[N]"',
    "Tensor x: int8[N], bool t -> Tensor: float32[N] if t else float16[N]": 'two_dtypes.no_variable: "Tensor: float32[N] if t else float16[N]"',
    "Tensor x: [N], bool t -> Tensor: float32[N] if t else U[N]": "dtype.no_set: U",
    "Tensor x: [N], bool t -> Tensor: [N] if t == 1 else [0]": 'condition.type: t == 1, "Tensor: [N] if t == 1 else [0]", t, bool, t',
    "Tensor x: [N], bool? t -> Tensor: [N] if t else [0]": 'condition.other_type: t, "Tensor: [N] if t else [0]", t, bool?',
    "Tensor x: [N] -> Tensor: [N] if t else [0]": 'condition.unknown: t, "Tensor: [N] if t else [0]"',
    "Tensor x: [N], bool t -> Tensor: [N] if t and t else [0]": 'condition.form: "Tensor: [N] if t and t else [0]"',
    "Tensor x: [N], bool t -> Tensor: [N] if t else [M]": "size.unknown: M",
    "Tensor x: [N], bool t -> Tensor: [N] if t else [K?]": 'two_shapes.only_kernel: "Tensor: [N] if t else [K?]"',
    "Tensor x: [N], bool t, Tensor[] y: [N] if t else [0] -> Tensor: [N]": "two_shapes.list: y, [N]",
    "Tensor x: [N], bool t, Tensor y: [..., N] if t else [0] -> Tensor: [N]": 'two_shapes.groups: "Tensor y: [..., N] if t else [0]"',
    "Tensor x: [N, *s], bool t -> Tensor: [*s] if t else [0]": 'two_shapes.groups: "Tensor: [*s] if t else [0]"',
    "Tensor x: [N], Tensor? t, Tensor y: [N] if t else [0] -> Tensor: [N]": "two_shapes.given: t",
    "Tensor x: [N], bool t -> Tensor: [N] if t else 0": "two_shapes.one: t",
    "Tensor x: [N] strided if t else [0], bool t -> Tensor: [N]": 'two_shapes.strided: "Tensor x: [N] strided if t else [0]"',
    "Tensor x: [N] strided if t else [0, 1] strided, bool t -> Tensor: [N]": 'two_shapes.strided: "Tensor x: [N] strided if t else [0, 1] strided"',
    "Tensor x: [N], bool t -> Tensor: [N if t else 0, N if not t else 0]": 'size.condition: "N if t else 0"',
    "Tensor x: [N], bool t -> Tensor: [N * t]": "size.bool: t",
}

ACCEPTED_BY_CUSTOM = """
Tensor x: [R, J, M] -> Tensor: [(J - 16) // M + 1, 2 * (R + 2) - J]
Tensor x: [N] -> (Tensor p: int64[K?], Tensor q: int64[2, M?], Tensor: [M?, N, K?])
Tensor x: [N], bool want -> (Tensor y: [K?, K?], Tensor? z: [N, K?] if want, Tensor? w: [N] if want)
Tensor(a!) x: [N] -> [Tensor(a!), Tensor: [N]]
Tensor x: [N] -> int
Tensor(a!) x: [N] -> (Tensor(a!), int, bool changed)
Tensor x: [N, C] if not swapped else [C, N], bool swapped, Tensor(a!) y: int8[N, C] if kind == 0 else int8[0], int kind=2 -> Tensor: [C]
Tensor x: [..., N], Tensor? w: [N] if flag else [1], bool flag, int k -> (Tensor? a: [..., N] if flag else [N] if flag, Tensor: int8[N] if w else [0])
Tensor x: T[N, C], bool wide, Tensor? y -> [Tensor: float32[N], Tensor: float32[N] if wide else T[N]] where T in {float}
Tensor A: [...], int blocksize, ScalarType store -> (Tensor: store[(A.numel() + 1) // (store.itemsize * 2), 1], Tensor: float32[blocksize]) using Tensor room: uint8[8 * store . itemsize] where store in {uint8, int32}
Tensor! x: [N], int!? count, float! scale -> ()
Tensor x: T1[N], bool wide -> Tensor: float32[N] if wide else T1[N] where T1 in {float32, float64}
Tensor q: [N], int most, int at_most, int most_there, int count, int how_many, int count_there -> Tensor: [K?]
Tensor x: [*s], int s_shape, int s_dims, int s_lengths, int s_of_group -> Tensor: [*s]
Tensor(a!) x: [N] strided, int x_stride0, int x_step0, int x_stride_of_size0 -> ()
Tensor x: [N], bool t, Tensor? y -> (Tensor? a: int8[N] if t else int16[3] if y, Tensor: [N] if t else float32[0])
Tensor x: [N], bool[2] causal, (int, int, int) size, (int, int)? stride=None, (int, int) pad=(-1, 1), bool[3] flags=[True, False, True], bool[2]? more=None -> Tensor: [N, size[2]]
Tensor x: [N, D], int k, bool t -> [Tensor: [k if t else 0, D], Tensor: [N] if k >= -3 else [k, k - 1]] using Tensor room: uint8[N if t else 0]
Tensor boxes: [N, 4], Tensor scores: [N], float iou -> Tensor: int64[K?]
Tensor x: [N, D] -> (Tensor index: int64[K?], Tensor rows: [K?, D], Tensor total: [N])
Tensor(a!) seen: [N], Tensor x: [..., N], *, int count=2 -> Tensor: int64[most?, 2]
Tensor x: [N], bool want -> (Tensor out: [N], Tensor? lse: float32[N] if want)
Tensor x: [N], bool want -> Tensor?: [N, 3] if want
Tensor(a!) out: [N], Tensor x: [N], Tensor(b!)? store: int64[N]=None -> Tensor: [N]
Tensor x: [N], Tensor? weight: [N]=None -> (Tensor? a: [N + 1] if weight, Tensor? b: int64 [N] if weight)
Tensor x: [N], Tensor(a!)? y: [N]=None -> Tensor: [N]
Tensor x: [N, D] -> [Tensor out: [N, D], Tensor: float32[N]]
Tensor(a!) q: [N], Tensor k: [N], Generator? gen -> [Tensor index: int64[K?], Tensor rows: [K?, 2]]
Tensor(a!) grad_query: [N], Tensor(b!)? grad_out: [N], Tensor query: [N], Tensor out: [N], int I -> ()
Tensor x: [I, J], Generator? gen=None -> Tensor: [I]
Tensor[] tables: [N, D], Tensor index: int64[M] -> Tensor: [M, D]
Tensor(a!)[] params, Tensor[] grads, float lr -> ()
Tensor[] tables: [N, D], Tensor(a!)[] out: [M, len(tables)], Tensor index: int64[M] -> Tensor: [len(out), D]
Tensor x: [N, 2 * D], int[] dims, float [] scales=[1, 2], *, Tensor? w: [len(dims)] -> (Tensor: [N, 2 * len( dims )], Tensor? out: int32[len(scales) + D] if w)
Tensor x: [N], bool match -> Tensor: [N]
Tensor(a) x: [N, D] strided, Tensor(a)? y: [N], Tensor(a!) out: [N, D] -> ()
Tensor[] xs: int64[..., H * D], Tensor[] ys: [D] -> Tensor: [..., H]
Tensor(a!)[] out: [N], Tensor(b!)? store: [N], Tensor x: [N] -> ()
Tensor x: [N] -> [Tensor: [N]]
Tensor keys: int32[N, D] -> (Tensor: int32[N, D], Tensor: int64[N]) using Tensor counts: int32[256], Tensor other: int32[N, D + 1]
Tensor(a!) x: [..., N] -> () using Tensor room: [..., N // 2]
Tensor x: [N], bool want -> (Tensor: int64[N], Tensor? y: [N] if want) using Tensor room: uint8[x.numel()]
Tensor x: [..., N] -> (Tensor: int64[K?], Tensor: [..., N]) using Tensor room: uint8[bytes?], Tensor pairs: int32[..., M?, 2], Tensor more: [M?]
Tensor x: [N], Tensor? out_: [N] -> [Tensor: [N], Tensor: [N]]
Tensor src: T[N, D], Tensor index: I[N], int segments -> Tensor: T[segments, D] where T in {float, int64}, I in {int32, int64}
Tensor x: T[..., D], Tensor weight: W[D] -> Tensor: [..., D] using Tensor room: W[D] where W in { float32,bfloat16 }
Tensor x: float32[N], Tensor(a!) index: I[M], Tensor? more: I[M], Tensor[] others: I[N] -> Tensor(a!) where I in {uint8}
Tensor where: [N], Tensor x: [where] -> Tensor: [N]
Tensor strided: [N, D] strided, Tensor? w: int8[N]  strided, Tensor(a!)[] ys: [N], Tensor! z: bfloat16[N, 2 * D] strided -> ()
Tensor x: int8[M, K], Tensor y: int8[K, N], ScalarType out_dtype, Tensor? bias: out_dtype[N] -> Tensor: out_dtype[M, N] where out_dtype in {float16, bfloat16}
Tensor x: T[N, D], *, ScalarType? dtype=None -> Tensor: dtype[N] where T in {float32, int64}, dtype in {float32, float64, int64}
Tensor x: [N, M], Tensor y: [N] -> Tensor: [x.numel() - 30]
Tensor x: [N, *a], Tensor y: [x.numel() // 4, *b], Tensor z: [*b] -> Tensor: [x.numel() - 30, *b] using Tensor room: uint8[*a]
""".strip().splitlines()


def refusal_by_custom(signature):
    return macro("refuse_signature", signature, "fps", "custom", path="questions/signature.jinja")


@pytest.mark.parametrize("signature", ACCEPTED_BY_CUSTOM)
def test_accepted_by_custom(signature):
    assert refusal_by_custom(signature) == ""


@pytest.mark.parametrize("signature", REFUSED_BY_CUSTOM)
def test_refused_by_custom(signature):
    assert reasons(refusal_by_custom(signature)) == REFUSED_BY_CUSTOM[signature]


ACCEPTED_BY_ROWS = """
Tensor x: [..., N], Tensor target: int64[...] -> (Tensor loss: float32[...], Tensor lse: float32[...])
Tensor x: [..., N] -> Tensor: int64[...]
Tensor(a!) x: [..., N], Tensor(b!) residual: [..., N], Tensor weight: [N], float eps=1e-6 -> ()
Tensor x: [..., N], Tensor? weight: [N] = None, float eps=1e-6 -> (Tensor out: [..., N], Tensor rstd: float32[...])
Tensor x: [..., N], float limit=448 -> (Tensor q: float8_e4m3fn[..., N], Tensor scale: float32[...])
Tensor grad: float32[T], Tensor logits: [T, C], Tensor? lse: float32[T] -> Tensor: [T, C]
Tensor q: int8[..., H, D], Tensor(a!) scale: float32[..., H], Tensor weight: bfloat16[D] -> Tensor: float16[..., H, D]
Tensor x: [N] -> Tensor: []
Tensor(a!) result: int8[..., N], Tensor input: [..., N], Tensor(b!) scale: float32[...], Tensor(c!)? residual: [..., N] -> ()
Tensor row: [rows, column], Tensor state: [rows], Tensor largest: [column], int start -> Tensor out: [rows]
""".strip().splitlines()
REFUSED_BY_ROWS = {
    "Tensor x: [..., N, 4] -> Tensor: [..., N]": "rowwise_shapes.no_rows",
    "Tensor x: [N, N] -> Tensor: [N]": "rowwise_shapes.no_rows",
    "Tensor x: [..., 2 * N] -> Tensor: [..., N]": "rowwise_shapes.no_rows",
    "Tensor x: [..., N], int N -> Tensor: [...]": "rowwise_shapes.no_rows",
    "Tensor x: [..., N], Tensor w: [3] -> Tensor: [..., N]": 'rowwise_shapes.shape: "Tensor w: [3]", x, ..., N, ..., N',
    "Tensor x: [..., N], Tensor w -> Tensor: [..., N]": 'rowwise_shapes.shape: "Tensor w", x, ..., N, ..., N',
    "Tensor x: [..., N], int k -> Tensor: [..., k]": 'rowwise_shapes.shape: "Tensor: [..., k]", x, ..., N, ..., N',
    "Tensor x: [..., N] -> Tensor: [N]": 'rowwise_shapes.written: "Tensor: [N]"',
    "Tensor x: [..., N], Tensor(a!) w: [N] -> ()": 'rowwise_shapes.written: "Tensor(a!) w: [N]"',
    "Tensor x: [N] -> int": 'rowwise_shapes.number: "int"',
    "Tensor x: [..., N] -> Tensor: int64[K?]": "rowwise_shapes.only_kernel: K",
    "Tensor[] xs: [N], Tensor x: [..., N] -> Tensor: [...]": 'rowwise_shapes.argument: "Tensor[] xs: [N]"',
    "Tensor x: [..., N], ScalarType d -> Tensor: [..., N]": 'rowwise_shapes.argument: "ScalarType d"',
    "Tensor x: [..., N], torch.dtype d -> Tensor: [..., N]": 'rowwise_shapes.argument: "torch.dtype d"',
    "Tensor x: [..., N], str how -> Tensor: [...]": 'rowwise_shapes.argument: "str how"',
    "Tensor x: [..., N] -> Tensor: float8_e8m0fnu[...]": 'rowwise_shapes.dtype: "Tensor: float8_e8m0fnu[...]"',
    "Tensor x: [..., N]": 'result.no_shape: "Tensor"',
    "Tensor x: [..., N] -> Tensor: [...] using Tensor room: [..., N]": 'memory.kernel: "Tensor room: [..., N]"',
    "Tensor x: T[..., N] -> Tensor: [..., N] where T in {float}": "set.kernel: T in {float}",
    "Tensor x: [*batch, N] -> Tensor: [*batch, N]": "rowwise_shapes.group: batch",
    "Tensor x: [T, N] strided -> Tensor: [T]": 'strided.kernel: "Tensor x: [T, N] strided"',
    "Tensor run_on_cpu: [N] -> Tensor: []": "argument.used: run_on_cpu, run_on_cpu",
}


def refusal_by_rows(signature):
    return macro("refuse_signature", signature, "fps", "rowwise", path="questions/signature.jinja")


@pytest.mark.parametrize("signature", ACCEPTED_BY_ROWS)
def test_accepted_by_rows(signature):
    assert refusal_by_rows(signature) == ""


@pytest.mark.parametrize("signature", REFUSED_BY_ROWS)
def test_refused_by_rows(signature):
    assert reasons(refusal_by_rows(signature)) == REFUSED_BY_ROWS[signature]


@pytest.mark.parametrize(
    "name",
    "index kernel mean scale row rows mask count size out state weight numel grad_input BLOCK_SIZE_M values x_numel out_n"
    " begin end zero stream threads block grid total product leading start result value points input output".split(),
)
def test_ordinary_names_are_welcome(name):
    """Such a name is accepted for an argument and for a size."""
    assert refusal_by_custom(f"Tensor {name}: [N], int n -> Tensor: [n, N - 1]") == ""
    assert (
        refusal_by_custom(f"Tensor q1, Tensor q2: [N, {name}] -> Tensor q3: [N, {name} - 1]") == ""
    )


@pytest.mark.parametrize(
    "answers",
    [
        {"kernel": "custom", "signature": "Tensor x: float8_e5m2fnuz[N] -> Tensor: float32[N]"},
        {"more_ops": "custom: total(Tensor x: [N]) -> Tensor: float8_e4m3fnuz[1]"},
    ],
)
def test_nvrtc_has_the_dtypes_of_cuda(answers, tmp_path):
    """Neither of the first operator nor of another one."""
    code = "build.fnuz"
    assert refused_for(tmp_path, build="nvrtc", **answers) == code


@pytest.mark.parametrize(
    ("kernel", "signature", "reason"),
    [
        ("elementwise", "Tensor x, bool want -> Tensor?", "absent.kernel: out"),
        ("elementwise", "Tensor x -> (Tensor, Tensor[])", 'result.list: "Tensor[]"'),
        ("elementwise", "Tensor x -> [Tensor a, Tensor b]", "listed.kernel: (Tensor a, Tensor b)"),
        (
            "rowwise",
            "Tensor x: [..., N], bool want -> Tensor? y: [...] if want",
            'rowwise_shapes.absent: "Tensor? y: [...] if want"',
        ),
    ],
)
def test_no_other_kernel_leaves_results_out(kernel, signature, reason):
    path = "questions/signature.jinja"
    assert reasons(macro("refuse_signature", signature, "fps", kernel, path=path)) == reason


@pytest.mark.parametrize(
    "answers",
    [
        {"kernel": "custom", "signature": "Tensor x: [N], Generator? gen -> Tensor: [N]"},
        {"more_ops": "custom: drop(Tensor x: [N], Generator? gen) -> Tensor: [N]"},
        {"kernel": "custom", "signature": "Tensor x: float8_e8m0fnu[N] -> Tensor: int8[N]"},
        {"more_ops": "custom: scale(Tensor x: [N]) -> Tensor: float8_e8m0fnu[N]"},
    ],
)
def test_the_stable_abi_has_no_generators_and_scales(answers, tmp_path):
    code = "stable.generator" if "Generator" in str(answers) else "stable.float8"
    assert refused_for(tmp_path, binding="torch_stable", **answers) == code


@pytest.mark.parametrize(
    ("signature", "reason"),
    [
        ("Tensor(a!) c, Tensor a, Tensor b -> ()", ""),
        ("float s, Tensor a, Tensor(a!) c, Tensor b, Tensor? bias=None -> Tensor(a!)", ""),
        ("Tensor(a!)? c, Tensor a, Tensor b -> ()", "matmul.results"),
        ("Tensor(a!) c, Tensor a, Tensor b -> Tensor", "matmul.results"),
        ("Tensor(a!) c, Tensor(b!) d, Tensor a, Tensor b -> ()", "matmul.results"),
        ("Tensor(a!) a, Tensor b -> ()", "matmul.factors"),
    ],
)
def test_products_are_written_to_one_tensor(signature, reason):
    path = "questions/signature.jinja"
    assert reasons(macro("refuse_signature", signature, "mm", "matmul", path=path)) == reason


def test_what_people_write():
    """Operators of real libraries are accepted, except a few with known sentences."""
    real = {name: text for ops in FAMILIES.values() for name, text in ops.items()}
    sentences = {name: refusal_of(text) for name, text in real.items()}
    refused = {name: sentence for name, sentence in sentences.items() if sentence}
    assert refused.keys() == REFUSED_OPERATORS.keys(), refused
    assert all(REFUSED_OPERATORS[name] in refused[name] for name in refused), refused


def test_the_share_is_as_the_documents_say():
    assert table() in (ROOT / "docs/measurements/custom.md").read_text()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("total(Tensor x: [N]) -> Tensor: [1]", "signature.shaped: Tensor x"),
        ("custom: total(Tensor x: [N] -> Tensor: [1])", "further.results: total"),
    ],
)
def test_more_ops_says_how_a_custom_operator_is_written(line, reason, tmp_path):
    assert refused_for(tmp_path, kernel="custom", more_ops=line) == f"further.line: 1, {reason}"


@pytest.mark.parametrize("further", [False, True])
def test_a_refusal_says_how_to_get_the_kernel_custom(further):
    """The first operator has a question for its kernel."""
    way = 'write "custom: f(...)"' if further else "answer kernel=custom"
    signatures = [("rowwise", signature) for signature in REFUSED_BY_ROWS] + [
        ("elementwise", "Tensor x: [N]"),
        ("elementwise", "Tensor x -> [Tensor a]"),
        ("elementwise", "Tensor x, bool want -> Tensor?"),
        ("elementwise", "Tensor(a!)[] xs, Tensor y -> ()"),
        ("rowwise", "Tensor x: [N], bool w -> Tensor: float32[N] if w else T[N]"),
    ]
    found = set()
    for kernel, signature in signatures:
        text = macro(
            "refuse_signature", signature, "f", kernel, further, path="questions/signature.jinja"
        )
        for code, values in map(read, text.splitlines()):
            assert values.get("custom", way) == way
            found |= {code} if "custom" in values else set()
    missing = {code for code, sentence in SENTENCES.items() if "%(custom)s" in sentence} - found
    assert missing <= {"rowwise_shapes.absent"}  # absent.kernel comes first


def checked(facts):
    """The tensors that are arguments, in the order of their checks."""
    return [x for step in facts["steps"] if step["kind"] == "tensor" for x in step["of"]]


def test_variables_of_dtypes():
    """The dtypes that kernels are compiled for, and the tensor that determines the dtype of a call."""
    signature = (
        "Tensor x: [N], Tensor? b: I[N], Tensor w: W[N], Tensor index: I[N] -> (Tensor: W[N], Tensor: I[N])"
        " where I in {int32, int64}, W in {float, int64}"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    found = [(x["name"], x["first"], x["list"], x["dtypes"]) for x in facts["variables"]]
    assert found == [
        ("T", "x", "DTYPES", ["float32", "float64"]),
        ("I", "index", "I_DTYPES", ["int32", "int64"]),
        ("W", "w", "W_DTYPES", ["float32", "float64", "float16", "bfloat16", "int64"]),
    ]
    assert facts["kernels"] == 20
    assert (facts["differentiable"], facts["derivatives"]) == (["x", "w"], ["out1"])
    assert [x["name"] for x in checked(facts)] == ["x", "w", "index", "b"]


SIZES = {
    "( H-k )//stride+1": ("(H - k) // stride + 1", "(Integer(H) - k) / stride + 1"),
    "((N))": ("N", "N"),
    "(D + 1)": ("D + 1", "Integer(D) + 1"),
    "N - 2 * (D - 1 - H // 3) * k": (
        "N - 2 * (D - 1 - H // 3) * k",
        "Integer(N) - Integer(2) * (Integer(D) - 1 - Integer(H) / 3) * k",
    ),
    "N - D - 1 + (2 - H) // 4 // 3 * 5": (
        "N - D - 1 + (2 - H) // 4 // 3 * 5",
        "Integer(N) - D - 1 + (Integer(2) - H) / 4 / 3 * 5",
    ),
}


@pytest.mark.parametrize("size", SIZES)
def test_a_size_is_spelled_and_computed(size):
    values = {"N": 40, "D": 5, "H": 13, "k": 3, "stride": 2}
    read = data("read_size", size)
    assert (read["text"], read["cpp"], read["wrong"]) == (*SIZES[size], False)
    assert int(macro("value_of", read["text"], values)) == eval(read["text"], dict(values))


@pytest.mark.parametrize(
    "size", ["N +", "// N", "N D", "2N", ")N(", "(N", "f(N)", "N % 2", "", "- N", "N + - 1"]
)
def test_a_size_is_wrong(size):
    assert data("read_size", size)["wrong"]


def test_a_sum_that_gives_its_name_is_checked_once():
    signature = "Tensor q: [T, H * D, D], Tensor cu: int32[B + 1], Tensor[] xs: [S - 2], Tensor y: [B + 1] -> Tensor: [S]"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    again = {x["name"]: x["again"] for x in checked(facts)}
    assert again == {"q": True, "cu": False, "xs": True, "y": True}


def test_a_number_of_elements_is_known_before_all_checks():
    """y is checked before x, which has two shapes."""
    signature = (
        "Tensor x: [N, D] if two else [N], bool two, Tensor y: [2 * x.numel()] -> Tensor: [N]"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert [(x["name"], x["again"]) for x in checked(facts)] == [("y", False), ("x", False)]
    assert next(x["kind"] for x in facts["steps"] if x["of"]) == "alias"


def test_a_dtype_is_checked_before_tensors_that_have_it():
    """The message for an unsupported one names the dtype, and not the tensor."""
    signature = (
        "Tensor y: [N], Tensor? bias: O[N], ScalarType? O=None -> Tensor: O[N] where O in {float}"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    found = [
        (step["kind"], [x["name"] for x in step["of"]]) for step in facts["steps"] if step["of"]
    ]
    assert found == [("tensor", ["y"]), ("dtype", ["O"]), ("tensor", ["bias"])]


def test_lists_of_dtypes_have_names_that_no_argument_or_size_has():
    signature = "Tensor x: [DTYPES], Tensor index: I[DTYPES], int I_DTYPES -> Tensor: [I_DTYPES] where I in {int32, int64}"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert [x["list"] for x in facts["variables"]] == ["_DTYPES", "_I_DTYPES"]
    assert facts["lists"] == {"x": "_DTYPES", "index": "_I_DTYPES"}


def test_arguments_that_are_dtypes():
    """They follow the variables of tensors, and have other names in C++."""
    signature = (
        "Tensor x: int8[N], Tensor w: [N], ScalarType? out_dtype=None, ScalarType dtype -> (Tensor: dtype[N], Tensor: out_dtype[N])"
        " where dtype in {float32, int64}, out_dtype in {float, int32}"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    found = [(x["name"], x["list"], x["cpp"], x["value"]["py"]) for x in facts["variables"]]
    assert found == [
        ("T", "DTYPES", "scalar_t", "w.dtype"),
        ("dtype", "RESULT_DTYPES", "Result", "dtype"),
        ("out_dtype", "OUT_DTYPES", "Out", "(out_dtype or w.dtype)"),
    ]
    assert facts["kernels"] == 2 * 2 * 5


def test_the_type_of_a_result_is_called_as_no_size():
    """A field would have the name of a parameter of the struct's template."""
    signature = "Tensor x: T[B, N], bool wide -> (Tensor b: float32[N] if wide else T[N]) where T in {float16, float32}"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert [x["cpp"] for x in facts["variables"]] == ["T", "Result"]


def test_the_sample_of_a_string_is_its_default():
    """A kernel may refuse another string."""
    samples = [
        macro("sample", x, [], [], path="languages/py_shapes.jinja")
        for default in ("", "'mean'", "None")
        for x in [
            {
                "name": "mode",
                "type": "str",
                "default": default,
                "length": 1,
                "list": False,
                "count": 0,
            }
        ]
    ]
    assert samples == ['"text"', '"mean"', '"text"']


def test_two_dtypes_are_a_variable():
    signature = "(Tensor x: T[N], bool wide, ScalarType out_dtype) -> (Tensor lse: float32[N] if wide else T[N], Tensor: out_dtype[N]) where T in {float16, bfloat16}, out_dtype in {float}"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    found = [(x["name"], x["dtypes"], x["cpp"], x["made"]) for x in facts["variables"]]
    assert found == [
        ("T", ["float16", "bfloat16"], "T", False),
        ("out_dtype", ["float32", "float64", "float16", "bfloat16"], "Out", False),
        ("lse_dtype", ["float32", "float16", "bfloat16"], "Lse", True),
    ]
    value = {
        "cpp": "(wide ? c10::ScalarType::Float : x.scalar_type())",
        "py": "(torch.float32 if wide else x.dtype)",
    }
    assert facts["variables"][2]["value"] == value


def test_a_tensor_with_one_shape_gives_a_size_before_one_with_two():
    """Otherwise N would be 0 in a call with the other shape of x, although y has N elements."""
    signature = "Tensor x: [N, D] if two else [0], bool two, Tensor y: [N] -> Tensor: [N]"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    given = {x["name"]: [g["name"] for g in x["given"]] for x in facts["tensors"]}
    assert given == {"x": ["D"], "y": ["N"], "out": []}


def test_an_optional_tensor_is_checked_once():
    """Its check follows the checks of required tensors, which give its sizes."""
    signature = "Tensor? bias: [D], Tensor x: [N, D] -> Tensor: [N]"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert [(x["name"], x["again"]) for x in checked(facts)] == [("x", False), ("bias", False)]


def test_two_shapes_give_sizes():
    signature = "Tensor x: [B, L, D] if last else [B, D, L], bool last, Tensor y: [K, D] if k > 2 else [D], int k -> Tensor: [K, 2] if k > 2 else [0]"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    x, y, out = facts["tensors"]
    assert [(g["name"], g["cpp_value"]) for g in x["given"]] == [
        ("B", "x.size(0)"),
        ("L", "last ? x.size(1) : x.size(2)"),
        ("D", "last ? x.size(2) : x.size(1)"),
    ]
    assert [(g["name"], g["py_value"]) for g in y["given"]] == [("K", "y.shape[0] if k > 2 else 0")]
    assert out["sizes"][0]["shape"] == "out_shape" and out["sizes"][0]["value"] == "out_numel"
    sizes = data("sample_sizes", facts, path="questions/sample_sizes.jinja")
    assert sizes == {"B": 5, "L": 7, "D": 6, "K": 9, "last": True, "k": 3}


def test_samples_have_the_shapes_of_their_arguments():
    """With t, y has its second shape, so that Q is at least 9."""
    signature = "Tensor x: [N, M] if t else [N], Tensor y: [P] if not t else [Q, Q - 9], Tensor z: [Q], bool t -> Tensor: [M]"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    sizes = data("sample_sizes", facts, path="questions/sample_sizes.jinja")
    assert sizes["t"] and sizes["Q"] >= 9, sizes


def test_strides_have_names_of_their_own():
    signature = "Tensor x: [N, D] strided, int x_stride1, Tensor y: [N], Tensor? w: [D] strided -> Tensor: [N]"
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    found = {x["name"]: x["strides"] for x in facts["tensors"]}
    assert found == {"x": ["x_step0", "x_step1"], "y": [], "w": ["w_stride0"], "out": []}


def test_integers_alone_have_no_gradient():
    signature = (
        "Tensor x: T[N], Tensor y: I[N] -> Tensor: T[N] where T in {int32, int64}, I in {int64}"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert facts["differentiable"] == facts["derivatives"] == []
