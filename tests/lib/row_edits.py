"""Operators of rows that people write, as edits of fresh renders: only places marked EDIT change."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from custom_edits import change, lines_changed
from updating import replace


class Edit(NamedTuple):
    """An operator, and the edits of its author."""

    signature: str
    reference: str
    # In <op>.h: what is known of some elements, also of neighbours at once, of a row, and what follows for a row and for an element.
    members: str = ""
    add: str = ""
    neighbours: str = ""
    merge: str = ""
    finish: str = ""
    row: str = ""
    element: str = ""
    # In ops/<op>.py, what stands there and what instead: what is kept for the gradient, and that.
    gradient: tuple[tuple[str, str], ...] = ()
    # Likewise in its tests, and the values that make_args returns.
    tests: tuple[tuple[str, str], ...] = ()
    arguments: tuple[tuple[str, str], ...] = ()


# The state of a softmax, to which a kernel adds neighbours at once: their maximum is found first, so that an element
# costs one exponential, and none waits for another.
SOFTMAX = {
    "members": """
  value_t most = value_t(-3.0e38);
  value_t sum = 0;
""",
    "add": """
    const value_t one[] = {@};
    add(one, MORE column);
""",
    "neighbours": """
    value_t larger = most;
    for (const value_t each : @) larger = fmax(larger, each);
    if (larger > most) {
      sum *= fast_exp(most - larger);
      most = larger;
    }
    for (const value_t each : @) sum += fast_exp(each - most);
""",
    "merge": """
    const value_t larger = fmax(most, other.most);
    sum = sum * fast_exp(most - larger) + other.sum * fast_exp(other.most - larger);
    most = larger;
""",
}


def softmax_of(name: str, more: str = "") -> dict[str, str]:
    """Return the parts of an edit of an operator whose argument has that name, and which has more arguments."""
    return {part: text.replace("@", name).replace("MORE ", more) for part, text in SOFTMAX.items()}


ROOT = {
    "members": "  value_t squares = 0;\n",
    "merge": "    squares += other.squares;\n",
    "row": "  value_t scale;\n",
}
QUANTIZED = {
    "members": "  value_t most = 0;\n",
    "add": "    most = fmax(most, fabs(x));\n",
    "merge": "    most = fmax(most, other.most);\n",
    "row": "  value_t inverse;\n",
    "finish": """
    row.inverse = most > 0 ? limit / most : 0;
    scale = most / limit;
""",
}
EIGHT_BITS = '{"rtol": 1 / 8, "atol": 2**-9}'
CROSS_ENTROPY = softmax_of("logits", "target, smoothing, ignored, ")

ROWS = {
    "cross_entropy": Edit(
        "(Tensor logits: [..., N], Tensor target: int64[...], float smoothing=0.0, int ignored=-100) "
        "-> (Tensor loss: float32[...], Tensor lse: float32[...])",
        """
    smooth = {"label_smoothing": smoothing, "ignore_index": ignored, "reduction": "none"}
    rows = logits.flatten(0, -2)
    if rows.shape[1] == 0:
        return 0 * rows.sum(1).view(target.shape), rows.logsumexp(1).view(target.shape)
    loss = torch.nn.functional.cross_entropy(rows, target.flatten(), **smooth)
    return loss.view(target.shape), logits.logsumexp(-1)
""",
        members=CROSS_ENTROPY["members"] + "  value_t total = 0;\n  value_t likely = 0;\n",
        add=CROSS_ENTROPY["add"],
        neighbours=CROSS_ENTROPY["neighbours"]
        + """
    for (const value_t each : logits) total += each;
    const int64_t at = target - column;
    if (at < 0 || at >= kCount) return;
    for (int j = 0; j < kCount; ++j) {
      if (j == at) likely = logits[j];
    }
""",
        merge=CROSS_ENTROPY["merge"]
        + """
    total += other.total;
    likely += other.likely;
""",
        finish="""
    lse = most + log(sum);
    const value_t mean = total / static_cast<value_t>(N);
    loss = target == ignored || N == 0 ? 0 : lse - (1 - smoothing) * likely - smoothing * mean;
""",
        # By a kernel, which gets what a row's sum came to.
        gradient=(
            (
                "        ctx.save_for_backward(logits, target)\n",
                "",
            ),
            (
                "ignored\n        return _run(logits, target, smoothing, ignored)\n",
                """ignored
        loss, lse = _run(logits, target, smoothing, ignored)
        ctx.save_for_backward(logits, target, lse)
        return loss, lse
""",
            ),
            ("logits, target = ctx.saved", "logits, target, lse = ctx.saved"),
            (
                """        return _checks.vjp(
            cross_entropy_reference,
            [grad_loss, grad_lse],
            logits,
            target,
            smoothing,
            ignored,
        )
""",
                """
        args = logits, target, lse, grad_loss, grad_lse, smoothing, ignored

        return _namespace.cross_entropy_grad(*args), None, None, None
""",
            ),
        ),
        # The gradient of float64 reads a result that is float32.
        tests=(("tolerance={}", 'tolerance={"rtol": 1e-5, "atol": 1e-5}'),),
        arguments=(("0.5, 2]", "0.25, 1]"),),
    ),
    "cross_entropy_grad": Edit(
        "(Tensor logits: [..., N], Tensor target: int64[...], Tensor lse: float32[...], Tensor grad_of_loss: float32[...], "
        "Tensor grad_of_lse: float32[...], float smoothing=0.0, int ignored=-100) -> Tensor: [..., N]",
        """
    likely = torch.zeros_like(logits)
    if logits.shape[-1] > 0:
        likely.scatter_(-1, target.clamp(min=0).unsqueeze(-1), 1 - smoothing)
        likely = likely + smoothing / logits.shape[-1]
    of_loss = torch.where(target == ignored, 0, grad_of_loss).unsqueeze(-1)
    softmax = (logits - lse.unsqueeze(-1)).exp()
    return softmax * (of_loss + grad_of_lse.unsqueeze(-1)) - likely * of_loss
""",
        row="  value_t of_loss, share;\n",
        finish="""
    row.of_loss = target == ignored ? 0 : grad_of_loss;
    row.share = N > 0 ? smoothing / static_cast<value_t>(N) : 0;
""",
        element="""
  const bool is_target = static_cast<int>(column) == static_cast<int>(target);
  const value_t likely = row.share + (is_target ? 1 - smoothing : 0);
  out = fast_exp(logits - lse) * (row.of_loss + grad_of_lse) - likely * row.of_loss;
""",
        arguments=(("0.5, 2]", "0.25, 1]"),),
    ),
    "log_sum_exp": Edit(
        "(Tensor x: [..., N]) -> Tensor: float32[...]",
        """
    return x.logsumexp(-1).to(torch.float32)
""",
        **softmax_of("x"),
        finish="    out = most + log(sum);\n",
    ),
    "argmax": Edit(
        "(Tensor x: [..., N]) -> Tensor: int64[...]",
        """
    return torch.nn.functional.pad(x, (0, int(x.shape[-1] == 0))).argmax(-1)
""",
        members="  value_t most = -INFINITY;\n  int64_t at = 0;\n",
        add="""
    if (x > most) {
      most = x;
      at = column;
    }
""",
        merge="""
    const bool first = other.most == most && other.at < at;
    at = other.most > most || first ? other.at : at;
    most = fmax(most, other.most);
""",
        finish="    out = at;\n",
    ),
    "row_sum": Edit(
        "(Tensor x: [..., N]) -> Tensor: [...]",
        """
    return x.sum(-1)
""",
        members="  value_t sum = 0;\n",
        add="    sum += x;\n",
        merge="    sum += other.sum;\n",
        finish="    out = sum;\n",
    ),
    "add_rms_norm": Edit(
        "(Tensor(a!) x: [..., N], Tensor(b!) residual: [..., N], Tensor weight: [N], float eps=1e-6) -> ()",
        """
    total = x + residual
    normed = total * torch.rsqrt(total.square().mean(-1, keepdim=True) + eps)
    return normed * weight, total
""",
        **ROOT,
        add="    squares += (x + residual) * (x + residual);\n",
        finish="    row.scale = rsqrt(squares / static_cast<value_t>(N) + eps);\n",
        element="""
  residual += x;
  x = residual * row.scale * weight;
""",
    ),
    "rms_norm": Edit(
        "(Tensor x: [..., N], Tensor? weight: [N]=None, float eps=1e-6) -> (Tensor out: [..., N], Tensor rstd: float32[...])",
        """
    rstd = torch.rsqrt(x.square().mean(-1) + eps)
    out = x * rstd.unsqueeze(-1)
    return (out if weight is None else out * weight), rstd.to(torch.float32)
""",
        **ROOT,
        add="    squares += x * x;\n",
        finish="""
    row.scale = rsqrt(squares / static_cast<value_t>(N) + eps);
    rstd = row.scale;
""",
        element="  out = x * row.scale * (weight ? *weight : 1);\n",
    ),
    "quantize_int8": Edit(
        "(Tensor x: [..., N], float limit=127) -> (Tensor q: int8[..., N], Tensor scale: float32[...])",
        """
    most = torch.nn.functional.pad(x.double().abs(), (0, 1)).amax(-1, keepdim=True)
    q = (x.double() * torch.where(most > 0, limit / most, 0)).round()  # halves to even
    return q.to(torch.int8), (most / limit).squeeze(-1).to(torch.float32)
""",
        **QUANTIZED,
        element="  q = static_cast<int8_t>(rint(x * row.inverse));  // halves to even\n",
        # Float and double differ on which side of a half a quotient is.
        tests=(("tolerance={}", 'tolerance={"int8": {"rtol": 0, "atol": 1}}'),),
        arguments=(("0.5]", "127.0]"),),
    ),
    "quantize_fp8": Edit(
        "(Tensor x: [..., N], float limit=448) -> (Tensor q: float8_e4m3fn[..., N], Tensor scale: float32[...])",
        """
    most = torch.nn.functional.pad(x.double().abs(), (0, 1)).amax(-1, keepdim=True)
    q = x.double() * torch.where(most > 0, limit / most, 0)
    return q.to(torch.float8_e4m3fn), (most / limit).squeeze(-1).to(torch.float32)
""",
        **QUANTIZED,
        # To the nearest of its numbers, halves to even, as all results are rounded.
        element="  q = x * row.inverse;\n",
        tests=(("tolerance={}", f'tolerance={{"float8_e4m3fn": {EIGHT_BITS}}}'),),
        arguments=(("0.5]", "448.0]"),),
    ),
    # As vLLM's rms_norm_dynamic_per_token_quant; what is added to the input gets the sum, if it is there.
    "norm_quantize": Edit(
        "(Tensor(a!) result: int8[..., N], Tensor input: [..., N], Tensor weight: [N], Tensor(b!) scale: float32[...], "
        "float epsilon=1e-6, Tensor(c!)? residual: [..., N]=None) -> ()",
        """
    x = input if residual is None else input + residual
    wide = x.double()
    root = (wide.square().mean(-1, keepdim=True) + epsilon).rsqrt()
    most = torch.nn.functional.pad((wide * weight.double()).abs(), (0, 1)).amax(-1, keepdim=True)
    q = (wide * weight.double() * torch.where(most > 0, 127 / most, 0)).round().to(torch.int8)
    return q, (most * root / 127).squeeze(-1).to(torch.float32), None if residual is None else x
""",
        members="  value_t squares = 0;\n  value_t most = 0;\n",
        add="""
    const value_t x = input + (residual ? *residual : 0);
    squares += x * x;
    most = fmax(most, fabs(x * weight));
""",
        merge="    squares += other.squares;\n    most = fmax(most, other.most);\n",
        row="  value_t inverse;\n",
        finish="""
    row.inverse = most > 0 ? 127 / most : 0;
    scale = most * rsqrt(squares / static_cast<value_t>(N) + epsilon) / 127;
""",
        element="""
  const value_t x = input + (residual ? *residual : 0);
  if (residual) *residual = x;
  result = static_cast<int8_t>(rint(x * weight * row.inverse));
""",
        tests=(("tolerance={}", 'tolerance={"int8": {"rtol": 0, "atol": 1}}'),),
    ),
    "softmax": Edit(
        "(Tensor x: [..., N]) -> Tensor: [..., N]",
        """
    return x.softmax(-1)
""",
        **softmax_of("x"),
        row="  value_t most, inverse;\n",
        finish="""
    row.most = most;
    row.inverse = 1 / sum;
""",
        element="  out = fast_exp(x - row.most) * row.inverse;\n",
    ),
    "layer_norm": Edit(
        "(Tensor x: [..., N], Tensor weight: [N], Tensor bias: [N], float eps=1e-5) -> Tensor: [..., N]",
        """
    return torch.nn.functional.layer_norm(x, x.shape[-1:], weight, bias, eps)
""",
        # Welford's.
        members="  value_t count = 0;\n  value_t mean = 0;\n  value_t squares = 0;\n",
        add="""
    count += 1;
    const value_t difference = x - mean;
    mean += difference / count;
    squares += difference * (x - mean);
""",
        merge="""
    const value_t both = fmax(count + other.count, value_t(1));
    const value_t difference = other.mean - mean;
    mean += difference * other.count / both;
    squares += other.squares + difference * difference * count * other.count / both;
    count += other.count;
""",
        row="  value_t mean, scale;\n",
        finish="""
    row.mean = mean;
    row.scale = rsqrt(squares / static_cast<value_t>(N) + eps);
""",
        element="  out = (x - row.mean) * row.scale * weight + bias;\n",
    ),
}


def more_ops(names: Iterable[str] = ROWS) -> str:
    """Return the answer that adds these operators."""
    return "\n".join(f"rowwise: {name}{ROWS[name].signature}" for name in names)


def body(function: str, indent: str = "  ") -> str:
    """Return a pattern for the lines of a function that is indented so."""
    return rf"HOST_DEVICE void {function}\([^{{]*\{{\n(.*?)\n{indent}\}}\n"


def make_edits(project: Path, names: Iterable[str] = ROWS) -> dict[str, int]:
    """Edit the operators of a project; return the number of changed lines outside of math, reference and make_args."""
    package, changed = project / "my_ops", {}
    for name in names:
        edit = ROWS[name]
        header, module = package / "csrc" / name / f"{name}.h", package / "ops" / f"{name}.py"
        test = project / "tests" / f"test_{name}.py"
        class_name = "".join(map(str.capitalize, name.split("_")))
        math = {
            rf"struct {class_name}State {{\n(.*?)\n  HOST": edit.members,
            "(?<!kCount>\n  )" + body("add"): edit.add,
            body("merge"): edit.merge,
            body("finish"): edit.finish,
            rf"struct {class_name}Row {{\n(.*?)}};": edit.row,
            body(f"{name}_element", ""): edit.element,
        }
        if edit.neighbours:
            math["template <int kCount>\n  " + body("add")] = edit.neighbours
        for pattern, text in math.items():
            if re.search(pattern, header.read_text(), re.DOTALL):
                end = "" if "Row {" in pattern or "State {" in pattern else "\n"
                change(
                    header, pattern, re.sub(r"\n{2,}", "\n", text.lstrip("\n")).removesuffix(end)
                )
        docstring = r"the tests compare the two\.(?:[^\"]*)\"\"\"\n"
        change(module, docstring + r"(.*?)\n\n\n@", edit.reference.strip("\n"))
        for old, new in edit.arguments:
            replace(test, old, new)
        changed[name] = lines_changed(test, edit.tests)
        if "torch.autograd.Function" in module.read_text():
            # Where C++ stands at the Autograd key, it has gone on below it by then.
            run = "_run" if "_run(" in module.read_text() else "_op"
            gradient = [
                tuple(x.replace("_run(", f"{run}(") for x in pair) for pair in edit.gradient
            ]
            changed[name] += lines_changed(module, gradient)
    return changed
