"""The template's Python code, the same in every project and never edited. `csrc/kit/` has its headers."""
