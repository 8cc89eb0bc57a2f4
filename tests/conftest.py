"""Fixtures that render once for many tests, and the list of what was built."""

from __future__ import annotations

import os
import shutil
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from jinja2 import Environment
from plumbum import local
from render import render
from updating import copy_template, older_and_newer

from variants import VARIANTS

# pytest rewrites the assertions of these modules, as in tests.
pytest.register_assert_rewrite("building", "refusals", "walk")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session", autouse=True)
def templates_compiled_once():
    """Keep what Jinja compiled: Copier compiles each template anew for each of an update's three renders.

    That takes half of the time, and gives the same for the same text and options.
    """
    compile_template, compiled = Environment.compile, {}

    def compile_once(self, source, name=None, filename=None, **options):
        self.preprocess(source, name, filename)  # resets Copier's tag `yield`
        spaces = self.trim_blocks, self.lstrip_blocks, self.keep_trailing_newline
        key = source, name, spaces, *options.items()
        if key not in compiled:
            compiled[key] = compile_template(self, source, name, filename, **options)
        return compiled[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Environment, "compile", compile_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def git_is_asked_less(tmp_path_factory):
    """Render a folder, and ask no git of the mode of each file, which takes twice as long as the rest of a render.

    Copier clones a repository for each render. Tests of updates have one; what they update they render from it.
    And only where git's core.fileMode is false, which is so on Windows, it has to be told of modes.
    """
    template = copy_template(tmp_path_factory.mktemp("source") / "template")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("render.SOURCE", template)
        asked = "copier._main.Worker._sync_git_index_executable_bit"
        patch.setattr(asked, lambda *_: None, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def git_ignores_what_many_people_ignore(tmp_path_factory):
    """A file of global excludes with *.rej in it, in which Copier before 9.16 lost edits."""
    excludes = tmp_path_factory.mktemp("git") / "ignore"
    excludes.write_text("*.rej\n*.orig\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GIT_CONFIG_COUNT", "1")
        patch.setenv("GIT_CONFIG_KEY_0", "core.excludesFile")
        patch.setenv("GIT_CONFIG_VALUE_0", str(excludes))
        # Copier starts git with the environment that plumbum saw when it was imported.
        with local.env(
            **{name: os.environ[name] for name in os.environ if name.startswith("GIT_CONFIG_")}
        ):
            yield


@pytest.fixture(scope="session", params=VARIANTS, ids=str)
def variant(request):
    return request.param


@pytest.fixture(scope="session")
def rendered_once(tmp_path_factory):
    """Return a function that renders a variant with the default signature once. Tests write only into copies."""
    folder = tmp_path_factory.mktemp("variants")
    return cache(lambda variant: render(folder / str(variant) / "my_ops", variant.answers))


@pytest.fixture(scope="session")
def project(variant, rendered_once, tmp_path_factory) -> Path:
    """A project with the default signature."""
    folder = tmp_path_factory.mktemp("project") / "my_ops"
    return Path(shutil.copytree(rendered_once(variant), folder, symlinks=True))


@pytest.fixture(scope="session")
def template(tmp_path_factory) -> Path:
    """A clone of this checkout in two states; the older one is tagged 0.0.1."""
    return older_and_newer(tmp_path_factory.mktemp("template") / "clone")


@pytest.fixture
def summary(request):
    """Return a function that adds a line to the section of the report with this title."""
    # As a property of the test, a line also reaches the report from another process of xdist's.
    properties = request.node.user_properties
    return lambda title: lambda line: properties.append((SUMMARY + title, line))


SUMMARY = "summary: "


def pytest_terminal_summary(terminalreporter):
    parts: dict[str, list[str]] = {}
    for report in chain.from_iterable(terminalreporter.stats.values()):
        if getattr(report, "when", None) == "call":
            for name, line in report.user_properties:
                if name.startswith(SUMMARY):
                    parts.setdefault(name.removeprefix(SUMMARY), []).append(line)
    for title, lines in parts.items():
        terminalreporter.section(f"{title}: {len(lines)}")
        for line in sorted(lines):
            terminalreporter.write_line(line)
