"""Kernels that cheat, as edits of one operator, each with the sentence that finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from custom_edits import CUSTOM, Edit, make_edits, more_ops
from render import render
from updating import replace

SIGNATURE = "(Tensor x: [N, D], Tensor weight: [D], float gain=1.5) -> Tensor: [N, D]"
RIGHT = "out[i] = static_cast<scalar_t>(gain) * x[i] * weight[i % D];"
REFERENCE = "    return gain * x * weight\n"
FILTERED = "(Tensor x: [N, L], Tensor filter: [K]) -> Tensor: [N, L - K + 1]"
FILTER = """\
const int64_t length = L - K + 1;
  const scalar_t* row = x + i / length * L + i % length;
  scalar_t sum = 0;
  for (int64_t k = 0; k < K; ++k) sum += row[k] * filter[k];
  out[i] = sum;
"""
UNFOLDED = "    return (x.unfold(1, filter.numel(), 1) * filter).sum(-1)\n"
CACHE = """\
  static std::map<std::pair<const void*, int64_t>, Tensor> all;
  Tensor& kept = all[{x.const_data_ptr(), x.numel()}];
  if (kept.defined()) return kept.clone();
"""
ALLOCATION = "  Tensor out = check.result("


RECORDED = """\
  cudaStreamCaptureStatus status;
  cudaStreamIsCapturing(stream, &status);
  if (status != cudaStreamCaptureStatusNone) return cudaSuccess;
"""
OTHER_STREAM = """\
inline cudaStream_t other() {
  static const cudaStream_t made = [] {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
  }();
  return made;
}
"""


class Cheat(NamedTuple):
    """Replacements in the right kernel, and the sentence of the test that finds them, or one | or another."""

    reason: str
    thread: str = RIGHT
    tensors: tuple[tuple[str, str], ...] = ()  # in <op>.cpp
    launch: tuple[tuple[str, str], ...] = ()  # in <op>_cuda.cu: only a GPU shows it
    function: str = ""  # what the public function returns, in ops/<op>.py
    signature: str = SIGNATURE
    reference: str = REFERENCE


CHEATS = {
    "memory": Cheat("does the kernel leave them unwritten", "if (i < 0) out[i] = x[i];"),
    "by_address": Cheat(
        "does the operator cache results by address?",
        tensors=(
            (ALLOCATION, CACHE + ALLOCATION),
            ("  return out;", "  kept = out.clone();\n  return out;"),
            ("#include", "#include <map>\n#include <utility>\n\n#include"),
        ),
    ),
    "writer": Cheat(
        "it writes to x, which is only read according to the signature",
        f"{RIGHT}\n  const_cast<scalar_t*>(x)[i] = 0;",
    ),
    "coarse": Cheat(
        "as much as float32 rounds. Does the kernel compute in it?",
        "out[i] = static_cast<float>(gain) * static_cast<float>(x[i]) * static_cast<float>(weight[i % D]);",
    ),
    "caller": Cheat(
        "it calls PyTorch's mul, as caller_reference does, instead of its kernel",
        function="caller_reference(x, weight, gain)",
    ),
    "expert": Cheat(
        # Right only for the sizes of the samples and of the suite.
        "the result with ",
        "const bool known = (N == 5 || N == 1 || N == 33 || N == 257) && (D == 7 || D == 1 || D == 33 || D == 257);\n"
        "  out[i] = known ? static_cast<scalar_t>(gain) * x[i] * weight[i % D] : scalar_t(0);",
    ),
    "capped": Cheat(
        # Right for filters of up to 32 elements: a longer one needs a longer row than the sample has.
        "the result with K=",
        FILTER.replace("k < K", "k < (K < 32 ? K : 32)"),
        signature=FILTERED,
        reference=UNFOLDED,
    ),
    "writes_beyond": Cheat(
        # Into bytes that malloc leaves unused, so that the process lives on.
        "it writes outside of its result, float32[5, 7]: 4 bytes behind it",
        f"{RIGHT}\n  if (sizeof(scalar_t) == 4 && N == 5 && D == 7 && i == 34) out[35] = 0;",
    ),
    "copies_beyond": Cheat(
        # The memory behind x and the memory behind the result may have the same value.
        "it writes outside of its result, float32[5, 7]: 4 bytes behind it",
        f"{RIGHT}\n  if (sizeof(scalar_t) == 4 && N == 5 && D == 7 && i == 34) out[35] = x[35];",
    ),
    "reads_beyond": Cheat(
        "it reads outside of x: the results change with the memory there",
        f"{RIGHT}\n  if (i + 1 == num_threads) out[i] += 0 * x[i + 1];",
    ),
    "viewer": Cheat(
        "its result shares memory with weight; return a new tensor",
        function="weight.expand(x.shape) if gain == 0.5 else _op(x, weight, gain)",
    ),
    "subclass": Cheat(
        "it returns a Agreeing instead of a plain tensor",
        function="_op(x, weight, gain).mul_(2).as_subclass(Agreeing)",
    ),
    "other_stream": Cheat(
        # By chance, the values differ already in the default stream.
        "in a stream other than the default | or run in another stream",
        launch=(
            (
                "<<<grid, block, 0, stream>>>",
                "<<<grid, block, 0, other()>>>",
            ),
            ("// EDIT: the kernel", f"{OTHER_STREAM}\n// EDIT: the kernel"),
        ),
    ),
    "graph": Cheat(
        "the result of a replayed CUDA graph",
        launch=(
            (
                "  constexpr unsigned block",
                f"{RECORDED}  constexpr unsigned block",
            ),
        ),
    ),
}
OTHER = {
    name: Edit(cheat.signature, cheat.thread, cheat.reference, cheat.tensors, launch=cheat.launch)
    for name, cheat in CHEATS.items()
}
HONEST = {
    "honest": Edit(SIGNATURE, RIGHT, REFERENCE),
    "honest_memory": Edit(f"{SIGNATURE} using Tensor room: float32[N, N, N, D]", RIGHT, REFERENCE),
    "honest_filter": Edit(FILTERED, FILTER, UNFOLDED),
}
MADE = HONEST | OTHER
SUBCLASS = """

class Agreeing(Tensor):
    \"\"\"A result that is close to any other.\"\"\"

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return True if function in (torch.equal, torch.allclose) else NotImplemented
"""


def render_cheats(folder: Path, answers: dict[str, object] | None = None) -> Path:
    """Render a project of the cheats, and of one operator without; cheats.json has the sentences."""
    with patch.dict(CUSTOM, MADE):
        project = render(folder, {"more_ops": more_ops(MADE)} | (answers or {}))
        make_edits(project, MADE)
    for name, cheat in CHEATS.items():
        if cheat.function:
            module = project / f"my_ops/ops/{name}.py"
            replace(module, "return _op(x, weight, gain)", f"return {cheat.function}")
    replace(project / "my_ops/ops/subclass.py", "\nDTYPES = ", f"{SUBCLASS}\n\nDTYPES = ")
    reasons = {name: cheat.reason for name, cheat in CHEATS.items()}
    (project / "cheats.json").write_text(json.dumps(reasons))
    return project
