"""Features of signatures: each one, and each pair.

`OPS` has an operator for each feature, and few operators that together have each pair of features.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from random_ops import NUMBERS_ONLY, OTHERS

# All optional types that are not numbers.
FACTORY = ", ".join(
    f"{kind} {kind.removesuffix('?').lower()}_arg=None"
    for kind in OTHERS
    if kind.endswith("?") and kind not in NUMBERS_ONLY
)
# By feature: the arguments that it adds, keyword-only arguments, and results.
ARGUMENTS = {
    "written": "Tensor(a!) store",
    "optional_written": "Tensor(b!)? cache",
    "optional": "Tensor? weight",
    "number": "float? scale",
    "symint": "SymInt size",
    "default": 'int[2] stride=1, str how="mean", bool flag=True, float eps=1',
    "list": "Tensor[] parts, int[] dims, float[] weights",
}
KEYWORDS = {
    "keyword": "SymInt? count=None, bool causal",
    "dtype": "ScalarType? dtype=None",
    "factory": FACTORY,
    "returned": "Tensor(r!)? out=None",
}
FEATURES = [*ARGUMENTS, *KEYWORDS, "results", "nothing"]
# What nothing can be returned with, or only with something that is written.
IMPOSSIBLE = [{"nothing", "results"}, {"nothing", "dtype"}, {"nothing", "returned"}]


def signature(features: set[str]) -> str:
    """Return a signature with these features and a tensor."""
    arguments = [text for name, text in ARGUMENTS.items() if name in features]
    # Defaults come last of those that are given by position.
    arguments.sort(key=lambda text: "=" in text)
    arguments.insert(0, "Tensor x")
    keywords = [text for name, text in KEYWORDS.items() if name in features]
    # Nothing is returned by an operator that writes.
    if "nothing" in features and not features & {"written", "optional_written"}:
        arguments.insert(0, "Tensor! y")
    results = ["Tensor(r!)"] if "returned" in features else []
    if "results" in features:
        results += ["Tensor first", "Tensor second"]
    elif not results and "nothing" not in features or "dtype" in features:
        results += ["Tensor"]
    text = ", ".join(arguments + (["*", *keywords] if keywords else []))
    returned = results[0] if len(results) == 1 else f"({', '.join(results)})"
    return f"({text}) -> {returned}"


def possible(features: set[str]) -> bool:
    return not any(pair <= features for pair in IMPOSSIBLE)


PAIRS = [set(pair) for pair in combinations(FEATURES, 2) if possible(set(pair))]


def together() -> list[set[str]]:
    """Return sets of features that have each pair in one of them: each takes what adds most pairs."""
    found: list[set[str]] = []
    while missing := [pair for pair in PAIRS if not any(pair <= features for features in found)]:
        features = set(missing[0])
        for feature in FEATURES:
            more = features | {feature}
            gained = any(pair <= more and not pair <= features for pair in missing)
            if gained and len(more) <= 7 and possible(more):
                features = more
        found.append(features)
    return found


SETS = [{feature} for feature in FEATURES] + together()
OPS = {f"op{number}": signature(features) for number, features in enumerate(SETS)} | {
    # Nothing is only read; the dtype is always given.
    "in_place": "(Tensor! x, Tensor! residual, float eps) -> ()",
    "cast": "(Tensor x, ScalarType dtype) -> Tensor",
}
# What the other kernels take, which is less: the name of the kernel, by operator.
KERNELS = {
    **dict.fromkeys(["norm", "standardize", "centre"], "rowwise"),
    **dict.fromkeys(["gray", "brighten"], "image"),
    **dict.fromkeys(["normalize", "window", "from_low"], "volume"),
    **dict.fromkeys(["linear", "project", "gram", "into"], "matmul"),
}
OPS |= {
    "norm": "(Tensor x, Tensor weight, float eps=1e-6) -> Tensor",
    "standardize": "(Tensor x, Tensor? weight=None, Tensor? bias=None, *, float? eps=None, int k=0) -> Tensor",
    "centre": "(Tensor activations) -> Tensor",
    "gray": "(Tensor image) -> Tensor",
    "brighten": "(Tensor picture, float gain, SymInt k=0, *, bool flip, float? offset=None) -> Tensor",
    "normalize": "(Tensor volume, float? low=None, float? high=None) -> Tensor",
    "window": "(Tensor scan, float level, float width) -> Tensor",
    "from_low": "(Tensor x, float gain, *, bool flip=False, float? least=None, SymInt? k=None) -> Tensor",
    "linear": "(Tensor a, Tensor b, Tensor bias, float scale) -> Tensor",
    "project": "(float gain, Tensor x, Tensor w, Tensor? bias=None, Tensor? more=None, *, float? shift=None, int k=0, bool flag=True) -> Tensor",
    "gram": "(Tensor left, Tensor right) -> Tensor",
    "into": "(float gain, Tensor left, Tensor(a!) product_in, Tensor right, Tensor? bias) -> Tensor(a!)",
}
# The operators to build, in a third of the time: all pairs of features, and the most features of each kernel.
FEWER_OPS = [f"op{number}" for number in range(len(FEATURES), len(SETS))]
FEWER_OPS += ["in_place", "cast", "standardize", "brighten", "from_low", "project"]


def more_ops(names: Iterable[str] = OPS) -> str:
    """Return the answer that adds operators of these names."""
    return "\n".join(f"{KERNELS.get(name, 'elementwise')}: {name}{OPS[name]}" for name in names)
