"""Wrong kernels: each is a right kernel with one fault, made by a rule or by hand.

All faults of a project are compiled into one library, behind a number that is 0 in a right kernel. What follows in
Python what a kernel does, such as a cache of results, is put around the operator in the process that tests it.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# Beside the operators of the other tables, those that an older release's tests did not fail: their signature, what a
# thread computes, their reference, and what their author edits besides.
MORE = {
    "unpack": (
        "(Tensor packed: uint8[R, P], Tensor scales: [R, (P * 2 + group - 1) // group], int group) -> Tensor: [R, P * 2]",
        """
  const int64_t r = i / (P * 2);
  const int64_t c = i % (P * 2);
  const int byte = packed[r * P + c / 2];
  const int value = c % 2 ? byte >> 4 : byte & 15;
  out[i] = static_cast<scalar_t>(value - 8) * scales[r * ((P * 2 + group - 1) / group) + c / group];
""",
        """
    values = torch.stack([packed & 15, packed >> 4], -1).flatten(1).to(scales.dtype) - 8
    columns = torch.arange(values.shape[1], device=packed.device) // group
    return values * scales[:, columns]
""",
        (),
    ),
    "summed": (
        "(Tensor x: [B, L], Tensor states: [B, S], Tensor? skip: [B]=None, float gain=1.0) -> Tensor: [B, L]",
        """
  const int64_t b = i / L;
  scalar_t sum = 0;
  for (int64_t s = 0; s < S; ++s) sum += states[b * S + s];
  if (skip != nullptr) sum += skip[b];
  out[i] = static_cast<scalar_t>(gain) * sum * x[i];
""",
        """
    sums = states.sum(1, keepdim=True)
    if skip is not None:
        sums = sums + skip[:, None]
    return gain * sums * x
""",
        (),
    ),
    "counted": (
        "(Tensor weight: [N], Tensor index: int64[N], int bins) -> Tensor: [bins]",
        """
  atomic_add(out + index[i], weight[i]);
""",
        """
    return weight.new_zeros(bins).index_add(0, index, weight)
""",
        (
            ("check.result(", "check.zeros("),
            ("num_threads = out.numel();", "num_threads = weight.numel();"),
        ),
    ),
}

# What no rule makes: by operator and name, text of the right kernel, and what is there instead.
BY_HAND = {
    "unpack": {
        "the high bits of a nibble are dropped": (">> 4", ">> 4 & 1"),
        "the low nibble has a bit": ("& 15", "& 1"),
        "the last column has the low nibble": ("c % 2 ?", "c % 2 && c < P * 2 - 1 ?"),
        "columns beyond a block are not written": ("out[i] =", "if (c < 256) out[i] ="),
    },
    "summed": {
        "a row of x is read for all": ("x[i]", "x[i % L]"),
        "without states, one is read": (
            "sum = 0;\n  for (int64_t s = 0;",
            "sum = states[b * S];\n  for (int64_t s = 1;",
        ),
    },
    "gather_rows": {"columns beyond a warp are not read": ("+ d]", "+ (d < 32 ? d : 0)]")},
    "gather_from_lists": {"the third list is not seen": ("table[n]]", "table[n] % 2]")},
    "stencil": {
        "the filter is turned": ("(c * 3 + dh) * 3 + dw", "(c * 3 + dw) * 3 + dh"),
        "the batch is forgotten": ("(n * C + c)", "c"),
    },
    "max_pool": {
        "the stride is ignored": ("(h * stride + dh)", "(h + dh)"),
        "negative values are dropped": ("most = image[h * stride * W + w * stride]", "most = 0"),
    },
    "token_loss": {
        "smoothing is ignored": (" - share * total / static_cast<scalar_t>(C)", ""),
        "ignored targets count": ("target[i] != ignored", "true"),
    },
    "rotary": {
        "only the first head is turned": ("head[d] =", "if (i / half % H == 0) head[d] ="),
        "positions are the rows": ("cache[positions[row] * D + d]", "cache[row % P * D + d]"),
    },
    "histogram": {"the lower end is ignored": ("x[i] - low", "x[i]")},
}


# Faults that no test fails, by a pattern of OPERATOR: KIND: NAME, with the reason. A fault that no arguments can show is
# not a wrong kernel, and the share leaves it out.
EQUIVALENT = {
    r"farthest_points: neighbour: thread: chosen\[k\] is the first$": "a later line writes that element again",
    r"(farthest_points: bound: .*square <|token_loss: bound: .*most = row|max_pool: bound: .*most = value)": (
        "equal values give the same minimum or maximum"
    ),
    r"descend: tail: thread: k < params_count": "a list has at most 64 tensors",
    r"suppress\w*: bound: thread: the first j": "the first box is always kept and written",
    r"suppress\w*: race": "one thread computes the result",
    r"suppress\w*: tail: of num_threads": "the operator has one thread",
    r"suppress\w*: \w+, on a GPU: (suppress\w*_kernel: (if \(i <|i is 0)|a grid)": "the operator has one thread",
    r"vector_add: neighbour, on a GPU: .*_backward_kernel: [ab]_values": "the gradient does not read its arguments",
    r"farthest_points: bound, on a GPU: .*farthest\[t\]\) \{: <=": "equal numbers are the same point",
    r"farthest_points: neighbour, on a GPU: .*: farthest\[t\] is the (first|one before)$": "a thread without points is never the farthest",
    r"(descend|deform_conv): bound, on a GPU: .*num_threads: <=": "the thread compares with the sizes itself",
    r"scatter_add: gradient .*\bindex\b": "an integer has no gradient",
    r"cross_entropy: argument: add": "`add` passes the number on and does not read it",
    r"(cross_entropy_grad: bound: finish|argmax: bound: merge: .*at;)": "no result depends on it",
    r"softmax: unwritten: finish: row.most": "the compiler may choose any value here, and chooses the right one",
    r"layer_norm: float32: \w+: count": "float32 has each number of columns exactly",
    r"muladd: argument: c is passed on as . #2": "the gradient does not read `c`",
    r"vector_add: layout: strides of b .* #2": "the gradient does not read `b`",
    r"layer_norm: (layout|argument): .*\bbias\b.* #2": "the gradient does not read `bias`",
    r"row_sum: layout: strides of x .* #2": "the gradient does not read `x`",
    r"linear_\w+: layout: strides of (x|weight)": "on the CPU, PyTorch's own product takes any strides",
    r"window_and_level: bound": "equal values give the same bound",
    r"sort_rows: bound: .*width <": "equal values give the same minimum",
    r"split_at: gradient .*\bx\b": "no result has a gradient for `x`, which is only compared",
    r"nearest_neighbours: bound: .*!taken": "`ties=False`: the author accepts any of two equal distances",
}
LIVES = {
    r"beyond (16|256) are left out": "only several sizes that grow together show it, and larger tensors",
    r"(out\[i\] beyond 1000|of more than 4096 elements)": "no size of `make_args` gives a result of this length",
    r": race(, on a GPU)?: ": "threads have to collide, which is chance",
    r": atomic: ": "threads have to collide, which is chance",
    r"suppress\w*: bound: .*<= static_cast": "two boxes would have to overlap by exactly the limit",
    r"histogram: bound: .*share < 1": "an element would have to be the upper end exactly",
    r"scatter_add: bound": "the samples have no index out of bounds: the reference refuses it",
    r"max_pool: gradient missing: the last gradient": "the last element is rarely a maximum",
    r"quantize.*: rint\(": "the author accepts a difference of one unit of int8",
    r"quantize.*: bound: finish": "a row of zeros gives NaN, which this CPU converts to 0",
    r"(cross_entropy|norm_quantize): float32": "the result is float32, too",
    r"rms_weighted: float32": "the operator has no kernel for double",
    r"farthest_points: float32": "the results are indices, which rounding rarely changes",
    r"layer_norm: float16: \w+: count": "float16 has the numbers of columns that CPU tests draw, in parts",
    r"row_max: arithmetic: merge: .*count": "two equal maxima would have to be in different parts of a row",
    r"signed_by_greatest: .*fabs\(high": "the author's `make_args` has the lower bound first",
    r"(relu_like|clamp_to|linear_relu): bound: backward": "an element would have to be the bound exactly",
    r"sort_rows: arithmetic: .*before": "on a CPU, one thread runs after another and needs no memory of its own",
    r"pairs_within: float16: .*place": "float16 has each number of pairs of a test exactly",
    r"pairs_within: float": "distances are only compared with a radius, which rounding rarely changes",
    r"best_of: gradient missing: the last gradient": "the last element is rarely a maximum",
    r"dequantize_blockwise: gradient missing: the last": "the last element is rarely the one that a byte or a block has",
    r"rows_above: argument": "the author's `make_args` has 0, and 0.5 * 0 was the other value",
}


def reason(table: dict[str, str], op: str, kind: str, name: str) -> str:
    text = f"{op}: {kind}: {name}"
    return next((why for pattern, why in table.items() if re.search(pattern, text)), "")


def lives(op: str, kind: str, name: str) -> str:
    """Return why no test fails a fault, or nothing."""
    return reason(EQUIVALENT, op, kind, name) or reason(LIVES, op, kind, name)


class Mutant(NamedTuple):
    """A fault: in a source, where `number` chooses it, or around the operator."""

    op: str
    kind: str  # of the faults that the table counts apart
    name: str
    number: int = 0
    wrapper: tuple[str, int] | None = (
        None  # a function of `AROUND`, and the position of an argument
    )


# ---- Texts of C++


def matching(text: str, start: int) -> int:
    """Return where the bracket that opens at `start` closes."""
    pairs, depth = {"(": ")", "[": "]", "{": "}"}, 0
    opening, closing = text[start], pairs[text[start]]
    for at in range(start, len(text)):
        depth += (text[at] == opening) - (text[at] == closing)
        if depth == 0:
            return at
    raise ValueError(text[start : start + 60])


def functions(header: str) -> Iterator[tuple[str, int, int]]:
    """Return the name of each function of a header, and where its body begins and ends."""
    for found in re.finditer(r"HOST_DEVICE (?:void|int\w*|T|\w+_t) (\w+)\(", header):
        end = matching(header, found.end() - 1)
        brace = header.index("{", end)
        if header[end + 1 : brace].strip() in ("", "const"):
            yield found[1], brace + 1, matching(header, brace)


def replaced(text: str, start: int, end: int, new: str) -> str:
    return text[:start] + new + text[end:]


def near(text: str, start: int, end: int) -> str:
    """Return a part of a line with what is beside it."""
    before, after = text[:start].rpartition("\n")[2].strip(), text[end:].partition("\n")[0].strip()
    return f"{before[-16:]} {text[start:end].strip()} {after[:16]}".strip()


KERNEL = re.compile(r"__global__ void (?:__launch_bounds__\([^)]*\)\s*)?[^(]*?(\w+)\(")
FOR = re.compile(r"for \((?:const )?\w+ (\w+) = ([^;]+); ([^;]*?)\b\1 < ([^;]+);")
LOCAL = re.compile(r"^  const (?:int64_t|int) (\w+) = ([^;]+);", re.MULTILINE)
ACCUMULATED = re.compile(r"^( *)(\w+) \+= ([^;]+);", re.MULTILINE)
INDEX = re.compile(r"\b([a-z]\w*)\[")
OPERATOR = re.compile(r"(?<=[\w)\]]) ([-+*/]) (?=[\w(!*-])")
FUNCTIONS = {
    "fmax": "fmin",
    "fmin": "fmax",
    "floor": "ceil",
    "fabs": "",
    "rint": "floor",
    "rsqrt": "sqrt",
    "tanh": "sin",
    "erf": "tanh",
    "log": "log1p",
}
SWAPPED = {"+": "-", "-": "+", "*": "/", "/": "*"}


def of_bounds(body: str) -> Iterator[tuple[str, str, str]]:
    for found in FOR.finditer(body):
        name, bound = found[1], found[4]
        span = found.span(4)
        yield (
            "bound",
            f"the last {name} < {bound} is left out",
            replaced(body, *span, f"{bound} - 1"),
        )
        if found[2].strip() == "0":
            yield (
                "bound",
                f"the first {name} is left out",
                replaced(body, *found.span(2), "1"),
            )
        if not bound.strip().isdigit() and bound != "tile.kSize":  # which is at most 16
            for most, of in ((16, "bound"), (256, "tail")):
                text = f"{bound} && {name} < {most}"
                yield (
                    of,
                    f"{name} < {bound} beyond {most} are left out",
                    replaced(body, *span, text),
                )
    heads = [found.span() for found in re.finditer(r"for \(.*?\) *[{\w]|template <.*?>", body)]
    for found in re.finditer(r" (<|>|<=|>=) (?=[\w(-])", body):
        if any(a <= found.start() < b for a, b in heads):
            continue
        sign = found[1]
        other = sign[0] if len(sign) == 2 else f"{sign}="
        yield (
            "bound",
            f"{near(body, *found.span(1))}: {other}",
            replaced(body, *found.span(1), other),
        )
    for found in re.finditer(r" (\|\||&&) [^|&;?()]+(?=[|&)?;]| \|\|| &&)", body):
        if not any(a <= found.start() < b for a, b in heads):
            yield "bound", f"no{found[0]}", replaced(body, *found.span(), "")
    for found in re.finditer(r"(?<=\()[^|&;?()]+ (\|\||&&) ", body):
        yield "bound", f"no {found[0]}", replaced(body, *found.span(), "")


def of_indices(body: str) -> Iterator[tuple[str, str, str]]:
    for found in INDEX.finditer(body):
        start, end = found.end(), matching(body, found.end() - 1)
        inner = body[start:end]
        if not inner.strip() or inner.strip().isdigit() or body[: found.start()].endswith("* "):
            continue
        if re.fullmatch(r"(?:\w+(?:\.|::))*k[A-Z]\w*", inner):  # the length of an array
            continue
        what = f"{found[1]}[{inner}]"
        yield (
            "neighbour",
            f"{what} is the one before",
            replaced(body, start, end, f"({inner}) > 0 ? ({inner}) - 1 : 0"),
        )
        yield "neighbour", f"{what} is the first", replaced(body, start, end, "0")
        for term in re.finditer(r"[\w.]+(?: \* [\w.]+)+ \+ ", inner):
            new = inner[: term.start()] + inner[term.end() :]
            yield "batch", f"{what} without {term[0].rstrip(' +')}", replaced(body, start, end, new)
    for found in LOCAL.finditer(body):
        yield "batch", f"{found[1]} is 0", replaced(body, *found.span(2), "0")


def of_arithmetic(body: str) -> Iterator[tuple[str, str, str]]:
    inside = []
    for found in INDEX.finditer(body):
        inside.append((found.end(), matching(body, found.end() - 1)))
    inside += [found.span() for found in re.finditer(r"for \([^;]*;[^;]*;[^)]*\)", body)]
    inside += [found.span() for found in LOCAL.finditer(body)]
    inside += [
        found.span() for found in re.finditer(r"const (?:scalar_t|int64_t|T)\* const [^;]+;", body)
    ]
    inside += [
        found.span()
        for found in re.finditer(r"(?:scalar_t|int64_t|T|value_t)\* const [^;]+;", body)
    ]
    for found in OPERATOR.finditer(body):
        if any(a <= found.start() < b for a, b in inside):
            continue
        before, after = body[: found.start()].split("\n")[-1].strip(), body[found.end() :]
        what = f"{before[-16:]} {found[1]} {after[:12]}".replace("\n", " ").strip()
        new = SWAPPED[found[1]]
        yield "arithmetic", f"{what}: {new}", replaced(body, *found.span(1), new)
    for found in re.finditer(r"\b(\w+)\((?=[^;]*\))", body):
        if found[1] in FUNCTIONS:
            new = FUNCTIONS[found[1]]
            what = f"{body[found.start() : found.end() + 14]}: {new or 'no ' + found[1]}"
            yield "arithmetic", what.replace("\n", " "), replaced(body, *found.span(1), new)
    for found in re.finditer(r"\b\d+\.\d+\b", body):
        yield (
            "arithmetic",
            f"{found[0]} times 1.01",
            replaced(body, *found.span(), f"{found[0]} * 1.01"),
        )


RESULT = re.compile(r"^( *)(\*?[a-z]\w*(?:\.\w+|\[[^;=]*\])?) = ([^;=][^;]*);", re.MULTILINE)


def of_results(body: str, columns: bool) -> Iterator[tuple[str, str, str]]:
    for found in RESULT.finditer(body):
        start = found.end(1)
        yield "unwritten", f"{found[2]} is not written", replaced(body, start, found.end(), ";")
        if re.search(r"\bi\b", found[2]):
            for text, kind, what in (
                ("if (i < 256) ", "tail", "beyond a block"),
                ("if (i % 32 != 31) ", "tail", "of a warp's last thread"),
                ("if (i < 1000) ", "tail", "beyond 1000"),
            ):
                yield kind, f"{found[2]} {what} is not written", replaced(body, start, start, text)
    for found in re.finditer(r"^( *)(atomic_add\([^;]*\));", body, re.MULTILINE):
        yield "unwritten", f"no {found[2]}", replaced(body, *found.span(2), "")
        yield (
            "tail",
            f"{found[2]} beyond a block",
            replaced(body, *found.span(2), f"if (i < 256) {found[2]}"),
        )
        to, _, value = found[2].removeprefix("atomic_add(").removesuffix(")").rpartition(", ")
        yield (
            "atomic",
            f"no atomic: {found[2]}",
            replaced(body, *found.span(2), f"*({to}) += {value}"),
        )
    for found in ACCUMULATED.finditer(body):
        yield "unwritten", f"no {found[0].strip()}", replaced(body, found.end(1), found.end(), ";")
        for lower, kind in (("c10::Half", "float16"), ("float", "float32")):
            text = f"{{ {found[0].strip()} my_mutants::round_to<{lower}>({found[2]}); }}"
            yield (
                kind,
                f"{found[2]} is summed in {kind}",
                replaced(body, found.end(1), found.end(), text),
            )
    if columns and body.strip():
        for most in (1, 32, 1024):
            yield (
                "tail",
                f"columns from {most} on are not added",
                f"if (column < {most}) {{{body}}}",
            )


def of_races(body: str) -> Iterator[tuple[str, str, str]]:
    for found in re.finditer(
        r"^  (scalar_t|value_t|int64_t) (\w+) = ([^;,]+);", body, re.MULTILINE
    ):
        text = f"  static {found[1]} {found[2]}; {found[2]} = {found[3]};"
        yield "race", f"threads share {found[2]}", replaced(body, *found.span(), text)


# By the start of a type in a signature: what an ignored argument is instead.
def of_arguments(
    body: str, signature: dict[str, str], sample: dict[str, object]
) -> Iterator[tuple[str, str, str]]:
    for name, kind in signature.items():
        pattern = rf"(?<![\w.]){name}\b(?!\()"
        if not re.search(pattern, body):
            continue
        if kind.startswith(("int", "SymInt", "float", "size")):
            values = [1] if kind == "float" else []
            if sample.get(name) is not None and sample[name] not in values:
                values.append(sample[name])
            for value in values:
                text = f"({value})" if not kind.startswith("float") else f"({float(value)!r})"
                yield "argument", f"{name} is always {value}", re.sub(pattern, text, body)
        elif kind.startswith("bool"):
            for value in ("true", "false"):
                yield "argument", f"{name} is always {value}", re.sub(pattern, value, body)
        elif kind.startswith("Tensor?"):
            for old in (
                rf"(?<![\w.])\(?{name} (?:!= nullptr )?\?",
                rf"if \({name}(?: != nullptr)?\)",
            ):
                for found in re.finditer(old, body):
                    new = (
                        "if (false)"
                        if found[0].startswith("if")
                        else "(false ?"
                        if found[0][0] == "("
                        else "false ?"
                    )
                    yield (
                        "argument",
                        f"{name} is taken as absent, {near(body, *found.span())}",
                        replaced(body, *found.span(), new),
                    )
                    new = new.replace("false", "true")
                    yield (
                        "argument",
                        f"{name} is taken as given, {near(body, *found.span())}",
                        replaced(body, *found.span(), new),
                    )
        if "int64" in kind or "uint8" in kind:
            for found in re.finditer(rf"\b{name}\[", body):
                end = matching(body, found.end() - 1)
                mask = 127 if "uint8" in kind else 1
                text = f"({body[found.start() : end + 1]} & {mask})"
                yield (
                    "upper half",
                    f"{name} has only the bits of {mask}",
                    replaced(body, found.start(), end + 1, text),
                )


def mutated(
    body: str, signature: dict[str, str], sample: dict[str, object], columns: bool
) -> Iterator[tuple[str, str, str]]:
    """Return kind, name and text of each wrong body of a function."""
    yield from of_bounds(body)
    yield from of_indices(body)
    yield from of_arithmetic(body)
    yield from of_results(body, columns)
    yield from of_races(body)
    yield from of_arguments(body, signature, sample)


# ---- Facts of an operator


def split(text: str) -> list[str]:
    """Split at commas that are in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts if part.strip()]


def arguments_of(signature: str) -> dict[str, str]:
    """Return the type of each argument of a signature, with what is said of it behind a colon."""
    text = signature.strip()
    if text.startswith("("):
        text = text[1 : matching(text, 0)]
    found = {}
    for part in split(text):
        head, _, notes = part.partition(":")
        words = head.split("=")[0].split()
        if len(words) == 2:
            found[words[1]] = words[0] + (f": {notes.split('=')[0].strip()}" if notes else "")
    return found


def sample_of(test: str, names: list[str]) -> dict[str, object]:
    """Return what make_args of a test gives for sizes and numbers."""
    tree = ast.parse(test)
    (made,) = (x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == "make_args")
    count = len(made.args.defaults)
    found = {}
    for argument, value in zip(made.args.args[-count:], made.args.defaults):
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            found[argument.arg] = value.value
    returned = made.body[-1].value
    for name, value in zip(names, getattr(returned, "elts", [])):
        if isinstance(value, ast.Constant) and type(value.value) in (int, float):
            found[name] = value.value
    return found


# ---- A project with all its faults

MUTANT_H = """\
#pragma once
// As in kit/cuda_types.cuh, which is included later.
#undef __CUDA_NO_HALF_CONVERSIONS__
#undef __CUDA_NO_BFLOAT16_CONVERSIONS__
#include <c10/util/Half.h>
#include <type_traits>

// The number of the fault, 0 in a right kernel. A source for a GPU has a copy in the memory of the GPU.
extern "C" __attribute__((visibility("default"))) int my_mutant;
namespace my_mutants {
struct Copy {
  void (*set)(int);
  Copy* next;
};
extern Copy* copies;
#ifdef __CUDACC__
#define MY_MUTANT_BOTH __host__ __device__
static __device__ int on_gpu = 0;
static Copy copy{[](int number) { cudaMemcpyToSymbol(on_gpu, &number, sizeof number); }, nullptr};
[[maybe_unused]] static const bool added = (copy.next = copies, copies = &copy, true);
#else
#define MY_MUTANT_BOTH
#endif
MY_MUTANT_BOTH inline int chosen() {
#ifdef __CUDA_ARCH__
  return on_gpu;
#else
  return my_mutant;
#endif
}
template <typename lower, typename T>
MY_MUTANT_BOTH inline void round_to(T& x) {
  if constexpr (std::is_floating_point_v<T>) x = static_cast<T>(static_cast<float>(lower(static_cast<float>(x))));
}
}  // namespace my_mutants
"""
MUTANT_CPP = """
#include "my_mutant.h"
int my_mutant = 0;
my_mutants::Copy* my_mutants::copies = nullptr;
extern "C" __attribute__((visibility("default"))) void my_mutant_choose(int number) {
  my_mutant = number;
  for (auto* copy = my_mutants::copies; copy; copy = copy->next) copy->set(number);
}
"""


class Writer:
    """Puts faults into the sources of one project, and keeps the list of them."""

    def __init__(self, project: Path, gpu: bool = False):
        self.package, self.tests, self.gpu = project / "my_ops", project / "tests", gpu
        self.found: list[Mutant] = []
        self.number = 0
        (self.package / "csrc" / "my_mutant.h").write_text(MUTANT_H)
        bindings = self.package / "csrc" / "bindings.cpp"
        bindings.write_text(bindings.read_text() + MUTANT_CPP)

    def add(self, op: str, kind: str, name: str) -> int:
        """Return the number of a new fault in a source."""
        self.number += 1
        number_of = 1 + sum(
            x[:2] == (op, kind) and x.name.partition(" #")[0] == name for x in self.found
        )
        name += f" #{number_of}" if number_of > 1 else ""
        self.found.append(Mutant(op, kind, name, self.number))
        return self.number

    def operator(self, op: str, signature: str) -> None:
        """Add the faults of an operator."""
        arguments = arguments_of(signature)
        sample = sample_of((self.tests / f"test_{op}.py").read_text(), list(arguments))
        folder = self.package / "csrc" / op
        read = self.header(op, folder / f"{op}.h", arguments, sample)
        scratch = re.findall(r"Tensor (\w+):", signature.partition(" using ")[2])
        self.tensors(op, folder / f"{op}.cpp", arguments, read, scratch)
        if self.gpu and (folder / f"{op}_cuda.cu").exists():
            self.kernels(op, folder / f"{op}_cuda.cu")
        self.around(op, arguments)

    def header(self, op: str, path: Path, arguments: dict[str, str], sample: dict) -> set[str]:
        """Add the faults of the math, and return the names that it reads."""
        text, read = path.read_text(), set()
        for function, start, end in reversed(list(functions(text))):
            # A loop over neighbours, which only the kernel for a GPU calls.
            if "kCount" in text[:start].rpartition("HOST_DEVICE")[2]:
                continue
            body = re.sub(r"//[^\n]*", "", text[start:end])
            head = ""
            if found := re.match(r"\s*const auto&?\s+\[(.*?)\]\s*=\s*args;", body, re.DOTALL):
                head, body = body[: found.end()], body[found.end() :]
                sizes = [name.strip() for name in found[1].split(",")]
                of_sizes = {
                    name: "size" for name in sizes if name in sample and name not in arguments
                }
            else:
                of_sizes = {}
            read |= set(re.findall(r"\w+", body))
            short = function.removeprefix(f"{op}_")
            # The function that reads neighbours calls the one that reads an element.
            columns = function == "add" and "column" in text[:start].rpartition("add(")[2]
            cases, seen = "", {" ".join(body.split())}
            found = [*mutated(body, arguments | of_sizes, sample, columns)]
            for name, (old, new) in BY_HAND.get(op, {}).items():
                if old in body:
                    found.append(("by hand", name, body.replace(old, new, 1)))
            for kind, name, wrong in found:
                once = " ".join(wrong.split())
                if once in seen or not wrong.strip():
                    continue
                seen.add(once)
                if number := self.add(op, kind, f"{short}: {' '.join(name.split())}"):
                    cases += f"    case {number}: {{\n{wrong}\n      return;\n    }}\n"
            if cases:
                switch = f"\n  switch (my_mutants::chosen()) {{\n{cases}  }}\n"
                text = text[:start] + head + switch + body + text[end:]
        include = '#include "../my_mutant.h"\n#include "'
        path.write_text(text.replace('#include "', include, 1))
        return read

    def tensors(
        self, op: str, path: Path, arguments: dict[str, str], read: set[str], scratch: list[str]
    ) -> None:
        """Add the faults of the function that takes tensors."""

        def line(found: re.Match) -> str:
            text = found[0]
            number = self.add(op, "layout", f"strides of {found[2]} are ignored by {found['by']}")
            return f"{found[1]}if (my_mutant != {number}) {text.strip()}" if number else text

        def count(found: re.Match) -> str:
            last = self.add(op, "tail", f"the last of {found[2]} is left out")
            block = self.add(op, "tail", f"of {found[2]}, more than whole blocks are left out")
            value = found[3]
            if last:
                value = f"({value}) - (my_mutant == {last} && ({value}) > 0)"
            if block:
                value = f"my_mutant == {block} && ({found[3]}) > 256 ? ({found[3]}) / 256 * 256 : {value}"
            return f"{found[1]}const int64_t {found[2]} = {value};"

        def zeros(found: re.Match) -> str:
            number = self.add(op, "unwritten", f"{found[1]} is not zeroed")
            given = found[2]
            return f"Tensor {found[1]} = my_mutant == {number} ? check.result({given}) : check.zeros({given});"

        def late(found: re.Match) -> str:
            names = [x for x in re.findall(r"Tensor (\w+) = check\.", text) if x not in scratch]
            lines = ""
            for name in names:
                if number := self.add(op, "zeroed late", f"{name} is zeroed after the kernel ran"):
                    lines += f"  if (my_mutant == {number}) {name}.zero_();\n"
            return found[0] + lines

        def given(found: re.Match) -> str:
            name, kind = found[2], arguments.get(found[2], "")
            lines = ""
            if kind.startswith("Tensor?") and "data<" in found[3]:
                if number := self.add(op, "argument", f"{name} is never passed on"):
                    lines = f" if (my_mutant == {number}) {found[1]}.{name} = nullptr;"
            elif kind in ("float", "int", "SymInt") and found[3] == name and name in read:
                for value in (0, 1):
                    if number := self.add(op, "argument", f"{name} is passed on as {value}"):
                        lines += f" if (my_mutant == {number}) {found[1]}.{name} = {value};"
            return found[0] + lines

        text = path.read_text()
        text = re.sub(
            r"^( +)(?:if \(\w+\) )?(\w+) = (?P<by>as_contiguous|as_dense|in_layout_of|as_pixels|as_factor)\([^;]*\);",
            line,
            text,
            flags=re.MULTILINE,
        )
        text = re.sub(
            r"^( +)const int64_t (num_threads|numel|num_rows|count|rows|columns|size) = ([^;]+);",
            count,
            text,
            flags=re.MULTILINE,
        )
        text = re.sub(r"Tensor (\w+) = check\.zeros\(([^;]*)\);", zeros, text)
        text = re.sub(r"^    runner\.run\(args[^;]*;\n  \}\);\n", late, text, flags=re.MULTILINE)
        text = re.sub(r"(args|kernel)\.(\w+) = ([^;]+);", given, text)
        text = text.replace('#include "', '#include "../my_mutant.h"\n#include "', 1)
        path.write_text(text)

    def kernels(self, op: str, path: Path) -> None:
        """Add the faults of what only a GPU runs: kernels, and their launch.

        Each fault is another body of its kernel. The kernels of rows have no faults: nvcc did not compile one of them
        with eight faults in nine minutes.
        """
        text = path.read_text()
        if re.search(r'#include ".*/(rows?|float8)\.cuh"', text):
            return
        for found in reversed(list(KERNEL.finditer(text))):
            brace = text.index("{", matching(text, found.end() - 1))
            start, end = brace + 1, matching(text, brace)
            body = re.sub(r"//[^\n]*", "", text[start:end])
            # Memory that the threads of a block share is there once.
            shared = "".join(re.findall(r"^ *__shared__ [^;]+;\n", body, re.MULTILINE))
            body = re.sub(r"^ *__shared__ [^;]+;\n", "", body, flags=re.MULTILINE)
            wrong = [*of_bounds(body), *of_indices(body), *of_results(body, False)]
            for barrier in re.finditer(r"^ *(?:__sync\w+\(|\w+\.sync\()[^;]*;", body, re.MULTILINE):
                name = f"no {barrier[0].strip()}"
                wrong.append(("race", name, replaced(body, *barrier.span(), ";")))
            cases, seen = "", {" ".join(body.split())}
            for kind, name, other in wrong:
                once = " ".join(other.split())
                if once not in seen:
                    seen.add(once)
                    number = self.add(
                        op, f"{kind}, on a GPU", f"{found[1]}: {' '.join(name.split())}"
                    )
                    cases += f"    case {number}: {{\n{other}\n      return;\n    }}\n"
            switch = (
                f"\n{shared}  switch (my_mutants::chosen()) {{\n{cases}  }}\n" if cases else shared
            )
            text = text[:start] + switch + body + text[end:]

        def grid(found: re.Match) -> str:
            number = self.add(op, "tail, on a GPU", f"a grid of {found[1]} without a last block")
            return f"my_mutant == {number} ? std::max<int64_t>(1, ({found[1]}) / block) : ({found[1]} + block - 1) / block"

        def launch(found: re.Match) -> str:
            number = self.add(op, "stream, on a GPU", "it runs on the default stream")
            return f"my_mutant == {number} ? cudaStream_t() : stream>>>"

        text = re.sub(r"\((\w+) \+ block - 1\) / block", grid, text)
        text = re.sub(r"\bstream>>>", launch, text)
        text = text.replace(
            '#include "', '#include <algorithm>\n#include "../my_mutant.h"\n#include "', 1
        )
        path.write_text(text)

    def around(self, op: str, arguments: dict[str, str]) -> None:
        """Add the faults that are put around the operator in Python."""

        def add(kind: str, name: str, function: str, at: int = -1) -> None:
            self.found.append(Mutant(op, kind, name, 0, (function, at)))

        module = (self.package / "ops" / f"{op}.py").read_text()
        tensors = {n: i for i, (n, t) in enumerate(arguments.items()) if t.startswith("Tensor")}
        written = {n for n, t in arguments.items() if "!" in t}
        integer = {n for n, t in arguments.items() if re.search(r": *u?int\d+|: *bool", t)}
        if not written:
            add("stale cache", "results are kept by the address of tensors", "by_address")
            add("stale cache", "results are kept by the shape of tensors", "by_shape")
            add(
                "tail",
                "of more than 4096 elements of a result, parts of a block are lost",
                "tail_of_block",
            )
        for name, i in tensors.items():
            if name not in written:
                add("input written", f"it writes to {name}", "write", i)
        if "torch.autograd.Function" not in module:
            return
        smooth = [n for n in tensors if n not in written | integer and "[]" not in arguments[n]]
        for name in smooth:
            at = tensors[name]
            add("gradient scaled", f"the gradient of {name} is doubled", "doubled", at)
            add("gradient missing", f"{name} has no gradient", "missing", at)
            add("gradient missing", f"the last gradient of {name} is 0", "without_last", at)
            add("gradient float16", f"the gradient of {name} is rounded to float16", "rounded", at)
        for one, other in itertools.pairwise(smooth):
            add(
                "gradient swapped",
                f"the gradients of {one} and {other} are swapped",
                "swapped",
                tensors[one] * 100 + tensors[other],
            )
        if smooth:
            add("gradient scaled", "the gradient of the result is taken as 1", "of_ones")
            add("stale cache", "the first gradients are returned for ever", "stale_gradient")


# ---- Faults around an operator, in the process that tests it


def around(package, op: str, wrapper: str, at: int) -> None:
    """Put a fault around an operator."""
    import functools
    import sys

    import torch

    module = sys.modules[f"{package.__name__}.ops.{op}"]
    right = getattr(package, op)
    kept: dict = {}

    def tensors(args, given):
        return [x for x in (*args, *given.values()) if isinstance(x, (torch.Tensor, list))]

    def flat(args, given):
        found = []
        for x in tensors(args, given):
            found += x if isinstance(x, list) else [x]
        return [x for x in found if isinstance(x, torch.Tensor)]

    def put(function) -> None:
        function = functools.wraps(right)(function)
        setattr(package, op, function)
        setattr(module, op, function)

    def by(key):
        def call(*args, **given):
            name = tuple(key(x) for x in flat(args, given))
            name += tuple(x for x in args if isinstance(x, (int, float, bool)))
            if any(x.requires_grad or x.is_meta for x in flat(args, given)):
                return right(*args, **given)
            if name not in kept:
                kept[name] = right(*args, **given), args
            return kept[name][0]

        return call

    def tail_of_block(*args, **given):
        returned = right(*args, **given)
        for x in returned if isinstance(returned, (tuple, list)) else [returned]:
            if isinstance(x, torch.Tensor) and x.numel() > 4096 and not x.requires_grad:
                x.view(-1)[x.numel() // 256 * 256 :] = 0 if x.is_contiguous() else x
        return returned

    def write(*args, **given):
        returned = right(*args, **given)
        values = [*args, *given.values()]
        for x in values[at] if isinstance(values[at], list) else [values[at]]:
            if isinstance(x, torch.Tensor) and x.numel() and not x.is_meta:
                last = x.data[tuple(-1 for _ in range(x.dim()))]
                last.copy_(torch.zeros_like(last) if last.any() else torch.ones_like(last))
        return returned

    if wrapper in ("by_address", "by_shape"):
        keys = {"by_address": lambda x: x.data_ptr(), "by_shape": lambda x: (x.shape, x.dtype)}
        put(by(keys[wrapper]))
        return
    if wrapper in ("tail_of_block", "write"):
        put({"tail_of_block": tail_of_block, "write": write}[wrapper])
        return
    (function,) = (
        x
        for x in vars(module).values()
        if isinstance(x, type)
        and issubclass(x, torch.autograd.Function)
        and x.__module__ == module.__name__
    )
    backward = function.backward

    def changed(change):
        def call(ctx, *grads):
            found = backward(ctx, *grads)
            found = list(found) if isinstance(found, tuple) else [found]
            if at < 100 and (at >= len(found) or found[at] is None):
                return tuple(found)
            return tuple(change(found))

        return call

    def one(change):
        return changed(lambda found: [change(x) if i == at else x for i, x in enumerate(found)])

    def without_last(x):
        flags = torch.ones(x.numel(), dtype=x.dtype, device=x.device)
        return x * torch.cat([flags[:-1], flags[:0].new_zeros(min(1, x.numel()))]).view(x.shape)

    def swap(found):
        a, b = divmod(at, 100)
        found[a], found[b] = found[b], found[a]
        return found

    def stale(ctx, *grads):
        if "first" not in kept:
            kept["first"] = backward(ctx, *grads)
        return kept["first"]

    made = {
        "doubled": lambda: one(lambda x: 2 * x),
        "missing": lambda: one(lambda x: None),
        "without_last": lambda: one(without_last),
        "rounded": lambda: one(lambda x: x.half().to(x.dtype)),
        "swapped": lambda: changed(swap),
        "of_ones": lambda: (
            lambda ctx, *grads: backward(
                ctx, *(x if x is None else torch.ones_like(x) for x in grads)
            )
        ),
        "stale_gradient": lambda: stale,
    }
    function.backward = staticmethod(made[wrapper]())
