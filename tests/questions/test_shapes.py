"""Signatures with shapes, and the sentences that refuse wrong ones. Takes a second."""

import pytest
from macros import ROOT, data, macro
from real_signatures import FAMILIES, refusal_of, table
from real_signatures import REFUSED as REFUSED_OPERATORS
from refusals import refusal

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

# The types that every kernel accepts.
TYPES_OF_ALL = "Tensor float int bool SymInt str ScalarType Device Layout".split()


def no_type(names: list[str]) -> str:
    """Return the end of the sentence that refuses a type."""
    listed = f"{', '.join(names[:-1])} or {names[-1]}"
    lists = "or the lists int[], float[], SymInt[] and Tensor[]."
    return f'is not a type of an argument. Use {listed}, each with "?" if it is optional, {lists}'


REFUSED = {
    'points: Float[Tensor, "B N 3"]': '"points: Float[Tensor, \\"B N 3\\"]" is "Tensor points: [B, N, 3]" here; write that.',
    "points: Tensor[B, N, 3]": '"points: Tensor[B, N, 3]" is "Tensor points: [B, N, 3]" here; write that.',
    "tensor points: [B, N, 3]": '"tensor points" is "Tensor points" in a PyTorch schema; write that.',
    "Tensor x: [N], Scalar cutoff": '"Scalar cutoff" is an int or a float: write "float cutoff" or "int cutoff".',
    "Tensor x: Float[N]": '"Float" is not a dtype: leave it out for the floating-point dtype of the operator, or write "float32".',
    "Tensor x: float[N, D]": '"float" is not a dtype: leave it out for the floating-point dtype of the operator, or write "float32".',
    'Tensor x: Float[Tensor, "*batch N"]': '"Float[Tensor, \\"*batch N\\"]" is "[..., N]" here; write that.',
    'Tensor x: "B N"': '"\\"B N\\"" is "[B, N]" here; write that.',
    "Tensor x: [B N 3]": '"B N 3" lacks a comma: "B, N, 3" are 3 sizes, and "B * N * 3" is their product.',
    "Tensor x: double[N]": '"double" is not a dtype of PyTorch; write "float64".',
    "Tensor x: int[N]": '"int" is not a dtype of PyTorch; write "int32" or "int64".',
    "Tensor x: torch.int64[N]": '"torch.int64" is "int64" here; write that.',
    "Tensor x: i64[N]": '"i64" is not a dtype of PyTorch; write "int64".',
    "Tensor x: complex64[N]": '"complex64" is not a dtype here: write "float32" with a last size of 2, and pass torch.view_as_real(x), which has the same memory.',
    "Tensor x: bits8[N]": '"bits8" is not a dtype here: leave it out for the floating-point dtype of the operator, or write one of float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool, float8_e4m3fn and the like.',
    "Tensor x: uint32[N]": '"uint32" is a dtype that few operators of PyTorch take: write "int32", and pass x.view(torch.int32), which has the same bits.',
    "Tensor x: torch.uint16[N]": '"torch.uint16" is a dtype that few operators of PyTorch take: write "int16", and pass x.view(torch.int16), which has the same bits.',
    "Tensor x: uint8[R, C // 2] -> Tensor: float32[R, C]": '"C // 2" of x is rounded down, so it does not determine "C": give it a name, as in "uint8[R, P]", and use "2 * P" in place of "C"; or take "int C" as an argument.',
    "Tensor x: [M], Tensor q: int32[(K + n - 1) // n], int n -> Tensor: [K]": '"(K + n - 1) // n" of q is rounded down, so it does not determine "K": give it a name, as in "int32[P]", and use "n * P" in place of "K"; or take "int K" as an argument.',
    "Tensor x: (B, N)": 'A shape has brackets: write "[B, N]".',
    "Tensor x: Tensor[N]": '"Tensor[N]" repeats the type; write "[N]".',
    "Tensor x: [B, N": 'The signature has 1 "[" and 0 "]"; each needs the other, as in "Tensor x: [N, D]".',
    "Tensor x: [B, N, Tensor y: [N]": 'The signature has 2 "[" and 1 "]"; each needs the other, as in "Tensor x: [N, D]".',
    "Tensor x:": 'Nothing follows the colon; write a shape, as in "[N, D]", or a dtype, as in "int64[N]".',
    "Tensor x: [N] int64": '"[N] int64" is not a dtype and shape; write them as in "[N, D]", "int64[N]" or "int64".',
    "Tensor x: [N]?": '"[N]?" is not a dtype and shape; write them as in "[N, D]", "int64[N]" or "int64".',
    'Tensor x: Float[Tensor, "N *space"]': '"Float[Tensor, \\"N *space\\"]" is "[N, *space]" here; write that.',
    'Tensor x: "N ..."': '"\\"N ...\\"" is "[N, *rest]" here; write that.',
    "Tensor x: [N, ..., C]": '"..." comes first, for any number of dimensions before the others; elsewhere, they have a name: write "[N, *rest, C]".',
    "Tensor x: [N, *]": '"*" is written "..." here, as the first size, or with a name, for any number of dimensions: "[..., N]", "[N, *rest]".',
    "Tensor x: [N, *B?]": '"*B?" is written "..." here, as the first size, or with a name, for any number of dimensions: "[..., N]", "[N, *rest]".',
    "Tensor x: [...B, N]": '"...B" is "*B" here; write that.',
    "Tensor x: [N, **B]": '"**B" is "*B" here; write that.',
    "Tensor x: [*B, N] -> Tensor: [B]": '"*B" is any number of dimensions, and "B" is a size: give the dimensions another name, as in "*rest".',
    "Tensor x: [*B, N], int B": '"*B" is any number of dimensions, and "B" is an argument: give the dimensions another name, as in "*rest".',
    "Tensor x: [*x] -> Tensor: [*x]": '"x" is a tensor; a size needs another name, or the name of an int. Try "N".',
    "Tensor x: [*a, N, *b] -> Tensor: [N]": '"Tensor x: [*a, N, *b]" has any number of dimensions twice, "*a" and "*b", and no other argument gives one of them: write a size for one, as in "[*a, N, B]".',
    "Tensor x: [..., *b], Tensor? y: [*b] -> Tensor: [...]": '"Tensor x: [..., *b]" has any number of dimensions twice, "..." and "*b", and no other argument gives one of them: write a size for one, as in "[..., B]".',
    "Tensor x: [N], Tensor? y: [*b]=None -> Tensor: [*b]": """"*b" of "Tensor? y: [*b]=None" is in no required argument, so its dimensions are unknown.
"*b" of "Tensor: [*b]" is in no required argument, so its dimensions are unknown.""",
    "Tensor x: [-1, N]": '"-1" is not a size: give it a name, such as "N"; a name that occurs once may have any value.',
    "Tensor x: [_, N]": '"_" is not a size: give it a name, such as "N"; a name that occurs once may have any value.',
    "Tensor x: [N,, D]": "A size is missing between the commas of [N, , D].",
    "Tensor x: [N, D,]": "A size is missing between the commas of [N, D, ].",
    "Tensor x: [N] -> Tensor: [(N - 1 // 2]": '"(N - 1 // 2" has 1 "(" and 0 ")"; each needs the other.',
    "Tensor x: [N] -> Tensor: [N / 2]": '"N / 2" divides with "/", which gives no integer; write "N // 2", which rounds down.',
    "Tensor x: [N] -> Tensor: [ceil(N / 2)]": '"ceil(N / 2)" calls a function; to round a quotient up, write "(N + 7) // 8".',
    "Tensor x: [N] -> Tensor: [N ** 2]": '"N ** 2" has a power; write a product, as in "N * N".',
    "Tensor x: [N] -> Tensor: [-(-N // 8)]": '"-(-N // 8)" starts with a minus, and no size is negative. To round a quotient up, write "(N + 7) // 8".',
    "Tensor x: [N] -> Tensor: [max(N, 2)]": '"max(N, 2)" is not a size: write names and numbers with + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [2(N + 1)]": '"2(N + 1)" calls a function or lacks a "*"; a size has names, numbers, + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [2N]": '"2N" is not a size: write names and numbers with + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [N % 2]": '"N % 2" is not a size: write names and numbers with + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [N * ]": '"N *" is not a size: write names and numbers with + - * // and ( ).',
    "Tensor x: [N?] -> Tensor: [N]": '"N?" is a size that only the kernel knows: write a single name in a result, as in "-> Tensor: int64[K?]".',
    "Tensor x: [N] -> Tensor: [K + 1?]": '"K + 1?" is a size that only the kernel knows: write a single name in a result, as in "-> Tensor: int64[K?]".',
    "Tensor x: [N] -> Tensor: [M]": 'No argument gives "M" of "Tensor: [M]": add "int M", or give this name to a size of an argument.',
    "Tensor x: [N], int npoint -> Tensor: [npoints]": 'No argument gives "npoints" of "Tensor: [npoints]": did you mean "npoint"?',
    "Tensor x: [N] -> Tensor: [..., N]": '"..." of "Tensor: [..., N]" is in no required argument, so its dimensions are unknown.',
    "Tensor x: [N], int k: [3] -> Tensor: [N]": '"int k: [3]" has a shape or a dtype, which only a Tensor, a Tensor? or a Tensor[] has: write "int k".',
    "int[] xs: [N], Tensor x -> Tensor": '"int[] xs: [N]" has a shape or a dtype, which only a Tensor, a Tensor? or a Tensor[] has: write "int[] xs".',
    "Tensor x: [N], Tensor? b=None: [N] -> Tensor: [N]": '"Tensor? b=None: [N]" has its shape after the default; write "Tensor? b: [N]=None".',
    "Tensor x: [H * D] -> Tensor: [H]": '"H * D" of x has more than one unknown name, or one that is not just multiplied: let "H" be a size of another tensor, or an int argument.',
    "Tensor x: [N * N + 1] -> Tensor: [N]": '"N * N + 1" of x has more than one unknown name, or one that is not just multiplied: let "N" be a size of another tensor, or an int argument.',
    "Tensor x: [lambda] -> Tensor: [lambda]": '"lambda" is a word of Python, C or C++, so a size cannot have this name. Try "LAMBDA".',
    "Tensor x: [N], float c -> Tensor: [c]": '"c" is of type float; a size needs another name, or the name of an int. Try "N".',
    "Tensor x: [x + 1] -> Tensor": '"x" is a tensor; a size needs another name, or the name of an int. Try "N".',
    # Each fault once, a line each.
    "tensor x: [n], double c, Tensor y: half[N / 2] -> out: [N]": """"tensor x" is "Tensor x" in a PyTorch schema; write that.
"double c" is "float c" in a PyTorch schema; write that.
"half" is not a dtype of PyTorch; write "float16".
The result "out: [N]" is "Tensor out: [N]" here; write that.""",
    "Tensor x: [lambda, while] -> (Tensor: [M], Tensor: [M])": """"lambda" is a word of Python, C or C++, so a size cannot have this name. Try "LAMBDA".
"while" is a word of Python, C or C++, so a size cannot have this name. Try "WHILE".""",
    "Tensor x: [N] -> (Tensor: [M], Tensor: [M], Tensor: [P])": """No argument gives "M" of "Tensor: [M]": add "int M", or give this name to a size of an argument.
No argument gives "P" of "Tensor: [P]": add "int P", or give this name to a size of an argument.""",
    "a x, b x, c x, d x, e x, f x, g x": "\n".join(
        f'"{x}" {no_type(TYPES_OF_ALL)}' for x in "abcde"
    )
    + "\nAnd 2 more.",
    "Tensor x: [N], int[2] size -> Tensor: [N, size[0], size[2]]": '"int[2] size" has 2 numbers, and a size is one of them: write "size[0]", "size[1]".',
    "Tensor x: [N], int[2] size -> Tensor: [N, size[i]]": '"int[2] size" has 2 numbers, and a size is one of them: write "size[0]", "size[1]".',
    "Tensor x: [N], int[] size -> Tensor: [N, size]": '"int[] size" is a list, and a size is one of its numbers: write "size[0]".',
    "Tensor x: [N], int[] size -> Tensor: [N, size[16]]": 'Use one of the first 16 numbers of a list as a size, not "size[16]".',
    "Tensor x: [N], int[] size=[2] -> Tensor: [size[0], size[1]]": '"int[] size=[2]" has a default without "size[1]": write a number for each size, as in "size=[1, 1]".',
    "Tensor x: [N], int[2] size -> Tensor: [N, size]": '"int[2] size" has 2 numbers, and a size is one of them: write "size[0]", "size[1]".',
    "Tensor x: [N], int[3]? size=None -> Tensor: [N, size]": '"int[3]? size" is optional, so no size is computed from it: write "int[3] size".',
    "Tensor x: [N], int[3] size -> Tensor: [N, len(size)]": '"int[3] size" has 3 numbers: write 3 instead of "len(size)".',
    "Tensor x: [N], float[]? size=None -> Tensor: [N, len(size)]": '"float[]? size" is optional, so no size is computed from it: write "float[] size".',
    "Tensor x: [N], int[] size -> Tensor: [size[1], len(size)]": '"size[1]" is a size, so a call has to pass 2 numbers: write 2 instead of "len(size)".',
    "Tensor x: [N], int n -> Tensor: [N, len(n)]": '"len(n)" is not a size: write names and numbers with + - * // and ( ).',
    "Tensor x: [N], Tensor? y -> Tensor: [N, y.numel()]": '"y" is optional, so "y.numel()" is not a size: write "Tensor y".',
    "Tensor x: [y.numel()], Tensor y -> Tensor: [y.numel()]": '"Tensor x: [y.numel()]" has the size "y.numel()" of an argument after it: let "y" come first.',
    "Tensor x: [N] -> Tensor: [len(x)]": '"len(x)" is not a size: write names and numbers with + - * // and ( ).',
    "Tensor x: [N], int? k=None -> Tensor: [k]": '"k" is optional, so no size is computed from it: write "int k".',
    "Tensor x: int64[N] -> Tensor: [N]": '"Tensor: [N]" has no dtype, and no required argument has the floating-point dtype of the operator; write a dtype, as in "float32[N]".',
    "Tensor x: float16[N], Tensor? w: [N]=None -> Tensor: int8[N]": '"Tensor? w: [N]=None" has no dtype, and no required argument has the floating-point dtype of the operator; write a dtype, as in "float32[N]".',
    "Tensor(a!) x: [N] -> Tensor(a!): [N]": 'The result "Tensor(a!): [N]" is an argument, which has its shape: write "Tensor(a!)".',
    "Tensor x: [N] -> int64[N]": 'The result "int64[N]" is "Tensor: int64[N]" here; write that.',
    "Tensor x: [N] -> out: [N]": 'The result "out: [N]" is "Tensor out: [N]" here; write that.',
    "Tensor x: [N] -> [N]": 'The result "[N]" is "Tensor: [N]" here; write that.',
    "Tensor x: [N], Tensor? b: [M]=None -> Tensor: [M]": 'Only b, which is optional, has "M", but other sizes use it; give this size to a required tensor, or name each size differently.',
    "Tensor x: [N], Tensor? a: [M], Tensor? b: [M] -> Tensor: [N]": 'Only a, which is optional, has "M", but other sizes use it; give this size to a required tensor, or name each size differently.',
}


def sentence(signature):
    return macro(
        "refuse_signature", signature, "fps", "elementwise", path="questions/signature.jinja"
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


@pytest.mark.parametrize("signature", REFUSED)
def test_refused(signature):
    assert sentence(signature) == REFUSED[signature]


TYPES = no_type([x for x in TYPES_OF_ALL if x != "ScalarType"])

# What only an operator of the kernel custom is refused.
REFUSED_BY_CUSTOM = {
    # Drawn by SIGNATURES_SEED=4007 of test_build_random.py.
    "Tensor x: [N, M] -> (Tensor a: [N - M], Tensor b: [M - N])": 'Write sizes that can all be 0 or more at the same time: "N - M" is -1 with N = 3 and M = 4, and no better sizes were found.',
    "Tensor x: [N], Tensor y: [x.numel(), 2] -> Tensor: [x.numel() - y.numel()]": 'Write sizes that can all be 0 or more at the same time: "1 * N - 1 * (1 * N) * 2" is -1 with N = 1, and no better sizes were found.',
    "Tensor x: [N, M] if t else [N], Tensor y: [P, H] if not t else [N, H - M], bool t -> Tensor: [N]": 'Write sizes that can all be 0 or more at the same time: "H - M" is -7 with H = 0 and M = 7, and no better sizes were found.',
    "Tensor x: [N], int k -> Tensor: [...] if k > 1 else [1]": '"..." of "Tensor: [...] if k > 1 else [1]" is in no required argument, so its dimensions are unknown.',
    "Tensor(a!)[] xs, Tensor y: [N] -> Tensor(a!)[]": 'The result "Tensor(a!)[]" is a list that the caller already has: return nothing, "-> ()", or new tensors.',
    "Tensor?[] xs, Tensor y: [N] -> Tensor: [N]": f'"Tensor?[]" {TYPES}',
    "Tensor[] xs: [H * D] -> Tensor: [H]": '"H * D" of xs has more than one unknown name, or one that is not just multiplied: let "H" be a size of another tensor, or an int argument.',
    "Tensor x: [N], Tensor(a!)? out: [N] -> ()": '"Tensor(a!)? out: [N]" may be optional only beside a result or a tensor that is always written, and only if it is not returned: write "Tensor(a!) out", or return it, as in "-> Tensor? out: [N] if with_out".',
    "Tensor? x: float32[N], int n -> Tensor: float32[n]": 'The signature has no required Tensor, whose device a kernel runs on; add one, as in "Tensor x: [N]".',
    "Tensor x: [N, *b] strided -> Tensor: [N]": '"Tensor x: [N, *b] strided" has any number of dimensions: write a size for each dimension, as in "[B, N] strided".',
    "Tensor x: [*b, N] -> Tensor: [*b, K?]": '"K?" of "Tensor: [*b, K?]" may differ for each of "*b", but a tensor has one size: return the largest size, "Tensor out: [*b, N]", and the counts, "Tensor count: int64[*b]".',
    "Tensor x: [N] -> ()": 'The signature returns nothing, so PyTorch would drop the call; write "-> Tensor: [N]".',
    "Tensor x: [N]": 'The result "Tensor" has no shape; write it after a colon, as in "Tensor x: [N, D] -> Tensor: [N]".',
    "Tensor x: [..., N] -> Tensor: [..., K?]": '"K?" of "Tensor: [..., K?]" may differ for each of "...", but a tensor has one size: return the largest size, "Tensor out: [..., N]", and the counts, "Tensor count: int64[...]".',
    "Tensor x: [N], int K -> (Tensor: [J?], Tensor: [2, K?])": '"K?" is known, because an argument has the size "K"; leave the question mark out.',
    "Tensor x: [K] -> Tensor: [K?]": '"K?" is known, because an argument has the size "K"; leave the question mark out.',
    "Tensor x: [N], int K -> Tensor: [K?]": '"K?" is known, because an argument has the size "K"; leave the question mark out.',
    "Tensor x: [N] -> (Tensor p: [K?], Tensor q: [K])": 'No argument gives "K" of "Tensor q: [K]": only the kernel knows it; write "K?".',
    "Tensor x: [N] -> Tensor? y: [N]": 'The result "Tensor? y: [N]" does not state when it exists: write "Tensor? y: [N] if with_y", with an argument "bool with_y", or name a "Tensor?" argument.',
    "Tensor x: [N] -> Tensor?": 'The result "Tensor?" does not state when it exists: write "Tensor?: [N] if with_out", with an argument "bool with_out", or name a "Tensor?" argument.',
    "Tensor x: [N], bool want -> Tensor? y if want": 'The result "Tensor? y if want" has no shape; write it after a colon, as in "Tensor x: [N, D] -> Tensor: [N]".',
    "Tensor x: [N], bool want -> Tensor y: [N] if want": 'The result "Tensor y: [N] if want" may be absent: write "Tensor? y: [N] if want".',
    "Tensor x: [N] -> Tensor? y: [N] if want": '"want" is not an argument, so nothing states whether y exists: add "bool want".',
    "Tensor x: [N], int want -> Tensor? y: [N] if want": '"int want" does not state whether y exists: add "bool with_y", or name a "Tensor?" argument.',
    "Tensor x: [N] -> Tensor? y: [N] if x": '"Tensor x" does not state whether y exists: add "bool with_y", or name a "Tensor?" argument.',
    "Tensor x: [N], bool? want -> Tensor? y: [N] if want": '"want" is optional, so it cannot state whether y exists: write "bool want".',
    "Tensor x: [N], bool want -> Tensor? y: [N] if not want": 'After "if", write only the name of a "bool" or "Tensor?" argument, not "not want".',
    "Tensor(a!) x: [N], bool want -> Tensor? y: int64[N] if want": '"Tensor? y: int64[N] if want" is optional, which torch.compile refuses from an operator that writes: make it an argument, "Tensor(y!)? y: int64[N]".',
    "Tensor(a!) x: [N], Tensor(b!)? y: [N] -> Tensor(b!)": '"Tensor(b!)? y: [N]" may be optional only beside a result or a tensor that is always written, and only if it is not returned: write "Tensor(b!) y", or return it, as in "-> Tensor? y: [N] if with_y".',
    "Tensor x: [N] -> float": 'The result "float" is a number without a gradient, and kernels write tensors: write "Tensor: float32[]", whose `item()` is the number.',
    "Tensor x: [N] -> (Tensor: [N], float most)": 'The result "float most" is a number without a gradient, and kernels write tensors: write "Tensor most: float32[]", whose `item()` is the number.',
    "Tensor x: [N] -> [Tensor: [N], int count]": '"int count" is a number, and a list has only tensors: write the results in parentheses, as a tuple.',
    "Tensor x: [N] -> Tensor[]": 'The result "Tensor[]" is a list; name its tensors, as in "-> [Tensor out: [N], Tensor lse: float32[N]]", which is Tensor[] in its schema.',
    "Tensor x: [N], bool want -> [Tensor: [N], Tensor? y: [N] if want]": '"Tensor? y: [N] if want" is optional, but the tensors of a list are required: write the results in parentheses, as a tuple, or leave its elements unset.',
    "Tensor x: [N], Tensor? grad_y: [N] -> [Tensor y: [N], Tensor: [N]]": '"grad_y" is a name that the rendered code derives from "y"; write "y_grad".',
    "Tensor x: [N] -> Tensor: [N] using Tensor: int32[N]": '"Tensor: int32[N]" needs a name and a shape, as in "-> Tensor: [N] using Tensor room: uint8[N]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order": '"Tensor order" needs a name and a shape, as in "-> Tensor: [N] using Tensor order: uint8[N]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [2 * K?]": '"2 * K?" is a size that only the kernel knows: write a single name in memory for the kernel, as in "-> Tensor: [N] using Tensor room: uint8[K?]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [N?]": '"N?" is known, because an argument has the size "N"; leave the question mark out.',
    "Tensor x: [N] -> Tensor: [K?] using Tensor order: [K?]": '"K?" is the size of a result, which the kernel counts, and of memory, which is allocated before: give each a name, as in "-> Tensor: [K?] using Tensor room: uint8[M?]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [M?], Tensor room: [M]": 'No argument gives "M" of "Tensor room: [M]": only the kernel knows it; write "M?".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [order?]": '"order" names memory and a size; call one of them something else.',
    "Tensor x: [N] -> Tensor: [N] using Tensor? order: [N]": '"Tensor? order: [N]" is scratch memory, which is a tensor, as in "-> Tensor: [N] using Tensor order: uint8[N]".',
    "Tensor x: [N] -> Tensor: [N] using int order": '"int order" is scratch memory, which is a tensor, as in "-> Tensor: [N] using Tensor order: uint8[N]".',
    "Tensor x: [N] -> Tensor y: [N] using Tensor y: [N]": '"y" names two tensors of the signature; call one of them something else.',
    "Tensor x: [N] -> Tensor: [N] using Tensor value_t: [N]": '"value_t" can\'t name a tensor: use up to 40 letters, digits and single underscores, and no name that the rendered code uses.',
    "Tensor x: [N] -> Tensor: [N] using Tensor room: uint8[M]": 'No argument gives "M" of "Tensor room: uint8[M]": add "int M", or give this name to a size of an argument.',
    "Tensor x: [N] -> () using Tensor room: [N]": 'The signature returns nothing, so PyTorch would drop the call; write "-> Tensor: [N]".',
    "Tensor x: [N], Tensor index: I[M] -> Tensor: [M]": '"I" has no set of dtypes; write one at the end, as in "where I in {int32, int64}".',
    "Tensor x: [N] -> Tensor: [N] where T: float, int64": """"T: float" is not a set of dtypes: write sets as in "where T in {float, int64}, I in {int32, int64}".
"int64" is not a set of dtypes: write sets as in "where T in {float, int64}, I in {int32, int64}".""",
    "Tensor x: [N] -> Tensor: [N] where T in {float} and I in {int64}": '"T in {float} and I in {int64}" is not a set of dtypes: write sets as in "where T in {float, int64}, I in {int32, int64}".',
    "Tensor x: [N] -> Tensor: [N] where t in {float}": '"t" can\'t name dtypes: use a capital letter and up to 5 letters or digits, as in "where T in {float, int64}".',
    "Tensor x: [N] -> Tensor: [N] where T in {}": 'The set of "T" is empty: write its dtypes, as in "T in {int32, int64}".',
    "Tensor x: [N] -> Tensor: [N] where T in {int}": '"int" is not a dtype of PyTorch; write "int32, int64".',
    "Tensor x: [N] -> Tensor: [N] where T in {floating}": '"floating" is not a dtype: write "float", which is float32, float64, float16 and bfloat16.',
    "Tensor x: [N] -> Tensor: [N] where T in {half, int64}": '"half" is not a dtype of PyTorch; write "float16".',
    "Tensor x: [N] -> Tensor: [N] where T in {float, float32}": 'The set of "T" contains a dtype twice; "float" is float32, float64, float16 and bfloat16: write each once.',
    "Tensor x: [N] -> Tensor: [N] where T in {int32, int32}": 'The set of "T" contains a dtype twice: write each once.',
    "Tensor x: [N] -> Tensor: [N] where T in {float}, T in {int64}": '"T" has two sets of dtypes: write one.',
    "Tensor x: [N] -> Tensor: [N] where I in {int32, int64}": 'No tensor has the dtype "I": write it before a shape, as in "I[N]", or leave the set out.',
    "Tensor x: T[T, I, W, E] -> Tensor: [T] where T in {float}": '"T" names a size or a tensor, so it can\'t name dtypes: try "T1".',
    "Tensor x: [T] -> Tensor: [T] where T in {float}": '"T" names a size or a tensor, so it can\'t name dtypes: try "I".',
    "Tensor x: [N], Tensor y: NAN[N] -> Tensor: [N] where NAN in {float}": '"NAN" names something in the rendered code, so it can\'t name dtypes: try "T".',
    "Tensor x: [N] -> Tensor: W[N] where W in {float}": 'No required argument has the dtype "W", so a call does not choose one of its set: give it to an argument, as in "W[N]", or write a dtype.',
    "Tensor x: [N], Tensor? w: W[N] -> Tensor: [N] where W in {float}": 'No required argument has the dtype "W", so a call does not choose one of its set: give it to an argument, as in "W[N]", or write a dtype.',
    "Tensor a: T[N], Tensor b: U[N], Tensor c: V[N], Tensor d: W[N], Tensor e: X[N] -> Tensor: [N] where U in {float}, V in {int8}, W in {float}, X in {int8}": "The signature has 5 variables of dtypes, T, U, V, W, X, and at most 4 are supported: write a dtype in place of one.",
    "Tensor a: T[N], Tensor b: U[N], Tensor c: V[N] -> Tensor: [N] where T in {float, int64}, U in {float}, V in {float}": "The sets of T, U, V need 80 kernels, and at most 64 are supported: leave out dtypes that you do not need.",
    "Tensor x: [N], Generator gen -> Tensor: [N]": '"Generator" is not a type of an argument. The kernel custom accepts an optional one, "Generator? gen"; or write "int seed", from which a kernel draws its random numbers.',
    "Tensor x: [N], bool[] causal -> Tensor: [N]": '"bool[]" is not a type of an argument. Write its length, as in "bool[2] causal".',
    "Tensor x: [N], bool[2] causal=[True] -> Tensor: [N]": '"bool[2] causal=[True]" has a default of 1 numbers, and "bool[2]" has 2; write "causal=[True, True]".',
    "Tensor x: [N], bool[2]? causal=[True, False] -> Tensor: [N]": '"bool[2]? causal=[True, False]" is optional, and PyTorch reads no list as its default: write "bool[2] causal=[True, False]" or "bool[2]? causal=None".',
    "Tensor x: [N], int[2]? size=[1, 2] -> Tensor: [N]": '"int[2]? size=[1, 2]" is optional, and PyTorch reads no list as its default: write "int[2] size=[1, 2]" or "int[2]? size=None".',
    "Tensor x: [N], std::vector<std::vector<at::Tensor>> xs -> Tensor: [N]": '"std::vector<std::vector<at::Tensor>> xs" is a list of lists: write a list for each, as in "Tensor[] grads, Tensor(a!)[] params".',
    "Tensor x: [N] -> [int[]]": 'The result "[int[]]" is not a result of an operator: each is a Tensor, as in "-> Tensor", "-> (Tensor out, Tensor rstd)" or, for a written argument, "-> Tensor(a!)"; "-> ()" returns nothing.',
    "Tensor x: [N], __torch__.torch.classes.lib.Camera c -> Tensor: [N]": '"__torch__.torch.classes.lib.Camera" is not a type of an argument. Write its numbers and tensors as separate arguments.',
    "Tensor scalar_t: [N] -> Tensor: [N]": '"scalar_t" is a name that the rendered code uses itself. Try "scalar_t_in" or another name.',
    "Tensor device: [N] -> Tensor: [N]": '"device" is a name that the rendered code uses itself. Try "device_in" or another name.',
    "Tensor x: [N], Tensor grad_x: [N] -> Tensor: [N]": '"grad_x" is a name that the rendered code derives from "x"; write "x_grad".',
    "Tensor x: [N], int CUDA_VERSION -> Tensor: [N]": '"CUDA_VERSION" looks like a macro, so it can\'t name an argument. Try "cuda_version".',
}


# A dtype that results do not have.
for _dtype, _name in (
    ("ScalarType dtype", "dtype"),
    ("ScalarType? dtype=None", "dtype"),
    ("dtype out_dtype", "out_dtype"),
    ("torch.dtype d=None", "d"),
):
    REFUSED_BY_CUSTOM[f"Tensor x: [N], *, {_dtype} -> Tensor: [N]"] = (
        f'"{_dtype}" has no effect on a custom operator, whose results have the dtypes in its signature: give it to a '
        f'result, as in "-> Tensor: {_name}[N] where {_name} in {{float16, float32}}", or write the dtype, as in '
        '"-> Tensor: float16[N]".'
    )

# Tensors whose strides the kernel gets.
REFUSED_BY_CUSTOM |= {
    "Tensor x: [N] strided -> Tensor: [N] strided": '"Tensor: [N] strided" is a new tensor, which is contiguous: write "[N]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor room: uint8[N] strided": '"Tensor room: uint8[N] strided" is a new tensor, which is contiguous: write "uint8[N]".',
    "Tensor[] x: [N] strided -> Tensor: [N]": '"Tensor[] x: [N] strided" is a list, whose kernel gets contiguous copies: write "[N]", or an argument for each tensor.',
    "Tensor x: [..., N] strided -> Tensor: [N]": '"Tensor x: [..., N] strided" has any number of dimensions: write a size for each dimension, as in "[B, N] strided".',
    "Tensor x: [N], Tensor y: int64[] strided -> Tensor: [N]": '"Tensor y: int64[] strided" has no dimension, so it has no strides: write "int64[]".',
    "Tensor x: [N] stride -> Tensor: [N]": '"[N] stride" is not a dtype and shape; write them as in "[N, D]", "int64[N]" or "int64".',
}

# A dtype that an argument is.
REFUSED_BY_CUSTOM |= {
    "Tensor x: [N], ScalarType dtype -> Tensor: dtype[N]": '"dtype" has no set of dtypes; write one at the end, as in "where dtype in {float16, float32}".',
    "Tensor x: [N], ScalarType dtype -> Tensor: [N] where dtype in {float}": 'No tensor has the dtype "dtype": write it before a shape, as in "-> Tensor: dtype[N]", or leave the set out.',
    "Tensor x: [N], ScalarType? dtype=None -> Tensor: dtype[N] where dtype in {float16}": '"dtype" is optional. If it is absent, the result has the dtype of T, and its set lacks float32, float64: write "dtype in {float32, float64, float16}" or "ScalarType dtype".',
    "Tensor x: int8[N], ScalarType? dtype=None -> Tensor: dtype[N] where dtype in {float16}": '"dtype" is optional. If it is absent, the result has the dtype of T, which no tensor has: write "ScalarType dtype".',
    "Tensor x: int8[N], ScalarType a, ScalarType b -> (Tensor: a[N], Tensor: b[N]) where a in {float}, b in {float}": 'Two arguments are dtypes, a and b, and no tensor has a variable of dtypes: write one for a tensor, as in "Tensor x: T[N]".',
    "Tensor x: [N], ScalarType int -> Tensor: int[N] where int in {float}": '"int" is a keyword of C++, so it can\'t name an argument. Try "int_op" or another name.',
}

# Two shapes.
REFUSED_BY_CUSTOM |= {
    **{
        f"Tensor x: [N], *, float {name} -> Tensor: [N]": f'"{name}" can\'t name an argument behind "*", because PyTorch\'s compiler fails for it. Try "{name}_in" or another name.'
        for name in "curr_mode keyset node op_overload requires_grad sig".split()
    },
    **{
        f"Tensor! x: [N], float {name} -> ()": f'"{name}" can\'t name an argument of an operator that writes: torch.compile passes the arguments of such an operator by name, and has its own "{name}". Try "{name}_in".'
        for name in "dispatch_key match node".split()
    },
    "Tensor x: [N], *, Tensor kernel: [N] -> Tensor: [N]": '"kernel" can\'t name an argument behind "*", because PyTorch\'s compiler fails for it. Try "kernel_in" or another name.',
    **{
        text: f'"{name}" can\'t name an argument that shapes depend on, because make_args of a test has that name. Try "{name}_in" or another name.'
        for name, text in {
            "device": "Tensor x: [N], int device -> Tensor: [N, device]",
            "dtype": "Tensor x: [N], bool dtype -> Tensor: [N] if dtype else [0]",
            "numel": "Tensor x: [N, numel], int numel -> Tensor: [N]",
        }.items()
    },
    "Tensor x: [N], Tensor? kernel: [N]=None -> Tensor: [N]": '"kernel" can\'t name an argument with a default, because PyTorch\'s compiler fails for it. Try "kernel_in" or another name.',
    "Tensor x: [N], ScalarType d, Tensor y: [d.itemsize] -> Tensor: d[N] where d in {float}": '"d.itemsize" is a size of an argument, and only a result or memory has it: give this size a name, such as "N".',
    "Tensor x: [N], int t -> Tensor: [N] if t else [0]": '"t" of "Tensor: [N] if t else [0]" is not a condition, because "t" is of type int: write "t != 0".',
    "Tensor x: [N], bool t, Tensor y: int32[N] if t else int64[N] -> Tensor: [N]": '"Tensor y: int32[N] if t else int64[N]" has two dtypes, which only a result has: write a variable, as in "T[N]" with "where T in {float32, int32}".',
    "Tensor x: int8[N], bool t -> Tensor: float32[N] if t else float16[N]": '"Tensor: float32[N] if t else float16[N]" has one of two dtypes, and no required argument has a variable of dtypes: write one for a tensor, as in "Tensor x: T[N]".',
    "Tensor x: [N], bool t -> Tensor: float32[N] if t else U[N]": '"U" has no set of dtypes; write one at the end, as in "where U in {int32, int64}".',
    "Tensor x: [N], bool t -> Tensor: [N] if t == 1 else [0]": '"t == 1" of "Tensor: [N] if t == 1 else [0]" is not a condition, because "t" is of type bool: write "t".',
    "Tensor x: [N], bool? t -> Tensor: [N] if t else [0]": '"t" of "Tensor: [N] if t else [0]" is not a condition, because "t" is of type bool?: write the name of a bool, or an int and a number, as in "mode == 0".',
    "Tensor x: [N] -> Tensor: [N] if t else [0]": '"t" of "Tensor: [N] if t else [0]" is not an argument: add "bool t".',
    "Tensor x: [N], bool t -> Tensor: [N] if t and t else [0]": '"t and t" of "Tensor: [N] if t and t else [0]" is not a condition: write a bool, "not" and a bool, or an int and a number, as in "[N] if train else [0]" and "[N] if mode == 0 else [0]".',
    "Tensor x: [N], bool t -> Tensor: [N] if t else [M]": 'No argument gives "M" of "Tensor: [N] if t else [M]": add "int M", or give this name to a size of an argument.',
    "Tensor x: [N], bool t -> Tensor: [N] if t else [K?]": '"Tensor: [N] if t else [K?]" has two shapes, and a size that only the kernel knows: write one shape.',
    "Tensor x: [N], bool t, Tensor[] y: [N] if t else [0] -> Tensor: [N]": '"Tensor[] y: [N] if t else [0]" is a list, whose tensors have one shape: write "Tensor[] y: [N]".',
    "Tensor x: [N], bool t, Tensor y: [..., N] if t else [0] -> Tensor: [N]": '"Tensor y: [..., N] if t else [0]" has two shapes, and one of an argument has any number of dimensions: write a size for each.',
    "Tensor x: [N, *s], bool t -> Tensor: [*s] if t else [0]": '"Tensor: [*s] if t else [0]" has two shapes, and one has any number of dimensions: write a size for each.',
    "Tensor x: [N], Tensor? t, Tensor y: [N] if t else [0] -> Tensor: [N]": '"Tensor y: [N] if t else [0]" has a shape by whether t is given, which only a result has: add "bool with_t", and write "if with_t".',
    "Tensor x: [N], bool t -> Tensor: [N] if t else 0": '"Tensor: [N] if t else 0" has two shapes: write both, as in "[N, D] if t else [0]".',
    "Tensor x: [N] strided if t else [0], bool t -> Tensor: [N]": '"Tensor x: [N] strided if t else [0]" has strides of one of two shapes: write "strided" behind both, which then have the same number of dimensions.',
    "Tensor x: [N] strided if t else [0, 1] strided, bool t -> Tensor: [N]": '"Tensor x: [N] strided if t else [0, 1] strided" has strides of one of two shapes: write "strided" behind both, which then have the same number of dimensions.',
    "Tensor x: [N], bool t -> Tensor: [N if t else 0, N if not t else 0]": '"N if t else 0" has a condition: a shape has one, for one size, as in "[N if train else 0, D]", or for all, as in "[N, D] if train else [0]".',
    "Tensor x: [N], bool t -> Tensor: [N * t]": '"t" is a bool, which is no size: write two shapes, as in "[N, D] if t else [0]".',
}

ACCEPTED_BY_CUSTOM = """
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
Tensor x: [N], bool t, Tensor? y -> (Tensor? a: int8[N] if t else int16[3] if y, Tensor: [N] if t else float32[0])
Tensor x: [N], bool[2] causal, (int, int, int) size, (int, int)? stride=None, bool[3] flags=[True, False, True], bool[2]? more=None -> Tensor: [N, size[2]]
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
    assert refusal_by_custom(signature) == REFUSED_BY_CUSTOM[signature]


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
WAY_OUT = 'which only the kernel custom accepts: write "custom: fps(...)", or answer kernel=custom.'
NO_ROWS = (
    'A rowwise operator with shapes needs a tensor of rows, whose last size is a name, as in "Tensor x: '
    f'[..., N] -> Tensor: float32[...]"; any other shape is one {WAY_OUT}'
)
OF_X = "has neither the shape of x, [..., N], nor an element for each row, [...], or for each column, [N], but a shape"
REFUSED_BY_ROWS = {
    "Tensor x: [..., N, 4] -> Tensor: [..., N]": NO_ROWS,
    "Tensor x: [N, N] -> Tensor: [N]": NO_ROWS,
    "Tensor x: [..., 2 * N] -> Tensor: [..., N]": NO_ROWS,
    "Tensor x: [..., N], int N -> Tensor: [...]": NO_ROWS,
    "Tensor x: [..., N], Tensor w: [3] -> Tensor: [..., N]": f'"Tensor w: [3]" {OF_X} {WAY_OUT}',
    "Tensor x: [..., N], Tensor w -> Tensor: [..., N]": f'"Tensor w" {OF_X} {WAY_OUT}',
    "Tensor x: [..., N], int k -> Tensor: [..., k]": f'"Tensor: [..., k]" {OF_X} {WAY_OUT}',
    "Tensor x: [..., N] -> Tensor: [N]": f'"Tensor: [N]" has one element for each column, and all rows would write to it, {WAY_OUT}',
    "Tensor x: [..., N], Tensor(a!) w: [N] -> ()": f'"Tensor(a!) w: [N]" has one element for each column, and all rows would write to it, {WAY_OUT}',
    "Tensor x: [N] -> int": f'The result "int" is a number, {WAY_OUT}',
    "Tensor x: [..., N] -> Tensor: int64[K?]": f'"K?" is a size that only the kernel knows, {WAY_OUT}',
    "Tensor[] xs: [N], Tensor x: [..., N] -> Tensor: [...]": f'"Tensor[] xs: [N]" is neither a tensor nor a number, {WAY_OUT}',
    "Tensor x: [..., N], str how -> Tensor: [...]": f'"str how" is neither a tensor nor a number, {WAY_OUT}',
    "Tensor x: [..., N] -> Tensor: float8_e8m0fnu[...]": f'"Tensor: float8_e8m0fnu[...]" has a dtype that rows are not computed in, {WAY_OUT}',
    "Tensor x: [..., N]": REFUSED_BY_CUSTOM["Tensor x: [N]"],
    "Tensor x: [..., N] -> Tensor: [...] using Tensor room: [..., N]": '"Tensor room: [..., N]" is memory for your own kernel, which only the kernel custom accepts: write "custom: fps(...)", or answer kernel=custom.',
    "Tensor x: T[..., N] -> Tensor: [..., N] where T in {float}": '"where T in {float}" is a set of dtypes, which only the kernel custom accepts: leave it out, or answer kernel=custom.',
    "Tensor x: [*batch, N] -> Tensor: [*batch, N]": '"*batch" is any number of dimensions, which only the kernel custom accepts: write "custom: fps(...)", or answer kernel=custom. Before the other sizes, write "...".',
    "Tensor x: [T, N] strided -> Tensor: [T]": '"Tensor x: [T, N] strided" has strides, which only the kernel custom accepts: leave "strided" out, or answer kernel=custom.',
    "Tensor value_t: [N] -> Tensor: []": '"value_t" is a name that the rendered code uses itself. Try "value_t_in" or another name.',
}


def refusal_by_rows(signature):
    return macro("refuse_signature", signature, "fps", "rowwise", path="questions/signature.jinja")


@pytest.mark.parametrize("signature", ACCEPTED_BY_ROWS)
def test_accepted_by_rows(signature):
    assert refusal_by_rows(signature) == ""


@pytest.mark.parametrize("signature", REFUSED_BY_ROWS)
def test_refused_by_rows(signature):
    assert refusal_by_rows(signature) == REFUSED_BY_ROWS[signature]


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
    assert "fnuz, which CUDA does not have" in refusal(tmp_path, build="nvrtc", **answers)


@pytest.mark.parametrize(
    ("kernel", "signature", "way_out"),
    [
        ("elementwise", "Tensor x, bool want -> Tensor?", "or answer kernel=custom"),
        ("elementwise", "Tensor x -> (Tensor, Tensor[])", '"-> (Tensor out, Tensor lse)"'),
        ("elementwise", "Tensor x -> [Tensor a, Tensor b]", 'write "(Tensor a, Tensor b)", or'),
        ("rowwise", "Tensor x: [..., N], bool want -> Tensor? y: [...] if want", WAY_OUT),
    ],
)
def test_no_other_kernel_leaves_results_out(kernel, signature, way_out):
    assert way_out in macro(
        "refuse_signature", signature, "fps", kernel, path="questions/signature.jinja"
    )


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
    assert "choose binding=torch_library" in refusal(tmp_path, binding="torch_stable", **answers)


WRITES = 'writes to a required one, as in "Tensor(a!) c, Tensor a, Tensor b -> ()"'


@pytest.mark.parametrize(
    ("signature", "sentence"),
    [
        ("Tensor(a!) c, Tensor a, Tensor b -> ()", ""),
        ("float s, Tensor a, Tensor(a!) c, Tensor b, Tensor? bias=None -> Tensor(a!)", ""),
        ("Tensor(a!)? c, Tensor a, Tensor b -> ()", WRITES),
        ("Tensor(a!) c, Tensor a, Tensor b -> Tensor", WRITES),
        ("Tensor(a!) c, Tensor(b!) d, Tensor a, Tensor b -> ()", WRITES),
        ("Tensor(a!) a, Tensor b -> ()", "as the first tensors that it reads"),
    ],
)
def test_products_are_written_to_one_tensor(signature, sentence):
    refused = macro("refuse_signature", signature, "mm", "matmul", path="questions/signature.jinja")
    assert sentence in refused and bool(sentence) == bool(refused)


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
    ("line", "sentence"),
    [
        ("total(Tensor x: [N]) -> Tensor: [1]", 'write "custom: total(...)", or write "Tensor x"'),
        ("custom: total(Tensor x: [N] -> Tensor: [1])", '"total(arguments) -> results"'),
    ],
)
def test_more_ops_says_how_a_custom_operator_is_written(line, sentence, tmp_path):
    assert sentence in refusal(tmp_path, kernel="custom", more_ops=line)


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
    assert [x["name"] for x in facts["checked"]] == ["x", "w", "index", "b"]


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
    assert found == {"x": ["x_stride0", "x_step1"], "y": [], "w": ["w_stride0"], "out": []}


def test_integers_alone_have_no_gradient():
    signature = (
        "Tensor x: T[N], Tensor y: I[N] -> Tensor: T[N] where T in {int32, int64}, I in {int64}"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert facts["differentiable"] == facts["derivatives"] == []
