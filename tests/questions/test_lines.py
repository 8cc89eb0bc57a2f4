"""languages/lines.jinja breaks long lines where their sources have marks."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from macros import ROOT, module

NAMES = ", ".join(f"argument_number_{i}" for i in range(7))
LONG = "a_name_of_forty_letters_that_is_accepted"


def broken(language: str, text: str) -> str:
    lines = module("languages/lines.jinja")
    return re.sub(lines.marked, getattr(lines, language), text)


LISTS = {
    "a call": f"    check(‹{NAMES}›)",
    "a call in a call": f"    x = list(‹f(‹{NAMES}›)›)",
    "lists in a list": f"    check(‹x, (‹{NAMES}›), [‹{NAMES}›]›)",
    "one item of a tuple": f"    x = f(‹({LONG}_{LONG},), dtype=torch.int64, device=device›)",
    "a comment behind": f"    return f(‹{', '.join('abcdefgh')}›)  # {' '.join(['why'] * 20)}",
    "parameters and results": f"    def f(‹{NAMES}›) -> tuple[‹{NAMES}›]:\n        pass",
    "names": f"    return «{NAMES}»",
    "calls": f"    return «{', '.join(f'f(‹{LONG}›)' for _ in range(3))}»",
    "names of a short call": f"    «{NAMES}» = f(‹a, b›)",
    "names of a long call": f"    «a, b» = f(‹{NAMES}›)",
    "imports": f"    from package import ‹{NAMES}›",
    "one import": f"    from {LONG}.{LONG} import ‹{LONG}›",
    "a condition": f"    x = «{LONG} if {LONG} is None else 2 * one»",
    "a long condition": f"    x = «f(‹{LONG}›) if {LONG} is None else {LONG}»",
    "a comprehension": f"    x = [«f({LONG}, {LONG}, one) for _ in range(3)»]",
    "comprehensions in a list": f"    x = f(‹{', '.join(f'max(x.numel() for x in {LONG})' for _ in 'ab')}›)",
    "one of two shapes": f"    x = «(‹{NAMES}›) if {LONG} else ()»",
    "one of two short shapes": f"    x = «() if {LONG} else (‹{LONG}, 0›)»",
    "one of two shapes in a call": f"    x = f(‹«(‹{NAMES}›) if {LONG} else (‹0,›)», dtype›)",
    "a comment": f"    # {'It is done like this. ' * 5}So.\n    pass",
    "a docstring": f'    """{"It is done like this. " * 5}So."""',
    "a long comprehension": f"    x = [«f(‹{LONG}, ({LONG}, {LONG})›) for _ in range(3)»]",
    "a sum": f"    return «{' * '.join('abc')} + {LONG} + {LONG} + {LONG}»",
    "a long product": f"    x = «{' * '.join([LONG] * 4)}»",
    "sums in a list": f'    f(‹x, [‹("{LONG} + 1", one + 1), ("one + 1", {LONG} + 1)›]›)',
    "a sum in a call": f"    x = y * f(«y.mean(-1, keepdim=True) + {LONG} + {LONG} + {LONG}»)",
}


@pytest.mark.parametrize("text", LISTS.values(), ids=LISTS)
def test_ruff_keeps_broken_lines(text, tmp_path):
    path = tmp_path / "x.py"
    path.write_text(f"def function():\n{broken('py_line', text)}\n")
    assert max(map(len, path.read_text().splitlines())) <= 100 or "why" in text
    command = [sys.executable, "-m", "ruff", "format", "--diff", "--isolated", "--line-length=100"]
    result = subprocess.run([*command, path], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


CPP = {
    "parameters": f"void f(‹{NAMES}›) {{",
    "a parameter of a template": f"void f(‹int64_t i, const {LONG}<{LONG}, T>& args, A<B<T>> b›) {{",
    "arguments": f"  kernel<<<grid, 256>>>(‹{NAMES}›);",
    "a string with commas": f'  m.def(‹"f(Tensor {NAMES}, bool {LONG}) -> ()", {LONG}›);',
    "a value": f"  const auto name = ‹f({LONG}, {LONG}, one)›;",
    "a condition": f"  if (‹{' || '.join(f'f({LONG})' for _ in range(5))}›) {{\n  }}",
    "a call behind a guard": f"  if (f(one)) check.like(‹{NAMES}›);",
    "a value behind a guard": f"  if ({LONG} || one)\n    {LONG}[i] = ‹f({LONG}, one)›;",
    "a sum": f"  x = «{' * '.join('abc')} + {LONG} + {LONG} + {LONG}»;",
    "a long product": f"  x = «{' * '.join([LONG] * 4)}»;",
    "a sum in a call": f"  x = f(«{LONG} + {LONG} + {LONG}»);",
    "a comment": f"  // {'Why do we do it like this? ' * 5}And how?",
}


@pytest.mark.parametrize("text", CPP.values(), ids=CPP)
def test_clang_format_keeps_broken_lines(text, tmp_path):
    path = tmp_path / "x.h"
    lines = broken("cpp_line", text)
    assert "\n" in lines.strip() and not set("‹«") & set(lines)
    end = "}" if text.startswith("void") else ""
    path.write_text(f"{lines}\n{end}\n" if end else f"void f() {{\n{lines}\n}}\n")
    style = f"--style=file:{ROOT / 'template/{% if full %}.clang-format{% endif %}'}"
    command = [Path(sys.executable).with_name("clang-format"), style]
    result = subprocess.run([*command, path], capture_output=True, text=True, check=True)
    assert result.stdout == path.read_text()


def test_a_string_stays_in_one_piece():
    assert broken("cpp_line", f'f(‹"{NAMES}, {NAMES}"›);') == f'f(\n    "{NAMES}, {NAMES}");'


def test_marks_disappear_in_a_line_of_100_columns():
    flat = "x(" + "a, " * 32 + "b)"
    assert broken("py_line", f"x(‹{flat[2:-1]}›)") == flat and len(flat) == 100
    assert "(\n" in broken("py_line", f"x(‹{flat[2:-1]}b›)")
