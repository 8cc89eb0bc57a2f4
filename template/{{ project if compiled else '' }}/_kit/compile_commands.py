"""Writes build/compile_commands.json, where clangd looks for it, after a build.

Run it with the folder that CMake or ninja built in: `python compile_commands.py FOLDER`.
Shared code of the template: do not edit.
"""

import json
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

_REPOSITORY = Path(__file__).parents[2]


def write(*folders: Path) -> None:
    """Write the compile commands of these builds, if the package is in its repository."""
    if not (_REPOSITORY / "pyproject.toml").exists():
        return
    entries = [_for_clang(entry) for folder in folders for entry in _entries(folder)]
    for suffix, language in [(".cuh", ".cu"), (".h", ".cpp")]:
        # clangd guesses a header's language by its name, and would read headers of kernels as C++.
        source = next((entry for entry in entries if entry["file"].endswith(language)), None)
        if source is None:
            continue
        for path in sorted(Path(__file__).parents[1].rglob("*" + suffix)):
            arguments = [*source["arguments"], str(path)]
            arguments.remove(source["file"])
            entries.append(source | {"file": str(path), "arguments": arguments})
    database = _REPOSITORY / "build" / "compile_commands.json"
    text = json.dumps(entries, indent=2) + "\n"
    with suppress(OSError):  # a repository that this user may not write to
        # clangd builds its index again if the file's time changes: skip an unchanged file.
        if entries and not (database.exists() and database.read_text() == text):
            database.parent.mkdir(exist_ok=True)
            database.write_text(text)


def _entries(folder: Path) -> list[dict[str, Any]]:
    by_cmake = folder / "compile_commands.json"
    if by_cmake.exists():
        entries = json.loads(by_cmake.read_text())
        # If CMake builds in the folder build/, this may be a file that `write` wrote earlier.
        # Its entries have no "command".
        return [entry for entry in entries if "command" in entry]
    if not (folder / "build.ninja").exists():
        return []
    ninja = ["ninja", "-C", str(folder), "--quiet", "-t", "compdb", "compile", "cuda_compile"]
    return json.loads(subprocess.run(ninja, check=True, capture_output=True).stdout)


def _for_clang(entry: dict[str, Any]) -> dict[str, Any]:
    """Return the entry with the repository as its folder. nvcc's command becomes clang's."""
    directory, command = Path(entry["directory"]), entry["command"]
    command = re.sub(r"--options-file (\S+)", lambda m: (directory / m[1]).read_text(), command)
    compiler, *options = shlex.split(command.replace("-isystem=", "-isystem "))
    if Path(compiler).stem == "nvcc":
        toolkit = Path(compiler).resolve().parents[1]
        words = zip([compiler, *options], options)
        options = [
            option
            for before, option in words
            if before == "-isystem" or option.startswith(("-D", "-I", "-isystem", "-std="))
        ]
        if (toolkit / "include" / "cuda_runtime.h").exists():
            options += [f"--cuda-path={toolkit}", "-isystem", f"{toolkit}/include/cccl"]
        compiler, options = "clang++", ["-x", "cuda", *options, entry["file"]]
    # pip deletes the folder that it built in.
    return {
        "directory": str(_REPOSITORY),
        "file": entry["file"],
        "arguments": [compiler, *options],
    }


if __name__ == "__main__":
    write(Path(sys.argv[1]))
