"""Draws what a person sees who answers the questions: `python docs/prompts.py` writes docs/prompts.svg.

Copier runs in a pseudo-terminal of 80 columns and is answered by keys, so the picture shows what there is to see.
"""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape

import pyte
from pyte.screens import Char

TEMPLATE = Path(__file__).resolve().parents[1]
COLUMNS, LINES = 80, 40
ENTER, CLEAR = "\r", "\x15"

# What is waited for, and then typed. The last question stays open.
KEYS = [
    ("What is the Python package called?", ENTER),
    ("Which kernel does the first operator start from?", ENTER),
    ("What is the first operator called?", f"{CLEAR}swiglu{ENTER}"),
    ("Which arguments does it take", f"{CLEAR}Tensor gate, Tensor up, float limit=7.0{ENTER}"),
    ("How is the C++ and CUDA code compiled?", ""),
    ("nvrtc:", ""),
]

WIDTH, HEIGHT, MARGIN, TOP = 8.4, 19, 14, 40  # of a character, and around the text
FOREGROUND, BACKGROUND = "#d5d8de", "#1d2027"
SVG = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{width:g}} {{height:g}}" width="{{width:g}}" role="img">
<title>The questions in a terminal</title>
<style>
  text {{{{
    font-family: SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
    font-size: 14px;
    white-space: pre;
  }}}}
</style>
<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/>
<circle cx="40" cy="18" r="6" fill="#febc2e"/>
<circle cx="60" cy="18" r="6" fill="#28c840"/>
{{text}}
</svg>
"""


def answer(
    folder: Path,
    keys: list[tuple[str, str]] = KEYS,
    command: Sequence[str] = ("copy", "--quiet", "--vcs-ref=HEAD", str(TEMPLATE), "my_ops"),
    columns: int = COLUMNS,
) -> Iterator[pyte.Screen]:
    """Answer the questions in a terminal, and yield its screen before each answer is typed."""
    screen = pyte.Screen(columns, LINES)
    stream = pyte.ByteStream(screen)
    terminal, other = pty.openpty()
    environment = {"TERM": "xterm-256color", "COLUMNS": str(columns), "LINES": str(LINES)}
    environment["TMPDIR"] = str(folder)  # Copier, which is killed, leaves its clone there
    process = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-m", "copier", *command],
        cwd=folder,
        stdin=other,
        stdout=other,
        stderr=other,
        env=os.environ | environment,
        start_new_session=True,
    )
    try:
        for text, typed in keys:
            end = time.monotonic() + 60
            while not any(text in line for line in screen.display):
                if not select.select([terminal], [], [], max(end - time.monotonic(), 0))[0]:
                    raise TimeoutError(f"no {text!r} in 60 s:\n" + "\n".join(screen.display))
                data = os.read(terminal, 65536)
                stream.feed(data)
                if b"\x1b[6n" in data:  # where is the cursor?
                    place = f"\x1b[{screen.cursor.y + 1};{screen.cursor.x + 1}R"
                    os.write(terminal, place.encode())
            yield screen
            os.write(terminal, typed.encode())
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
        os.close(other)


def style(cell: Char) -> tuple[str, str, bool]:
    """Return the color of a character, that behind it, and whether it is bold."""
    color = FOREGROUND if cell.fg == "default" else f"#{cell.fg}"
    return (BACKGROUND, color, cell.bold) if cell.reverse else (color, BACKGROUND, cell.bold)


def draw(screen: pyte.Screen) -> str:
    """Return a screen as SVG, without the empty lines below."""
    lines = [list(group) for group in map(runs, (screen.buffer[y] for y in range(LINES)))]
    while not lines[-1]:
        lines.pop()
    elements = []
    for y, line in enumerate(lines):
        for x, text, (color, behind, bold) in line:
            left, top = MARGIN + x * WIDTH, TOP + y * HEIGHT
            length = f'textLength="{len(text) * WIDTH:.1f}"' if text.isascii() else ""
            if behind != BACKGROUND:
                size = f'width="{len(text) * WIDTH:.1f}" height="{HEIGHT}"'
                elements.append(f'<rect x="{left:.1f}" y="{top}" {size} fill="{behind}"/>')
            weight = ' font-weight="bold"' if bold else ""
            place = f'x="{left:.1f}" y="{top + 14}" {length}'.rstrip()
            elements.append(f'<text {place} fill="{color}"{weight}>{escape(text)}</text>')
    return SVG.format(
        width=2 * MARGIN + COLUMNS * WIDTH,
        height=TOP + len(lines) * HEIGHT + MARGIN,
        text="\n".join(elements),
    )


def runs(line: dict[int, Char]) -> Iterator[tuple[int, str, tuple[str, str, bool]]]:
    """Yield the parts of a line that look alike: where each begins, its text and style."""
    for looks, columns in groupby(range(COLUMNS), lambda x: style(line[x])):
        columns = list(columns)
        text = "".join(line[x].data for x in columns)
        if text.strip():
            start = len(text) - len(text.lstrip()) if looks[1] == BACKGROUND else 0
            yield columns[0] + start, text.strip() if looks[1] == BACKGROUND else text, looks


def main() -> str:
    with tempfile.TemporaryDirectory() as folder:
        *_, screen = answer(Path(folder))
        return draw(screen)


if __name__ == "__main__":
    path = Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_suffix(".svg")
    path.write_text(main())
    print(path)
