"""Runs the jobs of a workflow here, step by step, as GitHub's runner does."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from updating import git

TOKEN = "secret-of-the-repository"


def run_job(name: str, job: dict, values: dict[str, str], remote: Path) -> tuple[int, str]:
    """Run the steps as GitHub's runner does, with a `gh` that writes down how it was called."""
    folder = remote.parent
    checkout, temporary, outputs = (folder / f"{name}{x}" for x in ["", ".temp", ".output"])
    for left in [checkout, temporary]:
        shutil.rmtree(left, ignore_errors=True)
    temporary.mkdir()
    outputs.write_text("")
    values |= {"runner.temp": str(temporary)}
    base = os.environ | {"RUNNER_TEMP": str(temporary), "GITHUB_OUTPUT": str(outputs)}
    base["PATH"] = os.pathsep.join([str(fake_gh(folder)), f"{sys.prefix}/bin", os.environ["PATH"]])
    output = ""
    for step in job["steps"]:
        action, inputs = step.get("uses", "").split("@")[0], step.get("with", {})
        if not holds(step, values):
            continue
        if action == "actions/checkout":
            depth = [] if inputs.get("fetch-depth") == 0 else ["--depth", "1"]
            git(folder, "clone", "-q", *depth, remote.as_uri(), str(checkout))
        elif action == "actions/upload-artifact":
            path = Path(evaluate(inputs["path"], values))
            (folder / inputs["name"]).mkdir(exist_ok=True)
            shutil.copy(path, folder / inputs["name"])
        elif action == "actions/download-artifact":
            shutil.copytree(folder / inputs["name"], evaluate(inputs["path"], values))
        elif "run" in step and not step["run"].startswith("pip "):
            secrets = {key: evaluate(value, values) for key, value in step.get("env", {}).items()}
            result = subprocess.run(
                ["bash", "-e", "-c", step["run"]],
                cwd=checkout,
                env=base | secrets,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            output += result.stdout
            if result.returncode:
                return result.returncode, output
            for key, value in re.findall("^(.+?)=(.*)$", outputs.read_text(), re.MULTILINE):
                values[f"steps.{step.get('id')}.outputs.{key}"] = value
    for key, value in job.get("outputs", {}).items():
        values[f"needs.{name}.outputs.{key}"] = evaluate(value, values)
    return 0, output


def evaluate(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\$\{\{ (.+?) \}\}", lambda match: values.get(match[1], ""), text)


def holds(part: dict, values: dict[str, str]) -> bool:
    """Return whether a job or a step runs, by its `if`."""
    if "if" not in part:
        return True
    name, different, value = re.fullmatch("(.*) ([=!])= (.*)", part["if"]).groups()
    expected = value.strip("'") if "'" in value else values.get(value, "")
    return (values.get(name, "") == expected) == (different == "=")


def fake_gh(folder: Path) -> Path:
    """Return a folder with a `gh` that lists the pull requests that it has created."""
    tools = folder / "bin"
    if not tools.exists():
        tools.mkdir()
        calls = folder / "calls"
        calls.touch()
        (tools / "gh").write_text(
            f'#!/bin/sh\n[ "$2" = create ] || grep "pr create" {calls}\necho "$@" >> {calls}\n'
        )
        (tools / "gh").chmod(0o755)
    return tools
