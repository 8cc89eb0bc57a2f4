"""Prompts and refusals in a terminal of 80 columns."""

from __future__ import annotations

import pytest
from prompts import CLEAR, COLUMNS, ENTER, answer
from render import render
from updating import commit, git, start


def test_a_refusal_at_a_prompt_shows_the_way_out(tmp_path):
    keys = [
        # Typed text is added after the default answer.
        ("Python package called? (Ctrl+U clears", f"gate_ops{ENTER}"),
        ("'project': Press Ctrl+U, then type", f"{CLEAR}random{ENTER}"),
        ("'project': Try \"random_ops\"", f"{CLEAR}gate_ops{ENTER}"),
        ("Which kernel does the first", ENTER),
        ("first operator called? (Ctrl+U clears", f"class{ENTER}"),
        ("'op': Press Ctrl+U, then type", f"{CLEAR}class{ENTER}"),
        ("'op': Try \"class_op\"", f"{CLEAR}gate{ENTER}"),
        ("does it return? (Ctrl+U clears", f"{CLEAR}Tensor a, double c{ENTER}"),
        ("'signature': Write \"float c\"", f"{CLEAR}at::Tensor a{ENTER}"),
        ("'signature': Write \"Tensor a\"", f"{CLEAR}Tensor a, Tensor b=3{ENTER}"),
        ("'signature': Write \"Tensor? b=None\"", f"{CLEAR}Tensor a, c{ENTER}"),
        ("'signature': As in \"Tensor x, float c\"", f"{CLEAR}Tensor a{ENTER}"),
        ("How is the C++ and CUDA code", ""),
    ]
    *_, screen = answer(tmp_path, keys)  # or no screen has such a text, which is a TimeoutError
    text = "\n".join(screen.display)
    assert "gate_ops" in text and "my_opsgate" not in text


# The questions, in their order.
FIRST = ["the Python package called?", "Which kernel does", "the first operator called?", "does it"]
FIRST += ["How is the C++ and CUDA code compiled?"]
NEXT = [
    "How does the compiled code",
    "How is the operator differentiated?",
    "Which further operators",
]
NEXT += ["How much should the repository"]
LAST = ["What does the package do", "Who holds the copyright?", "Under which license"]
LAST += ["Where is its repository?"]
RANDOM = "Tensor x: [N], Generator? g=None -> Tensor: [N]"


@pytest.mark.parametrize(
    "answers, shown",
    [
        # By question, the text that is typed in place of Enter, and a part of the screen after it.
        ({}, []),
        (
            {"Which kernel does": "\x1b[A" + ENTER, "does it": f"{CLEAR}{RANDOM}{ENTER}"},
            ["see above", "binding=torch_library"],
        ),
    ],
    ids=["Enter", "refused"],
)
def test_nothing_that_is_asked_is_wider_than_a_terminal(answers, shown, tmp_path):
    """In a wider terminal no line is longer than 80 columns, so a terminal of 80 columns cuts nothing."""
    keys = [(question, answers.get(question, ENTER)) for question in [*FIRST, *NEXT, *LAST]]
    read = narrow(answer(tmp_path, keys, columns=200))
    assert [text for text in shown if text not in read] == []


def test_nothing_that_an_update_asks_is_wider_than_a_terminal(template, tmp_path):
    """Builds and extent=core are refused while files exist; the help has the reason."""
    project = render(tmp_path / "my_ops", template=template)
    start(project)
    keys = [(question, ENTER) for question in [*FIRST, *NEXT, *LAST[:-1]]] + [(LAST[-1], "")]
    command = ("update", "--quiet", "--vcs-ref=HEAD", str(project))
    read = narrow(answer(tmp_path, keys, command, columns=200))
    for words in [
        "cmake: git rm setup.py MANIFEST.in\n",
        "  jit: git rm setup.py\n",
        "extent=core",
    ]:
        assert words in read
    assert read.count("or only CMake (see above)") == 1 and "(recommended) (see" not in read
    git(project, "rm", "-q", "setup.py", "MANIFEST.in")
    commit(project, "as the help says")
    keys = [(question, ENTER) for question in FIRST]
    *_, screen = answer(tmp_path, keys, command)
    assert "see above" not in "\n".join(screen.display)


def narrow(screens) -> str:
    """Return what the screens show, each line of it once."""
    lines = {line.rstrip(): None for screen in screens for line in screen.display}
    # A picture before each question has two columns.
    wide = [line for line in lines if len(line) + line.count("🎤") > COLUMNS]
    assert wide == []
    return "\n".join(lines)
