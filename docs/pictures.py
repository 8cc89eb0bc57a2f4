"""Draws two pictures: `python docs/pictures.py` writes docs/rendering.svg and docs/call.svg.

Boxes stand on a grid. An arrow goes from box to box, by their names; "down" and "right" say which sides it joins.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

DOCS = Path(__file__).resolve().parent
FILL = {"person": "#fff3d6", "template": "#e3eefb", "project": "#e2f3e4", "pytorch": "#f1e6f7"}
LINE_HEIGHT, PADDING, TITLE = 17, 12, 20
STYLE = "font-family='Helvetica, Arial, sans-serif' font-size='13' fill='#1d2027'"


@dataclass
class Box:
    """A title and lines, at the left upper corner x, y."""

    x: int
    y: int
    width: int
    fill: str
    title: str
    lines: tuple[str, ...] = ()

    @property
    def height(self) -> int:
        return 2 * PADDING + TITLE + LINE_HEIGHT * len(self.lines) - 6

    def point(self, side: str, at: float) -> tuple[float, float]:
        """Return a point of a side, `at` 0 to 1 along it."""
        if side in ("top", "bottom"):
            return self.x + self.width * at, self.y + self.height * (side == "bottom")
        return self.x + self.width * (side == "right"), self.y + self.height * at

    def svg(self) -> str:
        text = [
            (
                f"<rect x='{self.x}' y='{self.y}' width='{self.width}' height='{self.height}' rx='6' "
                f"fill='{FILL[self.fill]}' stroke='#5b6472'/>"
            ),
            label(self.x + PADDING, self.y + PADDING + 11, self.title, "font-weight='bold'"),
        ]
        for i, line in enumerate(self.lines):
            y = self.y + PADDING + TITLE + 11 + LINE_HEIGHT * i
            text.append(label(self.x + PADDING, y, line))
        return "\n".join(text)


@dataclass
class Arrow:
    """A line with a head, from a point of a box to one of another, and words beside it."""

    start: tuple[str, str, float]
    end: tuple[str, str, float]
    words: tuple[str, ...] = ()
    shift: tuple[int, int] = (8, 4)


def label(x: float, y: float, text: str, more: str = "") -> str:
    return f"<text x='{x:g}' y='{y:g}' {more}>{escape(text)}</text>"


def arrow(it: Arrow, boxes: dict[str, Box]) -> str:
    (x1, y1), (x2, y2) = (boxes[name].point(side, at) for name, side, at in (it.start, it.end))
    parts = [
        (
            f"<path d='M {x1:g} {y1:g} L {x2:g} {y2:g}' stroke='#5b6472' stroke-width='1.6' "
            "fill='none' marker-end='url(#head)'/>"
        )
    ]
    dx, dy = it.shift
    for i, line in enumerate(it.words):
        y = (y1 + y2) / 2 + dy + 16 * (i - (len(it.words) - 1) / 2)
        parts.append(label((x1 + x2) / 2 + dx, y, line, "font-style='italic'"))
    return "\n".join(parts)


def picture(title: str, width: int, height: int, boxes: dict[str, Box], arrows: list[Arrow]) -> str:
    legend = {
        "person": "you",
        "template": "the template",
        "project": "your project",
        "pytorch": "PyTorch",
    }
    used = [fill for fill in legend if fill in {box.fill for box in boxes.values()}]
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' role='img' {STYLE}>",
        f"<title>{escape(title)}</title>",
        (
            "<defs><marker id='head' viewBox='0 0 10 10' refX='9' refY='5' markerWidth='7' markerHeight='7' "
            "orient='auto'><path d='M 0 0 L 10 5 L 0 10 z' fill='#5b6472'/></marker></defs>"
        ),
        f"<rect width='{width}' height='{height}' fill='#ffffff'/>",
    ]
    parts += [arrow(x, boxes) for x in arrows]
    parts += [box.svg() for box in boxes.values()]
    for i, fill in enumerate(used):
        x, y = 20 + 130 * i, height - 22
        parts.append(
            f"<rect x='{x}' y='{y - 11}' width='16' height='14' rx='3' fill='{FILL[fill]}' stroke='#5b6472'/>"
        )
        parts.append(label(x + 23, y, legend[fill]))
    return "\n".join([*parts, "</svg>"]) + "\n"


def rendering() -> str:
    boxes = {
        "answers": Box(
            20,
            20,
            250,
            "person",
            "Answers",
            ("project, op, signature", "kernel, build, binding, autograd", "extent, more_ops"),
        ),
        "checks": Box(
            330,
            20,
            270,
            "template",
            "Checks",
            ("copier.yml asks", "questions/ accepts, or refuses", "with a sentence"),
        ),
        "facts": Box(
            660,
            20,
            270,
            "template",
            "Facts",
            (
                "questions/schema.jinja parses",
                "questions/ops.jinja: names, passes,",
                "shapes, dtypes, flags; no language",
            ),
        ),
        "sources": Box(
            20,
            210,
            250,
            "template",
            "Sources",
            (
                "variants/<axis>/<choice>/",
                "languages/ spells facts in",
                "C++, Python and schemas",
                "marks say where lines break",
            ),
        ),
        "layout": Box(
            330,
            210,
            270,
            "template",
            "Layout",
            (
                "template/: a file for each file",
                "of a project; folders have the",
                "condition under which they exist",
            ),
        ),
        "kit": Box(
            660,
            210,
            270,
            "template",
            "Kit",
            (
                "files without Jinja in template/:",
                "csrc/kit/, doctor, checks, loading,",
                "suite of tests, benchmark",
            ),
        ),
        "owner": Box(
            20,
            400,
            430,
            "project",
            "Files of the owner",
            (
                "ops/<op>.py, csrc/<op>/, tests/test_<op>.py, README.md",
                "pyproject.toml, setup.py or CMakeLists.txt",
                "an update merges them and keeps edits",
            ),
        ),
        "project": Box(
            480,
            400,
            150,
            "project",
            "_project.py",
            ("facts that the kit", "reads at run time"),
        ),
        "copied": Box(
            660,
            400,
            270,
            "project",
            "Files that are never edited",
            ("copied unchanged, the same", "in every project;", "an update replaces them"),
        ),
    }
    arrows = [
        Arrow(("answers", "right", 0.5), ("checks", "left", 0.5)),
        Arrow(("checks", "right", 0.5), ("facts", "left", 0.5)),
        Arrow(("facts", "bottom", 0.1), ("layout", "top", 0.75), ("facts",), (14, 10)),
        Arrow(("sources", "right", 0.4), ("layout", "left", 0.47), ("includes",), (-26, -6)),
        Arrow(("layout", "bottom", 0.25), ("owner", "top", 0.8), ("rendered",), (14, 4)),
        Arrow(("layout", "bottom", 0.75), ("project", "top", 0.5), (), (10, 0)),
        Arrow(("kit", "bottom", 0.5), ("copied", "top", 0.5), ("copied",)),
        Arrow(("copied", "left", 0.5), ("project", "right", 0.58)),
    ]
    return picture("From answers to the files of a project", 950, 550, boxes, arrows)


def call() -> str:
    boxes = {
        "program": Box(
            20, 20, 300, "person", "Your program", ("my_ops.muladd(a, b, c)", "loss.backward()")
        ),
        "public": Box(
            20,
            150,
            300,
            "project",
            "Public function",
            ("ops/muladd.py: muladd", "refuses None and a number that", "requires a gradient"),
        ),
        "other": Box(
            500,
            20,
            430,
            "pytorch",
            "Other ways in",
            ("torch.ops.my_ops.muladd, C++, export,", "torch.compile, torch.func"),
        ),
        "dispatcher": Box(
            500,
            150,
            430,
            "pytorch",
            "Dispatcher: the keys of a call, from top to bottom",
            (
                "torch.vmap: _vmap.py (full)",
                "Autocast: _kit/autocast.py (full)",
                "Autograd: is a gradient needed? csrc/bindings.cpp",
                "Meta and fake tensors: _fake in ops/muladd.py",
                "CPU, CUDA",
            ),
        ),
        "function": Box(
            20,
            330,
            300,
            "project",
            "MuladdFunction",
            ("ops/muladd.py", "forward saves tensors,", "backward calls _muladd_backward"),
        ),
        "tensors": Box(
            500,
            330,
            430,
            "project",
            "csrc/muladd/muladd.cpp",
            ("checks the tensors, allocates the result,", "chooses dtype and device"),
        ),
        "cpu": Box(
            500,
            465,
            205,
            "project",
            "muladd_cpu.cpp",
            ("loop of vectors,", "kit/cpu_tile.h"),
        ),
        "cuda": Box(
            725,
            465,
            205,
            "project",
            "muladd_cuda.cu",
            ("kernel and launch,", "kit/tile.cuh"),
        ),
        "math": Box(
            590,
            590,
            250,
            "project",
            "muladd.h",
            ("the math of one element,", "the same on CPU and GPU"),
        ),
    }
    arrows = [
        Arrow(("program", "bottom", 0.5), ("public", "top", 0.5)),
        Arrow(("other", "bottom", 0.5), ("dispatcher", "top", 0.5)),
        Arrow(
            ("public", "right", 0.4), ("dispatcher", "left", 0.3), ("the usual call",), (-44, -6)
        ),
        Arrow(
            ("public", "bottom", 0.3),
            ("function", "top", 0.3),
            ("a gradient is needed and", "no transform looks at the call"),
            (8, 5),
        ),
        Arrow(
            ("dispatcher", "left", 0.75),
            ("function", "right", 0.2),
            ("a gradient", "is needed"),
            (14, 22),
        ),
        Arrow(("function", "right", 0.7), ("tensors", "left", 0.6), ("below Autograd",), (-46, 24)),
        Arrow(("dispatcher", "bottom", 0.5), ("tensors", "top", 0.5), ("no gradient",)),
        Arrow(("tensors", "bottom", 0.24), ("cpu", "top", 0.5), ("CPU",)),
        Arrow(("tensors", "bottom", 0.76), ("cuda", "top", 0.5), ("CUDA",)),
        Arrow(("cpu", "bottom", 0.5), ("math", "top", 0.2)),
        Arrow(("cuda", "bottom", 0.5), ("math", "top", 0.8)),
    ]
    return picture("A call, from the public function to the kernel", 950, 710, boxes, arrows)


def main(folder: Path) -> None:
    (folder / "rendering.svg").write_text(rendering())
    (folder / "call.svg").write_text(call())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else DOCS)
