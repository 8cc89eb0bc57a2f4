"""What a person sees who types answers into a terminal of 80 columns."""

from __future__ import annotations

from prompts import CLEAR, ENTER, answer


def test_a_refusal_at_a_prompt_shows_the_way_out(tmp_path):
    keys = [
        # What is typed goes behind the answer that is there.
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
