"""Random operators, most of them with shapes and dtypes: as people write them, and as they seldom do.

`python tests/lib/random_ops.py custom 20 1` prints 20 that are accepted, drawn by the seed 1.
"""

from __future__ import annotations

import random
import re
import string
import sys
from collections.abc import Callable, Iterator
from functools import partial

from macros import module

# Names that libraries give arguments, results and sizes.
TENSORS = """x y z input other weight bias mask index indices offsets rois points query key value cache slot_mapping
block_tables seq_lens scales zeros packed target logits grad hidden residual positions gate up q k v counter found_inf
coords features boxes scores dets table labels lengths state A B_matrix dt args forward check tensors found grads
kernel ctx std py size count tile shape product""".split()
NUMBERS = """alpha beta eps scale group_size stride padding dilation num_heads block_size window top_k num_experts seed
momentum lr step threshold causal is_neox training reverse mode reduction bits n m limit bound p temperature
i num_threads device index dtype guard min max error at name op len final match numel stream begin end
total aligned rows values""".split()
RESULTS = """out output result values keep count lse loss argmax mean rstd grad_input places packed_out scale_out
max_value sorted_ids num_tokens hist lookup vjp given runner index""".split()
SIZES = "N M D H W C B K T S P Q L R E G O I J V num_tokens hidden_size num_rows ndim batch n i grid block".split()

GROUPS = "space rest batch shape dims inner outer".split()

# Each dtype of an annotation: none is the floating-point dtype of the operator.
DTYPES = ["", "", "", "", "float32", "int64", "int32", "float16", "bfloat16", "float64", "uint8"]
DTYPES += ["int8", "int16", "bool", "float8_e4m3fn", "float8_e5m2"]
SELDOM = ["float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu"]

# What an argument is besides tensors, with defaults that it can have; the first are the most frequent.
OTHERS = {
    "float": ["1", "-1e-5", "0.5"],
    "int": ["2", "1"],
    "bool": ["True", "False"],
    "float?": ["None", "0.5"],
    "int?": ["None", "3"],
    "SymInt": ["7"],
    "bool?": ["None"],
    "str": ['"mean"'],
    "str?": ["None"],
    "int[2]": ["3", "[3, 4]"],
    "int[]": ["[1, 2]"],
    "float[]": ["[0.5]"],
    "Device?": ["None"],
    "Layout?": ["None"],
    "MemoryFormat?": ["None"],
}
OF_CUSTOM = {"bool[2]": ["[True, False]"], "Generator?": ["None"]}

# The numbers of kernels that take no other arguments.
NUMBERS_ONLY = ["float", "int", "bool", "float?", "int?", "SymInt", "SymInt?", "bool?"]

# Sets of dtypes: of T, of other variables, and of an argument. And names of memory.
OF_T = ["float", "float32, float16", "float, int64", "float32", "int32, int64", "uint8, float32"]
SETS = {
    "I": "int32, int64",
    "W": "float32, bfloat16",
    "Q": "int8, uint8, float8_e4m3fn",
    "U": "float",
}
CHOSEN = ["float", "float16, float32", "float32, float64, int8", "float8_e4m3fn, bfloat16"]
SCRATCH = "room order work buffer columns tmp".split()


class Names:
    """Names that an operator has: each once, from lists of frequent ones or from a function."""

    def __init__(self, rng: random.Random, make: Callable[[], str] | None = None) -> None:
        self.rng, self.make, self.taken = rng, make, set()

    def take(self, choices: list[str]) -> str:
        free = [name for name in choices if name not in self.taken] if not self.make else []
        name = (
            self.rng.choice(free) if free else self.make() if self.make else f"x{len(self.taken)}"
        )
        if name in self.taken:
            return self.take(choices)
        self.taken.add(name)
        return name


def custom(rng: random.Random, make_name: Callable[[], str] | None = None) -> str:
    """Return a signature of the kernel custom, which may be refused."""
    names = Names(rng, make_name)
    sizes = [names.take(SIZES) for _ in range(rng.choice([1, 2, 2, 3, 3, 4, 5, 8, 12]))]
    leading = rng.random() < 0.15
    group = f"*{names.take(GROUPS)}" if rng.random() < 0.15 else ""
    dtypes = DTYPES + SELDOM * (rng.random() < 0.1)
    variables = drawn_sets(rng)
    dtypes += list(variables) * 4
    others = OTHERS | OF_CUSTOM
    numbers = [
        (rng.choice(list(others)[: rng.choice([3, 3, len(others)])]), names.take(NUMBERS))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 5]))
    ]
    chosen = []
    if rng.random() < 0.1:
        chosen = [names.take(["dtype", "out_dtype", "output_dtype", "kind"])]
        numbers.append((rng.choice(["ScalarType", "ScalarType?"]), chosen[0]))
        variables[chosen[0]] = rng.choice(CHOSEN)
    ints = [name for kind, name in numbers if kind in ("int", "SymInt")]
    for kind, name in numbers:
        elements = [f"{name}[{rng.randrange(2)}]", f"len({name})"]
        if kind in ("int[2]", "int[]", "float[]") and rng.random() < 0.4:
            ints.append(elements[kind == "float[]" or kind == "int[]" and rng.random() < 0.5])
    arguments, sets, given = [], iter(string.ascii_lowercase), []

    def shape(known: list[str], tensor: str) -> str:
        if rng.random() < 0.1:
            return rng.choice(["[]", "[1]", "[1]", "[...]" if leading else "[1, 1]"])
        items = ["..."] if leading and rng.random() < 0.6 else []
        for _ in range(rng.choice([1, 1, 2, 2, 3, 4])):
            size, number = rng.choice(known or sizes), rng.choice(["1", "2", "3", "4", "16"])
            other = rng.choice(ints + known) if ints + known else number
            ways = [size] * 8 + [
                number,
                rng.choice(ints) if ints else size,
                f"{size} + 1",
                f"{number} * {size}",
            ]
            ways += [f"{size} * {other}", f"{size} // 2", f"({size} + {other} - 1) // {other}"]
            if tensor == "result":
                ways += [
                    f"{size} - 1",
                    f"({size} - {number}) // {other} + 1",
                    f"{size} + {other}",
                    f"{size} {'+' if other == size else '-'} {other}",  # no size that is always 0
                ]
                ways += [
                    f"({size} * {number} + {other}) // {number}",
                    f"2 * ({size} + {number}) - {other}",
                ]
            items.append(rng.choice(ways))
        if group and rng.random() < 0.5:
            items.insert(rng.randint(items[0] == "...", len(items)), group)
        return f"[{', '.join(items)}]"

    def one_of_two(text: str, kind: str, known: list[str]) -> str:
        """Add another shape and a condition, seldom."""
        conditions = [
            f"{rng.choice(['', 'not '])}{name}" for kind, name in numbers if kind == "bool"
        ]
        conditions += [f"{x} {rng.choice(['==', '!=', '<', '<=', '>', '>='])} 2" for x in ints]
        if rng.random() > 0.15 or not conditions or "?" in text or "[]" in kind:
            return text
        other = rng.choice(["[0]", "[1]", shape(known, "result"), shape(known, "result")])
        return f"{text} if {rng.choice(conditions)} else {other}"

    for i in range(rng.choice([1, 1, 2, 2, 3, 4, 6])):
        kind = (
            "Tensor" if i == 0 else rng.choice(["Tensor"] * 6 + ["Tensor?", "Tensor?", "Tensor[]"])
        )
        written = rng.random() < 0.2
        if written and kind == "Tensor[]":
            kind = f"Tensor({next(sets)}!)[]"
        elif written:
            kind = kind.replace("Tensor", f"Tensor({next(sets)}!)")
        # The first has all sizes, or as many as a tensor has at most.
        if i == 0 and rng.random() < 0.8:
            some = sizes[:4]
            given += some
            some = ["..."] * (leading and len(some) < 4) + some
            if group and len(some) < 4:
                some.insert(rng.randint(some[0] == "...", len(some)), group)
            text = f"[{', '.join(some)}]"
        elif i * 4 < len(sizes) and rng.random() < 0.8:
            some = sizes[i * 4 : i * 4 + 4]
            text = f"[{', '.join(some)}]"
            given += some if "?" not in kind else []
        else:
            text = shape(given, "argument")
        dtype = rng.choice(list(variables) if i == 0 and variables and not chosen else dtypes)
        text = one_of_two(text, kind, given)
        if rng.random() < 0.1:
            text = f"{text.replace(' if', ' strided if')} strided"
        annotation = f": {dtype}{text}" if rng.random() < 0.95 else ""
        name = names.take(TENSORS)
        default = ["None"] if "?" in kind else []
        if written and kind.startswith("Tensor(") and "[]" not in kind and rng.random() < 0.2:
            read = kind.replace("!", "").replace("?", "")
            arguments.append([f"{read} {names.take(TENSORS)}{annotation}", []])
        arguments.append([f"{kind} {name}{annotation}", default])
        if kind == "Tensor" and annotation and rng.random() < 0.05:
            given.append(f"{name}.numel()")
        if kind.endswith("[]") and rng.random() < 0.3:
            given.append(f"len({name})")
    tensors = list(arguments)
    for kind, name in numbers:
        at = rng.randint(0, len(arguments)) if rng.random() < 0.4 else len(arguments)
        arguments.insert(at, [f"{kind} {name}", others.get(kind, ["None"] * ("?" in kind))])
    if rng.random() < 0.15:
        optional = [x for x in arguments if "Tensor?" in x[0]]
        for x in optional:
            arguments.remove(x)
            arguments.insert(0, x)
    texts = with_defaults(rng, arguments)
    results, words = [], [name for kind, name in numbers if kind == "bool"]
    words += [x[0].split(":")[0].split()[1] for x in tensors if x[0].startswith("Tensor? ")]
    written = any("!" in x[0] for x in arguments)
    counted = "K_found?" if rng.random() < 0.12 and not leading else ""
    for _ in range(rng.choice([1, 1, 1, 2, 3] if not written else [0, 0, 0, 1, 2])):
        text = shape(given or sizes, "result")
        if counted and rng.random() < 0.8:
            parts = [counted, *text[1:-1].split(", ")] if text != "[]" else [counted]
            if rng.random() < 0.3 and not any(x.startswith(("...", "*")) for x in parts):
                parts = [*parts[1:], rng.choice([counted, "J_found?"])]
            text = f"[{', '.join(parts)}]"
        text = one_of_two(text, "Tensor", given or sizes)
        when = f" if {rng.choice(words)}" if words and rng.random() < 0.3 else ""
        if rng.random() < 0.05:
            results.append(f"{rng.choice(['int', 'bool'])} {names.take(RESULTS)}")
            continue
        dtype = rng.choice(chosen * 8 + dtypes)
        if " if " not in text and not when and rng.random() < 0.05 and words:
            text += f" if {rng.choice(words)} else {rng.choice(dtypes)}{text}"
        elif dtype in chosen and rng.random() < 0.2:
            text = text.replace(", ", f" * {dtype}.itemsize, ", 1)
        results.append(f"Tensor{'?' * bool(when)} {names.take(RESULTS)}: {dtype}{text}{when}")
    returned = [re.match(r"Tensor\(\w!\)(?= )", x[0]) for x in tensors]
    if any(returned) and rng.random() < 0.3:
        results.insert(0, rng.choice([x[0] for x in returned if x]))
    made = (
        f"[{', '.join(results)}]"
        if len(results) > 1 and rng.random() < 0.1
        else f"({', '.join(results)})"
    )
    scratch = []
    for _ in range(rng.choice([0] * 8 + [1, 2])):
        text = shape(given or sizes, "result") if rng.random() < 0.8 else "[bytes?]"
        scratch.append(f"Tensor {names.take(SCRATCH)}: {rng.choice(dtypes)}{text}")
    using = f" using {', '.join(scratch)}" if scratch else ""
    text = f"({', '.join(texts)}) -> {made}{using}"
    used = [name for name in variables if re.search(rf": {name}\b|else {name}\[", text)]
    where = ", ".join(f"{name} in {{{variables[name]}}}" for name in used)
    return f"{text} where {where}" if where else text


def drawn_sets(rng: random.Random) -> dict[str, str]:
    """Return up to two variables of dtypes and their sets, seldom."""
    if rng.random() > 0.15:
        return {}
    return dict(rng.sample(list(SETS.items()), rng.choice([1, 1, 2]))) | (
        {"T": rng.choice(OF_T)} if rng.random() < 0.6 else {}
    )


def with_defaults(rng: random.Random, arguments: list) -> list[str]:
    """Return arguments. From a random one on all have defaults, and from another one on all are keyword-only."""
    texts, first = [text for text, _ in arguments], len(arguments)
    while first and arguments[first - 1][1] and rng.random() < 0.5:
        first -= 1
        texts[first] += "=" + rng.choice(arguments[first][1])
    if rng.random() < 0.25:
        texts.insert(rng.randrange(len(texts)), "*")
    return texts


def rowwise(rng: random.Random, make_name: Callable[[], str] | None = None) -> str:
    """Return a signature of the kernel rowwise, mostly with shapes, which may be refused."""
    if rng.random() < 0.2:
        return plain(rng, make_name, "rowwise")
    names = Names(rng, make_name)
    columns, size, other = (names.take(SIZES) for _ in range(3))
    leading = rng.choice([["..."], ["..."], ["...", size], [other, size], [size], []])
    shapes = {"element": [*leading, columns], "row": leading, "column": [columns]}
    dtypes = [x for x in DTYPES if x != "float64"] + ["float64"] * (rng.random() < 0.2)
    sets, arguments = iter(string.ascii_lowercase), []

    def annotation(kind: str, first: bool = False) -> str:
        dtype = "" if first and rng.random() < 0.8 else rng.choice(dtypes)
        return f"{dtype}[{', '.join(shapes[kind])}]"

    count = rng.choice([1, 1, 2, 3, 4, 6])
    for i in range(count):
        kind = rng.choice(["element", "row", "column"]) if i else "element"
        ways = ["Tensor", "Tensor", "Tensor?"] if i else ["Tensor"]
        ways += [f"Tensor({next(sets)}!)"] if kind != "column" else []
        way = rng.choice(ways)
        arguments.append(
            [
                f"{way} {names.take(TENSORS)}: {annotation(kind, not i)}",
                ["None"] if "?" in way else [],
            ]
        )
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        kind = rng.choice(["float", "float", "int", "bool", "float?", "SymInt", "int?", "bool?"])
        at = rng.randint(0, len(arguments)) if rng.random() < 0.4 else len(arguments)
        arguments.insert(at, [f"{kind} {names.take(NUMBERS)}", OTHERS[kind]])
    if rng.random() < 0.2:
        rng.shuffle(arguments)
    texts = with_defaults(rng, arguments)
    written = any("!" in text for text in texts)
    results = [
        f"Tensor {names.take(RESULTS)}: {annotation(rng.choice(['element', 'row']))}"
        for _ in range(rng.choice([1, 1, 2, 3] if not written else [0, 0, 1, 2]))
    ]
    return f"({', '.join(texts)}) -> ({', '.join(results)})"


def plain(
    rng: random.Random, make_name: Callable[[], str] | None = None, kernel: str = "elementwise"
) -> str:
    """Return a signature without shapes, which may be refused."""
    names = Names(rng, make_name)
    least = 2 if kernel == "matmul" else 1
    most = 1 if kernel in ("image", "volume") else rng.choice([least, 2, 3, 3, 4, 6])
    sets, arguments = iter(string.ascii_lowercase), []
    for i in range(most):
        way = rng.choice(["Tensor"] * 4 + ["Tensor?"] * 2) if i >= least else "Tensor"
        if rng.random() < 0.15:
            way = way.replace("Tensor", f"Tensor({next(sets)}!)")
        elif kernel == "elementwise" and i and rng.random() < 0.1:
            way = "Tensor[]"
        arguments.append([f"{way} {names.take(TENSORS)}", ["None"] if "?" in way else []])
    numbers = [*OTHERS, "ScalarType?"] if kernel == "elementwise" else NUMBERS_ONLY
    for _ in range(rng.choice([0, 0, 1, 2, 4])):
        kind = rng.choice(numbers)
        at = rng.randint(0, len(arguments)) if rng.random() < 0.3 else len(arguments)
        arguments.insert(at, [f"{kind} {names.take(NUMBERS)}", OTHERS.get(kind, ["None"])])
    if rng.random() < 0.1:
        rng.shuffle(arguments)
    texts = with_defaults(rng, arguments)
    written = [x.split(" ")[0] for x in texts if "!" in x]
    if written:
        results = rng.choice([[], [], [rng.choice(written)], ["Tensor"]])
    else:
        results = [
            rng.choice(["Tensor", f"Tensor {names.take(RESULTS)}"])
            for _ in range(rng.choice([1, 1, 1, 2, 4] if kernel == "elementwise" else [1]))
        ]
    return f"({', '.join(texts)}) -> ({', '.join(results)})"


DRAWN = {"custom": custom, "rowwise": rowwise}
DRAWN |= {x: partial(plain, kernel=x) for x in ["elementwise", "matmul", "image", "volume"]}


def refusal(kernel: str, signature: str, build: str = "setuptools", binding: str = "") -> str:
    """Return the sentence that refuses a signature, or nothing."""
    return (
        module("questions/signature.jinja")
        .refuse_signature(signature, "an_operator", kernel)
        .strip()
        or module("questions/names.jinja").refuse_lacking(signature, build, binding).strip()
    )


def accepted(
    kernel: str,
    rng: random.Random,
    make_name: Callable[[], str] | None = None,
    build: str = "setuptools",
    binding: str = "torch_library",
) -> Iterator[str]:
    """Yield signatures that are accepted."""
    while True:
        signature = DRAWN[kernel](rng, make_name)
        if not refusal(kernel, signature, build, binding):
            yield signature


if __name__ == "__main__":
    kernel, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for _, signature in zip(range(count), accepted(kernel, random.Random(seed))):
        print(signature)
