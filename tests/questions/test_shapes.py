"""What an annotated signature is, and the sentence that refuses what is none. A second for all."""

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
""".strip().splitlines()

REFUSED = {
    'points: Float[Tensor, "B N 3"]': '"points: Float[Tensor, \\"B N 3\\"]" is "Tensor points: [B, N, 3]" here; write that.',
    "points: Tensor[B, N, 3]": '"points: Tensor[B, N, 3]" is "Tensor points: [B, N, 3]" here; write that.',
    "tensor points: [B, N, 3]": '"tensor points" is "Tensor points" in a PyTorch schema; write that.',
    "Tensor x: Float[N]": '"Float" is no dtype: leave it out for the floating-point dtype of the operator, or write "float32".',
    "Tensor x: float[N, D]": '"float" is no dtype: leave it out for the floating-point dtype of the operator, or write "float32".',
    'Tensor x: Float[Tensor, "*batch N"]': '"Float[Tensor, \\"*batch N\\"]" is "[..., N]" here; write that.',
    'Tensor x: "B N"': '"\\"B N\\"" is "[B, N]" here; write that.',
    "Tensor x: [B N 3]": '"B N 3" lacks a comma: "B, N, 3" are 3 sizes, and "B * N * 3" is their product.',
    "Tensor x: double[N]": '"double" is no dtype of PyTorch; write "float64".',
    "Tensor x: int[N]": '"int" is no dtype of PyTorch; write "int32" or "int64".',
    "Tensor x: torch.int64[N]": '"torch.int64" is "int64" here; write that.',
    "Tensor x: i64[N]": '"i64" is no dtype of PyTorch; write "int64".',
    "Tensor x: complex64[N]": 'There is no dtype "complex64": write none for the floating-point dtype of the operator, or one of float32, float64, float16, bfloat16, int64, int32, int16, int8, uint8, bool, float8_e4m3fn and the like.',
    "Tensor x: uint32[N]": '"uint32" is a dtype that few operators of PyTorch take: write "int32", and pass x.view(torch.int32), which has the same bits.',
    "Tensor x: torch.uint16[N]": '"torch.uint16" is a dtype that few operators of PyTorch take: write "int16", and pass x.view(torch.int16), which has the same bits.',
    "Tensor x: uint8[R, C // 2] -> Tensor: float32[R, C]": '"C // 2" of x is rounded down, so it does not say what "C" is: give it a name, as in "uint8[R, P]", and use "2 * P" in place of "C"; or take "int C" as an argument.',
    "Tensor x: [M], Tensor q: int32[(K + n - 1) // n], int n -> Tensor: [K]": '"(K + n - 1) // n" of q is rounded down, so it does not say what "K" is: give it a name, as in "int32[P]", and use "n * P" in place of "K"; or take "int K" as an argument.',
    "Tensor x: (B, N)": 'A shape has brackets: write "[B, N]".',
    "Tensor x: Tensor[N]": '"Tensor[N]" repeats the type; write "[N]".',
    "Tensor x: [B, N": 'The signature has 1 "[" and 0 "]"; each needs the other, as in "Tensor x: [N, D]".',
    "Tensor x: [B, N, Tensor y: [N]": 'The signature has 2 "[" and 1 "]"; each needs the other, as in "Tensor x: [N, D]".',
    "Tensor x:": 'Nothing follows the colon; write a shape, as in "[N, D]", or a dtype, as in "int64[N]".',
    "Tensor x: [N] int64": '"[N] int64" is no dtype and shape; write them as in "[N, D]", "int64[N]" or "int64".',
    "Tensor x: [N]?": '"[N]?" is no dtype and shape; write them as in "[N, D]", "int64[N]" or "int64".',
    "Tensor x: [N, ...]": '"..." comes first, for any number of dimensions before the others: "[..., N]".',
    "Tensor x: [*batch, N]": '"*batch" is written "..." here, alone and first, for any number of dimensions: "[..., N]".',
    "Tensor x: [...B, N]": '"...B" is written "..." here, alone and first, for any number of dimensions: "[..., N]".',
    "Tensor x: [-1, N]": '"-1" says nothing of a size: give it a name, such as "N"; a name that stands once may be anything.',
    "Tensor x: [_, N]": '"_" says nothing of a size: give it a name, such as "N"; a name that stands once may be anything.',
    "Tensor x: [N,, D]": "A size is missing between the commas of [N, , D].",
    "Tensor x: [N, D,]": "A size is missing between the commas of [N, D, ].",
    "Tensor x: [N] -> Tensor: [(N - 1 // 2]": '"(N - 1 // 2" has 1 "(" and 0 ")"; each needs the other.',
    "Tensor x: [N] -> Tensor: [N / 2]": '"N / 2" divides by "/", which makes no integer; write "N // 2", which rounds down.',
    "Tensor x: [N] -> Tensor: [ceil(N / 2)]": '"ceil(N / 2)" calls a function; to round a quotient up, write "(N + 7) // 8".',
    "Tensor x: [N] -> Tensor: [N ** 2]": '"N ** 2" has a power; write a product, as in "N * N".',
    "Tensor x: [N] -> Tensor: [-(-N // 8)]": '"-(-N // 8)" starts with a minus, and no size is negative. To round a quotient up, write "(N + 7) // 8".',
    "Tensor x: [N] -> Tensor: [max(N, 2)]": '"max(N, 2)" is no size: it is a name, a number, or of both with + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [2(N + 1)]": '"2(N + 1)" calls a function or lacks a "*"; a size has names, numbers, + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [2N]": '"2N" is no size: it is a name, a number, or of both with + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [N % 2]": '"N % 2" is no size: it is a name, a number, or of both with + - * // and ( ).',
    "Tensor x: [N] -> Tensor: [N * ]": '"N *" is no size: it is a name, a number, or of both with + - * // and ( ).',
    "Tensor x: [N?] -> Tensor: [N]": '"N?" is a size that only the kernel knows, which is a name alone and in a result, as in "-> Tensor: int64[K?]".',
    "Tensor x: [N] -> Tensor: [K + 1?]": '"K + 1?" is a size that only the kernel knows, which is a name alone and in a result, as in "-> Tensor: int64[K?]".',
    "Tensor x: [N] -> Tensor: [M]": 'Nothing gives "M" of "Tensor: [M]": name a size of an argument or an int argument so.',
    "Tensor x: [N], int npoint -> Tensor: [npoints]": 'Nothing gives "npoints" of "Tensor: [npoints]": did you mean "npoint"?',
    "Tensor x: [N] -> Tensor: [..., N]": '"..." of "Tensor: [..., N]" stands in no argument that is always there, so nothing says what it is.',
    "Tensor x: [N], int k: [3] -> Tensor: [N]": '"int k: [3]" has a shape or a dtype, which only a Tensor, a Tensor? or a Tensor[] has: write "int k".',
    "int[] xs: [N], Tensor x -> Tensor": '"int[] xs: [N]" has a shape or a dtype, which only a Tensor, a Tensor? or a Tensor[] has: write "int[] xs".',
    "Tensor x: [N], Tensor? b=None: [N] -> Tensor: [N]": '"Tensor? b=None: [N]" has its shape after the default; write "Tensor? b: [N]=None".',
    "Tensor x: [H * D] -> Tensor: [H]": '"H * D" of x has more than one name that nothing else gives, or one that is not simply multiplied: let "H" be a size of another tensor, or an int argument.',
    "Tensor x: [N * N + 1] -> Tensor: [N]": '"N * N + 1" of x has more than one name that nothing else gives, or one that is not simply multiplied: let "N" be a size of another tensor, or an int argument.',
    "Tensor x: [lambda] -> Tensor: [lambda]": '"lambda" is a word of Python, C or C++, so no size can be called so. Try "LAMBDA".',
    "Tensor x: [N], float c -> Tensor: [c]": '"c" is of type float; a size has a name of its own, or that of an int. Try "N".',
    "Tensor x: [x + 1] -> Tensor": '"x" is a tensor; a size has a name of its own, or that of an int. Try "N".',
    # Each fault once, a line each.
    "tensor x: [n], double c, Tensor y: half[N / 2] -> out: [N]": """"tensor x" is "Tensor x" in a PyTorch schema; write that.
"double c" is "float c" in a PyTorch schema; write that.
"half" is no dtype of PyTorch; write "float16".
The result "out: [N]" is "Tensor out: [N]" here; write that.""",
    "Tensor x: [lambda, while] -> (Tensor: [M], Tensor: [M])": """"lambda" is a word of Python, C or C++, so no size can be called so. Try "LAMBDA".
"while" is a word of Python, C or C++, so no size can be called so. Try "WHILE".""",
    "Tensor x: [N] -> (Tensor: [M], Tensor: [M], Tensor: [P])": """Nothing gives "M" of "Tensor: [M]": name a size of an argument or an int argument so.
Nothing gives "P" of "Tensor: [P]": name a size of an argument or an int argument so.""",
    "a x, b x, c x, d x, e x, f x, g x": "\n".join(
        f'"{x}" is no type that an argument can have here. Use Tensor, float, int, bool, SymInt, str, ScalarType, Device or Layout, each also with "?" for one that may be absent, or the lists int[], float[], SymInt[] and Tensor[].'
        for x in "abcde"
    )
    + "\nAnd 2 more.",
    "Tensor x: [N], int[2] size -> Tensor: [N, size[0], size[2]]": '"int[2] size" has 2 numbers, and a size is one of them: write "size[0]", "size[1]".',
    "Tensor x: [N], int[2] size -> Tensor: [N, size[i]]": '"int[2] size" has 2 numbers, and a size is one of them: write "size[0]", "size[1]".',
    "Tensor x: [N], int[2] size -> Tensor: [N, size]": '"int[2] size" has 2 numbers, and a size is one of them: write "size[0]", "size[1]".',
    "Tensor x: [N], Tensor y: [N, size[0] + 1], SymInt[] size -> Tensor: [N]": '"SymInt[] size" may have any length, so no size is one of its numbers: write "int[2] size", whose first number is "size[0]".',
    "Tensor x: [N], int[] size -> Tensor: [N, size[3]]": '"int[] size" may have any length, so no size is one of its numbers: write "int[4] size", whose first number is "size[0]".',
    "Tensor x: [N], int[3]? size=None -> Tensor: [N, size]": '"int[3]? size" may be absent, so no size is computed of it: write "int[3] size".',
    "Tensor x: [N], Tensor? y -> Tensor: [N, y.numel()]": '"y" may be absent, so "y.numel()" is no size: write "Tensor y".',
    "Tensor x: [y.numel()], Tensor y -> Tensor: [y.numel()]": '"Tensor x: [y.numel()]" has the size "y.numel()" of an argument behind it: let "y" come first.',
    "Tensor x: [N] -> Tensor: [len(x)]": '"len(x)" is no size: it is a name, a number, or of both with + - * // and ( ).',
    "Tensor x: [N], int? k=None -> Tensor: [k]": '"k" may be absent, so no size is computed of it: write "int k".',
    "Tensor x: int64[N] -> Tensor: [N]": 'Which dtype has "Tensor: [N]"? No argument that is always there has the floating-point dtype of the operator; write one, as in "float32[N]".',
    "Tensor x: float16[N], Tensor? w: [N]=None -> Tensor: int8[N]": 'Which dtype has "Tensor? w: [N]=None"? No argument that is always there has the floating-point dtype of the operator; write one, as in "float32[N]".',
    "Tensor(a!) x: [N] -> Tensor(a!): [N]": 'The result "Tensor(a!): [N]" is an argument, which has its shape: write "Tensor(a!)".',
    "Tensor x: [N] -> int64[N]": 'The result "int64[N]" is "Tensor: int64[N]" here; write that.',
    "Tensor x: [N] -> out: [N]": 'The result "out: [N]" is "Tensor out: [N]" here; write that.',
    "Tensor x: [N] -> [N]": 'The result "[N]" is "Tensor: [N]" here; write that.',
    "Tensor x: [N], Tensor? b: [M]=None -> Tensor: [M]": 'Only b, which may be absent, has "M", and other sizes are made of it; let a tensor that is always there have it, or name each size apart.',
    "Tensor x: [N], Tensor? a: [M], Tensor? b: [M] -> Tensor: [N]": 'Only a, which may be absent, has "M", and other sizes are made of it; let a tensor that is always there have it, or name each size apart.',
}


def sentence(signature):
    return macro(
        "refuse_signature", signature, "fps", "elementwise", path="questions/signature.jinja"
    )


@pytest.mark.parametrize("signature", ACCEPTED)
def test_accepted(signature):
    assert sentence(signature) == ""


def test_a_size_with_the_name_of_a_tensor_has_another_in_the_code():
    """B is a tensor and its size, as in Mamba; what has no such size keeps its text."""
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


TYPES = 'is no type that an argument can have here. Use Tensor, float, int, bool, SymInt, str, Device or Layout, each also with "?" for one that may be absent, or the lists int[], float[], SymInt[] and Tensor[].'

# What only an operator of the kernel custom is refused.
REFUSED_BY_CUSTOM = {
    # Drawn by SIGNATURES_SEED=4007 of test_build_random.py.
    "Tensor x: [N, M] -> (Tensor a: [N - M], Tensor b: [M - N])": 'Write sizes that can all be 0 or more at once: "N - M" is -1 with N = 3 and M = 4, and no better sizes were found.',
    "Tensor(a!)[] xs, Tensor y: [N] -> Tensor(a!)[]": 'The result "Tensor(a!)[]" is a list that the caller has already: return nothing, "-> ()", or new tensors.',
    "Tensor?[] xs, Tensor y: [N] -> Tensor: [N]": f'"Tensor?[]" {TYPES}',
    "Tensor[] xs: [H * D] -> Tensor: [H]": '"H * D" of xs has more than one name that nothing else gives, or one that is not simply multiplied: let "H" be a size of another tensor, or an int argument.',
    "Tensor x: [N], Tensor(a!)? out: [N] -> ()": '"Tensor(a!)? out: [N]" may be absent only beside a result or what is always written to, and where it is not returned: write "Tensor(a!) out", or return it, as in "-> Tensor? out: [N] if with_out".',
    "Tensor? x: float32[N], int n -> Tensor: float32[n]": "The signature has no Tensor that is always there; its device is where the kernel runs.",
    "Tensor x: [N] -> ()": 'The signature returns nothing, so PyTorch would drop the call; write "-> Tensor: [N]".',
    "Tensor x: [N]": 'The result "Tensor" says no shape; write it behind a colon, as in "Tensor x: [N, D] -> Tensor: [N]".',
    "Tensor x: [N] -> (Tensor p: int64[K?], Tensor q: int64[M?])": 'A kernel counts one size: write "K?" in place of "M?", or return two results as large as can be and their numbers, as in "-> (Tensor kept: int64[N], Tensor count: int64[])".',
    "Tensor x: [N] -> Tensor: [N, K?]": '"K?" of "Tensor: [N, K?]" comes first, alone before the other sizes, as in "[K?, 4]": the kernel\'s results are as large as can be, and cut behind their first rows.',
    "Tensor x: [..., N] -> Tensor: [..., K?]": '"K?" of "Tensor: [..., K?]" may be another for each of "...", and a tensor has one: return it as large as can be, "Tensor out: [..., N]", and how many of each there are, "Tensor count: int64[...]".',
    "Tensor x: [N] -> Tensor: [K?, K?]": '"K?" of "Tensor: [K?, K?]" comes first, alone before the other sizes, as in "[K?, 4]": the kernel\'s results are as large as can be, and cut behind their first rows.',
    "Tensor x: [K] -> Tensor: [K?]": '"K?" has a value, for an argument gives "K"; leave the question mark out.',
    "Tensor x: [N], int K -> Tensor: [K?]": '"K?" has a value, for an argument gives "K"; leave the question mark out.',
    "Tensor x: [N] -> (Tensor p: [K?], Tensor q: [K])": 'Nothing gives "K" of "Tensor q: [K]": only the kernel knows it, which "K?" says, alone and first.',
    "Tensor x: [N] -> Tensor? y: [N]": 'The result "Tensor? y: [N]" does not say when it is there: write "Tensor? y: [N] if with_y", of an argument "bool with_y", or the name of a "Tensor?".',
    "Tensor x: [N] -> Tensor?": 'The result "Tensor?" does not say when it is there: write "Tensor?: [N] if with_out", of an argument "bool with_out", or the name of a "Tensor?".',
    "Tensor x: [N], bool want -> Tensor? y if want": 'The result "Tensor? y if want" says no shape; write it behind a colon, as in "Tensor x: [N, D] -> Tensor: [N]".',
    "Tensor x: [N], bool want -> Tensor y: [N] if want": 'The result "Tensor y: [N] if want" may be absent: write "Tensor? y: [N] if want".',
    "Tensor x: [N] -> Tensor? y: [N] if want": '"want" is no argument, so nothing says whether y is there: add "bool want".',
    "Tensor x: [N], int want -> Tensor? y: [N] if want": '"int want" says not whether y is there, as a "bool" does, or a "Tensor?" that is given: add "bool with_y".',
    "Tensor x: [N] -> Tensor? y: [N] if x": '"Tensor x" says not whether y is there, as a "bool" does, or a "Tensor?" that is given: add "bool with_y".',
    "Tensor x: [N], bool? want -> Tensor? y: [N] if want": '"want" may be absent itself, and says whether y is there: write "bool want".',
    "Tensor x: [N], bool want -> Tensor? y: [N] if not want": 'What stands after "if" is the name of a "bool", or of a "Tensor?" that is given, alone; "not want" is none.',
    "Tensor x: [N], bool want -> (Tensor y: [K?], Tensor? z: [N] if want)": '"Tensor? z: [N] if want" may be absent beside a size that only the kernel knows, "K?": write "Tensor z", without "if", and leave its elements unset.',
    "Tensor(a!) x: [N], bool want -> Tensor? y: int64[N] if want": '"Tensor? y: int64[N] if want" may be absent, which torch.compile takes from no operator that writes: give it as an argument, "Tensor(y!)? y: int64[N]".',
    "Tensor(a!) x: [N], Tensor(b!)? y: [N] -> Tensor(b!)": '"Tensor(b!)? y: [N]" may be absent only beside a result or what is always written to, and where it is not returned: write "Tensor(b!) y", or return it, as in "-> Tensor? y: [N] if with_y".',
    "Tensor x: [N] -> int": 'The result "int" is a number, and kernels write tensors: write "Tensor: int64[]", of which `item()` is the number.',
    "Tensor x: [N] -> (Tensor: [N], float most)": 'The result "float most" is a number, and kernels write tensors: write "Tensor most: float32[]", of which `item()` is the number.',
    "Tensor x: [N] -> Tensor[]": 'The result "Tensor[]" is a list; say its tensors, as in "-> [Tensor out: [N], Tensor lse: float32[N]]", which is Tensor[] in its schema.',
    "Tensor(a!) x: [N] -> [Tensor(a!), Tensor: [N]]": 'The list has "Tensor(a!)", an argument, and an operator returns new tensors alone: leave it out.',
    "Tensor x: [N], bool want -> [Tensor: [N], Tensor? y: [N] if want]": '"Tensor? y: [N] if want" may be absent, which no tensor of a list may: write the results in parentheses, which return a tuple, or leave its elements unset.',
    "Tensor x: [N], Tensor? grad_y: [N] -> [Tensor y: [N], Tensor: [N]]": '"grad_y" is a name that the rendered code makes of "y"; write "y_grad".',
    "Tensor x: [N] -> Tensor: [N] using Tensor: int32[N]": '"Tensor: int32[N]" needs a name and a shape, as in "-> Tensor: [N] using Tensor room: uint8[N]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order": '"Tensor order" needs a name and a shape, as in "-> Tensor: [N] using Tensor order: uint8[N]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor order: [K?]": '"K?" is a size that only the kernel knows, which is a name alone and in a result, as in "-> Tensor: int64[K?]".',
    "Tensor x: [N] -> Tensor: [N] using Tensor? order: [N]": '"Tensor? order: [N]" is memory that only the kernel uses, which is a tensor, as in "-> Tensor: [N] using Tensor order: uint8[N]".',
    "Tensor x: [N] -> Tensor: [N] using int order": '"int order" is memory that only the kernel uses, which is a tensor, as in "-> Tensor: [N] using Tensor order: uint8[N]".',
    "Tensor x: [N] -> Tensor y: [N] using Tensor y: [N]": '"y" names two tensors of the signature; call one of them something else.',
    "Tensor x: [N] -> Tensor: [N] using Tensor args: [N]": '"args" can\'t name a tensor: use up to 40 letters, digits and single underscores, and no name that the rendered code uses.',
    "Tensor x: [N] -> Tensor: [N] using Tensor room: uint8[M]": 'Nothing gives "M" of "Tensor room: uint8[M]": name a size of an argument or an int argument so.',
    "Tensor x: [N] -> () using Tensor room: [N]": 'The signature returns nothing, so PyTorch would drop the call; write "-> Tensor: [N]".',
    "Tensor x: [N], Tensor index: I[M] -> Tensor: [M]": 'Which dtypes is "I"? Write its set at the end, as in "where I in {int32, int64}".',
    "Tensor x: [N] -> Tensor: [N] where T: float, int64": "\n".join(
        f'"{text}" is no set of dtypes: write them as in "where T in {{float, int64}}, I in {{int32, int64}}".'
        for text in ("T: float", "int64")
    ),
    "Tensor x: [N] -> Tensor: [N] where T in {float} and I in {int64}": '"T in {float} and I in {int64}" is no set of dtypes: write them as in "where T in {float, int64}, I in {int32, int64}".',
    "Tensor x: [N] -> Tensor: [N] where t in {float}": '"t" can\'t name dtypes: use up to 16 letters and digits, the first of them a capital, as in "where T in {float, int64}".',
    "Tensor x: [N] -> Tensor: [N] where T in {}": 'The set of "T" is empty: write its dtypes, as in "T in {int32, int64}".',
    "Tensor x: [N] -> Tensor: [N] where T in {int}": '"int" is no dtype of PyTorch; write "int32, int64".',
    "Tensor x: [N] -> Tensor: [N] where T in {floating}": '"floating" is "float" in a set, which is float32, float64, float16 and bfloat16; write that.',
    "Tensor x: [N] -> Tensor: [N] where T in {half, int64}": '"half" is no dtype of PyTorch; write "float16".',
    "Tensor x: [N] -> Tensor: [N] where T in {float, float32}": 'The set of "T" has a dtype twice; "float" is float32, float64, float16 and bfloat16: write each once.',
    "Tensor x: [N] -> Tensor: [N] where T in {int32, int32}": 'The set of "T" has a dtype twice: write each once.',
    "Tensor x: [N] -> Tensor: [N] where T in {float}, T in {int64}": '"T" has two sets of dtypes: write one.',
    "Tensor x: [N] -> Tensor: [N] where I in {int32, int64}": 'No tensor has the dtype "I": write it before a shape, as in "Tensor x: I[N]", or leave its set out.',
    "Tensor x: [T] -> Tensor: [T] where T in {float}": '"T" names a size or a tensor, so it can\'t name dtypes: try "I".',
    "Tensor x: [N], Tensor y: NAN[N] -> Tensor: [N] where NAN in {float}": '"NAN" names something in the rendered code, so it can\'t name dtypes: try "T".',
    "Tensor x: [N] -> Tensor: W[N] where W in {float}": 'Which of its dtypes is "W" in a call? No argument that is always there has it: give it to one, as in "Tensor x: W[N]", or write a dtype.',
    "Tensor x: [N], Tensor? w: W[N] -> Tensor: [N] where W in {float}": 'Which of its dtypes is "W" in a call? No argument that is always there has it: give it to one, as in "Tensor x: W[N]", or write a dtype.',
    "Tensor a: T[N], Tensor b: U[N], Tensor c: V[N], Tensor d: W[N] -> Tensor: [N] where U in {float}, V in {float}, W in {float}": "The signature has 4 variables of dtypes, T, U, V, W, and a kernel may have three: write a dtype for one of them.",
    "Tensor a: T[N], Tensor b: U[N], Tensor c: V[N] -> Tensor: [N] where T in {float, int64}, U in {float}, V in {float}": "The sets of T, U, V make 80 kernels, and at most 64 are compiled: leave out dtypes that nobody needs.",
    "Tensor x: [N], Generator gen -> Tensor: [N]": '"Generator" is no type that an argument can have here. The kernel custom takes one that may be absent, "Generator? gen"; or write "int seed", of which a kernel makes its random numbers.',
    "Tensor x: [N], bool[2] causal -> Tensor: [N]": '"bool[2]" is no type that an argument can have here. Write "int[2] causal", whose numbers are 0 or 1.',
    "Tensor x: [N], (int, int)? size=None -> Tensor: [N]": '"(int, int)? size" is a list of a known length: write "int[2]? size".',
    "Tensor x: [N], std::vector<std::vector<at::Tensor>> xs -> Tensor: [N]": '"std::vector<std::vector<at::Tensor>> xs" is a list of lists: write a list for each, as in "Tensor[] grads, Tensor(a!)[] params".',
    "Tensor x: [N] -> [int[]]": 'The result "[int[]]" is no result that an operator can have here: each is a Tensor, as in "-> Tensor", "-> (Tensor out, Tensor rstd)" or, of an argument that is written to, "-> Tensor(a!)"; "-> ()" returns nothing.',
    "Tensor x: [N], __torch__.torch.classes.lib.Camera c -> Tensor: [N]": '"__torch__.torch.classes.lib.Camera" is no type that an argument can have here. Write the numbers and tensors that it holds as arguments of their own.',
    "Tensor i: [N] -> Tensor: [N]": '"i" is a name that the rendered code uses itself. Try "i_in" or another name.',
    "Tensor args: [N] -> Tensor: [N]": '"args" is a name that the rendered code uses itself. Try "args_in" or another name.',
    "Tensor x: [N], Tensor grad_x: [N] -> Tensor: [N]": '"grad_x" is a name that the rendered code makes of "x"; write "x_grad".',
    "Tensor x: [N], int CUDA_VERSION -> Tensor: [N]": '"CUDA_VERSION" is written as macros are, some of which have such a name, so it can\'t name an argument. Try "cuda_version".',
}


# A dtype that results do not have.
for _dtype in (
    "ScalarType dtype",
    "ScalarType? dtype=None",
    "dtype out_dtype",
    "torch.dtype d=None",
):
    REFUSED_BY_CUSTOM[f"Tensor x: [N], *, {_dtype} -> Tensor: [N]"] = (
        f'"{_dtype}" has no effect on a custom operator, whose results have the dtypes in its signature: leave it out, '
        'and write the dtype, as in "-> Tensor: float16[N]".'
    )

ACCEPTED_BY_CUSTOM = """
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
Tensor[] xs: int64[..., H * D], Tensor[] ys: [D] -> Tensor: [..., H]
Tensor(a!)[] out: [N], Tensor(b!)? store: [N], Tensor x: [N] -> ()
Tensor x: [N] -> [Tensor: [N]]
Tensor keys: int32[N, D] -> (Tensor: int32[N, D], Tensor: int64[N]) using Tensor counts: int32[256], Tensor other: int32[N, D + 1]
Tensor(a!) x: [..., N] -> () using Tensor room: [..., N // 2]
Tensor x: [N], bool want -> (Tensor: int64[N], Tensor? y: [N] if want) using Tensor room: uint8[x.numel()]
Tensor x: [N], Tensor? out_: [N] -> [Tensor: [N], Tensor: [N]]
Tensor src: T[N, D], Tensor index: I[N], int segments -> Tensor: T[segments, D] where T in {float, int64}, I in {int32, int64}
Tensor x: T[..., D], Tensor weight: W[D] -> Tensor: [..., D] using Tensor room: W[D] where W in { float32,bfloat16 }
Tensor x: float32[N], Tensor(a!) index: I[M], Tensor? more: I[M], Tensor[] others: I[N] -> Tensor(a!) where I in {uint8}
Tensor where: [N], Tensor x: [where] -> Tensor: [N]
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
WAY_OUT = 'which the kernel custom takes: write "custom: fps(...)", or answer kernel=custom.'
NO_ROWS = (
    'A rowwise operator with shapes takes a tensor of rows, whose last size is a name of its own, as in "Tensor x: '
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
    "Tensor x: [..., N] -> Tensor: [N]": f'"Tensor: [N]" has an element for each column, to which all rows would write, {WAY_OUT}',
    "Tensor x: [..., N], Tensor(a!) w: [N] -> ()": f'"Tensor(a!) w: [N]" has an element for each column, to which all rows would write, {WAY_OUT}',
    "Tensor x: [..., N] -> Tensor: int64[K?]": f'"K?" is a size that only the kernel knows, {WAY_OUT}',
    "Tensor[] xs: [N], Tensor x: [..., N] -> Tensor: [...]": f'"Tensor[] xs: [N]" is no tensor and no number, {WAY_OUT}',
    "Tensor x: [..., N], str how -> Tensor: [...]": f'"str how" is no tensor and no number, {WAY_OUT}',
    "Tensor x: [..., N] -> Tensor: float8_e8m0fnu[...]": f'"Tensor: float8_e8m0fnu[...]" has a dtype that rows are not computed in, {WAY_OUT}',
    "Tensor x: [..., N]": REFUSED_BY_CUSTOM["Tensor x: [N]"],
    "Tensor x: [..., N] -> Tensor: [...] using Tensor room: [..., N]": '"Tensor room: [..., N]" is memory for a kernel of your own, which the kernel custom takes: write "custom: fps(...)", or answer kernel=custom.',
    "Tensor x: T[..., N] -> Tensor: [..., N] where T in {float}": '"where T in {float}" is a set of dtypes for a kernel of your own, which the kernel custom takes: leave it out, or answer kernel=custom.',
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
    """As an argument, and as a size."""
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


WRITES = 'writes to one that is always there, as in "Tensor(a!) c, Tensor a, Tensor b -> ()"'


@pytest.mark.parametrize(
    ("signature", "sentence"),
    [
        ("Tensor(a!) c, Tensor a, Tensor b -> ()", ""),
        ("float s, Tensor a, Tensor(a!) c, Tensor b, Tensor? bias=None -> Tensor(a!)", ""),
        ("Tensor(a!)? c, Tensor a, Tensor b -> ()", WRITES),
        ("Tensor(a!) c, Tensor a, Tensor b -> Tensor", WRITES),
        ("Tensor(a!) c, Tensor(b!) d, Tensor a, Tensor b -> ()", WRITES),
        ("Tensor(a!) a, Tensor b -> ()", "the first two tensors that it reads"),
    ],
)
def test_products_are_written_to_one_tensor(signature, sentence):
    refused = macro("refuse_signature", signature, "mm", "matmul", path="questions/signature.jinja")
    assert sentence in refused and bool(sentence) == bool(refused)


def test_what_people_write():
    """What real libraries have is accepted as it is, but for a few, each with a sentence that is known."""
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
    """What kernels are compiled for, and which tensor says which dtype a call has."""
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


def test_integers_alone_have_no_gradient():
    signature = (
        "Tensor x: T[N], Tensor y: I[N] -> Tensor: T[N] where T in {int32, int64}, I in {int64}"
    )
    facts = data("read_shapes", data("parse", signature, path="questions/schema.jinja"))
    assert facts["differentiable"] == facts["derivatives"] == []
