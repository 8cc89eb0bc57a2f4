"""Answers of every kind, which several tests render or build."""

from __future__ import annotations

import re

CASES = {
    "default": {},
    "one tensor": {"signature": "Tensor x"},
    "four types": {"signature": "float alpha, Tensor x, int k, bool flip, Tensor y"},
    "long names": {
        "project": "a_package_with_a_rather_long_nam",
        "op": "fused_scaled_masked_activation_x",
        "signature": "Tensor first_of_two_operands, Tensor second_operand_of_two, "
        "float scale_of_the_first, int repetitions_of_scale, bool whether_to_add_the_count",
    },
    "many tensors": {
        "op": "chain",
        "signature": ", ".join(f"Tensor operand_{name}" for name in "abcdef"),
    },
    "rows": {"kernel": "rowwise", "op": "rmsnorm"},
    "rows and more": {
        "kernel": "rowwise",
        "op": "norm",
        "signature": "Tensor activations, Tensor? weight=None, Tensor? bias=None, *, float eps=1e-5, int shift=0",
        "more_ops": "rowwise: plain(Tensor x)\nscale(Tensor x, float c)",
    },
    "image": {"kernel": "image", "op": "gray"},
    "image and more": {
        "kernel": "image",
        "op": "brightness",
        "signature": "Tensor photographs, float gain, *, float? offset=None, bool flip=False",
        "more_ops": "image: gray(Tensor image)\nscale(Tensor x, float c)",
    },
    "volume": {"kernel": "volume", "op": "normalize"},
    "volume and more": {
        "kernel": "volume",
        "op": "window",
        "signature": "Tensor scan, float level, float width",
        "more_ops": "volume: normalize(Tensor volume, float? low=None, float? high=None, int k=0)\n"
        "volume: shifted(Tensor volume, *, float? low=None)\nimage: gray(Tensor image)\n"
        "rowwise: rmsnorm(Tensor x, Tensor weight, float eps=1e-6)",
    },
    "product": {"kernel": "matmul", "op": "linear"},
    "product and more": {
        "kernel": "matmul",
        "op": "project_out",
        "signature": "float gain, Tensor activations, Tensor weight, Tensor? bias=None, *, float? shift=None, bool flip=False",
        "more_ops": "matmul: gram(Tensor x, Tensor y)\nrowwise: norm(Tensor x, Tensor weight)",
    },
    "custom": {"kernel": "custom", "op": "fps"},
    "custom and more": {
        "kernel": "custom",
        "op": "scatter_sum",
        "signature": "Tensor values: [N, D], Tensor index: int64[N], int segments -> Tensor: [segments, D]",
        "more_ops": "custom: nearest(Tensor query: [B, N, 3], Tensor points: [B, M, 3], Tensor? weight: [M]=None, *, int k=1, "
        "float eps=1e-5) -> (Tensor distance: [B, N, k], Tensor index: int64[B, N, k])\n"
        "custom: pool(Tensor x: float32[..., H, W], int kernel) -> Tensor: float32[..., (H - kernel) // 2 + 1, W // 2]\n"
        "scale(Tensor x, float c)\nrowwise: rmsnorm(Tensor x, Tensor weight, float eps=1e-6)",
    },
    "custom that writes": {
        "kernel": "custom",
        "op": "rotary",
        "signature": "Tensor(a!) query: [N, H * D], Tensor positions: int64[N], Tensor cache: [P, D], int heads -> ()",
        "more_ops": "custom: clear_(Tensor(a!) x, *, bool? flag=None) -> Tensor(a!)\n"
        "custom: quantize(Tensor x: float16[..., N], Tensor(a!) scale: float32[...], float? limit=None) -> Tensor: int8[..., N]",
    },
    "custom that counts": {
        "kernel": "custom",
        "op": "suppressed",
        "signature": "Tensor boxes: [N, 4], Tensor scores: [N], float iou -> Tensor: int64[K?]",
        "more_ops": "custom: occupied(Tensor points: [N, 3], Tensor? count: [N]=None, *, int most=2) "
        "-> (Tensor index: int64[K?], Tensor: [K?, most], Tensor cell: int64[N])\n"
        "custom: seen(Tensor(a!) store: [..., N], Tensor x: float16) -> Tensor: float16[K?]\n"
        "custom: edges(Tensor x: [N, D], Tensor? w: [N], int most) -> (Tensor: int64[2, E?], Tensor? out: [E?] if w, "
        "Tensor: [D, K?, E?])\nscale(Tensor x, float c)",
    },
    "custom that leaves out": {
        "kernel": "custom",
        "op": "norms",
        "signature": "Tensor x: [N, D], Tensor? weight: [D], bool squared, bool index=False -> (Tensor norm: [N], "
        "Tensor? square: float32[N, D] if squared, Tensor? place: int64[N] if index, Tensor? weighted: [N] if weight)",
        "more_ops": "custom: padded(Tensor x: [N], *, bool made=True) -> Tensor? y: [N + 1] if made\n"
        "custom: halves(Tensor x: float32[..., N], bool left, bool right) "
        "-> (Tensor? first: float32[..., N] if left, Tensor? second: int32[...] if right)\n"
        "custom: stored(Tensor(a!) out: [N, D], Tensor x: [N, D], Tensor(b!)? store: float32[N]=None, *, "
        "Tensor(c!)? mask: bool[N, D]=None) -> Tensor: [N, 2]\nscale(Tensor x, float c)",
    },
    "custom numbers": {
        "kernel": "custom",
        "op": "matches",
        "signature": "Tensor x: [N, D], Tensor y: [M, D], float far -> (Tensor nearest: int64[N], int count, bool every)",
        "more_ops": "custom: distinct(Tensor x: int64[N]) -> int\n"
        "custom: marked(Tensor(a!) x: [N], *, int k) -> (Tensor(a!), int)\n"
        "custom: filled(Tensor(a!) x: [N], Tensor y: [M]) -> (Tensor: [M], int)\n"
        "custom: split(Tensor x: [N]) -> (Tensor: int64[K?], bool)\nscale(Tensor x, float c)",
    },
    "custom lists": {
        "kernel": "custom",
        "op": "parts",
        "signature": "Tensor x: [N, D], Tensor? weight: [D], int k=2 -> [Tensor out: [N, D], Tensor: float32[N], Tensor: int64[k]]",
        "more_ops": "custom: picked(Tensor x: [N, D]) -> [Tensor index: int64[K?], Tensor rows: [K?, D]]\n"
        "custom: dropped(Tensor(a!) q: [N], Tensor x: [N], float p) -> [Tensor: [N], Tensor mask: bool[N]]\n"
        "custom: filled(Tensor(a!) q: [N], Tensor(b!) r: int64[N, D], Tensor x: [N]) -> [Tensor(b!), Tensor(a!)]\n"
        "custom: mixed(Tensor(a!) q: [N], Tensor x: [N, D]) -> [Tensor(a!), Tensor: [D]]\n"
        "custom: gathered(Tensor[] tables: [N, D], Tensor index: int64[M]) -> Tensor: [M, D]\n"
        "custom: stepped(Tensor(a!)[] params, Tensor[] grads, float lr) -> ()\n"
        "scale(Tensor x, float c)",
    },
    "custom names": {
        "kernel": "custom",
        "op": "named",
        "signature": "Tensor index: int64[count], Tensor mean: [row, size], Tensor scale: [row], Tensor mask: bool[row], "
        "Tensor state: [row, size], Tensor weight: float32[size], Tensor values: [row, size], Tensor grad_input: [row, size], "
        "int kernel, int BLOCK_SIZE_M, int numel, float threads, int end -> Tensor out: [row, size]",
        "more_ops": "custom: attended_grad(Tensor(a!) grad_query: [N, I], Tensor(b!)? grad_out: [N, I], Tensor query: [N, I], "
        "Tensor out: [N, I], int J) -> ()",
    },
    "custom quotients": {
        "kernel": "custom",
        "op": "quant_llm_linear",
        "signature": "Tensor _in_feats: float16[B, I], Tensor _weights: uint8[O, I * (1 + EXPONENT + MANTISSA) // 8], "
        "Tensor _scales: float16[O], int EXPONENT, int MANTISSA, int splitK -> Tensor: float16[B, O]",
        "more_ops": "custom: grouped(Tensor input: [N, C, H, W], Tensor weight: [O, C // groups, kh, kw], int groups) "
        "-> Tensor: [N, O, H, W]\n"
        "custom: unpack(Tensor packed: uint8[R, P], Tensor scales: [R, (P*2+group_size-1)//group_size], int group_size) "
        "-> Tensor: [R, P*2]\n"
        "custom: shared(Tensor x: [N], Tensor? late: [(N + 1) // k], Tensor early: [M // k, D], Tensor y: [M, (N + 1) // k], "
        "int k=1) -> Tensor: [(N + 1) // k, M // k]",
    },
    "rows to anything": {
        "kernel": "rowwise",
        "op": "cross_entropy",
        "signature": "Tensor logits: [..., N], Tensor target: int64[...], float smoothing=0, int ignored=-100 "
        "-> (Tensor loss: float32[...], Tensor lse: float32[...])",
        "more_ops": "rowwise: add_norm(Tensor(a!) x: [..., N], Tensor(b!) residual: [..., N], Tensor? weight: [N]=None, "
        "float eps=1e-6) -> ()\n"
        "rowwise: quantize(Tensor x: [..., N], float limit=448) -> (Tensor q: float8_e4m3fn[..., N], Tensor scale: float32[...])\n"
        "rowwise: rmsnorm(Tensor x, Tensor weight, float eps=1e-6)",
    },
    "names of rows": {
        "kernel": "rowwise",
        "op": "named",
        "signature": "Tensor? largest: float32[rows], Tensor column: [rows, state], Tensor row: int32[rows], "
        "Tensor(a!) T: uint8[rows, state], Tensor? other: [state]=None, *, int start=0, bool? size=None "
        "-> (Tensor scaled: [rows, state], Tensor values: bool[rows, state])",
    },
    "free text": {
        "description": """It's "quoted", 100 % \\ {{ braces }} {% raw %} # hash: é 🚀""",
        "author": "O'Neill & Søn <a@b.c>",
        "license": "Apache-2.0",
        "repository": "https://git.example.com:8443/kernels/my-ops_2.0",
    },
}

# One operator of each kernel but elementwise, the default, and custom.
OTHER_KERNELS = """\
rowwise: rmsnorm(Tensor x, Tensor weight, float eps=1e-6)
matmul: linear(Tensor a, Tensor b, Tensor bias, float scale)
image: gray(Tensor image)
volume: normalize(Tensor volume, float? low=None, float? high=None)
"""

TWO = "gate(Tensor x, Tensor y, float alpha, bool flip)"
FIVE = f"""
{TWO}

elementwise: relu_like(Tensor x)
  scale2 ( Tensor a,float b )
scale10(Tensor first, int b)
"""


def every_operator() -> str:
    """Return, for `more_ops`, the operators of all cases, each name once."""
    found = {}
    for answers in CASES.values():
        if {"kernel", "signature"} <= answers.keys():
            taken, arrow, returned = answers["signature"].partition(" -> ")
            line = f"{answers['kernel']}: {answers['op']}({taken}){arrow}{returned}"
            found.setdefault(answers["op"], line)
        for line in answers.get("more_ops", "").splitlines():
            found.setdefault(re.search(r"(\w+)\(", line)[1], line)
    return "\n".join(found.values())
